"""Runs a program over lanes: vertices or pixels.

In: a program, and what the host sets.  Out: the exports and the lanes that were killed.  Where nothing else is asked
for the program is interpreted, and all lanes go through the clauses together, as one wave; then it is also told in
which order exports were written, what registers hold at the end, and how much was executed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, product
from typing import Any

import numpy as np

from glslc_multi.backends.xenos_family.isa.program import Issue, Program
from glslc_multi.backends.xenos_family.isa.registers import COMPONENT_COUNT, CONSTANTS, REGISTERS
from glslc_multi.backends.xenos_family.machine.arithmetic import FamilyArithmetic
from glslc_multi.backends.xenos_family.machine.execute import Edges, FamilyProgram, Place
from glslc_multi.backends.xenos_family.machine.fetch import buffer_of, fetches_of
from glslc_multi.backends.xenos_family.machine.state import (
    BUFFER,
    FIRST_BOOL,
    FIRST_CUBE,
    FIRST_LOOP,
    KILLED,
    REGISTER_NAMES,
    WORDS,
    SimulationFault,
)
from glslc_multi.backends.xenos_family.machine.vertex_data import with_margins
from glslc_multi.compiler.arithmetic.lanes import LANES, Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Engine, Key, LaneProgram, Lanes, LaneState
from glslc_multi.compiler.records import dataclass, field

_EMPTY_REGISTERS = dict.fromkeys(chain(*REGISTER_NAMES), np.zeros((), np.float32))


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the host sets."""

    #: Constant -> x, y, z, w; absent ones are +0.
    constants: Mapping[int, Any] = field(default_factory=dict)
    #: Register -> array of shape (4, lanes).
    registers: Mapping[int, Any] = field(default_factory=dict)
    #: Dword -> 32 bool constants, the first one lowest.
    bools: Mapping[int, int] = field(default_factory=dict)
    #: Loop constants: count, start and step, 8 bits each.
    loops: Mapping[int, int] = field(default_factory=dict)
    #: 3 * index + selector of the fetch constant -> bytes.
    buffers: Mapping[int, bytes] = field(default_factory=dict)
    #: With filters, which are part of the texture's constant.
    textures: Mapping[int, Texture] = field(default_factory=dict)
    #: Whether lanes 4k to 4k + 3 are a 2x2 block of pixels.
    quads: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """One write to an export: values of shape (4, lanes), of which `mask` and `lanes` say what was written."""

    number: int
    mask: int
    values: Array
    lanes: Array


@dataclass(frozen=True, slots=True)
class Result:
    """What a program did; all but exports and killed lanes is known of a program that was watched only."""

    #: Export -> last values, shape (4, lanes), +0 where nothing was written.
    outputs: Mapping[int, Array]
    #: True for lanes that were killed: their exports do not count.
    killed: Array
    #: In the order in which they were written.
    exports: Sequence[Export] = ()
    #: Shape (64, 4, lanes), at the end.
    registers: Array = field(default_factory=lambda: np.zeros((REGISTERS, COMPONENT_COUNT, 0), np.float32))
    #: Clauses that the wave came to, and instructions that were issued for it.
    clauses: int = 0
    issued: int = 0

    @property
    def executed_slots(self) -> int:
        """Slots that were executed; two clauses are one."""
        return self.issued + (self.clauses + 1) // 2


def simulate(
    program: Program, inputs: Inputs, lanes: int = 1, max_clauses: int = 100_000, engine: Engine | None = None
) -> Result:
    """Run `program`; raises `SimulationFault` for what the machine leaves undefined.

    `engine` does it, made for this program; else it is interpreted and watched.
    """
    # What fetches read must be there.
    for name, fields in fetches_of(program):
        if name == "VERTEX" and not fields.get("mini") and buffer_of(fields) not in inputs.buffers:
            raise SimulationFault(f"there is no vertex buffer {buffer_of(fields)}")
        if name == "SAMPLE" and fields["const_index"] not in inputs.textures:
            raise SimulationFault(f"there is no texture {fields['const_index']}")
        if name == "GET_GRADIENTS" and not inputs.quads:
            raise SimulationFault("gradients need pixels in blocks of 2x2")
    given: dict[Key, Any] = dict(_EMPTY_REGISTERS)
    for number, values in inputs.registers.items():
        rows = np.asarray(values, np.float32).reshape(COMPONENT_COUNT, -1)
        given.update(zip(REGISTER_NAMES[number], np.broadcast_to(rows, (COMPONENT_COUNT, lanes)), strict=True))
    given.update(((BUFFER, number), with_margins(buffer)) for number, buffer in inputs.buffers.items())
    textures = [inputs.textures.get(number) for number in range(max(inputs.textures, default=-1) + 1)]
    state = LaneState(lanes, given, _constant_words(inputs), textures, inputs.quads, max_clauses)
    if engine is not None:
        return Result(*_left(engine.run(state), lanes))
    watching = ArrayEngine(partial(_Watched, program, lanes), SimulationFault, block=lanes)
    left = _left(watching.run(state), lanes)
    watched = watching.program
    assert isinstance(watched, _Watched)
    return Result(*left, watched.exports, watched.registers, watched.clauses, watched.issued)


def maker(program: Program) -> Callable[[Lanes], LaneProgram[Place]]:
    """What makes the program on the lanes of an engine."""
    return partial(FamilyProgram, program)


def interpreter(program: Program) -> ArrayEngine[Place]:
    """What runs a program where only its exports are wanted."""
    return ArrayEngine(maker(program), SimulationFault)


# --- From and to the host ---------------------------------------------------------------------------------------------


def _constant_words(inputs: Inputs) -> Array:
    constants = np.zeros((CONSTANTS, COMPONENT_COUNT), np.float32)
    for number, values in inputs.constants.items():
        constants[number] = values
    words = np.zeros(WORDS, np.int32)
    words[:FIRST_BOOL] = FamilyArithmetic(LANES).flushed(constants.ravel()).view(np.int32)
    for dword, bits in inputs.bools.items():
        words[FIRST_BOOL + dword] = np.uint32(bits).view(np.int32)
    for number, constant in inputs.loops.items():
        words[FIRST_LOOP + number] = constant
    for number, texture in inputs.textures.items():
        words[FIRST_CUBE + number] = texture.is_cube
    return words


def _left(found: Mapping[Key, Array], lanes: int) -> tuple[dict[int, Array], Array]:
    """The exports that a run has left, and the killed lanes."""
    outputs: dict[int, Array] = {}
    for number, component in (key for key in found if key != KILLED):
        if number not in outputs:
            outputs[number] = np.zeros((COMPONENT_COUNT, lanes), np.float32)
        outputs[number][component] = found[number, component]
    return outputs, found.get(KILLED, np.zeros(lanes)) != 0


class _Watched(FamilyProgram):
    """A program that all lanes run as one wave, and what it does."""

    def __init__(self, program: Program, count: int, lanes: Lanes) -> None:
        super().__init__(program, lanes)
        self._count = count
        self.exports: list[Export] = []
        self.registers = np.zeros((REGISTERS, COMPONENT_COUNT, count), np.float32)
        self.clauses = self.issued = 0

    def step(self, place: Place) -> Edges:
        self.clauses += not place.passed
        return super().step(place)

    def issue(self, issue: Issue) -> None:
        self.issued += 1
        super().issue(issue)

    def export(self, number: int, values: Mapping[int, Any]) -> None:
        super().export(number, values)
        rows = np.zeros((COMPONENT_COUNT, self._count), np.float32)
        for component, value in values.items():
            rows[component] = value
        mask = sum(1 << component for component in values)
        lanes = True if self._lanes.mask is None else self._lanes.mask
        self.exports.append(Export(number, mask, rows, np.broadcast_to(lanes, self._count)))

    def finish(self) -> None:
        super().finish()
        for number, component in product(range(REGISTERS), range(COMPONENT_COUNT)):
            self.registers[number, component] = self._machine.register(number, 0, component)
