"""Zeros out of multiplications: a component that is 0 costs a move, unless a product beside it can make it.

In: legalised IR.  Out: where a vector is put together from a product and zeros, such as (v * k, 0.0), the product is
made wider, with a 0 among its literal factors: 0 times a finite number is 0, and GLSL lets us assume that numbers are
finite.  The literal may be several products away, as long as what lies between multiplies by scalars.
"""

from __future__ import annotations

from typing import ClassVar

from compiler.codegen.operands import Modifiers, see_through
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Function, Instruction, Value
from compiler.passes.base import Pass, PassContext
from compiler.records import dataclass

_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class ZeroLanes(Pass):
    """See the module's text."""

    name: ClassVar[str] = "pica-zero-lanes"
    description: ClassVar[str] = "lets products make components that are 0"
    preserves_control_flow: ClassVar[bool] = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        vectors = [i for i in function.instructions() if i.op is ops.CONSTRUCT and _ends_in_zero(i)]
        return sum(map(_rewrite, vectors)) > 0


def _ends_in_zero(vector: Instruction) -> bool:
    """Whether a vector is something and a scalar 0 after it."""
    last = vector.operands[-1]
    return len(vector.operands) > 1 and isinstance(last, Constant) and last.components == (0.0,)


def _rewrite(vector: Instruction) -> bool:
    lanes = [see_through(vector, (lane,), Modifiers()) for lane in range(vector.type.width - 1)]
    base = lanes[0].base
    is_of_one = all(lane.base is base for lane in lanes)
    parts = [base] if is_of_one else vector.operands[:-1]
    if not any(_can_widen(part) for part in parts):
        return False
    builder = Builder.before(vector)
    if is_of_one:
        value: Value = builder.swizzle(base, tuple(lane.lanes[0] or 0 for lane in lanes))
    else:
        value = builder.construct(*parts)
    vector.replace_all_uses_with(_widened(value))
    vector.erase()
    return True


def _can_widen(value: Value, depth: int = _MAX_DEPTH) -> bool:
    """Whether a value can have one component more, which is 0, for nothing."""
    if not isinstance(value, Instruction) or value.type.width > 3 or depth == 0:
        return False
    if value.op is ops.FMUL:
        if any(isinstance(operand, Constant) for operand in value.operands):
            return True
        return any(
            _is_spread(other) and _can_widen(operand, depth - 1)
            for operand, other in (value.operands, tuple(reversed(value.operands)))
        )
    if value.op is ops.SWIZZLE:
        return _can_widen(value.operands[0], depth - 1)
    if value.op is ops.CONSTRUCT:
        return any(_can_widen(part, depth - 1) for part in value.operands)
    return False


def _is_spread(value: Value) -> bool:
    """Whether all components are one number."""
    return isinstance(value, Instruction) and value.op is ops.SWIZZLE and len(set(value.attribute)) == 1


def _widened(value: Value) -> Value:
    """The value with a 0 after its components; the original now is part of it."""
    assert isinstance(value, Instruction)
    builder = Builder.before(value)
    if value.op is ops.SWIZZLE:
        wide = _widened(value.operands[0])
        return builder.swizzle(wide, (*value.attribute, wide.type.width - 1))
    if value.op is ops.CONSTRUCT:
        number = next(n for n, part in enumerate(value.operands) if _can_widen(part))
        wide = _widened(value.operands[number])
        width = wide.type.width - 1
        kept = builder.swizzle(wide, tuple(range(width)))
        parts = [kept if n == number else part for n, part in enumerate(value.operands)]
        return builder.construct(*parts, builder.swizzle(wide, (width,)))
    return _widened_product(builder, value)


def _widened_product(builder: Builder, value: Instruction) -> Value:
    first, second = value.operands
    if isinstance(first, Constant) or (not isinstance(second, Constant) and _is_spread(first) and _can_widen(second)):
        first, second = second, first
    if isinstance(second, Constant):
        operands = [
            _repeated(builder, first),
            Constant(value.type.with_width(value.type.width + 1), (*second.components, 0.0)),
        ]
    else:
        operands = [_widened(first), _repeated(builder, second)]
    wide = builder.op(ops.FMUL, *operands)
    value.replace_all_uses_with(builder.swizzle(wide, tuple(range(value.type.width))))
    return wide


def _repeated(builder: Builder, value: Value) -> Value:
    """The value with its first component once more at the end."""
    width = value.type.width
    return builder.swizzle(value, (*range(width), 0))
