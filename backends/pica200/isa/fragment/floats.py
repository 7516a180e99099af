"""The short floats of registers, as the driver library makes them: the mantissa is cut off, what is too small is zero.

The smallest exponent has no subnormals, and its pattern without a mantissa is zero.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping

from glslc_multi.compiler.records import dataclass

_F32_MANTISSA, _F32_BIAS = 23, 127


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A sign, an exponent and a mantissa."""

    name: str
    exponent: int
    mantissa: int

    @property
    def bias(self) -> int:
        return (1 << self.exponent - 1) - 1

    @property
    def size(self) -> int:
        return 1 + self.exponent + self.mantissa

    def pattern_of(self, value: float) -> int:
        """The pattern of a number, which is rounded to a float32 first."""
        bits = float32_bits(value)
        sign = bits >> 31 << self.size - 1
        exponent = (bits >> _F32_MANTISSA & 0xFF) - _F32_BIAS + self.bias
        largest = (1 << self.exponent) - 1
        if exponent < 0:
            return sign
        if exponent > largest:
            return sign | largest << self.mantissa
        return sign | exponent << self.mantissa | bits % (1 << _F32_MANTISSA) >> _F32_MANTISSA - self.mantissa

    def nearest(self, value: float) -> int:
        """The pattern of the nearest number."""
        below = self.pattern_of(value)
        above = below + 1
        return min((below, above), key=lambda pattern: abs(self.value_of(pattern) - value))

    def value_of(self, pattern: int) -> float:
        """The number of a pattern; the largest exponent is that of infinity and of no number."""
        sign = -1.0 if pattern >> self.size - 1 & 1 else 1.0
        exponent = pattern >> self.mantissa & (1 << self.exponent) - 1
        mantissa = pattern & (1 << self.mantissa) - 1
        if exponent == (1 << self.exponent) - 1:
            return math.nan if mantissa else sign * math.inf
        if not exponent and not mantissa:
            return sign * 0.0
        return sign * math.ldexp(1 + mantissa / (1 << self.mantissa), exponent - self.bias)

    def is_writable(self, pattern: int) -> bool:
        """Whether a number makes this pattern."""
        value = self.value_of(pattern)
        return math.isfinite(value) and self.pattern_of(value) == pattern


def float32_bits(value: float) -> int:
    """The bits of the nearest float32."""
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return float32_bits(math.copysign(math.inf, value))
    return bits


F16 = FloatFormat("f16", 5, 10)
F20 = FloatFormat("f20", 7, 12)
F24 = FloatFormat("f24", 7, 16)
F31 = FloatFormat("f31", 7, 23)

FLOATS: Mapping[str, FloatFormat] = {form.name: form for form in (F16, F20, F24, F31)}
