"""Values that are finite, so that a product with 0 is 0.

In: values that a choice takes or leaves.  Out: those that may be infinite or no number for ordinary operands
(quotients, roots, logarithms, powers) are brought into the range of floats; not where signs tell that they are none of
this: 1 / (1 + d * d) is finite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compiler.analysis.signs import is_at_least_0, is_positive
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


def _is_power_finite(power: Instruction) -> bool:
    base, exponent = power.operands
    return is_at_least_0(base) and isinstance(exponent, Constant) and is_positive(exponent)


#: Where functions of finite operands are finite.
_FINITE_WHERE: Mapping[Opcode, Callable[[Instruction], bool]] = {
    ops.FDIV: lambda i: _is_apart_from_0(i.operands[1]),
    ops.FRCP: lambda i: _is_apart_from_0(i.operands[0]),
    ops.FSQRT: lambda i: is_at_least_0(i.operands[0]),
    ops.FRSQRT: lambda i: is_positive(i.operands[0]),
    ops.FLOG2: lambda i: is_positive(i.operands[0]),
    ops.FPOW: _is_power_finite,
}


def _is_apart_from_0(value: Value) -> bool:
    return all(value.components) if isinstance(value, Constant) else is_positive(value)
