"""Functions of the bits of ints (GLSL ES 3.10 section 8.8), whose operations the machines do not have."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.recipes.maker import Columns, ColumnsRecipe, Maker, Recipe, Value

_ALL = 0xFFFFFFFF
_LOW_HALF = 0xFFFF
#: Masks whose bits take turns in runs of 1, 2, 4 and 8, the lowest run set.
_RUNS = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF))


def _shifted(m: Maker, shift: Opcode, x: Value, count: int) -> Value:
    return m.op(shift, x, m.integer(count, x))


def _masked(m: Maker, x: Value, mask: int) -> Value:
    return m.op(ops.IAND, x, m.integer(mask, x))


def _bit_count(m: Maker, x: Value) -> Value:
    """Sums of neighbours: of pairs, of fours, of bytes; a product adds the bytes up in the highest."""
    pairs = m.op(ops.ISUB, x, _masked(m, _shifted(m, ops.USHR, x, 1), 0x55555555))
    fours = m.op(ops.IADD, _masked(m, pairs, 0x33333333), _masked(m, _shifted(m, ops.USHR, pairs, 2), 0x33333333))
    bytes_ = _masked(m, m.op(ops.IADD, fours, _shifted(m, ops.USHR, fours, 4)), 0x0F0F0F0F)
    return _shifted(m, ops.USHR, m.op(ops.IMUL, bytes_, m.integer(0x01010101, x)), 24)


def _reversed(m: Maker, x: Value) -> Value:
    """Runs of 1, 2, 4, 8 and 16 bits change places with their neighbours."""
    for width, mask in _RUNS:
        high = _masked(m, _shifted(m, ops.USHR, x, width), mask)
        x = m.op(ops.IOR, high, _shifted(m, ops.ISHL, _masked(m, x, mask), width))
    return m.op(ops.IOR, _shifted(m, ops.USHR, x, 16), _shifted(m, ops.ISHL, x, 16))


def _lowest(m: Maker, x: Value) -> Value:
    """Number of the lowest bit that is set, -1 where none is: how many bits are below it."""
    lowest = m.op(ops.IAND, x, m.op(ops.INEG, x))
    below = _bit_count(m, m.op(ops.ISUB, lowest, m.integer(1, x)))
    return m.op(ops.SELECT, m.op(ops.IEQ, x, m.integer(0, x)), m.integer(_ALL, x), below)


def _highest(m: Maker, x: Value) -> Value:
    """Number of the highest bit that is set, -1 where none is: all bits below it are set, and counted."""
    for distance in (1, 2, 4, 8, 16):
        x = m.op(ops.IOR, x, _shifted(m, ops.USHR, x, distance))
    return m.op(ops.ISUB, _bit_count(m, x), m.integer(1, x))


def _highest_signed(m: Maker, x: Value) -> Value:
    """Of a negative number, that of the highest bit that is not set."""
    return _highest(m, m.op(ops.IXOR, x, _shifted(m, ops.ISHR, x, 31)))


def _extracted(right: Opcode) -> Recipe:
    """The bits moved to the top, then to the bottom; no bits at all are 0."""

    def apply(m: Maker, base: Value, offset: Value, count: Value) -> Value:
        offset, count = m.widen(offset, base), m.widen(count, base)
        above = m.op(ops.ISUB, m.integer(32, base), count)
        top = m.op(ops.ISHL, base, m.op(ops.ISUB, above, offset))
        zero = m.integer(0, base)
        return m.op(ops.SELECT, m.op(ops.IEQ, count, zero), zero, m.op(right, top, above))

    return apply


def _inserted(m: Maker, base: Value, new: Value, offset: Value, count: Value) -> Value:
    offset, count = m.widen(offset, base), m.widen(count, base)
    one, all_ = m.integer(1, base), m.integer(_ALL, base)
    some = m.op(ops.ISUB, m.op(ops.ISHL, one, count), one)
    low = m.op(ops.SELECT, m.op(ops.IEQ, count, m.integer(32, base)), all_, some)
    mask = m.op(ops.ISHL, low, offset)
    kept = m.op(ops.IAND, base, m.op(ops.INOT, mask))
    return m.op(ops.IOR, kept, m.op(ops.IAND, m.op(ops.ISHL, new, offset), mask))


def _high_word(m: Maker, x: Value, y: Value) -> Value:
    """The upper 32 bits of a product without signs, by halves."""
    (x_low, x_high), (y_low, y_high) = _halves(m, x), _halves(m, y)
    low = m.op(ops.IMUL, x_low, y_low)
    first, second = m.op(ops.IMUL, x_low, y_high), m.op(ops.IMUL, x_high, y_low)
    middle = m.op(ops.IADD, _masked(m, first, _LOW_HALF), _masked(m, second, _LOW_HALF))
    carry = m.op(ops.IADD, middle, _shifted(m, ops.USHR, low, 16))
    high = m.op(ops.IMUL, x_high, y_high)
    for part in (first, second, carry):
        high = m.op(ops.IADD, high, _shifted(m, ops.USHR, part, 16))
    return high


def _halves(m: Maker, x: Value) -> tuple[Value, Value]:
    return _masked(m, x, _LOW_HALF), _shifted(m, ops.USHR, x, 16)


def _product(m: Maker, x: Columns, y: Columns) -> Columns:
    """The lower word, then the upper one."""
    return [m.op(ops.IMUL, x[0], y[0]), _high_word(m, x[0], y[0])]


def _signed_product(m: Maker, x: Columns, y: Columns) -> Columns:
    """Of a negative factor, the product without signs has the other factor too often in its upper word."""
    high = _high_word(m, x[0], y[0])
    for factor, other in ((x[0], y[0]), (y[0], x[0])):
        sign = _shifted(m, ops.ISHR, factor, 31)
        high = m.op(ops.ISUB, high, m.op(ops.IAND, other, sign))
    return [m.op(ops.IMUL, x[0], y[0]), high]


BIT_RECIPES: dict[str, Recipe] = {
    "bitCount": _bit_count,
    "bitfieldReverse": _reversed,
    "bitfieldInsert": _inserted,
    "bitfieldExtract": _extracted(ops.USHR),
    "bitfieldExtractSigned": _extracted(ops.ISHR),
    "findLSB": _lowest,
    "findMSB": _highest,
    "findMSBSigned": _highest_signed,
}
#: Both words of a product.
PRODUCT_RECIPES: dict[str, ColumnsRecipe] = {"umulExtended": _product, "imulExtended": _signed_product}
