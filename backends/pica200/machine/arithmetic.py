"""Arithmetic of the machine in its two number formats, over lanes.

`F32Arithmetic` computes like the known emulators, in float32.  `F24Arithmetic` computes like the hardware: every result
is rounded to 1-7-16 bits, to nearest even; numbers below the smallest normal are flushed to +0 where they enter and
where they arise; there is no negative zero.  Its numbers are doubles that the format has.

Both multiply infinity by zero to zero, alone and inside MAD and dot products.

What an instruction computes (`run`) is first computed as if its numbers were ordinary.  Where one turns out not to be,
it is computed again by the steps that are right for all numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from glslc_multi.backends.pica200.isa.meanings import Vector, sum_of_products
from glslc_multi.backends.pica200.isa.numbers import MANTISSA_BITS, OVERFLOW, SMALLEST_NORMAL
from glslc_multi.backends.pica200.isa.numbers import nearest as nearest_number
from glslc_multi.compiler.arithmetic.operations import Derived, LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Element

#: Times a double it keeps the bits that 1-7-16 has room for apart from the others.
SPLITTER = float((1 << (52 - MANTISSA_BITS)) + 1)

#: Magnitudes of factors whose products are zero or moderate.  Numbers of 17 bits from the first moderate magnitude on
#: are multiples of the smallest normal number, and so are their sums, rounded or not: none is to be flushed.  Four of
#: them that are below the second one do not overflow.
_FACTORS = math.sqrt(SMALLEST_NORMAL * (1 << MANTISSA_BITS)), math.sqrt(OVERFLOW / 8)


class MachineArithmetic(Derived):
    """What both formats have: arithmetic that is right for all numbers, and how instructions are run with it."""

    #: The type of its numbers.
    element: Element = "float"
    #: Magnitudes of ordinary results, beside zero.
    _ordinary: tuple[float, float]
    #: Computes them alone.
    _quick: _QuickF32 | _QuickF24

    def run(self, compute: Callable[..., Vector], *sources: Any) -> Vector:
        """What an instruction computes, by quick steps where they do."""
        quick = self._quick
        quick.results = []
        values = compute(quick, *sources)
        if not quick.results:
            return values
        strays = self.core.stray(quick.results, *self._ordinary)
        return self.core.unless(strays, values, lambda: compute(self, *sources))

    def stored(self, x: Number) -> Number:
        """A number as a float."""
        return x

    def _product(self, x: Number, y: Number) -> Number:
        """The exact product, or the rounded one; zero where IEEE arithmetic makes a NaN of infinity times zero."""
        core = self.core
        product = core.fmul(x, y)
        is_made = core.band(core.bnot(core.feq(product, product)), core.band(core.feq(x, x), core.feq(y, y)))
        return core.select(is_made, self.fconst(0.0), product)


# --- 32 bits ----------------------------------------------------------------------------------------------------------


class F32Arithmetic(MachineArithmetic):
    """float32, as the emulators compute."""

    #: Of products: infinities and NaNs are looked at again.
    _ordinary = 2.0**-149, math.inf

    def __init__(self, core: LaneOperations) -> None:
        super().__init__(core)
        self._quick = _QuickF32(core)

    def fmul(self, x: Number, y: Number) -> Number:
        return self._product(x, y)

    def dot(self, s: Vector, t: Vector) -> Number:
        return sum_of_products(self, s, t)


class _QuickF32(Derived):
    """Notes products."""

    def __init__(self, core: LaneOperations) -> None:
        super().__init__(core)
        self.results: list[Number] = []

    def fmul(self, x: Number, y: Number) -> Number:
        self.results.append(self.core.fmul(x, y))
        return self.results[-1]

    def dot(self, s: Vector, t: Vector) -> Number:
        return sum_of_products(self, s, t)


# --- 24 bits ----------------------------------------------------------------------------------------------------------


class _F24Operations(Derived):
    """Operations on numbers of the format: in double precision, then rounded.

    One operation in double precision rounded once more equals the operation in 1-7-16, because 53 bits exceed
    2 * 17 + 2 (Figueroa, "When is double rounding innocuous?", 1995).
    """

    def __init__(self, core: LaneOperations) -> None:
        super().__init__(core)
        self._splitter, self._zero = core.dconst(SPLITTER), core.dconst(0.0)

    def fconst(self, value: float) -> Number:
        # Without a negative zero.
        return self.core.dconst(nearest_number(value) + 0.0)

    def fadd(self, x: Number, y: Number) -> Number:
        return self.rounded(self.core.fadd(x, y))

    def fsub(self, x: Number, y: Number) -> Number:
        return self.rounded(self.core.fsub(x, y))

    def fmul(self, x: Number, y: Number) -> Number:
        return self.rounded(self.core.fmul(x, y))

    def fdiv(self, x: Number, y: Number) -> Number:
        return self.rounded(self.core.fdiv(x, y))

    def fsqrt(self, x: Number) -> Number:
        return self.rounded(self.core.fsqrt(x))

    def fneg(self, x: Number) -> Number:
        return self.core.fsub(self._zero, x)

    def itof(self, x: Number) -> Number:
        return self.rounded(self.core.itod(x))

    def rounded(self, wide: Number) -> Number:
        """The number of the format for a double."""
        raise NotImplementedError

    def nearest(self, wide: Number) -> Number:
        """Rounded to 17 bits by Veltkamp's splitting, whatever the exponent; NaN for infinities and what is near them.

        It is to nearest (Boldo, "Pitfalls of a full floating-point proof", 2006), and ties are to even: a double that
        lies between two numbers of 17 bits is an even number of units of the product with `SPLITTER`, which is rounded
        to even.  Either zero becomes +0.
        """
        scaled = self.core.fmul(wide, self._splitter)
        return self.core.fadd(scaled, self.core.fsub(wide, scaled))


class F24Arithmetic(_F24Operations, MachineArithmetic):
    """1-7-16, as the hardware computes; operands are numbers of this format."""

    element: Element = "double"
    _ordinary = SMALLEST_NORMAL, OVERFLOW

    def __init__(self, core: LaneOperations) -> None:
        super().__init__(core)
        self._quick = _QuickF24(self)

    def stored(self, x: Number) -> Number:
        return self.core.narrowed(x)

    def fmul(self, x: Number, y: Number) -> Number:
        return self.rounded(self._product(x, y))

    def elementary(self, name: str, *arguments: Number) -> Number:
        found = self.core.elementary(name, *map(self.core.narrowed, arguments))
        return self.rounded(self.core.widened(found))

    def dot(self, s: Vector, t: Vector) -> Number:
        """Where factors are zero or of moderate size, sums are ordinary: see `_FACTORS`.

        It is factors that are looked at: a vector is once, if many matrix rows are multiplied with it.
        """
        core = self.core
        total, *others = [self.nearest(core.fmul(x, y)) for x, y in zip(s, t, strict=True)]
        for product in others:
            total = self.nearest(core.fadd(total, product))
        strays = core.stray([*s, *t], *_FACTORS)
        return core.unless(strays, [total], lambda: [sum_of_products(self, s, t)])[0]

    def rounded(self, wide: Number) -> Number:
        """Infinite where a double overflows, +0 where it is below the smallest normal."""
        core, limit = self.core, self.core.dconst(OVERFLOW)
        nearest = self.nearest(wide)
        magnitude = core.fabs(nearest)
        flushed = core.select(core.flt(magnitude, core.dconst(SMALLEST_NORMAL)), self._zero, nearest)
        overflows = core.bor(core.fle(limit, magnitude), core.fle(limit, core.fabs(wide)))
        return core.select(overflows, core.copysign(core.dconst(math.inf), wide), flushed)


class _QuickF24(_F24Operations):
    """Rounds as if results were ordinary, and notes them."""

    def __init__(self, careful: F24Arithmetic) -> None:
        super().__init__(careful.core)
        self.results: list[Number] = []
        # These two look by themselves whether numbers are ordinary, or are right for all.
        self.dot, self.elementary = careful.dot, careful.elementary

    def rounded(self, wide: Number) -> Number:
        self.results.append(self.nearest(wide))
        return self.results[-1]
