"""Arguments of the wrong type: each is refused in words that say what is expected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from glslc_multi import arguments
from tests.frontends.spirv.modules import shader

_MODULE = b"\x03\x02\x23\x07" + bytes(16)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (arguments.check_source, "void main() {}"),
        (arguments.check_source, _MODULE),
        (arguments.check_source, shader("%result = OpCopyObject %vec4 %a\n")),
        (arguments.check_texts, ""),
        (arguments.check_binary, b""),
        (arguments.check_binary, bytearray(b"x")),
        (arguments.check_binary, memoryview(b"x")),
    ],
)
def test_what_is_taken(check: Callable[..., None], value: object) -> None:
    check(it=value)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (arguments.check_source, b"void main() {}", "it is text, found bytes: decode it, as in data.decode()"),
        (arguments.check_source, bytearray(_MODULE), "it is text, found bytearray: decode it, as in data.decode()"),
        (arguments.check_source, 7, "it is text; found int 7"),
        (arguments.check_texts, None, "it is text; found NoneType None"),
        (arguments.check_texts, Path("a"), f"it is text; found {type(Path()).__name__} {Path('a')!r}"),
        (arguments.check_binary, "x", "it is bytes; found str 'x'"),
        (arguments.check_binary, [1], "it is bytes; found list [1]"),
    ],
)
def test_texts_and_bytes_are_told_apart(check: Callable[..., None], value: object, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        check(first="good" if check is not arguments.check_binary else b"good", it=value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (arguments.check_macros, None),
        (arguments.check_macros, {"A": "1"}),
        (arguments.check_options, None),
        (arguments.check_options, {"bias": object()}),
        (arguments.check_folders, ()),
        (arguments.check_folders, ["a", "b"]),
        (arguments.check_specializations, None),
        (arguments.check_specializations, {1: True, 2: 3, 4: 0.5, 5: "6"}),
    ],
)
def test_collections_that_are_taken(check: Callable[[object], None], value: object) -> None:
    check(value)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (arguments.check_macros, ["A"], "defines is a mapping from names to values; found list ['A']"),
        (arguments.check_macros, {1: "1"}, "each name in defines is text; found int 1"),
        (arguments.check_macros, {"A": 1}, "the value of defines['A'] is text, as in {'A': \"1\"}; found int 1"),
        (arguments.check_options, "bias", "options is a mapping from names to values; found str 'bias'"),
        (arguments.check_options, {1: 2}, "each name in options is text; found int 1"),
        (arguments.check_folders, "a", "include_dirs is a sequence of folders, found one text: write ['a']"),
        (arguments.check_folders, {"a"}, "include_dirs is a sequence of folders; found set {'a'}"),
        (arguments.check_folders, ["a", 1], "include_dirs[1] is text, as str(path) is; found int 1"),
        (arguments.check_specializations, [1], "spec is a mapping from numbers of constants to values; found list [1]"),
        (arguments.check_specializations, {"1": 1}, "each number in spec is an int; found str '1'"),
        (
            arguments.check_specializations,
            {1: None},
            "the value of spec[1] is a number, a truth value or text; found NoneType None",
        ),
    ],
)
def test_collections_that_are_refused(check: Callable[[object], None], value: object, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        check(value)
    assert str(caught.value) == message


def test_of_a_long_value_the_beginning_is_shown() -> None:
    with pytest.raises(TypeError) as caught:
        arguments.check_binary(it="x" * 100)
    assert str(caught.value) == f"it is bytes; found str '{'x' * 59}"
