"""Arguments of the wrong type, which programs without type checks pass: a TypeError that says what is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def check_texts(**arguments: object) -> None:
    for name, value in arguments.items():
        if isinstance(value, (bytes, bytearray)):
            raise TypeError(f"{name} is text, found {type(value).__name__}: decode it, as in data.decode()")
        _require(name, value, str, "text")


def check_binary(**arguments: object) -> None:
    for name, value in arguments.items():
        _require(name, value, (bytes, bytearray, memoryview), "bytes")


def check_source(**arguments: object) -> None:
    """Text, or the bytes of a module in a binary language."""
    from glslc_multi.frontends.registry import front_end_for

    for name, value in arguments.items():
        if not (isinstance(value, bytes) and front_end_for("", value).is_binary):
            check_texts(**{name: value})


def check_specializations(spec: object) -> None:
    if spec is None:
        return
    _require("spec", spec, Mapping, "a mapping from numbers of constants to values")
    assert isinstance(spec, Mapping)
    for number, value in spec.items():
        _require("each number in spec", number, int, "an int")
        _require(f"the value of spec[{number!r}]", value, (bool, int, float, str), "a number, a truth value or text")


def check_macros(defines: object) -> None:
    """Values of macros are text: 1 could be meant as 1 or as 1.0."""
    for name, value in _pairs("defines", defines):
        _require(f"the value of defines[{name!r}]", value, str, f'text, as in {{{name!r}: "{value}"}}')


def check_options(options: object) -> None:
    _pairs("options", options)


def check_folders(include_dirs: object) -> None:
    if isinstance(include_dirs, str):
        raise TypeError(f"include_dirs is a sequence of folders, found one text: write [{include_dirs!r}]")
    _require("include_dirs", include_dirs, Sequence, "a sequence of folders")
    assert isinstance(include_dirs, Sequence)
    for number, folder in enumerate(include_dirs):
        _require(f"include_dirs[{number}]", folder, str, "text, as str(path) is")


def _pairs(name: str, value: object) -> list[tuple[str, object]]:
    """The entries of a mapping from names, or of None."""
    if value is None:
        return []
    _require(name, value, Mapping, "a mapping from names to values")
    assert isinstance(value, Mapping)
    for key in value:
        _require(f"each name in {name}", key, str, "text")
    return list(value.items())


def _require(name: str, value: object, types: type | tuple[type, ...], expected: str) -> None:
    if not isinstance(value, types):
        raise TypeError(f"{name} is {expected}; found {type(value).__name__} {value!r:.60}")
