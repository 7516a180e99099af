"""Rules for comparisons and choices: bools as the numbers 1 and 0, which is what the hardware computes.

SLT and SGE compare; equality takes both.  A choice computes with the comparison as a number, exactly:
x * c + y * (1 - c), where the hardware's 0 * infinity is 0.  What can be had for less is: a choice with 0, with 1, or
between numbers that are surely finite.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.pica200.codegen.rewrites.truths import truth
from glslc_multi.backends.pica200.codegen.selection.machine import PicaEmitter
from glslc_multi.compiler.codegen.machine import Def, Use
from glslc_multi.compiler.codegen.operands import NO_MODIFIERS, Operand, by_origin, is_all, lanes_of, see_through
from glslc_multi.compiler.codegen.selection.emitter import negated
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.codegen.selection.templates import table_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.records import replace

RULES: RuleSet[PicaEmitter] = RuleSet()

# --- Comparisons ------------------------------------------------------------------------------------------------------

#: Comparisons as numbers.  x == y: both x >= y and y >= x; x != y: one of x < y and y < x.
_AS_NUMBERS = table_of(
    "flt(x, y) -> SLT(x, y)",
    "fle(x, y) -> SGE(y, x)",
    "feq(x, y) -> MIN(SGE(x, y), SGE(y, x))",
    "fne(x, y) -> MAX(SLT(x, y), SLT(y, x))",
)
#: The same of their opposites.
_OPPOSITES = table_of(
    "flt(x, y) -> SGE(x, y)",
    "fle(x, y) -> SLT(y, x)",
    "feq(x, y) -> MAX(SLT(x, y), SLT(y, x))",
    "fne(x, y) -> MIN(SGE(x, y), SGE(y, x))",
)
RELATIONS_OF: dict[Opcode, str] = {ops.FLT: "lt", ops.FLE: "le", ops.FEQ: "eq", ops.FNE: "ne"}


@RULES.rule("btof(condition)")
def comparison(e: PicaEmitter, instruction: Instruction, condition: Value) -> None:
    tests = [origin(condition, lane) for lane in range(instruction.type.width)]
    _emit_tests(e, e.define(instruction), tests)


def origin(condition: Value, lane: int | None) -> Operand:
    """The lane of a comparison that a lane of a condition is."""
    return see_through(condition, (lane,), NO_MODIFIERS)


def _emit_tests(e: PicaEmitter, target: Def, tests: Sequence[Operand], *, opposite: bool = False) -> None:
    """Lanes of comparisons (or of their opposites) as 1 or 0."""
    for components, tested in by_origin(tests):
        operation = (_OPPOSITES if opposite else _AS_NUMBERS).find(tested.base)
        assert operation is not None, "conditions are comparisons"
        template, values = operation
        part = Def(target.register, tuple(target.lanes[component] for component in components))
        template.emit(e, values, part, tested.lanes)


# --- Selects: the first form that fits, whatever else does; and what is bounded no pattern tells ----------------------


@RULES.rule("select")
def select(e: PicaEmitter, instruction: Instruction) -> None:
    _Choice(e, instruction).emit()


class _Choice:
    """c ? x : y as arithmetic."""

    def __init__(self, e: PicaEmitter, instruction: Instruction) -> None:
        self.e = e
        self.width = instruction.type.width
        condition, self.if_true, self.if_false = instruction.operands
        #: For each lane of the choice a comparison and its lane.
        self.tests = [origin(condition, lane) for lane in lanes_of(condition, self.width)]
        self.target = e.define(instruction)

    def emit(self) -> None:
        if is_all(self.if_false, 0.0):
            self._product(self.target, self.if_true, opposite=False)
        elif is_all(self.if_true, 0.0):
            self._product(self.target, self.if_false, opposite=True)
        elif is_all(self.if_true, 1.0):
            # y * (1 - c) + c
            self._sum(self.if_false, opposite=True)
        elif is_all(self.if_false, 1.0):
            self._sum(self.if_true, opposite=False)
        elif _is_finite(self.if_false):
            self._difference()
        else:
            # Of two opposite comparisons with NaN neither holds: the second factor is made of the first.
            test = self._test(opposite=False)
            otherwise = self.e.compute("ADD", self.e.number(1.0, self.width), negated(test), width=self.width)
            rest = self.e.compute("MUL", self._use(self.if_false), otherwise, into=self.e.new(self.width))
            self.e.compute("MAD", self._use(self.if_true), test, rest, into=self.target)

    def _test(self, *, opposite: bool) -> Use:
        """The condition (or its opposite) as a number."""
        factor = self._number(opposite=opposite)
        if factor is not None:
            return factor
        tests = list(dict.fromkeys(self.tests))
        outcomes = self.e.new(len(tests))
        _emit_tests(self.e, outcomes, tests, opposite=opposite)
        return Use(outcomes.register, tuple(tests.index(test) for test in self.tests))

    def _truth(self) -> Value | None:
        """Return what is 1 or 0, where the condition is that it is not 0."""
        comparisons = {test.base for test in self.tests}
        return truth(self.tests[0].base) if len(comparisons) == 1 else None

    def _number(self, *, opposite: bool) -> Use | None:
        """A condition "x is not 0" of what is 1 or 0 is x, and its opposite 1 - x."""
        truth_value = self._truth()
        if truth_value is None:
            return None
        lanes = tuple(test.lanes[0] for test in self.tests)
        if not opposite:
            return self.e.use(truth_value, lanes)
        width = truth_value.type.width
        rest = self.e.compute("ADD", self.e.number(1.0, width), negated(self.e.use(truth_value)), width=width)
        return replace(rest, lanes=lanes)

    def _use(self, value: Value) -> Use:
        return self.e.use(value, width=self.width)

    def _product(self, target: Def, value: Value, *, opposite: bool) -> None:
        if is_all(value, 1.0) and self._truth() is None:
            _emit_tests(self.e, target, self.tests, opposite=opposite)
        else:
            self.e.compute("MUL", self._use(value), self._test(opposite=opposite), into=target)

    def _sum(self, value: Value, *, opposite: bool) -> None:
        """value * test + (1 - test)"""
        rest = self._test(opposite=not opposite)
        test = self._test(opposite=opposite)
        self.e.compute("MAD", self._use(value), test, rest, into=self.target)

    def _difference(self) -> None:
        """y - c * y, and x * c added to it."""
        test = self._test(opposite=False)
        rest = self.e.new(self.width)
        kept = self.e.compute("MAD", self._use(self.if_false), negated(test), self._use(self.if_false), into=rest)
        self.e.compute("MAD", self._use(self.if_true), test, kept, into=self.target)


#: Finite where their operands are.
_FINITE = frozenset(
    {ops.FNEG, ops.FABS, ops.FFLOOR, ops.FTRUNC, ops.FMIN, ops.FMAX, ops.SELECT, ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT}
)


def _is_finite(value: Value, depth: int = 12) -> bool:
    """Whether a value is not infinite, as far as a short look tells."""
    if not isinstance(value, Instruction) or value.op in (ops.LOAD, ops.BTOF):
        return True
    is_scaled = value.op is ops.FMUL and any(map(_is_at_most_1, value.operands))
    if not (is_scaled or value.op in _FINITE) or depth == 0:
        return False
    operands = value.operands[1:] if value.op is ops.SELECT else value.operands
    return all(_is_finite(operand, depth - 1) for operand in operands)


def _is_at_most_1(value: Value) -> bool:
    return isinstance(value, Constant) and all(c is None or abs(c) <= 1 for c in value.components)
