"""A program on lanes, and the registers of the register map that its keys mean: what a proof reads."""

from __future__ import annotations

from functools import partial
from typing import Any

from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.registers import BY_NAME, BY_TYPE, COMPONENTS, CONSTANT
from glslc_multi.backends.agal.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.backends.agal.isa.window import WINDOW, WINDOW_LANES
from glslc_multi.backends.agal.machine.execute import DISCARDED, AgalProgram, samplers_of, tokens_of
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.artifact import Artifact, Reflection
from glslc_multi.compiler.execution.machine_code import Computed, MachineCode, Outputs, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key
from glslc_multi.compiler.isa.spaces import WINDOW_SPACE
from glslc_multi.compiler.proof.registers import parts

_W = 3


def machine_code(artifact: Artifact, *, depth_from_zero: bool) -> MachineCode:
    """The program of an artifact."""
    program = unpack(artifact.binary)
    stage = program.stage
    constants = BY_TYPE[stage, CONSTANT].names[0]
    samplers = samplers_of(tokens_of(program))

    def input_slot(key: Key) -> Slot:
        type, number, component = key
        return Slot(BY_TYPE[stage, type].names[0], number, component)

    def output(slot: Slot, outputs: Outputs) -> Any:
        return outputs.get((BY_NAME[stage, slot.space].type, slot.number, slot.component))

    return MachineCode(
        make=lambda lanes: AgalProgram(program, lanes),
        input=input_slot,
        constant=lambda index: Slot(constants, *divmod(index, len(COMPONENTS))),
        output=output,
        depth_from_zero=depth_from_zero,
        sampler=lambda texture: samplers[texture].number,
        discarded=lambda outputs: outputs.get(DISCARDED),
        word_of=lambda place: place,
        passed=_window(artifact.reflection),
        largest={"int": WHOLE_NUMBERS.exact},
    )


def _window(reflection: Reflection) -> dict[Slot, Computed]:
    """The varying that a vertex program leaves for gl_FragCoord, as `built_ins.py` makes it."""
    return {
        slot: partial(_passed, WINDOW_LANES.index(part.component))
        for slot, part, *_ in parts(binding for binding in reflection.varyings if binding.name == WINDOW)
        if reflection.inputs
    }


def _passed(component: int, a: LaneOperations, read: ReadSlot) -> Any:
    numerator = a.fconst(1.0) if component == _W else read(Slot(WINDOW_SPACE, 0, component))
    return a.fdiv(numerator, read(Slot(WINDOW_SPACE, 0, _W)))
