"""The rules that Adreno does not have, and those that it has and Xenos has not."""

from __future__ import annotations

import pytest

from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.backends.xenos_family.isa.validate import validate
from glslc_multi.compiler.records import replace
from tests.backends.xenos.helpers import program_of

COLOUR = "\nALLOC PARAM/PIXEL SIZE(0x0)\nEXEC_END PRED_CLEAN\nALU: MAXv export0 = R1, R1"


def rules_of(program: Program, stage: Stage = "fragment") -> set[str]:
    return {fault.rule for fault in validate(program, stage)}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f"EXEC PRED_CLEAN\nALU: ADDv R1 = R2, R3{COLOUR}", set()),
        (f"EXEC\nALU: ADDv R1 = R2, R3\n PRED_SETNEs R1.____ = R2.xxxx{COLOUR}", set()),
        (f"EXEC PRED_CLEAN\nALU: ADDv R1 = R2, R3\n PRED_SETNEs R1.____ = R2.xxxx{COLOUR}", {"predicate-clean"}),
        (f"COND_PRED_EXEC PRED_CLEAN COND(1)\nALU: ADDvEQ R1 = R2, R3{COLOUR}", set()),
        (f"COND_PRED_EXEC PRED_CLEAN COND(1)\nALU: ADDvNE R1 = R2, R3{COLOUR}", {"predicate-mismatch"}),
        (f"COND_PRED_EXEC PRED_CLEAN COND(0)\nALU: ADDv R1 = R2, R3{COLOUR}", {"predicate-mismatch"}),
        # Depth goes with the colours.
        (f"{COLOUR}\nALU: MAXv export61.x___ = R1, R1", set()),
    ],
)
def test_rules(text: str, rules: set[str]) -> None:
    assert rules_of(program_of(text)) == rules


def test_the_position_may_come_after_parameters() -> None:
    text = f"{COLOUR.replace('EXEC_END', 'EXEC')}\nALLOC POSITION SIZE(0x0)\nEXEC_END\nALU: MAXv export62 = R1, R1"
    assert rules_of(program_of(text), "vertex") == set()


@pytest.mark.parametrize(("isa", "limit"), [(A2XX, 384), (XENOS, 4096)])
def test_a_program_has_so_many_slots(isa: InstructionSet, limit: int) -> None:
    program = replace(program_of(COLOUR), isa=isa)
    room = limit - len(program.slots)
    longest, longer = ((*program.instructions, *(0,) * more) for more in (room, room + 1))
    assert "size" not in rules_of(replace(program, instructions=longest))
    assert "size" in rules_of(replace(program, instructions=longer))
