"""Values that are finite, so that a product with 0 is 0.

In: values that a choice takes or leaves.  Out: those that may be infinite or no number are brought into the range of
floats.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.float_classes import INFINITIES, NAN, FloatClasses
from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Value

#: The largest float32.
_LARGEST = round_to_float32(3.4028234663852886e38)


class FiniteValues:
    """Which values are finite, and those that were made so: what is computed of these may be too large again."""

    def __init__(self, classes: FloatClasses) -> None:
        self.classes = classes
        self.finite: set[Value] = set()

    def is_finite(self, value: Value) -> bool:
        """Whether a value is known to be a number."""
        return value in self.finite or not self.classes.may_be(value, INFINITIES | NAN)

    def finite_value(self, b: Builder, value: Value, other: Value) -> Value:
        """The value, brought between the largest floats if it may be no number where the other is one."""
        if value in self.finite or not self.classes.spoils(value, other, INFINITIES | NAN):
            return value
        least, most = (Constant.splat(value.type, limit) for limit in (-_LARGEST, _LARGEST))
        # The order of operands matters: of these two the second is taken only when a comparison with it holds.
        limited = b.op(ops.FMIN, most, b.op(ops.FMAX, least, value))
        self.finite.add(limited)
        return limited

    def add(self, made: Value, *parts: Value) -> Value:
        """What a choice is made into; it is as finite as its parts."""
        if all(map(self.is_finite, parts)):
            self.finite.add(made)
        return made
