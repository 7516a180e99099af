"""How far the machine's results may be from those of float32, computed for each pixel.

Two evaluations carry a bound beside every value, by the rules of interval arithmetic.  That of the legalised module in
the machine's arithmetic bounds what its roundings do; that of the source in float32 bounds what float32's do, and
what the polynomials differ from the functions that they stand for.  In exact arithmetic both modules mean the same but
for these polynomials, so the results differ by at most the sum.

A pixel is *lost* where a bound does not tell which way a branch goes or which texel is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic import elementary
from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic
from glslc_multi.compiler.ir.evaluate import Result

#: Largest difference of each function from what the machine computes for it, in exact arithmetic, by the polynomials'
#: errors that `backends/theia/codegen/elementary.py` and `exponents.py` state, and constants rounded to float32.
METHOD: Mapping[str, Callable[..., Any]] = {
    "sin": lambda x: 1e-6 + 1e-7 * abs(x),
    "cos": lambda x: 1e-6 + 1e-7 * abs(x),
    "tan": lambda x: (1e-6 + 1e-7 * abs(x)) * (1 + abs(math.tan(x))) / max(abs(math.cos(x)) - 2e-6, 1e-30),
    "asin": lambda x: 4e-6,
    "acos": lambda x: 4e-6,
    "atan": lambda x: 7e-6,
    "atan2": lambda y, x: 7e-6,
    "exp": lambda x: (3e-6 + 1e-7 * abs(x)) * math.exp(min(x, 50.0)),
    "exp2": lambda x: 3e-6 * 2.0 ** min(x, 50.0),
    "log": lambda x: 8e-6 if x >= 2.0**-17 else math.inf,
    "log2": lambda x: 8e-6 if x >= 2.0**-17 else math.inf,
    "pow": lambda x, y: (4e-6 + 6e-6 * abs(y)) * x**y if x >= 2.0**-17 else math.inf,
}
#: Numbers that the compiler has computed, such as 1 / 3.75, are rounded to float32 once or twice.
_FOLDED = 2.0**-23
#: Functions that do not rise or fall alone; how much they may change over an error.
_LARGEST_CHANGE: Mapping[str, float] = {"sin": 2.0, "cos": 2.0}


def _widest(name: str, function: Callable[..., float], values: Sequence[float], errors: Sequence[float]) -> float:
    """How far the function's value may be from that at `values`."""
    if not any(errors):
        return 0.0
    if name in _LARGEST_CHANGE:
        return min(errors[0], _LARGEST_CHANGE[name])
    if name == "atan2" and abs(values[0]) <= errors[0] and values[1] - errors[1] <= 0:
        return 2 * math.pi
    if name == "tan" and math.floor((values[0] - errors[0]) / math.pi - 0.5) != math.floor(
        (values[0] + errors[0]) / math.pi - 0.5
    ):
        return math.inf
    centre = function(*values)
    corners = product(*((value - error, value + error) for value, error in zip(values, errors, strict=True)))
    changes = [abs(function(*corner) - centre) for corner in corners]
    return math.inf if any(math.isnan(change) for change in changes) else max(changes)


class Bounded(LaneArithmetic):
    """Another arithmetic, with errors: floats have `held` and `error`, bools `held` and `unsure`; ints are exact."""

    __slots__ = ("_bool", "_float", "base", "lost", "read")

    def __init__(self, base: LaneArithmetic, lanes: int) -> None:
        self.base = base
        self._float = np.dtype([("held", base.encode("float", 0.0).dtype), ("error", np.float64)])
        self._bool = np.dtype([("held", np.bool_), ("unsure", np.bool_)])
        #: Pixels of which nothing is known.
        self.lost = np.zeros(lanes, np.bool_)
        #: Floats that left: coordinates of lookups, and in the end the outputs.
        self.read: list[Array] = []

    # parts ---------------------------------------------------------------------------------
    def _number(self, held: Array, error: Array) -> Array:
        made = np.empty(np.broadcast_shapes(held.shape, np.shape(error)), self._float)
        made["held"], made["error"] = held, np.where(np.isnan(error), np.inf, error)
        return made

    def _truth(self, held: Array, unsure: Array) -> Array:
        made = np.empty(np.broadcast_shapes(held.shape, np.shape(unsure)), self._bool)
        made["held"], made["unsure"] = held, unsure
        return made

    def _value(self, x: Array) -> Array:
        return np.asarray(self.base.decode("float", x["held"]), np.float64)

    def _made(self, held: Array, exact: Array, error: Array) -> Array:
        """A result with its own rounding and what the operands' errors make of it."""
        return self._number(held, np.abs(self.base.decode("float", held) - exact) + error)

    def _lose(self, unsure: Array) -> None:
        self.lost |= (
            np.broadcast_to(unsure, (*unsure.shape[:-1], len(self.lost))).reshape(-1, len(self.lost)).any(axis=0)
        )

    # the border ----------------------------------------------------------------------------
    def encode(self, kind: str, values: Any) -> Array:
        held = self.base.encode(kind, values)
        if kind == "float":
            exact = np.asarray(values, np.float64)
            is_rounded = self.base.decode("float", held) != exact
            return self._made(held, exact, np.where(is_rounded, np.abs(exact) * _FOLDED, 0.0))
        return self._truth(held, np.zeros((), np.bool_)) if kind == "bool" else held

    def decode(self, kind: str, x: Array) -> Array:
        if kind == "float":
            self.read.append(x)
        elif kind == "bool":
            self._lose(x["unsure"])
        return self.base.decode(kind, x["held"] if kind != "int" else x)

    def fconst(self, value: float) -> Array:
        return self.encode("float", value)

    def bconst(self, value: bool) -> Array:
        return self.encode("bool", value)

    # floats --------------------------------------------------------------------------------
    def fadd(self, x: Array, y: Array) -> Array:
        held = self.base.fadd(x["held"], y["held"])
        return self._made(held, self._value(x) + self._value(y), x["error"] + y["error"])

    def fsub(self, x: Array, y: Array) -> Array:
        held = self.base.fsub(x["held"], y["held"])
        return self._made(held, self._value(x) - self._value(y), x["error"] + y["error"])

    def fmul(self, x: Array, y: Array) -> Array:
        first, second = self._value(x), self._value(y)
        error = np.abs(first) * y["error"] + np.abs(second) * x["error"] + x["error"] * y["error"]
        return self._made(self.base.fmul(x["held"], y["held"]), first * second, error)

    def fdiv(self, x: Array, y: Array) -> Array:
        first, second = self._value(x), self._value(y)
        quotient, nearest = first / second, np.maximum(np.abs(second) - y["error"], 0.0)
        error = (np.abs(quotient) * y["error"] + x["error"]) / nearest
        return self._made(self.base.fdiv(x["held"], y["held"]), quotient, error)

    def fneg(self, x: Array) -> Array:
        return self._made(self.base.fneg(x["held"]), -self._value(x), x["error"])

    def fabs(self, x: Array) -> Array:
        return self._made(self.base.fabs(x["held"]), np.abs(self._value(x)), x["error"])

    def ffloor(self, x: Array) -> Array:
        value, error = self._value(x), x["error"]
        whole = np.floor(value)
        jump = np.maximum(np.floor(value + error) - whole, whole - np.floor(value - error))
        return self._made(self.base.ffloor(x["held"]), whole, jump)

    def fsqrt(self, x: Array) -> Array:
        value, error = np.maximum(self._value(x), 0.0), x["error"]
        root = np.sqrt(value)
        change = np.maximum(np.sqrt(value + error) - root, root - np.sqrt(np.maximum(value - error, 0.0)))
        return self._made(self.base.fsqrt(x["held"]), root, change)

    def elementary(self, name: str, *arguments: Array) -> Array:
        shaped = np.broadcast_arrays(*arguments)
        held = self.base.elementary(name, *(x["held"] for x in shaped))
        columns = [self._value(x).ravel().tolist() for x in shaped]
        errors = [x["error"].ravel().tolist() for x in shaped]
        function, method = elementary.FUNCTIONS[name], METHOD[name]
        rows = list(zip(zip(*columns, strict=True), zip(*errors, strict=True), strict=True))
        exact = [function(*values) for values, _ in rows]
        change = [_widest(name, function, values, error) + method(*values) for values, error in rows]
        return self._made(held, np.reshape(exact, held.shape), np.reshape(change, held.shape))

    def itof(self, x: Array) -> Array:
        held = self.base.itof(x)
        return self._made(held, np.asarray(x, np.float64), np.zeros(()))

    def ftoi(self, x: Array) -> Array:
        value, error = self._value(x), x["error"]
        self._lose(np.trunc(value - error) != np.trunc(value + error))
        return self.base.ftoi(x["held"])

    # bools ---------------------------------------------------------------------------------
    def _compared(self, held: Array, x: Array, y: Array) -> Array:
        error = x["error"] + y["error"]
        return self._truth(held, (error > 0) & ~(np.abs(self._value(x) - self._value(y)) > error))

    def flt(self, x: Array, y: Array) -> Array:
        return self._compared(self.base.flt(x["held"], y["held"]), x, y)

    def fle(self, x: Array, y: Array) -> Array:
        return self._compared(self.base.fle(x["held"], y["held"]), x, y)

    def feq(self, x: Array, y: Array) -> Array:
        return self._compared(self.base.feq(x["held"], y["held"]), x, y)

    def ilt(self, x: Array, y: Array) -> Array:
        return self._truth(self.base.ilt(x, y), np.zeros((), np.bool_))

    def ieq(self, x: Array, y: Array) -> Array:
        return self._truth(self.base.ieq(x, y), np.zeros((), np.bool_))

    def band(self, x: Array, y: Array) -> Array:
        is_false = ~(x["held"] | x["unsure"]) | ~(y["held"] | y["unsure"])
        return self._truth(x["held"] & y["held"], (x["unsure"] | y["unsure"]) & ~is_false)

    def bor(self, x: Array, y: Array) -> Array:
        is_true = (x["held"] & ~x["unsure"]) | (y["held"] & ~y["unsure"])
        return self._truth(x["held"] | y["held"], (x["unsure"] | y["unsure"]) & ~is_true)

    def bxor(self, x: Array, y: Array) -> Array:
        return self._truth(x["held"] ^ y["held"], x["unsure"] | y["unsure"])

    def bnot(self, x: Array) -> Array:
        return self._truth(~x["held"], x["unsure"])

    def select(self, condition: Array, if_true: Array, if_false: Array) -> Array:
        """Where the condition is not sure, the other value is as good."""
        if condition.dtype.names is None:
            return np.where(condition, if_true, if_false)
        shaped = np.broadcast_arrays(condition, if_true, if_false)
        condition, if_true, if_false = shaped
        chosen = np.where(condition["held"], if_true, if_false)
        other = np.where(condition["held"], if_false, if_true)
        if chosen.dtype == self._float:
            apart = np.abs(self._value(chosen) - self._value(other)) + other["error"]
            error = np.where(condition["unsure"], np.maximum(apart, chosen["error"]), chosen["error"])
            return self._number(chosen["held"], error)
        if chosen.dtype == self._bool:
            differs = condition["unsure"] & (chosen["held"] != other["held"])
            return self._truth(chosen["held"], chosen["unsure"] | other["unsure"] & condition["unsure"] | differs)
        self._lose(condition["unsure"] & (chosen != other))
        return chosen

    # results -------------------------------------------------------------------------------
    def errors(self, result: Result) -> dict[str, Array]:
        """The bounds of the outputs of an evaluation with this arithmetic; lookups are seen to."""
        count = len(result.outputs)
        lookups, outputs = self.read[: len(self.read) - count], self.read[len(self.read) - count :]
        for coordinate in lookups:
            self._lose(coordinate["error"] > 0)
        return {name: read["error"] for name, read in zip(result.outputs, outputs, strict=True)}
