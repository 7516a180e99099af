"""Selection of conditions: those of the IR as the machine's jumps decide them (`conditions.py`).

A `Test` collects the rows that a condition compares.  Bools are 0 or 1.0; what only a jump reads is never made a
number: comparisons, logic, `all` and `any` become comparisons of lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from glslc_multi.backends.theia.codegen.conditions import Both, Compare, Condition, Relation, joined
from glslc_multi.backends.theia.codegen.machine_ops import ROW, ZERO
from glslc_multi.backends.theia.codegen.rows.emitter import Known, RowEmitter, literal
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.codegen.machine import AnyRegister, Use
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.records import dataclass, field

#: Decided by one jump or two, so that deciding again is better than keeping the result.
_COMPARISONS = frozenset({ops.FLT, ops.FLE, ops.FEQ, ops.FNE, ops.FSTEP})
_LOGIC = frozenset({ops.AND, ops.OR, ops.NOT, ops.ALL, ops.ANY})
_ZERO = Constant(FLOAT, (0.0,))


class Term(NamedTuple):
    """A component of a value."""

    value: Value
    component: int = 0


#: What numbers are compared with to learn their sign.
NOTHING = Term(_ZERO)


@dataclass(slots=True)
class Test:
    """A condition, and the operands that it compares."""

    emitter: RowEmitter
    operands: list[Use] = field(default_factory=list)
    #: The operands' numbers by what they read.
    numbers: dict[AnyRegister, int] = field(default_factory=dict)

    def condition_of(self, value: Value, component: int = 0, *, negate: bool = False) -> Condition:
        """The condition that a component of a bool is true (or false)."""
        value, component = _origin(value, component)
        if isinstance(value, Instruction) and self._is_decided_here(value):
            return self.decide(value, component, negate=negate)
        return self._leaf("same magnitude" if negate else "other magnitude", Term(value, component), NOTHING)

    def compare(self, op: ops.Opcode, x: Term, y: Term, *, is_signed: bool = True, negate: bool = False) -> Condition:
        """A comparison of two components; magnitudes distinguish numbers that are not below 0."""
        if op is ops.FLT:
            return self._leaf("not greater" if negate else "greater", y, x)
        if op in (ops.FLE, ops.FSTEP):
            return self._leaf("greater" if negate else "not greater", x, y)
        differs = negate == (op is ops.FEQ)
        if not is_signed or self._is_zero(x) or self._is_zero(y):
            return self._leaf("other magnitude" if differs else "same magnitude", x, y)
        relation: Relation = "greater" if differs else "not greater"
        return Both(not differs, self._leaf(relation, x, y), self._leaf(relation, y, x))

    def decide(self, value: Instruction, component: int, *, negate: bool = False) -> Condition:
        """The condition by the operation itself."""
        operands = value.operands
        if value.op is ops.NOT:
            return self.condition_of(operands[0], component, negate=not negate)
        if value.op in (ops.AND, ops.OR):
            parts = [self.condition_of(operand, component, negate=negate) for operand in operands]
            return joined(parts, all=(value.op is ops.AND) != negate)
        if value.op in (ops.ALL, ops.ANY):
            lanes = range(operands[0].type.width)
            parts = [self.condition_of(operands[0], lane, negate=negate) for lane in lanes]
            return joined(parts, all=(value.op is ops.ALL) != negate)
        if value.op is ops.XOR:
            cases = ((False, not negate), (True, negate))
            parts = [self._each(operands, component, negations) for negations in cases]
            return joined(parts, all=False)
        x, y = (Term(operand, component) for operand in operands)
        ranges = self.emitter.target.ranges
        is_signed = not all(ranges.is_not_negative(operand) for operand in operands)
        return self.compare(value.op, x, y, is_signed=is_signed, negate=negate)

    def _each(self, bools: Sequence[Value], component: int, negations: Sequence[bool]) -> Condition:
        """All of some bools, or of their negations."""
        parts = [
            self.condition_of(part, component, negate=negate) for part, negate in zip(bools, negations, strict=True)
        ]
        return joined(parts, all=True)

    # parts -------------------------------------------------------------------------------------
    def _is_decided_here(self, value: Instruction) -> bool:
        """Whether the operation, rather than its number, is tested: where no number is needed anyway."""
        if value.op in _COMPARISONS:
            return True
        is_free = list(value.users.values()) == [1] and not self.emitter.is_wanted(value)
        if value.op is ops.XOR:
            # Each operand is tested twice: that must not become more with every level.
            return is_free and all(_is_comparison(operand) for operand in value.operands)
        return is_free and value.op in _LOGIC

    def _is_zero(self, term: Term) -> bool:
        part = self.emitter.component(*term)
        return isinstance(part, Known) and part.number == 0.0

    def _leaf(self, relation: Relation, x: Term, y: Term) -> Compare:
        """Both in the rows where they are, if that is the same lane of two rows; else in rows of their own."""
        lanes = [self._lane(term) for term in (x, y)]
        fixed = {lane for lane in lanes if lane is not None}
        if len(fixed) < 2:
            lane = min(fixed, default=0)
            return Compare(relation, lane, self._operand(x, lane), self._operand(y, lane))
        if not all(term.value.type.is_scalar for term in (x, y)):
            return Compare(relation, x.component, self._row(x.value), self._row(y.value))
        # A scalar in a row of its own fills it: the other may stay where it is.
        moved, stays = (x, y) if self._has_row(x.value) and not self._has_row(y.value) else (y, x)
        lane = self._lane(stays) or 0
        rows = {moved: self._row(moved.value), stays: self._operand(stays, lane)}
        return Compare(relation, lane, rows[x], rows[y])

    def _lane(self, term: Term) -> int | None:
        part = self.emitter.component(*term)
        return None if isinstance(part, Known) else part.lane

    def _has_row(self, value: Value) -> bool:
        return isinstance(value, Instruction) and self.emitter.is_wanted(value)

    def _row(self, value: Value) -> int:
        return self._number_of(self.emitter.use(value))

    def _operand(self, term: Term, lane: int) -> int:
        """The row that has a component in a lane, which of a number is all that matters."""
        part = self.emitter.component(*term)
        if not isinstance(part, Known):
            return self._number_of(self.emitter.row_at(part))
        if not part.number:
            return self._number_of(Use(ZERO, ROW))
        return self._number_of(literal([part.number if index == lane else None for index in range(3)]))

    def _number_of(self, use: Use) -> int:
        """The number of an operand, which is new or known."""
        number = self.numbers.setdefault(use.register, len(self.operands))
        if number == len(self.operands):
            self.operands.append(use)
        return number


def _is_comparison(value: Value) -> bool:
    return not isinstance(value, Instruction) or value.op in _COMPARISONS


def _origin(value: Value, component: int) -> tuple[Value, int]:
    """The bool that shuffles and conversions to a number come from."""
    value, component = source(value, component)
    while isinstance(value, Instruction) and value.op is ops.BTOF:
        value, component = source(value.operands[0], component)
    return value, component
