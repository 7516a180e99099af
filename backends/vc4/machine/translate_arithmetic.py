"""The arithmetic of words as code for groups of 16 lanes: `arithmetic.py` and `packing.py` again, emitted."""

from __future__ import annotations

from collections.abc import Callable

from backends.vc4.isa.packing import Pack, Unpack
from backends.vc4.machine.arithmetic import EXPONENT, MAGNITUDE, SFU_MISSING, SIGN
from compiler.native.arithmetic import HostArithmetic
from compiler.native.elementary import FUNCTIONS
from compiler.native.emitter import Emitter, Value
from compiler.native.vectors import DoubleArithmetic

_EXPONENT, _MAGNITUDE, _SIGN = int(EXPONENT), int(MAGNITUDE), int(SIGN)
_BYTES = (0, 8, 16, 24)
_REPLICATE = 0x01010101


class HostQpu:
    """`backends.vc4.isa.instructions.WordArithmetic`, emitted."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self._floats = HostArithmetic(emitter)

    def iconst(self, value: int) -> Value:
        return self._floats.iconst(value)

    def select(self, condition: Value, if_true: Value, if_false: Value) -> Value:
        return self.emitter.select(condition, if_true, if_false)

    def never(self, x: Value) -> Value:
        return self._floats.bconst(False)

    # floats --------------------------------------------------------------------------------
    def floats(self, x: Value) -> Value:
        """Words as floats."""
        return self.emitter.convert("bitcast", x, self.emitter.float)

    def words(self, x: Value) -> Value:
        """Floats as words."""
        return self.emitter.convert("bitcast", x, self.emitter.i32)

    def normal(self, x: Value) -> Value:
        return self.select(self._is(x, _EXPONENT, 0), self.iconst(0), x)

    def _is(self, x: Value, mask: int, pattern: int) -> Value:
        """Whether the bits of a mask are as in the pattern."""
        return self.ieq(self.bits_and(x, self.iconst(mask)), self.iconst(pattern))

    def is_infinite(self, x: Value) -> Value:
        return self._is(x, _EXPONENT, _EXPONENT)

    def infinity(self, x: Value) -> Value:
        """The infinity of the word's sign."""
        return self.bits_or(self.bits_and(x, self.iconst(_SIGN)), self.iconst(_EXPONENT))

    def fadd(self, x: Value, y: Value) -> Value:
        x, y = self.normal(x), self.normal(y)
        total = self.normal(self.words(self._floats.fadd(self.floats(x), self.floats(y))))
        total = self.select(self.is_infinite(x), self.infinity(x), total)
        return self.select(self.is_infinite(y), self.infinity(y), total)

    def fsub(self, x: Value, y: Value) -> Value:
        return self.fadd(x, self.bits_xor(y, self.iconst(_SIGN)))

    def fmul(self, x: Value, y: Value) -> Value:
        x, y = self.normal(x), self.normal(y)
        product = self.normal(self.words(self._floats.fmul(self.floats(x), self.floats(y))))
        either = self._or(self.is_infinite(x), self.is_infinite(y))
        product = self.select(either, self.infinity(self.bits_xor(x, y)), product)
        zero = self.iconst(0)
        return self.select(self._or(self.ieq(x, zero), self.ieq(y, zero)), zero, product)

    def fabs(self, x: Value) -> Value:
        return self.bits_and(x, self.iconst(_MAGNITUDE))

    def flt(self, x: Value, y: Value) -> Value:
        return self.ilt(self._order(x), self._order(y))

    def _order(self, x: Value) -> Value:
        """Integers in the order of the floats."""
        return self.select(self.ilt(x, self.iconst(0)), self.bits_xor(x, self.iconst(_MAGNITUDE)), x)

    def ftoi(self, x: Value) -> Value:
        a = DoubleArithmetic(self.emitter)
        value = self.emitter.convert("fpext", self.floats(x), self.emitter.double)
        in_range = a.band(a.flt(a.fconst(-(2.0**31) - 1), value), a.flt(value, a.fconst(2.0**31)))
        return self.emitter.convert("fptosi", a.select(in_range, value, a.fconst(0.0)), self.emitter.i32)

    def itof(self, x: Value) -> Value:
        return self.words(self._floats.itof(x))

    # integers ------------------------------------------------------------------------------
    def iadd(self, x: Value, y: Value) -> Value:
        return self._floats.iadd(x, y)

    def isub(self, x: Value, y: Value) -> Value:
        return self._floats.isub(x, y)

    def imul(self, x: Value, y: Value) -> Value:
        return self._floats.imul(x, y)

    def idiv(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("udiv", x, y)

    def ilt(self, x: Value, y: Value) -> Value:
        return self._floats.ilt(x, y)

    def ieq(self, x: Value, y: Value) -> Value:
        return self._floats.ieq(x, y)

    def ult(self, x: Value, y: Value) -> Value:
        return self.emitter.compare("icmp ult", x, y)

    def bits_and(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("and", x, y)

    def bits_or(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("or", x, y)

    def bits_xor(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("xor", x, y)

    def bits_not(self, x: Value) -> Value:
        return self.bits_xor(x, self.iconst(-1))

    def leading_zeros(self, x: Value) -> Value:
        return self.emitter.intrinsic("ctlz", x.type, x, Value("false", "i1"))

    def shl(self, x: Value, count: Value) -> Value:
        return self.emitter.binary("shl", x, count)

    def shr(self, x: Value, count: Value) -> Value:
        return self.emitter.binary("lshr", x, count)

    def asr(self, x: Value, count: Value) -> Value:
        return self.emitter.binary("ashr", x, count)

    def bit(self, x: Value, position: Value) -> Value:
        inside = self.ult(position, self.iconst(32))
        shifted = self.shr(x, self.select(inside, position, self.iconst(0)))
        return self.emitter.binary("and", inside, self._is(shifted, 1, 1))

    def by_bytes(self, function: Callable[[Value, Value], Value], x: Value, y: Value) -> Value:
        total = self.iconst(0)
        for shift in _BYTES:
            found = function(self.part(x, shift, 8), self.part(y, shift, 8))
            total = self.bits_or(total, self.shl(found, self.iconst(shift)))
        return total

    def part(self, x: Value, shift: int, width: int) -> Value:
        """Bits of a word."""
        return self.bits_and(self.shr(x, self.iconst(shift)), self.iconst((1 << width) - 1))

    def limited(self, x: Value, low: int, high: int) -> Value:
        """Signed integers within limits."""
        raised = self.emitter.intrinsic("smax", x.type, x, self.iconst(low))
        return self.emitter.intrinsic("smin", x.type, raised, self.iconst(high))

    def _or(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("or", x, y)


# --- SFU --------------------------------------------------------------------------------------------------------------


def _reciprocal(a: DoubleArithmetic, x: Value) -> Value:
    return a.fdiv(a.fconst(1.0), x)


def _reciprocal_root(a: DoubleArithmetic, x: Value) -> Value:
    return _reciprocal(a, a.fsqrt(a.fabs(x)))


def _logarithm(a: DoubleArithmetic, x: Value) -> Value:
    return FUNCTIONS["log2"](a, a.fabs(x))


_SFU: tuple[Callable[[DoubleArithmetic, Value], Value], ...] = (
    _reciprocal,
    _reciprocal_root,
    FUNCTIONS["exp2"],
    _logarithm,
)


def special_function(a: HostQpu, index: int, x: Value) -> Value:
    """As `arithmetic.special_function`."""
    emitter = a.emitter
    operand = a.normal(a.select(a.is_infinite(x), a.infinity(x), x))
    wide = emitter.convert("fpext", a.floats(operand), emitter.double)
    found = emitter.convert("fptrunc", _SFU[index](DoubleArithmetic(emitter), wide), emitter.float)
    return a.normal(a.bits_and(a.words(found), a.iconst(~int(SFU_MISSING))))


# --- Packing ----------------------------------------------------------------------------------------------------------


def unpacked(a: HostQpu, mode: Unpack, x: Value, to_float: bool) -> Value:
    """As `packing.unpacked`."""
    emitter = a.emitter
    if mode.width == 32:
        return x
    part = a.part(x, mode.shift, mode.width)
    if mode.replicated:
        return a.imul(part, a.iconst(_REPLICATE))
    if mode.width == 8:
        value = emitter.convert("uitofp", part, emitter.float)
        return a.words(emitter.binary("fdiv", value, emitter.floats(255.0))) if to_float else part
    if to_float:
        return _float_of_half(a, part)
    return a.asr(a.shl(part, a.iconst(16)), a.iconst(16))


def packed(a: HostQpu, mode: Pack, result: Value, old: Value, is_float: bool) -> Value:
    """As `packing.packed`."""
    if mode.width == 32:
        return result
    if mode.width == 16 and is_float:
        part = _half_of_float(a, result)
    elif mode.saturates:
        low, high = (-32768, 32767) if mode.width == 16 else (0, 255)
        part = a.part(a.limited(result, low, high), 0, mode.width)
    else:
        part = a.part(result, 0, mode.width)
    return _inserted(a, mode, part, old)


def packed_product(a: HostQpu, mode: Pack, result: Value, old: Value) -> Value:
    """As `packing.packed_product`."""
    return _inserted(a, mode, byte_of_share(a, a.emitter.convert("fpext", a.floats(result), a.emitter.double)), old)


def byte_of_share(a: HostQpu, value: Value) -> Value:
    """A double from 0 to 1 as the nearest byte; others are limited, NaN is 0."""
    wide = DoubleArithmetic(a.emitter)
    zero, one = wide.fconst(0.0), wide.fconst(1.0)
    share = wide.select(wide.flt(zero, value), wide.select(wide.flt(one, value), one, value), zero)
    scaled = wide.fadd(wide.fmul(share, wide.fconst(255.0)), wide.fconst(0.5))
    return a.emitter.convert("fptosi", wide.ffloor(scaled), a.emitter.i32)


def saturated_sum(a: HostQpu, x: Value, y: Value, subtracts: bool) -> Value:
    """As `packing.saturated_sum`."""
    return a.emitter.intrinsic("ssub.sat" if subtracts else "sadd.sat", x.type, x, y)


def _inserted(a: HostQpu, mode: Pack, part: Value, old: Value) -> Value:
    if mode.replicated:
        return a.imul(part, a.iconst(_REPLICATE))
    kept = a.bits_and(old, a.iconst(~(((1 << mode.width) - 1) << mode.shift)))
    return a.bits_or(kept, a.shl(part, a.iconst(mode.shift)))


def _float_of_half(a: HostQpu, half: Value) -> Value:
    emitter = a.emitter
    short = emitter.convert("trunc", half, emitter.vector("i16"))
    wide = emitter.convert("fpext", emitter.convert("bitcast", short, emitter.vector("half")), emitter.float)
    return a.select(a.ieq(a.bits_and(half, a.iconst(0x7C00)), a.iconst(0)), a.iconst(0), a.words(wide))


def _half_of_float(a: HostQpu, result: Value) -> Value:
    emitter = a.emitter
    half = emitter.convert("fptrunc", a.floats(result), emitter.vector("half"))
    return emitter.convert("zext", emitter.convert("bitcast", half, emitter.vector("i16")), emitter.i32)
