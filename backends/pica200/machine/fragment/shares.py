"""Colours as the numbers of 0 to 1 that bytes stand for: the units without what bytes cut off, for a lifter.

A channel is known to lie between two numbers, so that only what may leave 0 to 1 is clamped.  Units run once, one after
the other, which is why limits may be kept beside the lanes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment.artifact import COLOURS
from glslc_multi.backends.pica200.machine.fragment.colours import Colours
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes

#: How near numbers are that the same byte stands for.
_HALF_A_STEP = 0.5 / WHOLE


class Share(NamedTuple):
    """A float between two numbers."""

    value: Number
    low: float = 0.0
    high: float = 1.0


class ShareArithmetic:
    """What stages compute, over shares."""

    def __init__(self, core: LaneOperations) -> None:
        self.core = core

    def complement(self, x: Share) -> Share:
        return Share(self.core.fsub(self.core.fconst(1.0), x.value), 1.0 - x.high, 1.0 - x.low)

    def scaled(self, x: Share, factor: int) -> Share:
        return x if factor == 1 else self.clamped(self._times(x, float(factor)))

    # --- What functions are made of -----------------------------------------------------------------------------------

    def add(self, x: Share, y: Share) -> Share:
        return self.clamped(self._sum(x, y))

    def add_signed(self, x: Share, y: Share) -> Share:
        half = Share(self.core.fconst(-0.5), -0.5, -0.5)
        return self.clamped(self._sum(self._sum(x, y), half))

    def subtract(self, x: Share, y: Share) -> Share:
        return self.clamped(Share(self.core.fsub(x.value, y.value), x.low - y.high, x.high - y.low))

    def multiply(self, x: Share, y: Share) -> Share:
        ends = [first * second for first in (x.low, x.high) for second in (y.low, y.high)]
        return Share(self.core.fmul(x.value, y.value), min(ends), max(ends))

    def mix(self, x: Share, y: Share, weight: Share) -> Share:
        total = self._sum(self.multiply(x, weight), self.multiply(y, self.complement(weight)))
        return Share(total.value, min(x.low, y.low), max(x.high, y.high))

    def dot3(self, first: Sequence[Share], second: Sequence[Share]) -> Share:
        red, green, blue = (self.multiply(self._signed(x), self._signed(y)) for x, y in zip(first, second, strict=True))
        return self.clamped(self._sum(self._sum(red, green), blue))

    def _signed(self, x: Share) -> Share:
        """Map 0 to 1 to -1 to 1."""
        return self._sum(self._times(x, 2.0), Share(self.core.fconst(-1.0), -1.0, -1.0))

    def _sum(self, x: Share, y: Share) -> Share:
        return Share(self.core.fadd(x.value, y.value), x.low + y.low, x.high + y.high)

    def _times(self, x: Share, factor: float) -> Share:
        return Share(self.core.fmul(x.value, self.core.fconst(factor)), x.low * factor, x.high * factor)

    def clamped(self, x: Share) -> Share:
        """Limit what may be below 0 or above 1."""
        a, value = self.core, x.value
        zero, one = a.fconst(0.0), a.fconst(1.0)
        if x.high > 1.0:
            value = a.select(a.flt(one, value), one, value)
        if x.low < 0.0:
            value = a.select(a.flt(zero, x.value), value, zero)
        return Share(value, min(max(x.low, 0.0), 1.0), min(max(x.high, 0.0), 1.0))

    # --- Comparisons --------------------------------------------------------------------------------------------------

    def less(self, x: Share, y: Share) -> Number:
        return self.core.flt(x.value, y.value)

    def same(self, x: Share, y: Share) -> Number:
        """Whether the nearest byte is the same."""
        a = self.core
        return a.flt(a.fabs(a.fsub(x.value, y.value)), a.fconst(_HALF_A_STEP))


class ShareColours(Colours):
    """Shares; `literals` are the words that no host sets."""

    arithmetic: ShareArithmetic

    def __init__(self, lanes: Lanes, literals: Mapping[int, float]) -> None:
        super().__init__(lanes)
        self.arithmetic, self._literals = ShareArithmetic(lanes.operations), literals
        self._limits: dict[tuple[str, str], tuple[float, float]] = {}

    def read(self, name: str, channel: str) -> Share:
        return Share(self.lanes.read(f"{name}.{channel}"), *self._limits.get((name, channel), (0.0, 0.0)))

    def write(self, name: str, channel: str, x: Share) -> None:
        self.lanes.write(f"{name}.{channel}", x.value)
        self._limits[name, channel] = x.low, x.high

    def input(self, name: str, channel: str) -> Share:
        if name not in COLOURS.values():
            self.lanes.fault(f"nothing is known of {name}")
        return Share(self.lanes.input((name, channel)))

    def constant(self, word: int) -> Share:
        literal = self._literals.get(word)
        if literal is not None:
            return Share(self.lanes.operations.fconst(literal), literal, literal)
        return Share(self.lanes.constant(word))

    def nearest(self, x: Number) -> Share:
        return Share(self.lanes.operations.narrowed(x))

    def below(self, x: Number) -> Share:
        return Share(x)

    def float_of(self, x: Share, one: float = WHOLE) -> Number:
        a = self.lanes.operations
        return x.value if one == WHOLE else a.fmul(x.value, a.fconst(WHOLE / one))

    def choose(self, condition: Number, x: Share, y: Share) -> Share:
        return Share(self.lanes.operations.select(condition, x.value, y.value), min(x.low, y.low), max(x.high, y.high))

    def blend(self, x: Share, y: Share, factor: Number, rest: Number) -> Share:
        a = self.lanes.operations
        return Share(a.fadd(a.fmul(x.value, factor), a.fmul(y.value, rest)))
