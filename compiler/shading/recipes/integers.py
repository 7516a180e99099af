"""What the functions of section 8.3 and the relations of vectors mean for int and uint (GLSL ES 3.00, GLSL 1.30)."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.recipes.maker import Maker, Recipe, Value, opcode, swapped, widened


def _absolute(m: Maker, x: Value) -> Value:
    return m.op(ops.SELECT, m.op(ops.ILT, x, m.integer(0, x)), m.op(ops.INEG, x), x)


def _sign(m: Maker, x: Value) -> Value:
    zero = m.integer(0, x)
    negative = m.op(ops.SELECT, m.op(ops.ILT, x, zero), m.integer(-1, x), zero)
    return m.op(ops.SELECT, m.op(ops.ILT, zero, x), m.integer(1, x), negative)


def _least(less: Opcode) -> Recipe:
    return lambda m, x, y: m.op(ops.SELECT, m.op(less, y, x), y, x)


def _most(less: Opcode) -> Recipe:
    return lambda m, x, y: m.op(ops.SELECT, m.op(less, x, y), y, x)


def _clamp(less: Opcode) -> Recipe:
    least, most = _least(less), _most(less)
    return lambda m, x, low, high: least(m, most(m, x, low), high)


def _of(base: str, less: Opcode, less_equal: Opcode) -> dict[tuple[str, str], Recipe]:
    """What is the same for int and uint but for the comparison."""
    return {
        (base, "min"): widened(_least(less), 0),
        (base, "max"): widened(_most(less), 0),
        (base, "clamp"): widened(_clamp(less), 0),
        (base, "lessThan"): opcode(less),
        (base, "lessThanEqual"): opcode(less_equal),
        (base, "greaterThan"): swapped(less),
        (base, "greaterThanEqual"): swapped(less_equal),
        (base, "equal"): opcode(ops.IEQ),
        (base, "notEqual"): opcode(ops.INE),
    }


#: (basic type of the first argument, function) -> meaning.
INTEGER_RECIPES: dict[tuple[str, str], Recipe] = {
    **_of("int", ops.ILT, ops.ILE),
    **_of("uint", ops.ULT, ops.ULE),
    ("int", "abs"): _absolute,
    ("int", "sign"): _sign,
}
