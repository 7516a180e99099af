"""Meanings of opcodes that take more than an expression, over an arithmetic (`compiler/arithmetic/protocol.py`).

Component-wise ones are functions of one component of each operand; whole ones, of the attribute and the operands'
component lists.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from glslc_multi.compiler.arithmetic.protocol import INT_MIN, Arithmetic, Number
from glslc_multi.compiler.ir.opcodes.opcode import Components


# ------------------------------------------------------------------------------------------ component-wise
def minimum(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(y, x), y, x)


def maximum(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.select(a.flt(x, y), y, x)


def clamp(a: Arithmetic, x: Number, low: Number, high: Number) -> Number:
    return minimum(a, maximum(a, x, low), high)


def saturate(a: Arithmetic, x: Number) -> Number:
    return clamp(a, x, a.fconst(0.0), a.fconst(1.0))


def sign(a: Arithmetic, x: Number) -> Number:
    zero = a.fconst(0.0)
    negative = a.select(a.flt(x, zero), a.fconst(-1.0), zero)
    return a.select(a.flt(zero, x), a.fconst(1.0), negative)


def truncate(a: Arithmetic, x: Number) -> Number:
    return a.select(a.flt(x, a.fconst(0.0)), a.fneg(a.ffloor(a.fneg(x))), a.ffloor(x))


def modulo(a: Arithmetic, x: Number, y: Number) -> Number:
    return a.fsub(x, a.fmul(y, a.ffloor(a.fdiv(x, y))))


def mix(a: Arithmetic, x: Number, y: Number, t: Number) -> Number:
    return a.fadd(a.fmul(x, a.fsub(a.fconst(1.0), t)), a.fmul(y, t))


def smoothstep(a: Arithmetic, low: Number, high: Number, x: Number) -> Number:
    t = saturate(a, a.fdiv(a.fsub(x, low), a.fsub(high, low)))
    return a.fmul(a.fmul(t, t), a.fsub(a.fconst(3.0), a.fmul(a.fconst(2.0), t)))


def inverse_square_root(a: Arithmetic, x: Number) -> Number:
    return a.fdiv(a.fconst(1.0), a.fsqrt(x))


def elementary(name: str) -> Callable[..., Number]:
    return lambda a, *arguments: a.elementary(name, *arguments)


def round_to_even(a: Arithmetic, x: Number) -> Number:
    """The floor, and the next number where the rest is above a half, or is one and the floor odd."""
    half = a.fconst(0.5)
    floor = a.ffloor(x)
    rest = a.fsub(x, floor)
    is_odd = a.bnot(a.feq(a.fmul(floor, half), a.ffloor(a.fmul(floor, half))))
    is_up = a.bor(a.flt(half, rest), a.band(a.feq(half, rest), is_odd))
    return a.select(is_up, a.fadd(floor, a.fconst(1.0)), floor)


def remainder(quotient: Callable[..., Number]) -> Callable[..., Number]:
    def meaning(a: Arithmetic, x: Number, y: Number) -> Number:
        zero = a.iconst(0)
        return a.select(a.ieq(y, zero), zero, a.isub(x, a.imul(y, quotient(a, x, y))))

    return meaning


def shift_count(a: Arithmetic, y: Number) -> Number:
    return a.bits_and(y, a.iconst(31))


def unsigned_to_float(a: Arithmetic, x: Number) -> Number:
    """By halves, which are exact floats, so that their sum alone is rounded."""
    high = a.fmul(a.itof(a.shr(x, a.iconst(16))), a.fconst(65536.0))
    return a.fadd(high, a.itof(a.bits_and(x, a.iconst(0xFFFF))))


def float_to_unsigned(a: Arithmetic, x: Number) -> Number:
    half = a.fconst(2.0**31)
    high = a.bits_xor(a.ftoi(a.fsub(x, half)), a.iconst(INT_MIN))
    return a.select(a.fle(half, x), high, a.ftoi(maximum(a, x, a.fconst(0.0))))


# ------------------------------------------------------------------------------------------ whole
def dot(a: Arithmetic, x: Components, y: Components) -> Number:
    """Products summed from x to w, as every target that has a dot product does."""
    products = [a.fmul(p, q) for p, q in zip(x, y, strict=True)]
    return reduce(a.fadd, products)


def normalize(a: Arithmetic, _: object, x: Components) -> Components:
    scale = inverse_square_root(a, dot(a, x, x))
    return [a.fmul(component, scale) for component in x]


def cross(a: Arithmetic, _: object, x: Components, y: Components) -> Components:
    def minor(i: int, j: int) -> Number:
        return a.fsub(a.fmul(x[i], y[j]), a.fmul(x[j], y[i]))

    return [minor(1, 2), minor(2, 0), minor(0, 1)]


def matrix_times_vector(a: Arithmetic, _: object, *operands: Components) -> Components:
    columns, v = operands[:-1], operands[-1]
    scaled = [[a.fmul(entry, factor) for entry in column] for column, factor in zip(columns, v, strict=True)]
    return [reduce(a.fadd, row) for row in zip(*scaled, strict=True)]


def vector_times_matrix(a: Arithmetic, _: object, v: Components, *columns: Components) -> Components:
    return [dot(a, v, column) for column in columns]


def swizzle(_a: Arithmetic, pattern: tuple[int, ...], x: Components) -> Components:
    return [x[component] for component in pattern]


def insert(_a: Arithmetic, component: int, x: Components, scalar: Components) -> Components:
    return [*x[:component], scalar[0], *x[component + 1 :]]


def construct(_a: Arithmetic, _: object, *parts: Components) -> Components:
    return [component for part in parts for component in part]


def _clamped_index(a: Arithmetic, index: Number, count: int) -> Number:
    low = a.select(a.ilt(index, a.iconst(0)), a.iconst(0), index)
    last = a.iconst(count - 1)
    return a.select(a.ilt(last, low), last, low)


def extract_dynamic(a: Arithmetic, _: object, x: Components, index: Components) -> Components:
    wanted = _clamped_index(a, index[0], len(x))
    result = x[0]
    for k in range(1, len(x)):
        result = a.select(a.ieq(wanted, a.iconst(k)), x[k], result)
    return [result]


def insert_dynamic(a: Arithmetic, _: object, x: Components, scalar: Components, index: Components) -> Components:
    wanted = _clamped_index(a, index[0], len(x))
    return [a.select(a.ieq(wanted, a.iconst(k)), scalar[0], old) for k, old in enumerate(x)]
