"""What GLSL ES 3.00 writes for names of GLSL ES 1.00: the arguments and the meaning are the same.

Messages tell it, and `glslc-multi port` does it.
"""

from __future__ import annotations

from glslc_multi.frontends.glsl.language.versions import Language

#: The versions that have the names on the right alone.
_MODERN = "300"

FUNCTIONS: dict[str, str] = {
    "texture2D": "texture",
    "texture2DProj": "textureProj",
    "texture2DLod": "textureLod",
    "texture2DProjLod": "textureProjLod",
    "textureCube": "texture",
    "textureCubeLod": "textureLod",
    "texture2DLodEXT": "textureLod",
    "texture2DProjLodEXT": "textureProjLod",
    "textureCubeLodEXT": "textureLod",
    "texture2DGradEXT": "textureGrad",
    "texture2DProjGradEXT": "textureProjGrad",
    "textureCubeGradEXT": "textureGrad",
}
VARIABLES: dict[str, str] = {"gl_FragDepthEXT": "gl_FragDepth", "gl_InstanceIDEXT": "gl_InstanceID"}
#: Storage qualifier and stage -> what is written for it.
QUALIFIERS: dict[tuple[str, str], str] = {
    ("attribute", "vertex"): "in",
    ("varying", "vertex"): "out",
    ("varying", "fragment"): "in",
}
#: What stands for `gl_FragColor` and `gl_FragData`.
COLOUR, COLOURS = "fragColor", "fragData"
COLOUR_DECLARATION = f"out mediump vec4 {COLOUR};"


def renamed(name: str, language: Language) -> str | None:
    """What a version writes for the name of a function or variable that it has not."""
    return (FUNCTIONS.get(name) or VARIABLES.get(name)) if language.is_one_of(_MODERN) else None


def renamed_qualifier(word: str, stage: str, language: Language) -> str | None:
    return QUALIFIERS.get((word, stage)) if language.is_one_of(_MODERN) else None


def modernised(help: str, language: Language) -> str:
    """Advice for GLSL ES 1.00 in the words of `language`."""
    if language.is_one_of(_MODERN):
        for old, new in FUNCTIONS.items():
            help = help.replace(f"'{old}(", f"'{new}(")
    return help
