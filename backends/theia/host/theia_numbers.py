"""Float32 and ints of 32 bits, for programs that compute uniforms (-fpreamble): stands alone, beside `theia_bench`.

Names are those of the shader's operations.  A float is a Python float that float32 holds; an int is signed.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable

NAN, INF = math.nan, math.inf


def f32(x: float) -> float:
    """The nearest float32."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(INF, x)
    return rounded


def i32(x: int) -> int:
    """The lower 32 bits, as a signed number."""
    return (x + 2**31) % 2**32 - 2**31


def bits(x: float) -> int:
    pattern: int = struct.unpack("<i", struct.pack("<f", x))[0]
    return pattern


def number(x: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<i", x))[0]
    return value


def _float(function: Callable[..., float], beyond: float = NAN) -> Callable[..., float]:
    """The function in float32: `beyond` is what it gives where the numbers end."""

    def rounded(*arguments: float) -> float:
        try:
            return f32(function(*arguments))
        except OverflowError:
            return beyond
        except ValueError:
            return NAN

    return rounded


def _log(function: Callable[[float], float]) -> Callable[..., float]:
    return _float(lambda x: -INF if x == 0 else function(x))


def _divided(x: float, y: float) -> float:
    if y != 0:
        return x / y
    return NAN if x == 0 or x != x else math.copysign(INF, x) * math.copysign(1, y)


def _power(x: float, y: float) -> float:
    if x < 0 or x != x or y != y:
        return NAN
    if x == 0:
        return 0.0 if y > 0 else INF if y < 0 else 1.0
    return math.pow(x, y)


fadd, fsub, fmul, fdiv = (_float(f) for f in (operator.add, operator.sub, operator.mul, _divided))
fneg, fabs = operator.neg, abs
fsqrt, fpow = _float(math.sqrt), _float(_power, INF)
fexp, fexp2 = _float(math.exp, INF), _float(lambda x: math.pow(2, x), INF)
flog, flog2 = _log(math.log), _log(math.log2)
fsin, fcos, ftan = (_float(lambda x, f=f: f(x) if math.isfinite(x) else NAN) for f in (math.sin, math.cos, math.tan))
fasin, facos, fatan, fatan2 = (_float(f) for f in (math.asin, math.acos, math.atan, math.atan2))
flt, fle, feq, ilt, ieq = operator.lt, operator.le, operator.eq, operator.lt, operator.eq
band, bor, bxor, bnot = operator.and_, operator.or_, operator.xor, operator.not_
bits_and, bits_or, bits_xor, bits_not = operator.and_, operator.or_, operator.xor, operator.invert
load_bool, store_int, store_bool = bool, float, float


def ffloor(x: float) -> float:
    return math.copysign(math.floor(x), x) if math.isfinite(x) else x


def iadd(x: int, y: int) -> int:
    return i32(x + y)


def isub(x: int, y: int) -> int:
    return i32(x - y)


def imul(x: int, y: int) -> int:
    return i32(x * y)


def idiv(x: int, y: int) -> int:
    """Towards zero."""
    return 0 if y == 0 else i32(abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1))


def udiv(x: int, y: int) -> int:
    return 0 if y == 0 else i32(x % 2**32 // (y % 2**32))


def ult(x: int, y: int) -> bool:
    return x % 2**32 < y % 2**32


def shl(x: int, count: int) -> int:
    return i32(x << count)


def shr(x: int, count: int) -> int:
    return i32(x % 2**32 >> count)


def asr(x: int, count: int) -> int:
    return x >> count


def itof(x: int) -> float:
    return f32(float(x))


def ftoi(x: float) -> int:
    """Towards zero, saturating; 0 for what is no number."""
    return 0 if x != x else int(max(-(2.0**31), min(2.0**31 - 1, x)))


load_int = ftoi
