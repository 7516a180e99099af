"""Constants as words of a module, and as the text form spells them."""

from __future__ import annotations

import math
import re
import struct

_HEX_FLOAT = re.compile(r"[+-]?0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]{1,6}")
_SMALLEST_NORMAL = 2.0**-126
_MAXIMUM = 0xFFFFFFFF


def float_of(word: int) -> float:
    """The float32 that a word holds."""
    value: float = struct.unpack("<f", struct.pack("<I", word & _MAXIMUM))[0]
    return value


def word_of_float(value: float) -> int:
    """The word of the nearest float32; what is too large becomes infinite."""
    try:
        word: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7F800000 | (value < 0) << 31
    return word


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def spell_float(word: int) -> str:
    """As spirv-dis does: nine digits, or a hexadecimal fraction where these would not do."""
    value = float_of(word)
    if value == 0.0 or (math.isfinite(value) and abs(value) >= _SMALLEST_NORMAL):
        return f"{value:.9g}"
    sign, exponent, fraction = "-" * (word >> 31), (word >> 23 & 0xFF) - 127, word & 0x7FFFFF
    if exponent == -127:
        # Denormal: the fraction is moved until its first bit is the one before the point.
        shift = 24 - fraction.bit_length()
        exponent, fraction = -126 - shift, fraction << shift & 0x7FFFFF
    digits = f"{fraction << 1:06x}".rstrip("0")
    return f"{sign}0x1{'.' + digits if digits else ''}p{exponent:+d}"


def read_float(text: str) -> int | None:
    """The word of a spelled float."""
    if _HEX_FLOAT.fullmatch(text):
        try:
            value = float.fromhex(text)
        except (OverflowError, ValueError):
            return None
        if abs(value) < 1 << 128:
            return word_of_float(value)
        # An infinity or no number: the exponent is one above those of numbers, the fraction as written.
        body = text.lower().lstrip("+-").partition("p")[0]
        fraction = body.partition(".")[2][:6].ljust(6, "0")
        return (text.startswith("-") << 31) | 0xFF << 23 | int(fraction, 16) >> 1
    try:
        return word_of_float(float(text)) if re.fullmatch(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?", text) else None
    except ValueError:
        return None


def read_integer(text: str) -> int | None:
    """The word of a spelled int; None where it is none of 32 bits."""
    if not re.fullmatch(r"-?[0-9]{1,20}|-?0[xX][0-9a-fA-F]{1,16}", text):
        return None
    value = int(text, 0) if "x" in text.lower() else int(text)
    return value & _MAXIMUM if -(1 << 31) <= value <= _MAXIMUM else None
