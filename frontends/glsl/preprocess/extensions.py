"""The behaviours of `#extension` (GLSL ES 1.00 section 3.4), and the extensions of the preprocessor itself."""

from __future__ import annotations

import re

from glslc_multi.frontends.glsl.language.extensions import extensions_of

INCLUDE_EXTENSIONS = frozenset({"GL_GOOGLE_include_directive", "GL_ARB_shading_language_include"})
#: These allow a file name in `#line`; glslang's include extension implies it too.
NAMED_LINE_EXTENSIONS = frozenset({"GL_GOOGLE_cpp_style_line_directive", "GL_GOOGLE_include_directive"})
_OF_ALL_VERSIONS = tuple(sorted(INCLUDE_EXTENSIONS | NAMED_LINE_EXTENSIONS))

BEHAVIOURS = ("require", "enable", "warn", "disable")

_MENTIONED = re.compile(r"^[ \t]*#[ \t]*extension[ \t]+(\w+)", re.MULTILINE | re.ASCII)


def supported_extensions(version: int) -> tuple[str, ...]:
    """The names that `#extension` takes in a version."""
    return (*extensions_of(version), *_OF_ALL_VERSIONS)


def mentioned_extensions(text: str, version: int) -> list[str]:
    """The supported extensions that some `#extension` line of a text names, in order.

    Their macros (`GL_OES_standard_derivatives` ...) are defined from the start.  A GL has the macros of all the
    extensions it supports; here the text itself is the only one to say which it wants, so that
    `#ifdef GL_X` without any `#extension GL_X` takes the branch that needs no extension.
    """
    if "extension" not in text:
        return []
    supported = supported_extensions(version)
    return [name for name in dict.fromkeys(_MENTIONED.findall(text)) if name in supported]


def set_behaviour(extensions: dict[str, str], name: str, behaviour: str, version: int) -> None:
    """Apply `#extension name : behaviour` of a supported name, or of `all`, to the extensions in force."""
    names = sorted(extensions_of(version)) if name == "all" else [name]
    if name == "all" and behaviour == "disable":
        names = list(extensions)
    for each in names:
        if behaviour == "disable":
            extensions.pop(each, None)
        else:
            extensions[each] = behaviour
