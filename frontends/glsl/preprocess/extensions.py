"""The extensions that `#extension` knows, and their behaviours (GLSL ES 1.00 section 3.4)."""

from __future__ import annotations

import re

INCLUDE_EXTENSIONS = frozenset({"GL_GOOGLE_include_directive", "GL_ARB_shading_language_include"})
#: These allow a file name in `#line`; glslang's include extension implies it too.
NAMED_LINE_EXTENSIONS = frozenset({"GL_GOOGLE_cpp_style_line_directive", "GL_GOOGLE_include_directive"})
LANGUAGE_EXTENSIONS = frozenset(
    {
        "GL_OES_standard_derivatives",
        "GL_EXT_shader_texture_lod",
        "GL_EXT_frag_depth",
        "GL_EXT_draw_buffers",
        "GL_EXT_draw_instanced",
        "GL_OES_EGL_image_external",
    }
)
SUPPORTED_EXTENSIONS = LANGUAGE_EXTENSIONS | INCLUDE_EXTENSIONS | NAMED_LINE_EXTENSIONS

BEHAVIOURS = ("require", "enable", "warn", "disable")

_MENTIONED = re.compile(r"^[ \t]*#[ \t]*extension[ \t]+(\w+)", re.MULTILINE | re.ASCII)


def mentioned_extensions(text: str) -> list[str]:
    """The supported extensions that some `#extension` line of a text names, in order.

    Their macros (`GL_OES_standard_derivatives` ...) are defined from the start.  A GL has the macros of all the
    extensions it supports; here the text itself is the only one to say which it wants, so that
    `#ifdef GL_X` without any `#extension GL_X` takes the branch that needs no extension.
    """
    if "extension" not in text:
        return []
    return [name for name in dict.fromkeys(_MENTIONED.findall(text)) if name in SUPPORTED_EXTENSIONS]


def set_behaviour(extensions: dict[str, str], name: str, behaviour: str) -> None:
    """Apply `#extension name : behaviour` of a supported name, or of `all`, to the extensions in force."""
    names = sorted(LANGUAGE_EXTENSIONS) if name == "all" else [name]
    if name == "all" and behaviour == "disable":
        names = list(extensions)
    for each in names:
        if behaviour == "disable":
            extensions.pop(each, None)
        else:
            extensions[each] = behaviour
