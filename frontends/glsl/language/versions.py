"""The versions of GLSL, and sets of them as short texts.

A set of versions is spelled as in `"100 300 130-"`: single versions, and desktop versions from one on.  Numbers below
tell ES (100, 300) and desktop versions (all others) apart by themselves.
"""

from __future__ import annotations

import re
from functools import cache

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.language.features import FEATURES

ES_VERSIONS = (100, 300)
DESKTOP_VERSIONS = (110, 120, 130, 140, 150, 330)
#: The set of all versions.
EVERYWHERE = "100 300 110-"
#: Versions whose `#version` line may name a profile.
_PROFILED = (150, 330)
#: Spelling after `--std` -> number.
STANDARDS: dict[str, int] = {
    "100": 100,
    "300es": 300,
    **{str(number): number for number in DESKTOP_VERSIONS},
    "100es": 100,  # as other compilers spell it
}


@cache
def versions(text: str) -> frozenset[int]:
    """The set of versions that `text` spells."""
    numbers: set[int] = set()
    for item in text.split():
        first = int(item.rstrip("-"))
        numbers.update([n for n in DESKTOP_VERSIONS if n >= first] if item.endswith("-") else [first])
    return frozenset(numbers)


@cache
def features_of(number: int) -> dict[str, bool]:
    """Feature -> whether version `number` has it."""
    return {feature: number in versions(which) for feature, which in FEATURES.items()}


@dataclass(frozen=True, slots=True)
class Language:
    """One version of GLSL."""

    number: int = 100
    #: Whether the names of the fixed-function pipeline exist (`--compat`, or the profile of that name).
    compat: bool = False

    @property
    def is_es(self) -> bool:
        return self.number in ES_VERSIONS

    @property
    def name(self) -> str:
        """For messages: "GLSL ES 3.00", "GLSL 1.20"."""
        return f"GLSL {'ES ' if self.is_es else ''}{self.number // 100}.{self.number % 100:02}"

    @property
    def spelling(self) -> str:
        """What stands after `#version`."""
        profile = " es" if self.number == 300 else " compatibility" if self.compat and self.number in _PROFILED else ""
        return f"{self.number}{profile}"

    def has(self, feature: str) -> bool:
        """Whether the language has a feature of `features.FEATURES`."""
        return features_of(self.number)[feature]

    def is_one_of(self, text: str) -> bool:
        return self.number in versions(text)


GLSL_ES_100 = Language()

#: A number of more digits is that of no version, and Python refuses to read thousands of them.
_VERSION_LINE = r"[ \t]*#[ \t]*version[ \t]+([0-9]{1,9})(?![0-9])[ \t]*([A-Za-z]*)"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_FIRST_LINE = re.compile(rf"(?:\s|\\\r?\n|//[^\n]*|/\*(?s:.*?)\*/)*+{_VERSION_LINE}")
_ANY_LINE = re.compile(f"^{_VERSION_LINE}", re.MULTILINE)


def version_line(text: str) -> re.Match[str] | None:
    """The `#version` line of a text: number and profile.  Where it comes too late, it still says what was meant."""
    if "version" not in text:
        return None
    return _FIRST_LINE.match(text) or _ANY_LINE.search(_COMMENT.sub("", text))


def language_of(text: str, std: str = "", compat: bool = False) -> Language:
    """The language that the `#version` line of `text` names, else the one that `std` does.

    A line that names none, such as `#version 90`, is for the preprocessor to refuse.
    """
    line = version_line(text)
    if line is None:
        return Language(STANDARDS.get(std, 100), compat)
    number, profile = int(line[1]), line[2]
    if number in ES_VERSIONS or number not in DESKTOP_VERSIONS:
        return Language(number if number in ES_VERSIONS else 100)
    return Language(number, compat or profile == "compatibility")
