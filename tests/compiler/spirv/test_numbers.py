"""Numbers as words and as texts: the edges of float32, and what no word holds."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.spirv.numbers import float_of, read_float, read_integer, signed, spell_float, word_of_float


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("0", 0),
        ("-0", 0x80000000),
        ("+1", 0x3F800000),
        ("-2.5", 0xC0200000),
        (".5", 0x3F000000),
        ("1e3", 0x447A0000),
        ("1E+3", 0x447A0000),
        # The largest number, half a step above it, and beyond.
        ("3.40282347e38", 0x7F7FFFFF),
        ("3.4028236e38", 0x7F800000),
        ("1e39", 0x7F800000),
        ("-1e39", 0xFF800000),
        ("1e999", 0x7F800000),
        # The least normal number, the least of all, and half of that.
        ("0x1p-126", 0x00800000),
        ("0x1p-149", 1),
        ("0x1p-150", 0),
        ("0x1.8p-150", 1),
        ("-0x1p-149", 0x80000001),
        ("0x1.fffffep+127", 0x7F7FFFFF),
        ("0X1P0", 0x3F800000),
        ("0x.8p1", 0x3F800000),
        # One exponent above those of numbers: infinities and what is no number.
        ("0x1p+128", 0x7F800000),
        ("-0x1p+128", 0xFF800000),
        ("0x1.8p+128", 0x7FC00000),
        ("-0x1.8p+128", 0xFFC00000),
        ("0x1.000002p+128", 0x7F800001),
        ("0x1.fffffep+128", 0x7FFFFFFF),
    ],
)
def test_floats_are_read(text: str, word: int) -> None:
    assert read_float(text) == word


@pytest.mark.parametrize(
    "text", ["", ".", "1.2.3", "e5", "1e", "0x1", "0xp1", "0x.p1", "inf", "nan", "1f", "0x1p99999999"]
)
def test_texts_that_are_no_floats(text: str) -> None:
    assert read_float(text) is None


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (0, "0"),
        (0x80000000, "-0"),
        (0x3F800000, "1"),
        (0x3DCCCCCD, "0.100000001"),
        (0x7F7FFFFF, "3.40282347e+38"),
        (0x00800000, "1.17549435e-38"),
        (0x007FFFFF, "0x1.fffffcp-127"),
        (1, "0x1p-149"),
        (3, "0x1.8p-148"),
        (0x80000001, "-0x1p-149"),
        (0x7F800000, "0x1p+128"),
        (0xFF800000, "-0x1p+128"),
        (0x7FC00000, "0x1.8p+128"),
        (0x7F800001, "0x1.000002p+128"),
    ],
)
def test_floats_are_spelled_and_read_again(word: int, text: str) -> None:
    assert spell_float(word) == text
    assert read_float(text) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("0", 0),
        ("4294967295", 0xFFFFFFFF),
        ("-1", 0xFFFFFFFF),
        ("-2147483648", 0x80000000),
        ("0xFFFFFFFF", 0xFFFFFFFF),
        ("-0x1", 0xFFFFFFFF),
        ("0X10", 16),
        ("007", 7),
        ("4294967296", None),
        ("-2147483649", None),
        ("0x100000000", None),
        ("-0x80000001", None),
        ("1.0", None),
        ("+1", None),
        ("0x", None),
        ("", None),
        ("123456789012345678901", None),
    ],
)
def test_ints_are_read(text: str, word: int | None) -> None:
    assert read_integer(text) == word


@pytest.mark.parametrize(("word", "value"), [(0, 0), (1, 1), (0x7FFFFFFF, 2**31 - 1), (0x80000000, -(2**31))])
def test_words_with_a_sign(word: int, value: int) -> None:
    assert signed(word) == value
    assert signed(0xFFFFFFFF) == -1


@pytest.mark.parametrize(
    ("value", "word"), [(1.0, 0x3F800000), (1e40, 0x7F800000), (-1e40, 0xFF800000), (0.1, 0x3DCCCCCD)]
)
def test_floats_are_rounded_to_words(value: float, word: int) -> None:
    assert word_of_float(value) == word
    assert word_of_float(float_of(word)) == word
