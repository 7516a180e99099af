"""The machine's arithmetic on lanes: float32, where zero times anything is +0.

Denormal operands count as zero of the same sign.  Few rows of lanes have numbers that need either rule, so where it
is known that there are none (`LaneOperations.never`) the numbers are taken as they are.
"""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa.semantics import SMALLEST_NORMAL
from glslc_multi.compiler.arithmetic.operations import Derived, LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number


class FamilyArithmetic(Derived):
    """float32 with the machine's multiplication."""

    def __init__(self, core: LaneOperations) -> None:
        super().__init__(core)
        self._zero, self._smallest = core.fconst(0.0), core.fconst(SMALLEST_NORMAL)

    def fmul(self, x: Number, y: Number) -> Number:
        """The product; +0 if a factor is zero, whatever the other one is."""
        core = self.core
        product = core.fmul(x, y)
        if self.is_known_nonzero(x) and self.is_known_nonzero(y):
            return product
        is_zero = core.bor(core.feq(x, self._zero), core.feq(y, self._zero))
        return core.select(is_zero, self._zero, product)

    def flushed(self, x: Number) -> Number:
        """Return the number with denormal ones as zero of the same sign."""
        core = self.core
        if self.is_known_nonzero(x):
            return x
        is_small = core.flt(core.fabs(x), self._smallest)
        return core.select(is_small, core.copysign(self._zero, x), x)

    def is_known_nonzero(self, x: Number) -> bool:
        """Tell whether it is known to be neither zero nor denormal in any lane."""
        return self.core.never(self.core.below(x, SMALLEST_NORMAL))
