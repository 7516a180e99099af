"""Selection of arithmetic: component by component, scalar functions, products."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.codegen.machine_ops import CHANGE
from glslc_multi.backends.xenos_family.codegen.selection.machine import FamilyEmitter
from glslc_multi.compiler.codegen.selection.rules import RuleSet, gather
from glslc_multi.compiler.ir.module import Instruction, Value

#: The number of a comparison, 1 or 0.
_COMPARISONS = {
    "flt(x, y)": "SETGTv(y, x)",
    "fle(x, y)": "SETGTEv(y, x)",
    "feq(x, y)": "SETEv(x, y)",
    "fne(x, y)": "SETNEv(x, y)",
}
RULES: RuleSet[FamilyEmitter] = RuleSet(
    *(f"{comparison} -> {number}" for comparison, number in _COMPARISONS.items()),
    *(f"btof({comparison}) -> {number}" for comparison, number in _COMPARISONS.items()),
    "fadd(x, y) -> ADDv(x, y)",
    "fsub(x, y) -> ADDv(x, -y)",
    "fmul(x, y) -> MULv(x, y)",
    "fmad(x, y, z) -> MULADDv(x, y, z)",
    "fmin(x, y) -> MINv(x, y)",
    "fmax(x, y) -> MAXv(x, y)",
    "ffloor(x) -> FLOORv(x)",
    "ffract(x) -> FRACv(x)",
    "ftrunc(x) -> TRUNCv(x)",
    "fstep(edge, x) -> SETGTEv(x, edge)",
    "frcp(x) -> RECIP_IEEE(x)",
    "frsqrt(x) -> RECIPSQ_IEEE(x)",
    "fsqrt(x) -> SQRT_IEEE(x)",
    "fexp2(x) -> EXP_IEEE(x)",
    "flog2(x) -> LOG_IEEE(x)",
    "fsin(x) -> SIN(x)",
    "fcos(x) -> COS(x)",
    "dot(x:2, y) -> DOT2ADDv(x, y, 0.0)",
    "dot(x:3, y) -> DOT3v(x, y)",
    "dot(x:4, y) -> DOT4v(x, y)",
    "fadd(once(dot(x:2, y)), z) -> DOT2ADDv(x, y, z)",
)
RULES.rule("construct", "insert")(gather)


@RULES.rule("fsaturate(x)")
def saturate(e: FamilyEmitter, instruction: Instruction, x: Value) -> None:
    """`fixup.py` lets what computes the operand limit it."""
    e.emit(CHANGE, [e.define(instruction)], [e.use(x)], clamp=True)
