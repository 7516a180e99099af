"""The stack machine on lanes: what the simulator runs, the proof compares, and lifting reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.machine_code import MachineCode, Slot
from glslc_multi.compiler.execution.program import Edge, LaneProgram, Lanes, LaneState
from glslc_multi.compiler.proof.registers import parts
from glslc_multi.compiler.target import MachineInputs, MachineOutputs
from tests.plugins.stack.instructions import unpack

_WIDTH = 4


class Place(NamedTuple):
    """A word, and how many numbers are on the stack before it."""

    word: int = 0
    depth: int = 0


class StackProgram(LaneProgram[Place]):
    """A program without branches."""

    lanes_part = False

    def __init__(self, data: bytes, lanes: Lanes) -> None:
        self._code, self._numbers = unpack(data)
        self._lanes = lanes
        self._outputs = sorted({argument for name, argument in self._code if name == "output"})

    @property
    def start(self) -> Place:
        return Place()

    def step(self, place: Place) -> Sequence[Edge[Place]]:
        a, lanes, depth = self._lanes.operations, self._lanes, place.depth
        name, argument = self._code[place.word]
        top = [lanes.read(f"stack.{number}") for number in range(max(depth - 2, 0), depth)]
        match name:
            case "end":
                return ()
            case "const":
                pushed = a.fconst(self._numbers[argument])
            case "uniform":
                pushed = lanes.constant(argument)
            case "input":
                pushed = lanes.input(divmod(argument, _WIDTH))
            case "take":
                pushed = lanes.read(f"kept.{argument}")
            case "output" | "keep":
                lanes.write(f"{'out' if name == 'output' else 'kept'}.{argument}", top[-1])
                return ((Place(place.word + 1, depth - 1), None),)
            case "neg":
                pushed, depth = a.fneg(top[-1]), depth - 1
            case "add" | "mul":
                pushed, depth = (a.fadd if name == "add" else a.fmul)(*top), depth - 2
            case _:
                first, second = top
                is_first = a.flt(first, second) if name == "min" else a.flt(second, first)
                pushed, depth = a.select(is_first, first, second), depth - 2
        lanes.write(f"stack.{depth}", pushed)
        return ((Place(place.word + 1, depth + 1), None),)

    def finish(self) -> None:
        for number in self._outputs:
            self._lanes.output(divmod(number, _WIDTH), self._lanes.read(f"out.{number}"))


def machine_code(artifact: Artifact) -> MachineCode:
    """The program of an artifact, and what its registers are called."""
    # Nothing connects registers of both stages but their names.
    wires = {slot: part for slot, part, *_ in parts(artifact.reflection.varyings)}
    return MachineCode(
        wire=wires.get,
        make=lambda lanes: StackProgram(artifact.binary, lanes),
        input=lambda key: Slot("input", *key),
        constant=lambda index: Slot("uniform", *divmod(index, _WIDTH)),
        output=lambda slot, outputs: outputs.get((slot.number, slot.component)),
        word_of=lambda place: place.word,
    )


def simulate(artifact: Artifact, inputs: MachineInputs) -> MachineOutputs:
    """Run a program over lanes."""
    given = {
        (register, component): np.asarray(values[:, component], np.float32)
        for register, values in inputs.inputs.get("input", {}).items()
        for component in range(values.shape[1])
    }
    uniforms = inputs.constants.get("uniform", {})
    words = np.zeros((max(uniforms, default=-1) + 1, _WIDTH), np.float32)
    for register, values in uniforms.items():
        words[register, : len(values)] = values
    engine = ArrayEngine(lambda lanes: StackProgram(artifact.binary, lanes))
    outputs: dict[int, np.ndarray] = {}
    for (register, component), values in engine.run(
        LaneState(inputs.lanes, given, words.view(np.uint32).ravel())
    ).items():
        outputs.setdefault(register, np.zeros((inputs.lanes, _WIDTH)))[:, component] = values
    return MachineOutputs({"output": outputs})
