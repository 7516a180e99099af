"""Vertex data: bytes to the numbers that fetches find."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa.vertex_formats import Layout
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Key, Lanes

_BITS = 8
_WORD = 4
#: Bytes before a buffer with margins.
MARGIN = _WORD


def with_margins(buffer: bytes) -> bytes:
    """A buffer between zeros, so that what is outside of it reads as 0 wherever it begins."""
    return bytes(_WORD) + buffer + bytes(_WORD)


def read_element(
    lanes: Lanes, key: Key, address: Number, layout: Layout, fields: Mapping[str, int], *, has_ieee_halves: bool = True
) -> list[Number]:
    """The components of the element at each lane's address of a buffer that has margins."""
    a, found, low = lanes.operations, [], 0
    begin, last = a.lconst(0), a.isub(lanes.size(key), a.lconst(_WORD))
    for width in layout.widths:
        first = a.iadd(address, a.lconst(_WORD + low // _BITS))
        word = lanes.load(key, a.imin(a.imax(first, begin), last), "i32")
        number = (
            _float(a, word, width, has_ieee_halves)
            if layout.is_float
            else _integer(a, word, low % _BITS, width, fields)
        )
        # x * 2^exponent, rounded once.
        exponent = fields["exp_adjust"]
        found.append(a.narrowed(a.fmul(a.widened(number), a.dconst(2.0**exponent))) if exponent else number)
        low += width
    return found


def _float(a: LaneOperations, word: Number, width: int, has_ieee_halves: bool) -> Number:
    """The float in the lowest bits."""
    if width == _BITS * _WORD:
        return a.number(word)
    return a.half_to_float(word) if has_ieee_halves else _plain_half(a, word)


#: Bits of a half's magnitude and of its exponent; what brings the exponent to that of a float.
_HALF_MAGNITUDE, _HALF_EXPONENT, _HALF_SHIFT, _EXPONENT_STEP = 0x7FFF, 0x7C00, 13, 112 << 23


def _plain_half(a: LaneOperations, word: Number) -> Number:
    """A half whose largest exponent is one like others, and whose denormal numbers are zero of their sign."""
    sign = a.shl(a.shr(a.bits_and(word, a.iconst(0x8000)), a.iconst(15)), a.iconst(31))
    magnitude = a.shl(a.bits_and(word, a.iconst(_HALF_MAGNITUDE)), a.iconst(_HALF_SHIFT))
    is_small = a.ieq(a.bits_and(word, a.iconst(_HALF_EXPONENT)), a.iconst(0))
    return a.number(a.iadd(sign, a.select(is_small, a.iconst(0), a.iadd(magnitude, a.iconst(_EXPONENT_STEP)))))


def _integer(a: LaneOperations, word: Number, low: int, width: int, fields: Mapping[str, int]) -> Number:
    """The number that an integer in some bits stands for."""
    left = a.iconst(_BITS * _WORD - width)
    bits = a.shl(word, a.iconst(_BITS * _WORD - width - low))
    value = a.itod(a.asr(bits, left) if fields["signed"] else a.extended(a.shr(bits, left)))
    return a.narrowed(value if fields["num_format"] else _normalized(a, value, float((1 << width) - 1), fields))


def _normalized(a: LaneOperations, value: Number, largest: float, fields: Mapping[str, int]) -> Number:
    if not fields["signed"]:
        return a.fdiv(value, a.dconst(largest))
    if fields["signed_rf"]:
        # No zero: the range is divided evenly.
        return a.fdiv(a.fadd(a.fmul(a.dconst(2.0), value), a.dconst(1.0)), a.dconst(largest))
    found = a.fdiv(value, a.dconst(max((largest - 1) / 2, 1.0)))
    return a.select(a.flt(found, a.dconst(-1.0)), a.dconst(-1.0), found)
