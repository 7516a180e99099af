"""Conditions of the IR as the machine's jumps decide them: see `conditions.py`.

A `Question` collects the rows that a condition compares.  Bools are 0 or 1.0; what only a jump asks for is never
made a number: comparisons, logic, `all` and `any` become comparisons of lanes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from backends.theia.conditions import Both, Compare, Condition, Relation, joined
from backends.theia.machine_ops import ROW, ZERO
from backends.theia.rows import Found, Known, RowEmitter, literal
from compiler.codegen.machine import Use
from compiler.ir import ops
from compiler.ir.module import Instruction, Value
from compiler.lowering.pieces import source

_COMPARISONS = frozenset({ops.FLT, ops.FLE, ops.FEQ, ops.FNE, ops.FSTEP})
#: Decided by one jump or two, so that asking again is better than keeping the answer.
_CHEAP = frozenset({ops.FTOB}) | _COMPARISONS
_LOGIC = frozenset({ops.AND, ops.OR, ops.NOT, ops.ALL, ops.ANY})
_SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})
_Part = Found | Known


@dataclass(slots=True)
class Question:
    """A condition, and the operands that it compares."""

    emitter: RowEmitter
    operands: list[Use] = field(default_factory=list)

    def ask(self, value: Value, component: int = 0, *, negate: bool = False) -> Condition:
        """The condition that a component of a bool is true (or false)."""
        value, component = _origin(value, component)
        if isinstance(value, Instruction) and self._is_decided_here(value):
            return self.decide(value, component, negate=negate)
        return self._is_other(self.emitter.component(value, component), Known(0.0), negate)

    def compare(self, op: ops.Opcode, x: _Part, y: _Part, *, is_signed: bool, negate: bool) -> Condition:
        """A comparison of two components; magnitudes tell numbers apart that are not below 0."""
        if op is ops.FLT:
            return self._leaf("not greater" if negate else "greater", y, x)
        if op in (ops.FLE, ops.FSTEP):
            return self._leaf("greater" if negate else "not greater", x, y)
        differs = negate == (op is ops.FEQ)
        if not is_signed or _is_zero(x) or _is_zero(y):
            return self._leaf("other magnitude" if differs else "same magnitude", x, y)
        relation: Relation = "greater" if differs else "not greater"
        return Both(not differs, self._leaf(relation, x, y), self._leaf(relation, y, x))

    def decide(self, value: Instruction, component: int, *, negate: bool = False) -> Condition:
        """The condition by the operation itself."""
        operands = value.operands
        if value.op is ops.NOT:
            return self.ask(operands[0], component, negate=not negate)
        if value.op in (ops.AND, ops.OR):
            parts = [self.ask(operand, component, negate=negate) for operand in operands]
            return joined(parts, all=(value.op is ops.AND) != negate)
        if value.op in (ops.ALL, ops.ANY):
            lanes = range(operands[0].type.width)
            parts = [self.ask(operands[0], lane, negate=negate) for lane in lanes]
            return joined(parts, all=(value.op is ops.ALL) != negate)
        x = self.emitter.component(operands[0], component)
        if value.op is ops.FTOB:
            return self._is_other(x, Known(0.0), negate)
        y = self.emitter.component(operands[1], component)
        facts = self.emitter.facts
        is_signed = not all(facts.is_not_negative(operand) for operand in operands)
        return self.compare(value.op, x, y, is_signed=is_signed, negate=negate)

    # parts -------------------------------------------------------------------------------------
    def _is_decided_here(self, value: Instruction) -> bool:
        """Whether the operation, rather than its number, is asked: where no number is needed anyway."""
        if value.op in _CHEAP:
            return True
        return value.op in _LOGIC and list(value.users.values()) == [1] and not self.emitter.is_wanted(value)

    def _is_other(self, x: _Part, y: _Part, negate: bool) -> Condition:
        return self._leaf("same magnitude" if negate else "other magnitude", x, y)

    def _leaf(self, relation: Relation, x: _Part, y: _Part) -> Compare:
        lane = next((part.lane for part in (x, y) if isinstance(part, Found) and part.lane is not None), 0)
        return Compare(relation, lane, self._operand(x, lane), self._operand(y, lane))

    def _operand(self, part: _Part, lane: int) -> int:
        """The number of the operand that has a component in a lane."""
        use = self._row_with(part, lane)
        for number, known in enumerate(self.operands):
            if known.register == use.register:
                return number
        self.operands.append(use)
        return len(self.operands) - 1

    def _row_with(self, part: _Part, lane: int) -> Use:
        if isinstance(part, Known):
            if not part.number:
                return Use(ZERO, ROW)
            numbers = [part.number if place == lane else None for place in range(3)]
            return literal(numbers)
        if part.lane in (None, lane):
            return Use(part.row, ROW)
        return self.emitter.row_of([part])


def _origin(value: Value, component: int) -> tuple[Value, int]:
    """The bool behind shuffles and conversions to a number."""
    value, component = source(value, component)
    while isinstance(value, Instruction) and value.op is ops.BTOF:
        value, component = source(value.operands[0], component)
    return value, component


def _is_zero(part: _Part) -> bool:
    return isinstance(part, Known) and part.number == 0.0
