"""The numbers of a program, counted by hand in its text."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.codegen.statistics import count
from tests.backends.xenos_family.helpers import program_of

#: Two clauses and one to make them even fill two slots.  Of the seven instructions, two are fetches; one ALU
#: instruction is a pair, one only scalar, one vector with an idle half, one keeps the previous result, and one only
#: sets the predicate.
TEXT = """
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC ADDR(0x2) CNT(0x5)
   (S)FETCH: SAMPLE R1.xyzw = R0.xyx CONST(0) LOCATION(CENTER)
      FETCH: SAMPLE R2.xyzw = R0.xyx CONST(1) LOCATION(CENTER)
   (S)ALU: ADDv R3 = R1, R2
           SQRT_IEEE R4.x___ = R1
      ALU: ADDv R0.____ = R0, R0
           RECIP_IEEE R4._y__ = R1
      ALU: MULv R3 = R3, R1
           RETAIN_PREV R0.____ = R0
EXEC_END ADDR(0x7) CNT(0x2)
      ALU: ADDv R0.____ = R0, R0
           PRED_SETEs R0.____ = R4
      ALU: MAXv export0 = R3, R3
"""


def test_every_slot_is_counted_for_what_it_does() -> None:
    stats = count(program_of(TEXT), registers=5, constants=9)
    assert (stats.instructions, stats.code_words, stats.registers, stats.constants) == (7, 3 * 9, 5, 9)
    assert stats.extra == {
        "alu_slots": 5, "scalar_ops": 3, "scalar_only_slots": 2, "dual_slots": 1, "dual_percent": 20,
        "fetch": 2, "cf": 4, "slots96": 9, "gprs": 5,
    }  # fmt: skip


def test_a_program_of_fetches_alone_has_no_share() -> None:
    text = """
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END ADDR(0x1) CNT(0x1)
   (S)FETCH: SAMPLE R1.xyzw = R0.xyx CONST(0) LOCATION(CENTER)
"""
    extra = count(program_of(text), registers=2, constants=0).extra
    assert extra is not None
    assert (extra["alu_slots"], extra["dual_percent"], extra["fetch"]) == (0, 0, 1)


def test_a_kill_of_the_vector_half_is_an_operation() -> None:
    text = """
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END ADDR(0x1) CNT(0x2)
   (S)ALU: KILLGTv R0.____ = R0, R1
           SQRT_IEEE R4.x___ = R1
      ALU: MAXv export0 = R4, R4
"""
    extra = count(program_of(text), registers=5, constants=0).extra
    assert extra is not None
    assert (extra["alu_slots"], extra["dual_slots"], extra["scalar_only_slots"], extra["dual_percent"]) == (2, 1, 0, 50)
