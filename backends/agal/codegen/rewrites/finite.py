"""Values that are finite, so that a product with 0 is 0.

In: values that a choice takes or leaves.  Out: those that may be infinite or no number for ordinary operands
(quotients, roots, logarithms, powers) are brought into the range of floats; not where signs tell that they are none of
this: 1 / (1 + d * d) is finite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compiler.arithmetic.protocol import round_to_float32
from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Instruction, Value
from compiler.ir.ops import Opcode

#: The largest float32.
_LARGEST = round_to_float32(3.4028234663852886e38)
#: May be infinite or no number for ordinary operands, whatever is known of these.
_RISKY = frozenset({ops.FEXP2, ops.NORMALIZE, ops.FTAN})
#: Always finite, whatever the operands.  `sat` is not: what is no number stays none.
_SAFE = frozenset({ops.BTOF, ops.FSTEP, ops.LOAD, ops.TEXTURE})

_FINITE = Form(__name__, "value that may be infinite")
_BOUNDED = Form(__name__, "function that is finite for such operands")


class FiniteValues:
    """Which values are finite for ordinary operands, and those that were made so."""

    def __init__(self) -> None:
        self.finite: set[Value] = set()
        self.risky: set[Value] = set()

    def finite_value(self, b: Builder, value: Value) -> Value:
        """The value, brought between the largest floats if it may be infinite or no number."""
        if not self._may_overflow(value):
            return value
        _FINITE.fires()
        least, most = (Constant.splat(value.type, limit) for limit in (-_LARGEST, _LARGEST))
        # The order of operands matters: of these two the second is taken only when a comparison with it holds.
        limited = b.op(ops.FMIN, most, b.op(ops.FMAX, least, value))
        self.finite.add(limited)
        return limited

    def _may_overflow(self, value: Value) -> bool:
        """Whether a value depends on one that may be infinite or no number."""
        seen: set[Value] = set()
        pending = [value]
        while pending:
            part = pending.pop()
            if not isinstance(part, Instruction) or part in self.finite or part in seen:
                continue
            if part in self.risky or _is_risky(part):
                self.risky.add(value)
                return True
            seen.add(part)
            pending += part.operands if part.op not in _SAFE else ()
        self.finite |= seen
        return False


def _is_risky(value: Instruction) -> bool:
    rule = _FINITE_WHERE.get(value.op)
    if rule is None:
        return value.op in _RISKY
    if not rule(value):
        return True
    if not isinstance(value.operands[-1], Constant):
        _BOUNDED.fires()
    return False


# --- Signs ------------------------------------------------------------------------------------------------------------

_NEVER_NEGATIVE = frozenset(
    {ops.FABS, ops.FSQRT, ops.LENGTH, ops.FEXP2, ops.FSATURATE, ops.FFRACT, ops.BTOF, ops.FSTEP}
)
_SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})
#: Operands of operands that are looked at.
_DEPTH = 8


def _is_positive(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a value is known to be above 0 by more than any underflow."""
    if isinstance(value, Constant):
        return all(c is None or float(c) > 0.0 for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op in _SHUFFLES:
        return all(_is_positive(operand, depth - 1) for operand in value.operands)
    if value.op is ops.FMAX:
        return any(_is_positive(operand, depth - 1) for operand in value.operands)
    if value.op is ops.FADD:
        signs = [(_is_positive(each, depth - 1), _is_at_least_0(each, depth - 1)) for each in value.operands]
        return any(positive for positive, _ in signs) and all(positive or rest for positive, rest in signs)
    return False


def _is_at_least_0(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a value is known to be 0 or above."""
    if isinstance(value, Constant):
        return all(c is None or float(c) >= 0.0 for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op in _NEVER_NEGATIVE:
        return True
    if value.op in (ops.FMUL, ops.DOT) and value.operands[0] is value.operands[1]:
        return True
    if value.op is ops.FMAX:
        return any(_is_at_least_0(operand, depth - 1) for operand in value.operands)
    is_monotonic = value.op in (ops.FADD, ops.FMUL, ops.FMIN) or value.op in _SHUFFLES
    return is_monotonic and all(_is_at_least_0(operand, depth - 1) for operand in value.operands)


def _is_power_finite(power: Instruction) -> bool:
    base, exponent = power.operands
    return _is_at_least_0(base) and isinstance(exponent, Constant) and _is_positive(exponent)


#: Where functions of finite operands are finite.
_FINITE_WHERE: Mapping[Opcode, Callable[[Instruction], bool]] = {
    ops.FDIV: lambda i: _is_apart_from_0(i.operands[1]),
    ops.FRCP: lambda i: _is_apart_from_0(i.operands[0]),
    ops.FSQRT: lambda i: _is_at_least_0(i.operands[0]),
    ops.FRSQRT: lambda i: _is_positive(i.operands[0]),
    ops.FLOG2: lambda i: _is_positive(i.operands[0]),
    ops.FPOW: _is_power_finite,
}


def _is_apart_from_0(value: Value) -> bool:
    return all(value.components) if isinstance(value, Constant) else _is_positive(value)
