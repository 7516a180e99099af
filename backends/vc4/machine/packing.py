"""Packing and unpacking of words (`isa/packing.py` has the modes)."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.isa.packing import Pack, Unpack
from glslc_multi.backends.vc4.machine.arithmetic import QpuArithmetic
from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN, Number

_REPLICATE = 0x01010101
_HALF_EXPONENT = 0x7C00


def unpacked(a: QpuArithmetic, mode: Unpack, x: Number, to_float: bool) -> Number:
    """The operand after unpacking."""
    if mode.width == 32:
        return x
    part = a.part(a.words(x), mode.shift, mode.width)
    if mode.replicated:
        return a.imul(part, a.iconst(_REPLICATE))
    if mode.width == 8:
        return a.fdiv(a.itof(part), a.fconst(255.0)) if to_float else part
    if to_float:
        # The word of a half as a float; denormal halves are flushed.
        is_zero = a.ieq(a.bits_and(part, a.iconst(_HALF_EXPONENT)), a.iconst(0))
        return a.select(is_zero, a.iconst(0), a.bits(a.half_to_float(part)))
    return a.asr(a.shl(part, a.iconst(16)), a.iconst(16))


def packed(a: QpuArithmetic, mode: Pack, result: Number, old: Number, is_float: bool) -> Number:
    """The destination after a write to file A."""
    if mode.width == 32:
        # Saturation of whole words needs the carry of the addition: `saturated_sum`.
        return result
    if mode.width == 16 and is_float:
        return _inserted(a, mode, a.float_to_half(a.number(result)), old)
    word = a.words(result)
    if mode.saturates:
        low, high = (-32768, 32767) if mode.width == 16 else (0, 255)
        word = a.imin(a.imax(word, a.iconst(low)), a.iconst(high))
    return _inserted(a, mode, a.part(word, 0, mode.width), old)


def packed_product(a: QpuArithmetic, mode: Pack, result: Number, old: Number) -> Number:
    """The destination after a write of MUL's result with pm = 1."""
    return _inserted(a, mode, a.byte_of_share(a.widened(a.number(result))), old)


def saturated_sum(a: QpuArithmetic, x: Number, y: Number, *, subtracts: bool) -> Number:
    """The sum or difference of signed integers, limited to their range."""
    wide_x, wide_y = a.widened(x), a.widened(y)
    total = a.isub(wide_x, wide_y) if subtracts else a.iadd(wide_x, wide_y)
    return a.narrowed(a.imin(a.imax(total, a.lconst(INT_MIN)), a.lconst(INT_MAX)))


def word_of_colour(a: QpuArithmetic, channels: Sequence[Number]) -> Number:
    """Doubles as four bytes, red in the lowest one."""
    word = a.iconst(0)
    for number, channel in enumerate(channels):
        word = a.bits_or(word, a.shl(a.byte_of_share(channel), a.iconst(8 * number)))
    return word


def _inserted(a: QpuArithmetic, mode: Pack, part: Number, old: Number) -> Number:
    if mode.replicated:
        return a.imul(part, a.iconst(_REPLICATE))
    kept = a.bits_and(a.words(old), a.iconst(~(((1 << mode.width) - 1) << mode.shift)))
    return a.bits_or(kept, a.shl(part, a.iconst(mode.shift)))
