"""Tokens that are none: what is said of them, where, and that what was probably meant makes no second mistake."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.check.support import check_global

_SUFFIX = "GLSL ES 1.00 has no number suffix '{}'"
#: A declaration -> message, help, and the first and last column of what is marked.
_NUMBERS: dict[str, tuple[str, str | None, int, int]] = {
    "float a = 1f;": (_SUFFIX.format("f"), "write '1.0'", 11, 12),
    "float a = 1F;": (_SUFFIX.format("F"), "write '1.0'", 11, 12),
    "float a = 1.0f;": (_SUFFIX.format("f"), "write '1.0'", 11, 14),
    "float a = .5h;": (_SUFFIX.format("h"), "write '.5'", 11, 13),
    "float a = 1e3f;": (_SUFFIX.format("f"), "write '1e3'", 11, 14),
    "float a = 1lf;": (_SUFFIX.format("lf"), "write '1.0'", 11, 13),
    "float a = 1.5LF;": (_SUFFIX.format("LF"), "write '1.5'", 11, 15),
    "float a = 1.e;": (_SUFFIX.format("e"), "write '1.'", 11, 13),
    "int a = 1u;": (_SUFFIX.format("u"), "write '1'", 9, 10),
    "int a = 0x1Fu;": (_SUFFIX.format("u"), "write '0x1F'", 9, 13),
    "int a = 0X1l;": (_SUFFIX.format("l"), "write '0X1'", 9, 12),
    "int a = 12abc;": (_SUFFIX.format("abc"), "write '12'", 9, 13),
    "int a = 08;": ("'08' is not an octal number", "write '8' for a decimal number", 9, 10),
    "int a = 0019;": ("'0019' is not an octal number", "write '19' for a decimal number", 9, 12),
    "int a = 0x;": ("'0x' has no digits", None, 9, 10),
    "int a = 0X;": ("'0X' has no digits", None, 9, 10),
    "float a = 1.2.3;": ("'1.2.3' is not a number", None, 11, 15),
    "int a = 1.2.3;": ("'1.2.3' is not a number", None, 9, 13),
}


@pytest.mark.parametrize("text", _NUMBERS)
def test_numbers(text: str) -> None:
    message, help, first, last = _NUMBERS[text]
    (found,) = check_global(text).errors
    assert (found.code, found.message, found.help) == ("E0104", message, help)
    assert found.span is not None
    assert (found.span.column, found.span.end_column) == (first, last + 1)


@pytest.mark.parametrize("text", ["int a = 1f;", "float a = 1u;", "float a = 0x10u;", "int a = 1.5f;"])
def test_a_number_of_another_type_is_a_second_mistake(text: str) -> None:
    """Take the suffix f for a float, and u for an int."""
    assert check_global(text).error_codes == ["E0104", "E0401"]


_CHARACTER = "character {} is not allowed in a shader"
_CHARACTERS = {
    "int a = 1 @ 2;": ("'@'", 11, 11),
    "int a = `1;": ("'`'", 9, 9),
    'int a = "x y";': ("'\"'", 9, 13),
    "int é = 1;": ("'é' (U+00E9)", 5, 5),
    "int aéèb = 1;": ("'é' (U+00E9)", 6, 7),
    "int a\u00a0= 1;": ("U+00A0", 6, 6),
    "int a\x01= 1;": ("U+0001", 6, 6),
}


@pytest.mark.parametrize("text", _CHARACTERS)
def test_characters(text: str) -> None:
    """Mark what is no ASCII of a name."""
    character, first, last = _CHARACTERS[text]
    found, *_ = check_global(text).errors
    assert (found.code, found.message) == ("E0101", _CHARACTER.format(character))
    assert found.span is not None
    assert (found.span.column, found.span.end_column) == (first, last + 1)
    assert "E0104" not in check_global(text).error_codes


@pytest.mark.parametrize(("length", "messages"), [(1024, []), (1025, ["name of 1025 characters is too long"])])
def test_names_have_so_many_characters(length: int, messages: list[str]) -> None:
    assert [error.message for error in check_global(f"int {'a' * length} = 1;").errors] == messages
