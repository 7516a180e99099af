"""Numbers of assembly text."""

from __future__ import annotations

from glslc_multi.compiler.isa.mistakes import Word, out_of_range

#: Longer numbers are out of every range, and int() takes quadratic time for them.
_MOST_DIGITS = 70


def whole_number(digits: str, base: int = 10) -> int:
    """The number; one of very many digits is only a large one."""
    return int(digits, base) if len(digits) <= _MOST_DIGITS else 1 << 2 * _MOST_DIGITS


def integer(text: str) -> int:
    """`12`, `0x1f`, `- 3`"""
    digits = text.lstrip("- ")
    value = whole_number(digits[2:], 16) if digits[:2] in ("0x", "0X") else whole_number(digits)
    return -value if text.startswith("-") else value


def in_range(word: Word, what: str, low: int, high: int, group: str | int = 0, base: int = 0) -> int:
    """An integer in a range, a group of the word: in the base, or in the one that its digits tell."""
    value = whole_number(word[group], base) if base else integer(word[group])
    if not low <= value <= high:
        raise out_of_range(word.span(group), what, low, high, word[group])
    return value
