"""Arithmetic as an emitter of vector code: each method emits the instructions that compute its result.

`VectorArithmetic` works on floats; `DoubleArithmetic` is the same in double precision, for code that works in between:
the elementary functions and the sampling of textures.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from glslc_multi.compiler.arithmetic.protocol import round_to_float32, wrap_to_int32
from glslc_multi.compiler.native.emitter import Emitter, Value


class VectorArithmetic:
    """The arithmetic protocol over vectors of i1, i32 and float, without the elementary functions."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def bconst(self, value: bool) -> Value:
        return self.emitter.splat("i1", str(value).lower())

    def iconst(self, value: int) -> Value:
        return self.emitter.ints(wrap_to_int32(value))

    def fconst(self, value: float) -> Value:
        return self.emitter.floats(round_to_float32(value))

    def fadd(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("fadd", x, y)

    def fsub(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("fsub", x, y)

    def fmul(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("fmul", x, y)

    def fdiv(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("fdiv", x, y)

    def fneg(self, x: Value) -> Value:
        return self.emitter.value(x.type, f"fneg {x}")

    def fabs(self, x: Value) -> Value:
        return self.emitter.intrinsic("fabs", x.type, x)

    def ffloor(self, x: Value) -> Value:
        return self.emitter.intrinsic("floor", x.type, x)

    def fsqrt(self, x: Value) -> Value:
        return self.emitter.intrinsic("sqrt", x.type, x)

    def flt(self, x: Value, y: Value) -> Value:
        return self.emitter.compare("fcmp olt", x, y)

    def fle(self, x: Value, y: Value) -> Value:
        return self.emitter.compare("fcmp ole", x, y)

    def feq(self, x: Value, y: Value) -> Value:
        return self.emitter.compare("fcmp oeq", x, y)

    def iadd(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("add", x, y)

    def isub(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("sub", x, y)

    def imul(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("mul", x, y)

    def idiv(self, x: Value, y: Value) -> Value:
        """Through doubles, which no quotient of two 32-bit ints can round to another int.

        No vector unit divides ints, and LLVM leaves it open what x / 0 and the overflow of x / -1 do.
        """
        emitter = self.emitter
        by_zero = self.ieq(y, self.iconst(0))
        by_minus_one = self.ieq(y, self.iconst(-1))
        divisor = self.select(self.bor(by_zero, by_minus_one), self.iconst(1), y)
        wide_x, wide_y = (emitter.convert("sitofp", number, emitter.double) for number in (x, divisor))
        quotient = emitter.convert("fptosi", self.fdiv(wide_x, wide_y), emitter.i32)
        whole = self.select(by_minus_one, self.isub(self.iconst(0), x), quotient)
        return self.select(by_zero, self.iconst(0), whole)

    def ilt(self, x: Value, y: Value) -> Value:
        return self.emitter.compare("icmp slt", x, y)

    def ieq(self, x: Value, y: Value) -> Value:
        return self.emitter.compare("icmp eq", x, y)

    def band(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("and", x, y)

    def bor(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("or", x, y)

    def bxor(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("xor", x, y)

    def bnot(self, x: Value) -> Value:
        return self.emitter.binary("xor", x, self.bconst(True))

    def itof(self, x: Value) -> Value:
        return self.emitter.convert("sitofp", x, self.emitter.float)

    def ftoi(self, x: Value) -> Value:
        emitter = self.emitter
        return emitter.intrinsic("fptosi.sat", emitter.i32, x, overloads=(emitter.i32, x.type))

    def select(self, condition: Value, if_true: Value, if_false: Value) -> Value:
        return self.emitter.select(condition, if_true, if_false)

    # lane operations -----------------------------------------------------------------------
    def lconst(self, value: int) -> Value:
        return self.emitter.ints(value, "i64")

    def dconst(self, value: float) -> Value:
        return self.emitter.doubles(value)

    def widened(self, x: Value) -> Value:
        emitter = self.emitter
        if x.type == emitter.float:
            return emitter.convert("fpext", x, emitter.double)
        return emitter.convert("sext", x, emitter.i64)

    def extended(self, x: Value) -> Value:
        return self.emitter.convert("zext", x, self.emitter.i64)

    def narrowed(self, x: Value) -> Value:
        emitter = self.emitter
        if x.type == emitter.double:
            return emitter.convert("fptrunc", x, emitter.float)
        return emitter.convert("trunc", x, emitter.i32)

    def bits(self, x: Value) -> Value:
        return self.emitter.convert("bitcast", x, self._same_width(x, self.emitter.i32, self.emitter.i64))

    def number(self, x: Value) -> Value:
        return self.emitter.convert("bitcast", x, self._same_width(x, self.emitter.float, self.emitter.double))

    def _same_width(self, x: Value, narrow: str, wide: str) -> str:
        return narrow if x.type in (self.emitter.float, self.emitter.i32) else wide

    def itod(self, x: Value) -> Value:
        return self.emitter.convert("sitofp", x, self.emitter.double)

    def dtol(self, x: Value) -> Value:
        return self.emitter.convert("fptosi", x, self.emitter.i64)

    def half_to_float(self, x: Value) -> Value:
        emitter = self.emitter
        half = emitter.convert("bitcast", emitter.convert("trunc", x, emitter.vector("i16")), emitter.vector("half"))
        return emitter.convert("fpext", half, emitter.float)

    def float_to_half(self, x: Value) -> Value:
        emitter = self.emitter
        half = emitter.convert("fptrunc", x, emitter.vector("half"))
        return emitter.convert("zext", emitter.convert("bitcast", half, emitter.vector("i16")), emitter.i32)

    def is_float(self, x: Value) -> bool:
        return x.type == self.emitter.float

    def udiv(self, x: Value, y: Value) -> Value:
        """LLVM leaves open what x / 0 is."""
        zero, one = (self.emitter.ints(n, "i64" if x.type == self.emitter.i64 else "i32") for n in (0, 1))
        by_zero = self.ieq(y, zero)
        return self.select(by_zero, zero, self.emitter.binary("udiv", x, self.select(by_zero, one, y)))

    def ult(self, x: Value, y: Value) -> Value:
        return self.emitter.compare("icmp ult", x, y)

    def imin(self, x: Value, y: Value) -> Value:
        return self.emitter.intrinsic("smin", x.type, x, y)

    def imax(self, x: Value, y: Value) -> Value:
        return self.emitter.intrinsic("smax", x.type, x, y)

    def umin(self, x: Value, y: Value) -> Value:
        return self.emitter.intrinsic("umin", x.type, x, y)

    def umax(self, x: Value, y: Value) -> Value:
        return self.emitter.intrinsic("umax", x.type, x, y)

    def iabs(self, x: Value) -> Value:
        return self.emitter.intrinsic("abs", x.type, x, Value("false", "i1"))

    def bits_and(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("and", x, y)

    def bits_or(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("or", x, y)

    def bits_xor(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("xor", x, y)

    def bits_not(self, x: Value) -> Value:
        return self.emitter.binary("xor", x, self.emitter.ints(-1, "i64" if x.type == self.emitter.i64 else "i32"))

    def shl(self, x: Value, count: Value) -> Value:
        return self.emitter.binary("shl", x, count)

    def shr(self, x: Value, count: Value) -> Value:
        return self.emitter.binary("lshr", x, count)

    def asr(self, x: Value, count: Value) -> Value:
        return self.emitter.binary("ashr", x, count)

    def leading_zeros(self, x: Value) -> Value:
        return self.emitter.intrinsic("ctlz", x.type, x, Value("false", "i1"))

    def copysign(self, x: Value, y: Value) -> Value:
        return self.emitter.intrinsic("copysign", x.type, x, y)

    def below(self, x: Value, low: float) -> Value:
        return self.emitter.compare("fcmp ult", self.fabs(x), self.fconst(low))

    def stray(self, numbers: Sequence[Value], low: float, high: float) -> Value:
        """Magnitudes have the order of their bits.  Each is looked at alone, so that LLVM sees what it has seen."""
        element, form = ("i64", "<d") if numbers[0].type == self.emitter.double else ("i32", "<f")
        least, limit, sign = (int.from_bytes(struct.pack(form, bound), "little") for bound in (low, high, -0.0))
        mask, first, size, zero = (self.emitter.ints(x, element) for x in (sign - 1, least, limit - least, 0))
        is_stray = self.bconst(False)
        for number in numbers:
            magnitude = self.bits_and(self.bits(number), mask)
            is_within = self.bor(self.ult(self.isub(magnitude, first), size), self.ieq(magnitude, zero))
            is_stray = self.bor(is_stray, self.bnot(is_within))
        return is_stray

    def permuted(self, x: Value, order: Sequence[int]) -> Value:
        size = len(order)
        return self.emitter.shuffle(x, [first + lane for first in range(0, self.emitter.width, size) for lane in order])

    def unless(self, rare: Value, usual: Sequence[Value], compute: Callable[[], Sequence[Value]]) -> Sequence[Value]:
        return self.emitter.unless(self.emitter.any(rare), usual, compute)

    def never(self, mask: Value) -> bool:
        return False


class DoubleArithmetic(VectorArithmetic):
    """The same with doubles for floats, and what only inner code needs."""

    def fconst(self, value: float) -> Value:
        return self.emitter.doubles(value)

    def itof(self, x: Value) -> Value:
        return self.emitter.convert("sitofp", x, self.emitter.double)

    def fmin(self, x: Value, y: Value) -> Value:
        return self.select(self.flt(y, x), y, x)

    def fmax(self, x: Value, y: Value) -> Value:
        return self.select(self.flt(x, y), y, x)

    def clamp(self, x: Value, low: float, high: float) -> Value:
        return self.fmin(self.fmax(x, self.fconst(low)), self.fconst(high))

    def multiply_add(self, x: Value, y: Value, z: Value) -> Value:
        """x * y + z, rounded once or twice, whichever is faster here."""
        return self.emitter.intrinsic("fmuladd", x.type, x, y, z)

    def polynomial(self, x: Value, coefficients: tuple[float, ...]) -> Value:
        """Horner's scheme; coefficients from the constant one on."""
        result = self.fconst(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            result = self.multiply_add(result, x, self.fconst(coefficient))
        return result
