"""Elementary functions as vector code: reduction of the argument and a polynomial, all in double precision.

In: doubles that were floats; out: doubles to be rounded to float.  Before that rounding the relative error is
below 2e-10 (for sine and cosine the absolute one), so the result is the float nearest to the true value or, in one
case of some hundreds, its neighbour: at most 0.51 units in the last place.  Outside of a function's domain the result
is NaN, as in `glslc_multi.compiler.arithmetic.elementary`.

Nothing here calls a library: every lane costs the same few multiplications, and some more beside a far angle.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from glslc_multi.compiler.native.coefficients import ATAN, COSINE, EXP2, LOG2, SINE
from glslc_multi.compiler.native.emitter import Value
from glslc_multi.compiler.native.vectors import DoubleArithmetic

#: Adding it to a double below 2^51 leaves the nearest whole number in the low bits (and in the exponent's
#: stead nothing that matters): the unit of the last place is 1 there.
_ROUNDER = 1.5 * 2.0**52
#: pi / 2 in three parts; products of the first two with whole numbers below 2^20 are exact.
_HALF_PI = (float.fromhex("0x1.921fb544p+0"), float.fromhex("0x1.0b4611a6p-34"), float.fromhex("0x1.3198a2e037073p-69"))
#: Angles beyond it are more quarter turns than these parts are meant for.
_FAR = 2.0**20
#: The digits of 2 / pi, and 1 / (2 pi) in parts of 28 bits, whose products with floats are exact; what is missing is
#: below 2^-70 even of the largest float.
_DIGITS = "A2F9836 E4E4415 29FC275 7D1F534 DDC0DB6 295993C 439041F"
_TURNS = tuple(int(digits, 16) * 2.0 ** (-2 - 28 * index) for index, digits in enumerate(_DIGITS.split(), 1))
_ROOT_HALF_BITS = 0x3FE6A09E667F3BCD
_SIGN = -(2**63)


def _nearest(a: DoubleArithmetic, x: Value) -> tuple[Value, Value]:
    """The nearest whole number of |x| < 2^51: as an int in the low bits of an i64, and as a double."""
    shifted = a.fadd(x, a.fconst(_ROUNDER))
    return a.bits(shifted), a.fsub(shifted, a.fconst(_ROUNDER))


def exp2(a: DoubleArithmetic, x: Value) -> Value:
    """Two to the x; the clamped range exceeds that of floats, whose overflow and underflow the rounding makes."""
    clamped = a.clamp(x, -160.0, 160.0)
    number, whole = _nearest(a, clamped)
    rest = a.fsub(clamped, whole)
    power = a.multiply_add(rest, a.polynomial(rest, EXP2), a.fconst(1.0))
    exponent = a.emitter.binary("shl", a.iadd(number, a.lconst(1023)), a.lconst(52))
    return a.fmul(power, a.number(exponent))


def log2(a: DoubleArithmetic, x: Value) -> Value:
    """By x = 2^e * m with m between sqrt(1/2) and sqrt(2), and log2(m) as a series in (m - 1) / (m + 1)."""
    emitter = a.emitter
    bits = a.bits(x)
    exponent = emitter.binary("ashr", a.isub(bits, a.lconst(_ROOT_HALF_BITS)), a.lconst(52))
    mantissa = a.number(a.isub(bits, emitter.binary("shl", exponent, a.lconst(52))))
    s = a.fdiv(a.fsub(mantissa, a.fconst(1.0)), a.fadd(mantissa, a.fconst(1.0)))
    whole = a.itof(emitter.convert("trunc", exponent, emitter.i32))
    logarithm = a.multiply_add(s, a.polynomial(a.fmul(s, s), LOG2), whole)
    # Zero, infinity and NaN are no powers times a mantissa; the logarithm of a negative number is NaN.
    logarithm = a.select(a.flt(x, a.fconst(math.inf)), logarithm, x)
    logarithm = a.select(a.feq(x, a.fconst(0.0)), a.fconst(-math.inf), logarithm)
    return a.select(a.flt(x, a.fconst(0.0)), a.fconst(math.nan), logarithm)


def _exp(a: DoubleArithmetic, x: Value) -> Value:
    return exp2(a, a.fmul(x, a.fconst(math.log2(math.e))))


def _log(a: DoubleArithmetic, x: Value) -> Value:
    return a.fmul(log2(a, x), a.fconst(math.log(2.0)))


def _pow(a: DoubleArithmetic, x: Value, y: Value) -> Value:
    power = exp2(a, a.fmul(y, log2(a, x)))
    # Whatever x and y are, x to the 0 and 1 to the y are 1; 0 * infinity would be NaN.
    is_one = a.bor(a.feq(y, a.fconst(0.0)), a.feq(x, a.fconst(1.0)))
    power = a.select(is_one, a.fconst(1.0), power)
    is_number = a.band(a.fle(a.fconst(0.0), x), a.feq(y, y))
    return a.select(is_number, power, a.fconst(math.nan))


def _within_a_turn(a: DoubleArithmetic, x: Value) -> Value:
    """The angle without whole turns (Payne and Hanek), which are dropped part by part: no digit that counts is lost."""
    turns = a.fconst(0.0)
    for part in _TURNS:
        turns = a.multiply_add(x, a.fconst(part), turns)
        turns = a.fsub(turns, a.ffloor(turns))
    return a.fmul(turns, a.fconst(2.0 * math.pi))


def _near(a: DoubleArithmetic, x: Value) -> Value:
    """Far angles without their whole turns, the others as they are: no result depends on the lanes beside it."""
    is_far = a.flt(a.fconst(_FAR), a.fabs(x))
    return a.emitter.unless(a.emitter.any(is_far), [x], lambda: [a.select(is_far, _within_a_turn(a, x), x)])[0]


def _circular(a: DoubleArithmetic, x: Value, quarter: int) -> Value:
    """The sine of x + `quarter` * pi / 2: sine or cosine of what is left without quarter turns, and a sign."""
    emitter = a.emitter
    number, turns = _nearest(a, a.fmul(x, a.fconst(2.0 / math.pi)))
    rest = x
    for part in _HALF_PI:
        rest = a.multiply_add(turns, a.fconst(-part), rest)
    square = a.fmul(rest, rest)
    sine, cosine = a.fmul(rest, a.polynomial(square, SINE)), a.polynomial(square, COSINE)
    number = a.iadd(number, a.lconst(quarter))
    is_odd = emitter.compare("icmp ne", a.band(number, a.lconst(1)), a.lconst(0))
    sign = a.band(emitter.binary("shl", number, a.lconst(62)), a.lconst(_SIGN))
    signed = a.number(a.bxor(a.bits(a.select(is_odd, cosine, sine)), sign))
    return a.clamp(signed, -1.0, 1.0)


def _sin(a: DoubleArithmetic, x: Value) -> Value:
    return _circular(a, _near(a, x), 0)


def _cos(a: DoubleArithmetic, x: Value) -> Value:
    return _circular(a, _near(a, x), 1)


def _tan(a: DoubleArithmetic, x: Value) -> Value:
    near = _near(a, x)
    return a.fdiv(_circular(a, near, 0), _circular(a, near, 1))


def _atan2(a: DoubleArithmetic, y: Value, x: Value) -> Value:
    """The arc tangent of the smaller over the larger, and the octant."""
    height, width = a.fabs(y), a.fabs(x)
    smaller = a.select(a.flt(height, width), height, width)
    larger = a.select(a.flt(height, width), width, height)
    # Infinity over infinity is 1 here, and 0 over 0 is 0.
    ratio = a.select(a.feq(smaller, larger), a.fconst(1.0), a.fdiv(smaller, larger))
    ratio = a.select(a.feq(a.fadd(smaller, larger), a.fconst(0.0)), a.fconst(0.0), ratio)
    angle = a.fmul(ratio, a.polynomial(a.fmul(ratio, ratio), ATAN))
    angle = a.select(a.flt(width, height), a.fsub(a.fconst(math.pi / 2), angle), angle)
    is_left = a.emitter.compare("icmp slt", a.bits(x), a.lconst(0))
    angle = a.select(is_left, a.fsub(a.fconst(math.pi), angle), angle)
    return a.emitter.intrinsic("copysign", angle.type, angle, y)


def _atan(a: DoubleArithmetic, x: Value) -> Value:
    return _atan2(a, x, a.fconst(1.0))


def _cathetus(a: DoubleArithmetic, x: Value) -> Value:
    """sqrt(1 - x * x), NaN for |x| > 1."""
    one = a.fconst(1.0)
    return a.fsqrt(a.fmul(a.fsub(one, x), a.fadd(one, x)))


def _asin(a: DoubleArithmetic, x: Value) -> Value:
    return _atan2(a, x, _cathetus(a, x))


def _acos(a: DoubleArithmetic, x: Value) -> Value:
    return _atan2(a, _cathetus(a, x), x)


#: Name -> what emits it, for the functions of `glslc_multi.compiler.arithmetic.elementary.FUNCTIONS`.
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "exp": _exp,
    "exp2": exp2,
    "log": _log,
    "log2": log2,
    "pow": _pow,
    "sin": _sin,
    "cos": _cos,
    "tan": _tan,
    "asin": _asin,
    "acos": _acos,
    "atan": _atan,
    "atan2": _atan2,
}
