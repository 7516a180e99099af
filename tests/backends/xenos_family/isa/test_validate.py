"""Every rule: a program that breaks it, and only it, beside one that breaks none."""

from __future__ import annotations

import pytest

from glslc_multi.backends.adreno.isa.formats import TEXTURE, VERTEX
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa.formats import ALU
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.backends.xenos_family.isa.validate import validate
from tests.backends.xenos_family.helpers import alu, program_of

VERTEX_PROGRAM = """ALLOC PARAM/PIXEL SIZE(0x0)
EXEC
   (S)FETCH: VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(20, 2)
LOOP_START ADDR(0x5) LOOP_ID(1)
EXEC
   (S)ALU: ADDv R1 = R1, C0
LOOP_END ADDR(0x3) LOOP_ID(1)
COND_JMP ADDR(0x7) DIR(1) COND(1)
ALLOC POSITION SIZE(0x0)
EXEC
   ALU: MAXv export62 = R1, R1
EXEC_END
   ALU: MULv export0.xyz_ = R1, C0
        MAXs export0.___w = R1
"""
FRAGMENT_PROGRAM = """ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END
   (S)FETCH: SAMPLE R1.xyzw = R0.xyx CONST(0)
   (S)ALU: KILLGTv R2.____ = R1, C0
   ALU: MAXv export0 = R1, R1
"""


def rules_of(program: Program, stage: Stage | None = None) -> set[str]:
    return {fault.rule for fault in validate(program, stage)}


def with_clause(program: Program, number: int, clause: int) -> Program:
    clauses = list(program.clauses)
    clauses[number] = clause
    return Program(A2XX, tuple(clauses), program.instructions)


def alone(instruction: int, is_fetch: bool = False) -> Program:
    clause = A2XX.encode_clause("EXEC_END", addr=1, cnt=1, sequence=2 | is_fetch)
    return Program(A2XX, (clause, 0), (instruction,))


@pytest.mark.parametrize(("text", "stage"), [(VERTEX_PROGRAM, "vertex"), (FRAGMENT_PROGRAM, "fragment")])
def test_good_programs(text: str, stage: Stage) -> None:
    program = program_of(text)
    assert validate(program, stage) == []


GOOD = program_of(VERTEX_PROGRAM)
_JUMP = {"predicated_jmp": 1, "condition": 1}
_VERTEX_FETCH = {"format": 36, "dst_swizzle": 0}

#: Rule -> a program that breaks it, and the stage that it is judged as.
BAD: dict[str, list[tuple[Program, Stage | None]]] = {
    "size": [(program_of("EXEC\n" * 768 + "EXEC_END"), None)],
    "reserved-bits": [
        (with_clause(GOOD, 0, GOOD.clauses[0] | 1 << 20), "vertex"),
        (alone(VERTEX.encode(_VERTEX_FETCH) ^ 1 << 19, True), None),
        (alone(VERTEX.encode(_VERTEX_FETCH) | 1 << 47, True), None),
    ],
    "undefined-operation": [
        (alone(ALU.encode({"vector_op": 30})), None),
        (alone(ALU.encode({"scalar_op": 41})), None),
        (alone(TEXTURE.encode({"opcode": 27}), True), None),
    ],
    "unwritable-component": [(alone(VERTEX.encode({**_VERTEX_FETCH, "dst_swizzle": 6}), True), None)],
    "fetch-constant": [(alone(VERTEX.encode({**_VERTEX_FETCH, "const_index_sel": 3}), True), None)],
    "clause-count": [(Program(A2XX, (A2XX.encode_clause("EXEC_END", addr=1, cnt=7), 0), (0,) * 7), None)],
    "unused-sequence": [(Program(A2XX, (A2XX.encode_clause("EXEC_END", addr=1, sequence=1), 0), ()), None)],
    "slot-range": [(Program(A2XX, (A2XX.encode_clause("EXEC_END", addr=1, cnt=2), 0), (0,)), None)],
    "two-kinds": [
        (
            Program(
                A2XX,
                (
                    A2XX.encode_clause("EXEC", addr=1, cnt=1, sequence=2),
                    A2XX.encode_clause("EXEC_END", addr=1, cnt=1, sequence=3),
                ),
                (alu(src1_bank=0),),
            ),
            None,
        )
    ],
    "jump-range": [(with_clause(GOOD, 5, A2XX.encode_clause("COND_JMP", addr=100, direction=1, **_JUMP)), "vertex")],
    "jump-direction": [(with_clause(GOOD, 5, A2XX.encode_clause("COND_JMP", addr=7, **_JUMP)), "vertex")],
    "loop-pairs": [
        (with_clause(GOOD, 4, A2XX.encode_clause("LOOP_END", addr=3, loop_id=2)), "vertex"),
        (with_clause(GOOD, 4, A2XX.encode_clause("LOOP_END", addr=2, loop_id=1)), "vertex"),
        (with_clause(GOOD, 4, 0), "vertex"),
        (with_clause(GOOD, 2, 0), "vertex"),
    ],
    "no-end": [(program_of("EXEC"), None)],
    "export-number": [
        (program_of(VERTEX_PROGRAM.replace("export0", "export16")), "vertex"),
        (program_of(FRAGMENT_PROGRAM.replace("EXEC_END", "EXEC_END\n   ALU: MAXv export4 = R1, R1")), "fragment"),
    ],
    "export-relative": [],
    "export-two-numbers": [(program_of(VERTEX_PROGRAM.replace("MAXs export0", "MAXs export1")), "vertex")],
    "write-conflict": [
        (program_of(VERTEX_PROGRAM.replace("export0.___w", "export0.__zw")), "vertex"),
        (program_of("EXEC_END\nALU: MAXv R1 = R0, R0\nMAXs R1.x___ = R0"), None),
    ],
    "mixed-buffers": [
        (
            program_of(VERTEX_PROGRAM.replace("= R1, R1\nEXEC_END\n", "= R1, R1\n") + "EXEC_END\n"),
            "vertex",
        )
    ],
    "missing-alloc": [(program_of(VERTEX_PROGRAM.replace("ALLOC POSITION SIZE(0x0)", "NOP")), "vertex")],
    "alloc-order": [
        (
            program_of(
                "ALLOC PARAM/PIXEL\nEXEC\nALU: MAXv export0 = R0, R0\n"
                "ALLOC POSITION\nEXEC_END\nALU: MAXv export62 = R0, R0"
            ),
            "vertex",
        )
    ],
    "missing-sync": [
        (program_of(VERTEX_PROGRAM.replace("(S)ALU", "ALU")), "vertex"),
        (program_of("EXEC_END\nFETCH: VERTEX R1.xyz1 = R0.x FMT_8\nFETCH: SAMPLE R2.xyzw = R1.xyx"), None),
    ],
    "kill-in-vertex": [
        (program_of(VERTEX_PROGRAM.replace("MAXs export0", "KILLEs export0")), "vertex"),
        (program_of(VERTEX_PROGRAM.replace("ADDv R1 = R1, C0", "KILLEv R1 = R1, C0")), "vertex"),
    ],
    "missing-output": [(program_of(FRAGMENT_PROGRAM.replace("export0", "export1")), "fragment")],
}
# Text cannot write a relative export.
BAD["export-relative"] = [
    (Program(A2XX, GOOD.clauses, (*GOOD.instructions[:-1], GOOD.instructions[-1] | 1 << 6)), "vertex"),
]


def test_every_rule_has_a_program_that_breaks_it() -> None:
    assert BAD.keys() == A2XX.rules.keys()


@pytest.mark.parametrize("rule", BAD)
def test_a_program_that_breaks_one_rule(rule: str) -> None:
    for program, stage in BAD[rule]:
        assert rules_of(program, stage) == {rule}


def test_a_program_may_fill_all_slots() -> None:
    assert validate(program_of("EXEC\n" * 767 + "EXEC_END")) == []


def test_stage_rules_need_a_stage() -> None:
    assert validate(program_of(FRAGMENT_PROGRAM.replace("export0", "export1"))) == []
