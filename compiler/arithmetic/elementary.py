"""Elementary functions in double precision, total over all arguments.

Both float32 arithmetics (plain Python and numpy) call these and round the result once to float32,
so they agree bit for bit and a float32 result is correctly rounded but for rare ties.  Outside a
function's domain, where GLSL ES 1.00 section 8 leaves the result undefined, the result is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable


def _guarded(function: Callable[..., float], overflow: Callable[..., float]) -> Callable[..., float]:
    """`function` with NaN outside its domain and `overflow(*arguments)` where it overflows."""

    def total(*arguments: float) -> float:
        try:
            return function(*arguments)
        except ValueError:
            return math.nan
        except OverflowError:
            return overflow(*arguments)

    return total


def _log(function: Callable[[float], float]) -> Callable[[float], float]:
    def total(x: float) -> float:
        if x > 0.0:
            return function(x)
        return -math.inf if x == 0.0 else math.nan

    return total


def _pow(x: float, y: float) -> float:
    """x to the y for x >= 0 (section 8.2: undefined for x < 0, and for x = 0 with y <= 0)."""
    if x < 0.0 or math.isnan(x) or math.isnan(y):
        return math.nan
    if x == 0.0:
        return 0.0 if y > 0.0 else (math.inf if y < 0.0 else 1.0)
    try:
        return math.pow(x, y)
    except OverflowError:
        return math.inf


def _infinity(*_: float) -> float:
    return math.inf


#: Name -> function over Python floats.
FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": _guarded(math.exp, _infinity),
    "exp2": _guarded(math.exp2, _infinity),
    "log": _log(math.log),
    "log2": _log(math.log2),
    "pow": _pow,
    "sin": _guarded(math.sin, _infinity),
    "cos": _guarded(math.cos, _infinity),
    "tan": _guarded(math.tan, _infinity),
    "asin": _guarded(math.asin, _infinity),
    "acos": _guarded(math.acos, _infinity),
    "atan": math.atan,
    "atan2": math.atan2,
}
