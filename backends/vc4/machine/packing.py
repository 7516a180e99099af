"""Packing and unpacking over numpy words, one a lane."""

from __future__ import annotations

import numpy as np

from backends.vc4.isa.packing import Pack, Unpack
from backends.vc4.machine.arithmetic import floats, integers, words
from compiler.arithmetic.lanes import Array


def unpacked(mode: Unpack, x: Array, to_float: bool) -> Array:
    """The operand after unpacking."""
    if mode.width == 32:
        return x
    part = x >> np.uint32(mode.shift) & np.uint32((1 << mode.width) - 1)
    if mode.replicated:
        return part * np.uint32(0x01010101)
    if mode.width == 8:
        return words(part.astype(np.float32) / np.float32(255)) if to_float else part
    if to_float:
        return _float_of_half(part)
    return words(integers(part << np.uint32(16)) >> np.int32(16))


def packed(mode: Pack, result: Array, old: Array, is_float: bool) -> Array:
    """The destination after a write to file A."""
    if mode.width == 32:
        # Saturation of whole words needs the carry of the addition: `saturated_sum`.
        return result
    if mode.width == 16 and is_float:
        part = _half_of_float(result)
    elif mode.saturates:
        part = _clamped(result, mode.width)
    else:
        part = result & np.uint32((1 << mode.width) - 1)
    return _inserted(mode, part, old)


def packed_product(mode: Pack, result: Array, old: Array) -> Array:
    """The destination after a write of MUL's result with pm = 1."""
    value = floats(result)
    scaled = np.floor(np.clip(np.nan_to_num(value, nan=0.0), 0.0, 1.0).astype(np.float64) * 255.0 + 0.5)
    return _inserted(mode, scaled.astype(np.uint32), old)


def saturated_sum(x: Array, y: Array, subtracts: bool) -> Array:
    """The sum or difference of signed integers, limited to their range."""
    wide_x, wide_y = integers(x).astype(np.int64), integers(y).astype(np.int64)
    total = wide_x - wide_y if subtracts else wide_x + wide_y
    return words(np.clip(total, -(2**31), 2**31 - 1))


def _inserted(mode: Pack, part: Array, old: Array) -> Array:
    if mode.replicated:
        return part * np.uint32(0x01010101)
    mask = np.uint32(((1 << mode.width) - 1) << mode.shift)
    return (old & ~mask) | part << np.uint32(mode.shift)


def _clamped(result: Array, width: int) -> Array:
    """Signed integers limited to -32768...32767 or 0...255."""
    low, high = (-32768, 32767) if width == 16 else (0, 255)
    return words(np.clip(integers(result), low, high)) & np.uint32((1 << width) - 1)


def _float_of_half(half: Array) -> Array:
    """The float of a half; denormal halves are flushed."""
    value = words(half.astype(np.uint16).view(np.float16).astype(np.float32))
    return np.where(half & np.uint32(0x7C00) == 0, np.uint32(0), value)


def _half_of_float(result: Array) -> Array:
    """The nearest half, ties to even."""
    return floats(result).astype(np.float16).view(np.uint16).astype(np.uint32)
