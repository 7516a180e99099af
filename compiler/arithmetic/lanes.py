"""float32 and int32 arithmetic on numpy arrays, one element a lane: evaluator and simulators.

Agrees bit for bit with `PythonArithmetic` (NaN payloads aside).  Callers run it inside
`quiet()`, since infinities, NaNs and wrapping integers are ordinary values here.

An arithmetic of another number format is a subclass: `encode` and `decode` say how values from outside
enter and leave the format (a kind is "bool", "int" or "float"), so that nothing else knows how its numbers are stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.arithmetic import elementary
from compiler.arithmetic.protocol import INT_MAX, INT_MIN, wrap_to_int32

Array = NDArray[Any]

_FORMATS: dict[str, type[np.generic]] = {"bool": np.bool_, "int": np.int32, "float": np.float32}


def quiet() -> np.errstate:
    """A context in which floating-point exceptions pass silently."""
    return np.errstate(all="ignore")


class LaneArithmetic:
    """The arithmetic protocol over numpy arrays of bool, int32 and float32."""

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
        return np.asarray(wrap_to_int32(value), dtype=np.int32)

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
        wide = np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=INT_MAX, neginf=INT_MIN)
        return np.clip(wide, INT_MIN, INT_MAX).astype(np.int64).astype(np.int32)

    def select(self, condition: Array, if_true: Array, if_false: Array) -> Array:
        return np.where(condition, if_true, if_false)


LANES = LaneArithmetic()
