"""The arithmetic protocol: the few operations on numbers that every opcode's meaning is written in.

`compiler/ir/ops.py` writes each opcode's semantics once as a function of an arithmetic `a` and its
operands.  What a number *is* depends on the arithmetic: a Python float or int for constant folding
(`PythonArithmetic`, no numpy), an array with one element a lane for the evaluator and simulators
(`compiler/arithmetic/lanes.py`), a value under construction for the host's code generator.  Semantics never
branch on a number in Python; they use `select`.

The rounding of a target's number format is the business of its arithmetic: the same semantics run in
24-bit floats or Q14.17 fixed point by putting another instance in.
"""

from __future__ import annotations

import math
from struct import Struct
from typing import Any, Protocol

from glslc_multi.compiler.arithmetic import elementary

#: A number of some arithmetic: opaque to semantics.
Number = Any

INT_MIN, INT_MAX = -(2**31), 2**31 - 1


class Arithmetic(Protocol):
    """Operations on booleans, 32-bit integers (wrapping) and floats.

    Integers have no sign of their own, as LLVM's: where it matters, an operation says how it reads their bits, those
    of two's complement.  Constants and results are written with a sign.
    """

    def bconst(self, value: bool) -> Number: ...
    def iconst(self, value: int) -> Number: ...
    def fconst(self, value: float) -> Number: ...

    def fadd(self, x: Number, y: Number) -> Number: ...
    def fsub(self, x: Number, y: Number) -> Number: ...
    def fmul(self, x: Number, y: Number) -> Number: ...
    def fdiv(self, x: Number, y: Number) -> Number: ...
    def fneg(self, x: Number) -> Number: ...
    def fabs(self, x: Number) -> Number: ...
    def ffloor(self, x: Number) -> Number: ...
    def fsqrt(self, x: Number) -> Number: ...
    def elementary(self, name: str, *arguments: Number) -> Number:
        """Return the function of this name in `compiler/arithmetic/elementary.py`, rounded to this format."""

    def flt(self, x: Number, y: Number) -> Number: ...
    def fle(self, x: Number, y: Number) -> Number: ...
    def feq(self, x: Number, y: Number) -> Number: ...

    def iadd(self, x: Number, y: Number) -> Number: ...
    def isub(self, x: Number, y: Number) -> Number: ...
    def imul(self, x: Number, y: Number) -> Number: ...
    def idiv(self, x: Number, y: Number) -> Number:
        """Quotient truncated towards zero; 0 where `y` is 0 (GLSL leaves it undefined)."""

    def ilt(self, x: Number, y: Number) -> Number: ...
    def ieq(self, x: Number, y: Number) -> Number: ...

    def udiv(self, x: Number, y: Number) -> Number:
        """The quotient of numbers without a sign; 0 where `y` is 0."""

    def ult(self, x: Number, y: Number) -> Number:
        """Whether one is less than the other, both without a sign."""

    def bits_and(self, x: Number, y: Number) -> Number: ...
    def bits_or(self, x: Number, y: Number) -> Number: ...
    def bits_xor(self, x: Number, y: Number) -> Number: ...
    def bits_not(self, x: Number) -> Number: ...
    def shl(self, x: Number, count: Number) -> Number:
        """All shifts: by less than the number has bits."""

    def shr(self, x: Number, count: Number) -> Number:
        """Zeros come in at the left."""

    def asr(self, x: Number, count: Number) -> Number:
        """The sign comes in at the left."""

    def band(self, x: Number, y: Number) -> Number: ...
    def bor(self, x: Number, y: Number) -> Number: ...
    def bxor(self, x: Number, y: Number) -> Number: ...
    def bnot(self, x: Number) -> Number: ...

    def itof(self, x: Number) -> Number: ...
    def ftoi(self, x: Number) -> Number:
        """Truncation towards zero, saturating; 0 for NaN."""

    def bits(self, x: Number) -> Number:
        """The representation of a float as an int."""

    def number(self, x: Number) -> Number:
        """The float of this representation."""

    def select(self, condition: Number, if_true: Number, if_false: Number) -> Number: ...


#: Operations that give bools, and those that give ints; others but constants and `select` give floats.
BOOL_RESULTS = frozenset("flt fle feq ilt ieq ult band bor bxor bnot".split())
INT_RESULTS = frozenset("iadd isub imul idiv udiv bits_and bits_or bits_xor bits_not shl shr asr ftoi bits".split())

_FLOAT32, _INT32 = Struct("<f"), Struct("<i")


def round_to_float32(x: float) -> float:
    """The float32 nearest to `x`, ties to even, overflow to infinity."""
    try:
        rounded: float = _FLOAT32.unpack(_FLOAT32.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)
    return rounded


def wrap_to_int32(x: int) -> int:
    """`x` modulo 2^32 in the range of a signed 32-bit integer."""
    return (x - INT_MIN) % 2**32 + INT_MIN


def without_sign(x: int) -> int:
    """What the bits of a 32-bit integer are without a sign."""
    return x % 2**32


class PythonArithmetic:
    """float32 and int32 on plain Python numbers, for folding and for small checks.

    One double-precision operation rounded to float32 equals the float32 operation for + - * / and
    sqrt, because 53 bits exceed 2*24 + 2 (Figueroa, "When is double rounding innocuous?", 1995).
    """

    __slots__ = ()

    def bconst(self, value: bool) -> bool:
        return value

    def iconst(self, value: int) -> int:
        return wrap_to_int32(value)

    def fconst(self, value: float) -> float:
        return round_to_float32(value)

    def fadd(self, x: float, y: float) -> float:
        return round_to_float32(x + y)

    def fsub(self, x: float, y: float) -> float:
        return round_to_float32(x - y)

    def fmul(self, x: float, y: float) -> float:
        return round_to_float32(x * y)

    def fdiv(self, x: float, y: float) -> float:
        if y != 0.0:
            return round_to_float32(x / y)
        if x == 0.0 or math.isnan(x):
            return math.nan
        return math.copysign(math.inf, x) * math.copysign(1.0, y)

    def fneg(self, x: float) -> float:
        return -x

    def fabs(self, x: float) -> float:
        return abs(x)

    def ffloor(self, x: float) -> float:
        if not math.isfinite(x):
            return x
        return math.copysign(float(math.floor(x)), x)

    def fsqrt(self, x: float) -> float:
        return round_to_float32(math.sqrt(x)) if x >= 0.0 else math.nan

    def elementary(self, name: str, *arguments: float) -> float:
        return round_to_float32(elementary.FUNCTIONS[name](*arguments))

    def flt(self, x: float, y: float) -> bool:
        return x < y

    def fle(self, x: float, y: float) -> bool:
        return x <= y

    def feq(self, x: float, y: float) -> bool:
        return x == y

    def iadd(self, x: int, y: int) -> int:
        return wrap_to_int32(x + y)

    def isub(self, x: int, y: int) -> int:
        return wrap_to_int32(x - y)

    def imul(self, x: int, y: int) -> int:
        return wrap_to_int32(x * y)

    def idiv(self, x: int, y: int) -> int:
        if y == 0:
            return 0
        quotient = abs(x) // abs(y)
        return wrap_to_int32(quotient if (x < 0) == (y < 0) else -quotient)

    def ilt(self, x: int, y: int) -> bool:
        return x < y

    def ieq(self, x: int, y: int) -> bool:
        return x == y

    def udiv(self, x: int, y: int) -> int:
        return wrap_to_int32(without_sign(x) // without_sign(y)) if y else 0

    def ult(self, x: int, y: int) -> bool:
        return without_sign(x) < without_sign(y)

    def bits_and(self, x: int, y: int) -> int:
        return x & y

    def bits_or(self, x: int, y: int) -> int:
        return x | y

    def bits_xor(self, x: int, y: int) -> int:
        return x ^ y

    def bits_not(self, x: int) -> int:
        return ~x

    def shl(self, x: int, count: int) -> int:
        return wrap_to_int32(x << count)

    def shr(self, x: int, count: int) -> int:
        return wrap_to_int32(without_sign(x) >> count)

    def asr(self, x: int, count: int) -> int:
        return x >> count

    def band(self, x: bool, y: bool) -> bool:
        return x and y

    def bor(self, x: bool, y: bool) -> bool:
        return x or y

    def bxor(self, x: bool, y: bool) -> bool:
        return x != y

    def bnot(self, x: bool) -> bool:
        return not x

    def itof(self, x: int) -> float:
        return round_to_float32(float(x))

    def ftoi(self, x: float) -> int:
        if math.isnan(x):
            return 0
        return int(max(float(INT_MIN), min(float(INT_MAX), x)))

    def bits(self, x: float) -> int:
        pattern: int = _INT32.unpack(_FLOAT32.pack(x))[0]
        return pattern

    def number(self, x: int) -> float:
        number: float = _FLOAT32.unpack(_INT32.pack(x))[0]
        return number

    def select(self, condition: bool, if_true: Number, if_false: Number) -> Number:
        return if_true if condition else if_false


#: The one instance: it has no state.
PYTHON = PythonArithmetic()
