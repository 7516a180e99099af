"""A program on lanes, and the registers of the register map that its keys mean: what a proof reads."""

from __future__ import annotations

from typing import Any

from backends.agal.isa.container import unpack
from backends.agal.isa.registers import BY_NAME, BY_TYPE, COMPONENTS, CONSTANT
from backends.agal.machine.execute import DISCARDED, AgalProgram, samplers_of, tokens_of
from compiler.artifact import Artifact
from compiler.execution.machine_code import MachineCode, Outputs, Slot
from compiler.execution.program import Key


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
        discarded=lambda outputs: bool(outputs.get(DISCARDED)),
    )
