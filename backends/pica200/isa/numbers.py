"""The 24-bit float of the machine: bit patterns to values and back.

1 sign bit, 7 exponent bits with bias 63, 16 mantissa bits.  Every such number is also a float32, so the
rest of the target computes with ordinary floats; patterns appear only in a container's constants.
Arithmetic in this format over many vertices is `arithmetic.py`.
"""

from __future__ import annotations

import math

from glslc_multi.compiler.arithmetic.protocol import round_to_float32

MANTISSA_BITS = 16
BIAS = 63
#: Exponent field of infinities and NaNs.
SPECIAL_EXPONENT = 127
SIGN = 1 << 23

SMALLEST_NORMAL = 2.0**-62
#: The first magnitude that is infinite.
OVERFLOW = 2.0**64
LARGEST = 2.0**63 * (2 - 2.0**-MANTISSA_BITS)


def nearest(value: float) -> float:
    """The number of the format that is nearest to a value, of two the one with an even mantissa."""
    if not math.isfinite(value):
        return value
    fraction, exponent = math.frexp(value)
    rounded = math.ldexp(round(math.ldexp(fraction, MANTISSA_BITS + 1)), exponent - MANTISSA_BITS - 1)
    if abs(rounded) >= OVERFLOW:
        return math.copysign(math.inf, value)
    return rounded if abs(rounded) >= SMALLEST_NORMAL else math.copysign(0.0, value)


def pattern_of(value: float) -> int:
    """The pattern of a number of assembly text: the mantissa is cut off, as the machine's own assemblers do.

    Compiled code has `nearest` values, which nothing is cut off of.  Assemblers also make a subnormal of a value just
    below the smallest normal and a NaN of one just above the largest; here these become zero and infinity.
    """
    value = round_to_float32(value)
    sign = SIGN if math.copysign(1.0, value) < 0 else 0
    magnitude = abs(value)
    if math.isnan(value):
        return sign | SPECIAL_EXPONENT << MANTISSA_BITS | 1 << (MANTISSA_BITS - 1)
    if magnitude >= OVERFLOW:
        return sign | SPECIAL_EXPONENT << MANTISSA_BITS
    if magnitude < SMALLEST_NORMAL:
        return sign
    fraction, exponent = math.frexp(magnitude)  # magnitude = fraction * 2^exponent, fraction in [0.5, 1)
    mantissa = int((2 * fraction - 1) * (1 << MANTISSA_BITS))
    return sign | (exponent - 1 + BIAS) << MANTISSA_BITS | mantissa


def value_of(pattern: int) -> float:
    """The value of a pattern; a subnormal pattern counts as if its leading one were there."""
    sign = -1.0 if pattern & SIGN else 1.0
    exponent = pattern >> MANTISSA_BITS & 0x7F
    mantissa = pattern & ((1 << MANTISSA_BITS) - 1)
    if exponent == SPECIAL_EXPONENT:
        return math.nan if mantissa else sign * math.inf
    if exponent == 0 and mantissa == 0:
        return sign * 0.0
    return sign * math.ldexp(1 + mantissa / (1 << MANTISSA_BITS), exponent - BIAS)


def is_writable(pattern: int) -> bool:
    """Whether a literal makes this pattern: no literal makes a NaN's payload or a subnormal."""
    return pattern_of(value_of(pattern)) == pattern
