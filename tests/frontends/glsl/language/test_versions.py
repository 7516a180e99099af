"""Sets of versions, and the language that a text says it is in."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.language.versions import Language, language_of, version_line, versions

DESKTOP = {110, 120, 130, 140, 150, 330}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("100", {100}),
        ("300", {300}),
        ("100 300", {100, 300}),
        ("110-", DESKTOP),
        ("130-", {130, 140, 150, 330}),
        ("330-", {330}),
        ("100 300 110-", {100, 300, *DESKTOP}),
        ("110 120", {110, 120}),
        ("", set()),
    ],
)
def test_sets_of_versions(text: str, wanted: set[int]) -> None:
    assert versions(text) == wanted


@pytest.mark.parametrize(
    ("number", "compat", "name", "spelling"),
    [
        (100, False, "GLSL ES 1.00", "100"),
        (300, False, "GLSL ES 3.00", "300 es"),
        (110, False, "GLSL 1.10", "110"),
        (120, True, "GLSL 1.20", "120"),
        (150, False, "GLSL 1.50", "150"),
        (150, True, "GLSL 1.50", "150 compatibility"),
        (330, True, "GLSL 3.30", "330 compatibility"),
    ],
)
def test_languages_are_spelled(number: int, compat: bool, name: str, spelling: str) -> None:
    language = Language(number, compat)
    assert (language.name, language.spelling, language.is_es) == (name, spelling, number in (100, 300))
    assert language.is_one_of(str(number)) and not language.is_one_of("140")


@pytest.mark.parametrize(
    ("text", "std", "compat", "wanted"),
    [
        ("", "", False, Language(100)),
        ("", "", True, Language(100, True)),
        ("void main() {}", "300es", False, Language(300)),
        ("void main() {}", "100es", False, Language(100)),
        ("", "330", True, Language(330, True)),
        ("#version 300 es\n", "120", False, Language(300)),
        # ES has no fixed-function pipeline, whatever is asked for.
        ("#version 300 es\n", "", True, Language(300)),
        ("#version 100\n", "", True, Language(100)),
        ("#version 120\n", "", False, Language(120)),
        ("#version 120\n", "", True, Language(120, True)),
        ("#version 150 core\n", "", False, Language(150)),
        ("#version 150 compatibility\n", "", False, Language(150, True)),
        # What is no version is for the preprocessor to refuse.
        ("#version 90\n", "330", True, Language(100)),
        ("#version 999999999\n", "", False, Language(100)),
        # Before it there may be spaces and comments, and it may come too late.
        (" // a\n/* b\n */ # version 330\n", "", False, Language(330)),
        ("\\\n#version 330\n", "", False, Language(330)),
        ("int x;\n#version 330\n", "", False, Language(330)),
        ("\t#\tversion\t330\n", "", False, Language(330)),
        # In comments and words it is none.
        ("// #version 330\n", "", False, Language(100)),
        ("/* #version 330\n#version 330 */\n", "", False, Language(100)),
        ("/* #version 330\n", "", False, Language(100)),
        ("#versions 330\n", "", False, Language(100)),
        ("#version 33a\n", "", False, Language(100)),
    ],
)
def test_the_language_of_a_text(text: str, std: str, compat: bool, wanted: Language) -> None:
    assert language_of(text, std, compat) == wanted


def test_a_number_of_ten_digits_is_no_version() -> None:
    assert version_line("#version 1234567890\n") is None
