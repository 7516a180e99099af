"""Two numbers in the halves of a uint, or four in its bytes (GLSL ES 3.10 section 8.4)."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.recipes.maker import Maker, Recipe, Value, component, join

_LOW_HALF = 0xFFFF
#: Exponents of float32 in their place: that of one of the largest half, and that below which halves are denormal.
_TOO_LARGE = (127 + 16) << 23
_INFINITY = 255 << 23
_SMALLEST = (127 - 14) << 23
#: Added to a number below the smallest normal half, it leaves the bits of the denormal half in the lowest places.
_DENORMAL = ((127 - 15) + (23 - 10) + 1) << 23
_HALF_INFINITY, _HALF_NAN = 0x7C00, 0x7E00
#: What the exponent of a float32 has more than that of the same half.
_EXTRA_EXPONENT = (127 - 15) << 23


def _packed(m: Maker, halves: Value) -> Value:
    """The lower halves of an ivec2, the first component in the lower place."""
    low = m.op(ops.IAND, component(m, halves, 0), m.integer(_LOW_HALF, component(m, halves, 0)))
    high = component(m, halves, 1)
    return m.op(ops.IOR, low, m.op(ops.ISHL, high, m.integer(16, high)))


def _packed_fixed(low: float, scale: float) -> Recipe:
    def apply(m: Maker, v: Value) -> Value:
        clamped = m.op(ops.FCLAMP, v, m.number(low, v), m.number(1.0, v))
        rounded = m.op(ops.FROUNDEVEN, m.op(ops.FMUL, clamped, m.number(scale, v)))
        return _packed(m, m.op(ops.FTOI, rounded))

    return apply


def _unpacked_signed(m: Maker, p: Value) -> Value:
    """-32768 stands for less than -1, which is cut off."""
    sixteen = m.integer(16, p)
    halves = join(m, m.op(ops.ISHR, m.op(ops.ISHL, p, sixteen), sixteen), m.op(ops.ISHR, p, sixteen))
    number = m.op(ops.ITOF, halves)
    scaled = m.op(ops.FDIV, number, m.number(32767.0, number))
    return m.op(ops.FMAX, scaled, m.number(-1.0, scaled))


def _unpacked_unsigned(m: Maker, p: Value) -> Value:
    number = m.op(ops.ITOF, _halves(m, p))
    return m.op(ops.FDIV, number, m.number(65535.0, number))


def _halves(m: Maker, p: Value) -> Value:
    """Both halves, without signs."""
    return join(m, m.op(ops.IAND, p, m.integer(_LOW_HALF, p)), m.op(ops.USHR, p, m.integer(16, p)))


def _pack_half(m: Maker, v: Value) -> Value:
    """Nearest half, ties to even, on the bits of the float; what is too large becomes infinite."""
    bits = m.op(ops.BITCAST_FTOI, v)
    magnitude = m.op(ops.IAND, bits, m.integer(0x7FFFFFFF, bits))
    sign = m.op(ops.IAND, m.op(ops.USHR, bits, m.integer(16, bits)), m.integer(0x8000, bits))
    is_nan = m.op(ops.ILT, m.integer(_INFINITY, bits), magnitude)
    special = m.op(ops.SELECT, is_nan, m.integer(_HALF_NAN, bits), m.integer(_HALF_INFINITY, bits))
    is_finite = m.op(ops.ILT, magnitude, m.integer(_TOO_LARGE, bits))
    is_denormal = m.op(ops.ILT, magnitude, m.integer(_SMALLEST, bits))
    # The sum with a number so large that its last place is that of a denormal half; the addition rounds.
    large = m.integer(_DENORMAL, magnitude)
    total = m.op(ops.FADD, m.op(ops.BITCAST_ITOF, magnitude), m.op(ops.BITCAST_ITOF, large))
    number = m.op(
        ops.SELECT, is_denormal, m.op(ops.ISUB, m.op(ops.BITCAST_FTOI, total), large), _normal_half(m, magnitude)
    )
    return _packed(m, m.op(ops.IOR, sign, m.op(ops.SELECT, is_finite, number, special)))


def _normal_half(m: Maker, magnitude: Value) -> Value:
    """The exponent made smaller, and a half of what is cut off added, less one where the last bit kept is even."""
    last = m.op(ops.IAND, m.op(ops.USHR, magnitude, m.integer(13, magnitude)), m.integer(1, magnitude))
    rounding = m.op(ops.IADD, last, m.integer(0xFFF - _EXTRA_EXPONENT, magnitude))
    return m.op(ops.USHR, m.op(ops.IADD, magnitude, rounding), m.integer(13, magnitude))


def _unpack_half(m: Maker, p: Value) -> Value:
    halves = _halves(m, p)
    shifted = m.op(ops.ISHL, m.op(ops.IAND, halves, m.integer(0x7FFF, halves)), m.integer(13, halves))
    sign = m.op(ops.ISHL, m.op(ops.IAND, halves, m.integer(0x8000, halves)), m.integer(16, halves))
    exponent = m.op(ops.IAND, shifted, m.integer(_HALF_INFINITY << 13, halves))
    normal = m.op(ops.IADD, shifted, m.integer(_EXTRA_EXPONENT, halves))
    is_special = m.op(ops.IEQ, exponent, m.integer(_HALF_INFINITY << 13, halves))
    special = m.op(ops.IADD, normal, m.integer(_EXTRA_EXPONENT, halves))
    is_denormal = m.op(ops.IEQ, exponent, m.integer(0, halves))
    magnitude = m.op(
        ops.SELECT, is_denormal, _denormal_float(m, shifted), m.op(ops.SELECT, is_special, special, normal)
    )
    return m.op(ops.BITCAST_ITOF, m.op(ops.IOR, magnitude, sign))


def _denormal_float(m: Maker, shifted: Value) -> Value:
    """The bits after the point of a number with the smallest exponent, less its leading one."""
    one = m.integer(_SMALLEST, shifted)
    number = m.op(ops.BITCAST_ITOF, m.op(ops.IADD, shifted, one))
    return m.op(ops.BITCAST_FTOI, m.op(ops.FSUB, number, m.op(ops.BITCAST_ITOF, one)))


def _packed_bytes(low: float, scale: float) -> Recipe:
    """The first component in the lowest byte."""

    def apply(m: Maker, v: Value) -> Value:
        scaled = m.op(ops.FMUL, m.op(ops.FCLAMP, v, m.number(low, v), m.number(1.0, v)), m.number(scale, v))
        numbers = m.op(ops.FTOI, m.op(ops.FROUNDEVEN, scaled))
        total = None
        for index in range(4):
            byte = component(m, numbers, index)
            placed = m.op(ops.ISHL, m.op(ops.IAND, byte, m.integer(0xFF, byte)), m.integer(8 * index, byte))
            total = placed if total is None else m.op(ops.IOR, total, placed)
        return total

    return apply


def _unpacked_bytes(shift: Opcode, scale: float) -> Recipe:
    """Each byte moved to the top, then to the bottom; what is below -1 is cut off."""

    def apply(m: Maker, p: Value) -> Value:
        tops = [m.op(ops.ISHL, p, m.integer(24 - 8 * index, p)) for index in range(4)]
        numbers = m.op(ops.ITOF, join(m, *[m.op(shift, top, m.integer(24, p)) for top in tops]))
        scaled = m.op(ops.FDIV, numbers, m.number(scale, numbers))
        return m.op(ops.FMAX, scaled, m.number(-1.0, scaled))

    return apply


PACKING_RECIPES: dict[str, Recipe] = {
    "packSnorm2x16": _packed_fixed(-1.0, 32767.0),
    "packUnorm2x16": _packed_fixed(0.0, 65535.0),
    "packHalf2x16": _pack_half,
    "packSnorm4x8": _packed_bytes(-1.0, 127.0),
    "packUnorm4x8": _packed_bytes(0.0, 255.0),
    "unpackSnorm4x8": _unpacked_bytes(ops.ISHR, 127.0),
    "unpackUnorm4x8": _unpacked_bytes(ops.USHR, 255.0),
    "unpackSnorm2x16": _unpacked_signed,
    "unpackUnorm2x16": _unpacked_unsigned,
    "unpackHalf2x16": _unpack_half,
}
