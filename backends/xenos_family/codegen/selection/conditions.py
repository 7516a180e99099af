"""Selection of what depends on a condition: selects, kills and branches, which test numbers against 0."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.xenos_family.codegen import machine_ops
from glslc_multi.backends.xenos_family.codegen.machine_ops import SCALAR, VECTOR
from glslc_multi.backends.xenos_family.codegen.selection.machine import FamilyEmitter
from glslc_multi.compiler.codegen.selection.emitter import literal
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.codegen.selection.templates import Source, Template, table_of
from glslc_multi.compiler.ir.module import PRECISE, Constant, Instruction, Value

RULES: RuleSet[FamilyEmitter] = RuleSet("br -> GO", "ret -> END")

#: What to compare with 0, and how (E, NE, GT or GTE), to know whether a condition holds.
_SIGNS = table_of(
    "feq(x, 0.0) -> E(x)",
    "fne(x, 0.0) -> NE(x)",
    "flt(0.0, x) -> GT(x)",
    "fle(0.0, x) -> GTE(x)",
    "flt(x, 0.0) -> GT(-x)",
    "fle(x, 0.0) -> GTE(-x)",
)
#: The number of any other condition.
_TRUTH = Template("NE", (Source(0),))
#: Where nothing else asks: the scalar unit may compute the difference.
_DIFFERENCES = table_of("once(flt(x:1, y)) -> GT(ADDv(y, -x))", "once(fle(x:1, y)) -> GTE(ADDv(y, -x))")
_KILLS = table_of(
    "flt(x, y) -> KILLGTv(y, x)",
    "fle(x, y) -> KILLGTEv(y, x)",
    "feq(x, y) -> KILLEv(x, y)",
    "fne(x, y) -> KILLNEv(x, y)",
)


@RULES.rule("select(condition, x, y)")
def select_by_test(e: FamilyEmitter, instruction: Instruction, condition: Value, x: Value, y: Value) -> None:
    """CNDE, CNDGT and CNDGTE take the second source where the first passes the test."""
    width = instruction.type.width
    values = [e.use(x, width=width), e.use(y, width=width)]
    test, operands = _SIGNS.find(condition) or _difference(condition) or _truth(condition)
    (tested,) = test.uses(e, operands)
    if condition.type.is_scalar:
        tested.lanes *= width
    if test.name == "NE":
        e.compute("CNDEv", tested, *values[::-1], into=e.define(instruction))
    else:
        e.compute(f"CND{test.name}v", tested, *values, into=e.define(instruction))


def _truth(condition: Value) -> tuple[Template, Sequence[Value]]:
    return _TRUTH, (condition,)


def _difference(condition: Value) -> tuple[Template, Sequence[Value]] | None:
    """x < y as y - x > 0, which rounds."""
    is_precise = isinstance(condition, Instruction) and condition.flags & PRECISE
    return None if is_precise else _DIFFERENCES.find(condition)


@RULES.rule("kill(condition)")
def kill(e: FamilyEmitter, instruction: Instruction, condition: Value) -> None:
    if isinstance(condition, Constant):
        if condition.components[0]:
            e.emit(SCALAR["KILLEs"], [], [literal(0.0)])
        return
    sign, comparison = _SIGNS.find(condition), _KILLS.find(condition)
    if sign is not None:
        test, operands = sign
        e.emit(SCALAR[f"KILL{test.name}s"], [], test.uses(e, operands))
        return
    assert comparison is not None, "conditions are comparisons"
    test, operands = comparison
    e.emit(VECTOR[test.name], [], test.uses(e, operands, (0, 0, 0, 0)))


@RULES.rule("condbr(condition)")
def branch(e: FamilyEmitter, instruction: Instruction, condition: Value) -> None:
    count = e.target.counted.get(instruction)
    if count is not None:
        e.emit(machine_ops.COUNTED, constant=e.target.interface.loops[count])
        return
    test, operands = _SIGNS.find(condition) or _truth(condition)
    e.emit(machine_ops.BRANCH, [], test.uses(e, operands), test=test.name)
