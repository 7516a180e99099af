"""Texts of GLSL ES 1.00 in newer versions, as projects do it that keep one text for all: by macros for what is gone."""

from __future__ import annotations

import re
from random import Random

from glslc_multi.frontends.glsl.language.renames import COLOUR, COLOUR_DECLARATION, FUNCTIONS, QUALIFIERS
from glslc_multi.frontends.glsl.language.versions import Language, versions

#: Those that read declarations of precision, and have `in` and `out`.
_MODERN = versions("300 130-")
_EXTENSION = re.compile(r"^[ \t]*#[ \t]*extension.*$", re.MULTILINE)


def head(version: int) -> str:
    """The `#version` line; for GLSL ES 1.00, which needs none, nothing."""
    return "" if version == 100 else f"#version {Language(version).spelling}\n"


def modernised(source: str, stage: str, version: int) -> str:
    """`source`, of GLSL ES 1.00, for a reader of `version`; as it is for versions that lack precisions."""
    if version not in _MODERN:
        return source
    lines = [f"#define {old} {new}" for old, new in FUNCTIONS.items() if old in source]
    lines += [f"#define {word} {new}" for (word, where), new in QUALIFIERS.items() if where == stage]
    if "gl_FragColor" in source:
        lines += [COLOUR_DECLARATION, f"#define gl_FragColor {COLOUR}"]
    return head(version) + "\n".join([*lines, _EXTENSION.sub("", source)])


def change_version(source: str, random: Random, known: tuple[int, ...]) -> str:
    """`source` with another `#version` line, or with one."""
    text = re.sub(r"^[ \t]*#[ \t]*version.*\n", "", source, flags=re.MULTILINE)
    return f"#version {Language(random.choice(known)).spelling}\n{text}"
