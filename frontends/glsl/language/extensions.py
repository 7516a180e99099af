"""The extensions of the language: which versions can enable them, and what they add.

Built-in functions and variables of an extension name it in their own tables (`../library`, `../builtins.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.language.versions import versions


@dataclass(frozen=True, slots=True)
class Extension:
    """One row; the texts are sets of versions, words, and features of `features.py`."""

    #: The versions in which it can be enabled.
    versions: str
    keywords: str = ""
    features: tuple[str, ...] = ()
    #: What other versions have in its place.
    instead: str = ""


EXTENSIONS: dict[str, Extension] = {
    # GLSL ES
    "GL_OES_standard_derivatives": Extension("100 110-", instead="'dFdx', 'dFdy' and 'fwidth'"),
    "GL_EXT_shader_texture_lod": Extension("100", instead="'textureLod' and 'textureGrad'"),
    "GL_EXT_frag_depth": Extension("100", instead="'gl_FragDepth'"),
    "GL_EXT_draw_buffers": Extension("100", instead="several outputs"),
    "GL_EXT_draw_instanced": Extension("100", instead="'gl_InstanceID'"),
    "GL_OES_EGL_image_external": Extension(
        "100", keywords="samplerExternalOES", instead="the extension 'GL_OES_EGL_image_external_essl3'"
    ),
    "GL_OES_EGL_image_external_essl3": Extension("300", keywords="samplerExternalOES"),
    "GL_NV_shader_noperspective_interpolation": Extension("300", keywords="noperspective", features=("noperspective",)),
    # Desktop GLSL
    "GL_ARB_compatibility": Extension("140-"),
    "GL_ARB_draw_buffers": Extension("110-"),
    "GL_ARB_draw_instanced": Extension("110-"),
    "GL_ARB_explicit_attrib_location": Extension(
        "110-", keywords="layout", features=("input locations", "output locations")
    ),
    "GL_ARB_fragment_coord_conventions": Extension("110-", keywords="layout", features=("coordinate conventions",)),
    "GL_ARB_shader_bit_encoding": Extension("130-"),
    "GL_ARB_shader_texture_lod": Extension("110-"),
    "GL_EXT_shader_integer_mix": Extension("300 130-"),
    "GL_ARB_texture_rectangle": Extension("110-", keywords="sampler2DRect sampler2DRectShadow"),
    "GL_ARB_uniform_buffer_object": Extension("120-", keywords="layout", features=("uniform blocks",)),
}

#: By this one a text itself asks for what `--compat` does.
COMPATIBILITY = "GL_ARB_compatibility"


@cache
def extensions_of(version: int) -> tuple[str, ...]:
    """The names that `#extension` can enable in a version."""
    return tuple(name for name, row in EXTENSIONS.items() if version in versions(row.versions))


@cache
def owner_of(word: str, version: int) -> str:
    """The extension that adds a keyword to a version, "" where there is none."""
    return next((name for name in extensions_of(version) if word in EXTENSIONS[name].keywords.split()), "")


def added_features(names: Iterable[str]) -> set[str]:
    """What extensions add to the language."""
    return {feature for name in names if name in EXTENSIONS for feature in EXTENSIONS[name].features}
