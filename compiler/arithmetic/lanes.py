"""Arithmetic on numpy arrays, one element a lane: evaluator and simulators.

Agrees bit for bit with `PythonArithmetic` (NaN payloads aside).  Callers run it inside
`quiet()`, since infinities, NaNs and wrapping integers are ordinary values here.

An arithmetic of another number format is a subclass: `encode` and `decode` say how values from outside
enter and leave the format (a kind is "bool", "int", "uint" or "float"), so that nothing else knows how its
numbers are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.arithmetic import elementary
from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN, wrap_to_int32

Array = NDArray[Any]

_FORMATS: dict[str, type[np.generic]] = {"bool": np.bool_, "int": np.int32, "uint": np.uint32, "float": np.float32}
_WIDER: dict[Any, type[np.generic]] = {np.dtype(np.int32): np.int64, np.dtype(np.float32): np.float64}
_NARROWER: dict[Any, type[np.generic]] = {np.dtype(np.int64): np.int32, np.dtype(np.float64): np.float32}
_WITHOUT_SIGN: dict[Any, type[np.generic]] = {np.dtype(np.int32): np.uint32, np.dtype(np.int64): np.uint64}
_AS_BITS: dict[Any, type[np.generic]] = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}
_AS_NUMBER: dict[Any, type[np.generic]] = {np.dtype(np.int32): np.float32, np.dtype(np.int64): np.float64}


def quiet() -> np.errstate:
    """A context in which floating-point exceptions pass silently."""
    return np.errstate(all="ignore")


class LaneArithmetic:
    """`LaneOperations` over numpy arrays; what all lanes have alike may be an array of one element, or of none."""

    __slots__ = ()

    def encode(self, kind: str, values: Any) -> Array:
        """Values of any numpy type as numbers of this format."""
        return np.asarray(values).astype(_FORMATS[kind])

    def decode(self, kind: str, x: Array) -> Array:
        """Numbers of this format as bool, int32 or (exactly) as floats."""
        return x

    def bconst(self, value: bool) -> Array:
        return np.asarray(value, dtype=np.bool_)

    def iconst(self, value: int) -> Array:
        return _int32(value)

    def fconst(self, value: float) -> Array:
        return np.asarray(value, dtype=np.float32)

    def fadd(self, x: Array, y: Array) -> Array:
        return np.add(x, y)

    def fsub(self, x: Array, y: Array) -> Array:
        return np.subtract(x, y)

    def fmul(self, x: Array, y: Array) -> Array:
        return np.multiply(x, y)

    def fdiv(self, x: Array, y: Array) -> Array:
        return np.divide(x, y)

    def fneg(self, x: Array) -> Array:
        return np.negative(x)

    def fabs(self, x: Array) -> Array:
        return np.abs(x)

    def ffloor(self, x: Array) -> Array:
        return np.floor(x)

    def fsqrt(self, x: Array) -> Array:
        return np.sqrt(x)

    def elementary(self, name: str, *arguments: Array) -> Array:
        function = elementary.FUNCTIONS[name]
        shaped = np.broadcast_arrays(*arguments)
        columns = (argument.astype(np.float64).ravel().tolist() for argument in shaped)
        results = np.fromiter(map(function, *columns), np.float64, shaped[0].size)
        return results.astype(np.float32).reshape(shaped[0].shape)

    def flt(self, x: Array, y: Array) -> Array:
        return np.less(x, y)

    def fle(self, x: Array, y: Array) -> Array:
        return np.less_equal(x, y)

    def feq(self, x: Array, y: Array) -> Array:
        return np.equal(x, y)

    def iadd(self, x: Array, y: Array) -> Array:
        return np.add(x, y)

    def isub(self, x: Array, y: Array) -> Array:
        return np.subtract(x, y)

    def imul(self, x: Array, y: Array) -> Array:
        return np.multiply(x, y)

    def idiv(self, x: Array, y: Array) -> Array:
        wide_x, wide_y = x.astype(np.int64), y.astype(np.int64)
        quotient = np.abs(wide_x) // np.maximum(np.abs(wide_y), 1)
        signed = np.where((wide_x < 0) == (wide_y < 0), quotient, -quotient)
        return np.where(wide_y == 0, 0, signed).astype(np.int32)

    def ilt(self, x: Array, y: Array) -> Array:
        return np.less(x, y)

    def ieq(self, x: Array, y: Array) -> Array:
        return np.equal(x, y)

    def band(self, x: Array, y: Array) -> Array:
        return np.logical_and(x, y)

    def bor(self, x: Array, y: Array) -> Array:
        return np.logical_or(x, y)

    def bxor(self, x: Array, y: Array) -> Array:
        return np.logical_xor(x, y)

    def bnot(self, x: Array) -> Array:
        return np.logical_not(x)

    def itof(self, x: Array) -> Array:
        return x.astype(np.float32)

    def ftoi(self, x: Array) -> Array:
        limited = np.minimum(np.maximum(x.astype(np.float64), INT_MIN), INT_MAX)
        is_nan = np.isnan(limited)
        return (np.where(is_nan, 0.0, limited) if np.count_nonzero(is_nan) else limited).astype(np.int32)

    def select(self, condition: Array, if_true: Array, if_false: Array) -> Array:
        return np.where(condition, if_true, if_false)

    # --- Lane operations ----------------------------------------------------------------------------------------------

    def lconst(self, value: int) -> Array:
        return _int64(value)

    def dconst(self, value: float) -> Array:
        return np.asarray(value, dtype=np.float64)

    def widened(self, x: Array) -> Array:
        return x.astype(_WIDER[x.dtype])

    def extended(self, x: Array) -> Array:
        return _without_sign(x).astype(np.int64)

    def narrowed(self, x: Array) -> Array:
        return x.astype(_NARROWER[x.dtype])

    def bits(self, x: Array) -> Array:
        return x.view(_AS_BITS[x.dtype])

    def number(self, x: Array) -> Array:
        return x.view(_AS_NUMBER[x.dtype])

    def itod(self, x: Array) -> Array:
        return x.astype(np.float64)

    def dtol(self, x: Array) -> Array:
        return x.astype(np.int64)

    def half_to_float(self, x: Array) -> Array:
        return x.astype(np.uint16).view(np.float16).astype(np.float32)

    def float_to_half(self, x: Array) -> Array:
        return x.astype(np.float16).view(np.uint16).astype(np.int32)

    def is_float(self, x: Array) -> bool:
        return x.dtype == np.float32

    def udiv(self, x: Array, y: Array) -> Array:
        return np.floor_divide(_without_sign(x), _without_sign(y)).view(x.dtype)

    def ult(self, x: Array, y: Array) -> Array:
        return np.less(_without_sign(x), _without_sign(y))

    def imin(self, x: Array, y: Array) -> Array:
        return np.minimum(x, y)

    def imax(self, x: Array, y: Array) -> Array:
        return np.maximum(x, y)

    def umin(self, x: Array, y: Array) -> Array:
        return np.minimum(_without_sign(x), _without_sign(y)).view(x.dtype)

    def umax(self, x: Array, y: Array) -> Array:
        return np.maximum(_without_sign(x), _without_sign(y)).view(x.dtype)

    def iabs(self, x: Array) -> Array:
        return np.abs(x)

    def bits_and(self, x: Array, y: Array) -> Array:
        return np.bitwise_and(x, y)

    def bits_or(self, x: Array, y: Array) -> Array:
        return np.bitwise_or(x, y)

    def bits_xor(self, x: Array, y: Array) -> Array:
        return np.bitwise_xor(x, y)

    def bits_not(self, x: Array) -> Array:
        return np.invert(x)

    def shl(self, x: Array, count: Array) -> Array:
        return np.left_shift(x, count)

    def shr(self, x: Array, count: Array) -> Array:
        return np.right_shift(_without_sign(x), _without_sign(count)).view(x.dtype)

    def asr(self, x: Array, count: Array) -> Array:
        return np.right_shift(x, count)

    def leading_zeros(self, x: Array) -> Array:
        # The exponent of a double, which holds 32 bits exactly, is the position of the highest one.
        _, length = np.frexp(_without_sign(x).astype(np.float64))
        return np.subtract(np.int32(32), length)

    def copysign(self, x: Array, y: Array) -> Array:
        return np.copysign(x, y)

    def stray(self, numbers: Sequence[Array], low: float, high: float) -> Array:
        magnitude = np.abs(np.concatenate(numbers, axis=None))
        if not magnitude.size:
            return np.asarray(False)
        # Looking for the position takes half as long as looking for the number; a NaN is found by both.
        lowest, highest = magnitude.item(magnitude.argmin()), magnitude.item(magnitude.argmax())
        if lowest < low and highest < high:
            return np.asarray(((magnitude < low) & (magnitude != 0)).any())
        return np.asarray(not (lowest >= low and highest < high))

    def exp2(self, x: Array) -> Array:
        return np.exp2(x)

    def log2(self, x: Array) -> Array:
        return np.log2(x)

    def below(self, x: Array, low: float) -> Array:
        # Looking for the position takes half as long as looking for the number; a NaN counts as the lowest.
        magnitude = np.abs(x)
        return np.asarray(not magnitude.item(magnitude.argmin()) >= low)

    def permuted(self, x: Array, order: Sequence[int]) -> Array:
        if x.size == 1:
            return x
        return np.take(x.reshape(-1, len(order)), order, axis=1).reshape(-1)

    def unless(self, rare: Array, usual: Sequence[Array], compute: Callable[[], Sequence[Array]]) -> Sequence[Array]:
        return compute() if np.count_nonzero(rare) else usual

    def never(self, mask: Array) -> bool:
        return not np.count_nonzero(mask)


@lru_cache(maxsize=1024)
def _int32(value: int) -> Array:
    """A constant, which is made once: nobody changes an array of another one's."""
    return np.asarray(wrap_to_int32(value), dtype=np.int32)


@lru_cache(maxsize=1024)
def _int64(value: int) -> Array:
    return np.asarray(value, dtype=np.int64)


def _without_sign(x: Array) -> Array:
    return x.view(_WITHOUT_SIGN[x.dtype])


LANES = LaneArithmetic()
