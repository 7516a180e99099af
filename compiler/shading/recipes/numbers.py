"""Functions of what floats are made of (GLSL ES 3.10 section 8.3), and of those that may be no number."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.shading.recipes.maker import Columns, ColumnsRecipe, Maker, Recipe, Value

_EXPONENT = 0xFF
#: Sign and fraction; the exponent of a half.
_REST, _HALF = 0x807FFFFF, 126 << 23


def _ldexp(m: Maker, x: Value, exponent: Value) -> Value:
    return m.op(ops.FMUL, x, m.op(ops.FEXP2, m.op(ops.ITOF, exponent)))


def _frexp(m: Maker, x: Columns) -> Columns:
    """The fraction from 0.5 to 1, and the exponent; 0 of what is too small for a normal number."""
    bits = m.op(ops.BITCAST_FTOI, x[0])
    twenty_three, zero = m.integer(23, bits), m.integer(0, bits)
    stored = m.op(ops.IAND, m.op(ops.USHR, bits, twenty_three), m.integer(_EXPONENT, bits))
    is_zero = m.op(ops.IEQ, stored, zero)
    fraction = m.op(ops.IOR, m.op(ops.IAND, bits, m.integer(_REST, bits)), m.integer(_HALF, bits))
    exponent = m.op(ops.ISUB, stored, m.integer(126, bits))
    return [
        m.op(ops.SELECT, is_zero, m.number(0.0, x[0]), m.op(ops.BITCAST_ITOF, fraction)),
        m.op(ops.SELECT, is_zero, zero, exponent),
    ]


def _least(m: Maker, x: Value, y: Value) -> Value:
    """`fmin` yields its second operand where the first is no number."""
    return m.op(ops.SELECT, m.op(ops.FISNAN, y), x, m.op(ops.FMIN, y, x))


def _most(m: Maker, x: Value, y: Value) -> Value:
    return m.op(ops.SELECT, m.op(ops.FISNAN, y), x, m.op(ops.FMAX, y, x))


def _between(m: Maker, x: Value, low: Value, high: Value) -> Value:
    """`low` where x is no number; bounds that are none are open."""
    return m.op(ops.FMIN, high, m.op(ops.FMAX, low, x))


NUMBER_RECIPES: dict[str, Recipe] = {"ldexp": _ldexp, "nmin": _least, "nmax": _most, "nclamp": _between}
FREXP: ColumnsRecipe = _frexp
