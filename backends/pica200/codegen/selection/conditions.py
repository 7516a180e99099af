"""Rules for comparisons and choices: bools as the numbers 1 and 0, which is what the hardware computes.

SLT and SGE compare; equality takes both.  A choice computes with the comparison as a number, exactly:
x * c + y * (1 - c), where the hardware's 0 * infinity is 0.  What can be had for less is: a choice with 0, with 1, or
between numbers that are surely finite.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.pica200.codegen.machine_ops import OPS
from backends.pica200.codegen.register_files import VALUES
from backends.pica200.codegen.selection.rule_set import RULES, Emit, negated, numbers
from compiler.codegen.machine import Def, Use
from compiler.codegen.operands import Modifiers, lanes_of, see_through
from compiler.codegen.select import Emitter
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value
from compiler.ir.ops import Opcode

# --- Comparisons ------------------------------------------------------------------------------------------------------

#: A comparison and one of its lanes.
Test = tuple[Instruction, int]

#: Comparison -> the instruction that computes it as a number, and whether its operands are swapped.
_AS_NUMBER: dict[Opcode, tuple[str, bool]] = {ops.FLT: ("SLT", False), ops.FLE: ("SGE", True)}
#: The same of its opposite.
_OPPOSITE: dict[Opcode, tuple[str, bool]] = {ops.FLT: ("SGE", False), ops.FLE: ("SLT", True)}
RELATIONS_OF: dict[Opcode, str] = {ops.FLT: "lt", ops.FLE: "le", ops.FEQ: "eq", ops.FNE: "ne"}


@RULES.rule(ops.BTOF)
def comparison(instruction: Instruction) -> Emit:
    tests = [origin(instruction.operands[0], lane) for lane in range(instruction.type.width)]
    return lambda e: _emit_tests(e, e.define(instruction), tests)


def origin(condition: Value, lane: int | None) -> Test:
    """The comparison that a lane of a condition is a lane of."""
    origin = see_through(condition, (lane,), Modifiers())
    assert isinstance(origin.base, Instruction) and origin.base.op in RELATIONS_OF, "conditions are comparisons"
    return origin.base, origin.lanes[0] or 0


def _emit_tests(e: Emitter, target: Def, tests: Sequence[Test], *, opposite: bool = False) -> None:
    """Lanes of comparisons (or of their opposites) as 1 or 0."""
    for comparison in dict.fromkeys(comparison for comparison, _ in tests):
        pairs = zip(target.lanes, tests, strict=True)
        members = [(written, lane) for written, (tested, lane) in pairs if tested is comparison]
        part = Def(target.register, tuple(written for written, _ in members))
        _emit_test(e, part, comparison, tuple(lane for _, lane in members), opposite=opposite)


def _emit_test(e: Emitter, target: Def, test: Instruction, lanes: tuple[int, ...], *, opposite: bool = False) -> None:
    """Lanes of a comparison (or of its opposite) as 1 or 0."""

    def source(value: Value) -> Use:
        return e.use(value, (0,) * len(lanes) if value.type.is_scalar else lanes)

    first, second = test.operands
    ordered = (_OPPOSITE if opposite else _AS_NUMBER).get(test.op)
    if ordered is not None:
        name, swapped = ordered
        sources = (second, first) if swapped else (first, second)
        e.emit(OPS[name], [target], [source(value) for value in sources])
        return
    # x == y: both x >= y and y >= x; x != y: one of x < y and y < x.
    equal = (test.op is ops.FEQ) is not opposite
    parts = [e.temporary(len(lanes), VALUES) for _ in range(2)]
    own = tuple(range(len(lanes)))
    for part, sources in zip(parts, ((first, second), (second, first)), strict=True):
        e.emit(OPS["SGE" if equal else "SLT"], [Def(part, own)], [source(value) for value in sources])
    e.emit(OPS["MIN" if equal else "MAX"], [target], [Use(part, own) for part in parts])


# --- Selects ----------------------------------------------------------------------------------------------------------


@RULES.rule(ops.SELECT)
def select(instruction: Instruction) -> Emit:
    return lambda e: _Choice(e, instruction).emit()


class _Choice:
    """c ? x : y as arithmetic."""

    def __init__(self, e: Emitter, instruction: Instruction) -> None:
        self.e = e
        self.width = instruction.type.width
        condition, self.if_true, self.if_false = instruction.operands
        #: For each lane of the choice a comparison and its lane.
        self.tests = [origin(condition, lane) for lane in lanes_of(condition, self.width)]
        self.target = e.define(instruction)
        self.lanes = tuple(range(self.width))

    def emit(self) -> None:
        if is_all(self.if_false, 0.0):
            self._product(self.target, self.if_true, opposite=False)
        elif is_all(self.if_true, 0.0):
            self._product(self.target, self.if_false, opposite=True)
        elif is_all(self.if_true, 1.0) and _is_bounded(self.if_false):
            # y * (1 - c) + c
            self._sum(self.if_false, opposite=True)
        elif is_all(self.if_false, 1.0) and _is_bounded(self.if_true):
            self._sum(self.if_true, opposite=False)
        elif self._is_finite(self.if_false):
            self._difference()
        else:
            self._two_products()

    def _test(self, *, opposite: bool) -> Use:
        """The condition (or its opposite) as a number."""
        known = self._number(opposite=opposite)
        if known is not None:
            return known
        tests = list(dict.fromkeys(self.tests))
        outcomes = self.e.temporary(len(tests), VALUES)
        _emit_tests(self.e, Def(outcomes, tuple(range(len(tests)))), tests, opposite=opposite)
        return Use(outcomes, tuple(tests.index(test) for test in self.tests))

    def _truth(self) -> Value | None:
        """What is 1 or 0, where the condition is that it is not 0."""
        comparisons = {comparison for comparison, _ in self.tests}
        return truth(self.tests[0][0]) if len(comparisons) == 1 else None

    def _number(self, *, opposite: bool) -> Use | None:
        """A condition "x is not 0" of what is 1 or 0 is x, and its opposite 1 - x."""
        known = self._truth()
        if known is None:
            return None
        lanes = tuple(0 if known.type.is_scalar else lane for _, lane in self.tests)
        if not opposite:
            return self.e.use(known, lanes)
        width = known.type.width
        rest = self.e.temporary(width, VALUES)
        sources = [numbers(1.0, width), negated(self.e.use(known))]
        self.e.emit(OPS["ADD"], [Def(rest, tuple(range(width)))], sources)
        return Use(rest, lanes)

    def _product(self, target: Def, value: Value, *, opposite: bool) -> None:
        test = self._test(opposite=opposite)
        self.e.emit(OPS["MUL"], [target], [self.e.use(value, width=self.width), test])

    def _sum(self, value: Value, *, opposite: bool) -> None:
        """value * test + (1 - test)"""
        rest = self._test(opposite=not opposite)
        test = self._test(opposite=opposite)
        self.e.emit(OPS["MAD"], [self.target], [self.e.use(value, width=self.width), test, rest])

    def _difference(self) -> None:
        """y - c * y, and x * c added to it."""
        test = self._test(opposite=False)
        rest = self.e.temporary(self.width, VALUES)
        if_false = self.e.use(self.if_false, width=self.width)
        again = self.e.use(self.if_false, width=self.width)
        self.e.emit(OPS["MAD"], [Def(rest, self.lanes)], [if_false, negated(test), again])
        if_true = self.e.use(self.if_true, width=self.width)
        self.e.emit(OPS["MAD"], [self.target], [if_true, _copy_of(test), Use(rest, self.lanes)])

    def _two_products(self) -> None:
        rest = self.e.temporary(self.width, VALUES)
        self._product(Def(rest, self.lanes), self.if_false, opposite=True)
        test = self._test(opposite=False)
        if_true = self.e.use(self.if_true, width=self.width)
        self.e.emit(OPS["MAD"], [self.target], [if_true, test, Use(rest, self.lanes)])

    def _is_finite(self, value: Value) -> bool:
        return self._truth() is not None or _is_bounded(value)


def _copy_of(use: Use) -> Use:
    return Use(use.register, use.lanes, use.negate, use.absolute, use.relative, use.extra)


def truth(condition: Value) -> Value | None:
    """x of a condition x != 0 where x is 1 or 0."""
    if not isinstance(condition, Instruction) or condition.op is not ops.FNE:
        return None
    first, second = condition.operands
    return first if is_all(second, 0.0) and _is_truth(first) else None


def _is_truth(value: Value, depth: int = 8) -> bool:
    """Whether a float is 1 or 0."""
    if isinstance(value, Constant):
        return all(c in (0.0, 1.0, None) for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op is ops.LOAD:
        return value.address.variable.source_kind == "bool"
    if value.op in (ops.FMIN, ops.FMAX, ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT):
        return all(_is_truth(operand, depth - 1) for operand in value.operands)
    if value.op is ops.FSUB:
        return is_all(value.operands[0], 1.0) and _is_truth(value.operands[1], depth - 1)
    return value.op is ops.BTOF


def is_all(value: Value, number: float) -> bool:
    return isinstance(value, Constant) and all(c is None or c == number for c in value.components)


#: What may be infinite although its operands are not.
_UNBOUNDED = frozenset({ops.FRCP, ops.FRSQRT, ops.FEXP2, ops.FLOG2, ops.PHI})


def _is_bounded(value: Value, depth: int = 12) -> bool:
    """Whether no infinity can come out of a function at a pole, as far as a short look tells."""
    if not isinstance(value, Instruction) or value.op is ops.LOAD:
        return True
    if value.op in _UNBOUNDED or depth == 0:
        return False
    return all(_is_bounded(operand, depth - 1) for operand in value.operands)
