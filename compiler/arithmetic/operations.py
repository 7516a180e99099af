"""What machines compute with: the arithmetic protocol, and the few operations on lanes below it.

A machine's arithmetic is written once, as a class over these operations, and runs wherever they do: on numpy arrays
(`compiler/arithmetic/lanes.py`), or as code under construction (`compiler/native/vectors.py`).  A value has one number
a lane; its type is bool, i32, i64, float or double, and an operation takes and gives the same type unless it says
otherwise.  Integers wrap.  The `bits` of a double are an i64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from glslc_multi.compiler.arithmetic.protocol import Arithmetic, Number


class LaneOperations(Arithmetic, Protocol):
    """Operations on the numbers of many lanes."""

    # constants of the other types
    def lconst(self, value: int) -> Number:
        """An i64."""

    def dconst(self, value: float) -> Number:
        """A double."""

    # conversions
    def widened(self, x: Number) -> Number:
        """i32 to i64, with its sign; float to double."""

    def extended(self, x: Number) -> Number:
        """i32 to i64, without a sign."""

    def narrowed(self, x: Number) -> Number:
        """i64 to i32, the lowest bits; double to float, rounded."""

    def itod(self, x: Number) -> Number:
        """i32 or i64 to double."""

    def dtol(self, x: Number) -> Number:
        """A double cut off, as an i64; it must be in range."""

    def half_to_float(self, x: Number) -> Number:
        """The float of the half in the low bits of an i32."""

    def float_to_half(self, x: Number) -> Number:
        """The half nearest to a float, in the low bits of an i32."""

    def is_float(self, x: Number) -> bool:
        """Whether this is a float, for machines whose registers have no type."""

    # integers
    def imin(self, x: Number, y: Number) -> Number: ...
    def imax(self, x: Number, y: Number) -> Number: ...
    def umin(self, x: Number, y: Number) -> Number: ...
    def umax(self, x: Number, y: Number) -> Number: ...
    def iabs(self, x: Number) -> Number: ...

    def leading_zeros(self, x: Number) -> Number:
        """Of an i32."""

    # floats
    def copysign(self, x: Number, y: Number) -> Number:
        """`x` with the sign of `y`."""

    def stray(self, numbers: Sequence[Number], low: float, high: float) -> Number:
        """Whether one of these floats or doubles is neither zero nor of a magnitude from `low` (above 0) on and below
        `high`.  It may hold in more lanes than it has to: for `unless`."""

    def exp2(self, x: Number) -> Number:
        """Two to the power of a double; as `log2`, good enough to be rounded to a float."""

    def log2(self, x: Number) -> Number:
        """The logarithm of a double to base 2; NaN of negative numbers."""

    def below(self, x: Number, low: float) -> Number:
        """Whether the magnitude of a float is below `low`, or it is NaN.

        It may hold in more lanes than it has to: for `unless` and `never`.
        """

    # lanes
    def permuted(self, x: Number, order: Sequence[int]) -> Number:
        """In each run of as many lanes as `order` has: what `x` has in the lanes of these numbers."""

    def unless(
        self, rare: Number, usual: Sequence[Number], compute: Callable[[], Sequence[Number]]
    ) -> Sequence[Number]:
        """The values `usual`; where `rare` holds in any lane, what `compute` makes for all lanes.

        `compute` must be right for every lane, `usual` for those where `rare` does not hold: it is there to be quick.
        """

    def never(self, mask: Number) -> bool:
        """Whether it is known here and now that a mask holds in no lane: then what it chooses needs no work."""


if TYPE_CHECKING:
    # What `__getattr__` finds is all of `LaneOperations`, which no type checker sees.
    _Operations: TypeAlias = Any
else:
    _Operations = object


class Derived(_Operations):  # type: ignore[misc]
    """An arithmetic that does some operations in its own way, and all others as `core` does."""

    def __init__(self, core: LaneOperations) -> None:
        self.core = core

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self.core, name)
        # Next time there is nothing to look for.
        setattr(self, name, operation)
        return operation
