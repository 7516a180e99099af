"""The texture functions: their names say how they read their arguments, so tables of names are enough.

ES 3.00 section 8.8, GLSL 3.30 section 8.7, and the older names that tell the sampler: `texture2DProjLod` looks up in a
sampler2D, divides its coordinate, and takes a level.  Parameters follow one another in this order: sampler, coordinate
(and what belongs to it), level or gradients, offset, bias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS, SamplerKind
from glslc_multi.compiler.ir.variables import TextureMode
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.symbols import ALL_STAGES, BEFORE_FRAGMENT, FRAGMENT, BuiltinFunction, Stage
from glslc_multi.frontends.glsl.types import (
    FLOAT,
    INT,
    SAMPLER_EXTERNAL,
    SAMPLERS,
    VEC4,
    GlslType,
    Precision,
    SamplerType,
    numeric,
)

_NAME = re.compile(
    r"(?P<verb>texture|texel|shadow)(?P<shape>1D|2DRect|2D|3D|Cube)?(?P<size>Size)?(?P<fetch>Fetch)?"
    r"(?P<projective>Proj)?(?P<mode>Lod|Grad)?(?P<offset>Offset)?(?:EXT|ARB)?"
)
_MODES: dict[str | None, TextureMode] = {None: "auto", "Lod": "lod", "Grad": "grad"}

#: Offsets of texels that every implementation has (ES 3.00 section 7.3: gl_MinProgramTexelOffset and its maximum).
OFFSETS = range(-8, 8)


@dataclass(frozen=True, slots=True)
class Lookup:
    """How a texture function reads its arguments.  `mode` "auto" becomes "bias" when that argument is given."""

    mode: TextureMode
    #: The shape that the name says, "" where that of the sampler counts.
    shape: str
    is_projective: bool
    has_offset: bool
    #: Asks for the size of a level.
    is_size: bool
    #: Names of GLSL 1.10 yield a vec4 where others yield the verdict.
    is_shadow: bool


@cache
def lookup_of(name: str) -> Lookup | None:
    """What the name of a function says of its lookup; None where it is no texture function."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return Lookup(
        "fetch" if match["fetch"] else _MODES[match["mode"]],
        match["shape"] or "",
        match["projective"] is not None,
        match["offset"] is not None,
        match["size"] is not None,
        match["verb"] == "shadow",
    )


def has_levels(kind: SamplerKind) -> bool:
    """Whether fetches and questions for the size name a level."""
    return kind.shape not in ("2DRect", "Buffer")


def offset_argument(lookup: Lookup, kind: SamplerKind) -> int:
    """Which argument the offset is: after sampler, coordinate, and the level or the gradients."""
    if lookup.mode == "fetch":
        return 3 if has_levels(kind) else 2
    return {"grad": 4, "lod": 3}.get(lookup.mode, 2)


def reference_component(kind: SamplerKind) -> int:
    """Where in the coordinate the depth to compare with stands; a 1D lookup leaves out the second component."""
    return max(2, kind.coordinate_width)


# ------------------------------------------------------------------------------------------ tables
@dataclass(frozen=True, slots=True)
class _Names:
    """Functions that exist in the same versions and stages, and under the same extension."""

    names: str
    versions: str
    stages: frozenset[Stage] = ALL_STAGES
    extension: str = ""


_OLD_LEVELS = """
    texture1DLod texture1DProjLod texture3DLod texture3DProjLod shadow1DLod shadow2DLod shadow1DProjLod shadow2DProjLod
"""
_RECTANGLES = "texture2DRect texture2DRectProj shadow2DRect shadow2DRectProj"
_OLDEST_LEVELS = "texture2DLod texture2DProjLod textureCubeLod"
#: Names that tell the sampler: ES 1.00 section 8.7, GLSL 1.20 section 8.7, and the extensions.
_OLD = (
    _Names("texture2D texture2DProj textureCube", "100 110-"),
    _Names(_OLDEST_LEVELS, "100 110 120", BEFORE_FRAGMENT),
    _Names(
        """
        texture2DLodEXT texture2DProjLodEXT textureCubeLodEXT
        texture2DGradEXT texture2DProjGradEXT textureCubeGradEXT
        """,
        "100",
        FRAGMENT,
        "GL_EXT_shader_texture_lod",
    ),
    _Names(
        "texture1D texture1DProj texture3D texture3DProj shadow1D shadow2D shadow1DProj shadow2DProj",
        "110-",
    ),
    _Names(_OLD_LEVELS, "110 120", BEFORE_FRAGMENT),
    _Names(_OLD_LEVELS + _OLDEST_LEVELS, "110 120", FRAGMENT, "GL_ARB_shader_texture_lod"),
    _Names(_OLD_LEVELS + _OLDEST_LEVELS, "130-"),
    _Names(
        """
        texture1DGradARB texture1DProjGradARB texture2DGradARB texture2DProjGradARB texture3DGradARB
        texture3DProjGradARB textureCubeGradARB shadow1DGradARB shadow1DProjGradARB shadow2DGradARB
        shadow2DProjGradARB texture2DRectGradARB texture2DRectProjGradARB shadow2DRectGradARB shadow2DRectProjGradARB
        """,
        "110-",
        ALL_STAGES,
        "GL_ARB_shader_texture_lod",
    ),
    _Names(_RECTANGLES, "110 120 130", ALL_STAGES, "GL_ARB_texture_rectangle"),
    _Names(_RECTANGLES, "140-"),
)

#: (versions, shapes of samplers).
_SHAPES = (
    ("300 130-", "2D 3D Cube 2DArray 2DShadow CubeShadow 2DArrayShadow"),
    ("130-", "1D 1DArray 1DShadow 1DArrayShadow"),
    ("140-", "2DRect 2DRectShadow Buffer"),
)
_VERSIONS = {shape: versions for versions, shapes in _SHAPES for shape in shapes.split()}
_FLAT = "1D 2D 3D 2DRect 1DShadow 2DShadow 2DRectShadow"
_WITH_LEVELS = "1D 2D 3D 1DShadow 2DShadow"
_LAYERED = "1DArray 2DArray 1DArrayShadow"
#: Name -> shapes of the samplers that it takes.
_MODERN: dict[str, str] = {
    "texture": f"{_FLAT} {_LAYERED} 2DArrayShadow Cube CubeShadow",
    "textureSize": f"{_FLAT} {_LAYERED} 2DArrayShadow Cube CubeShadow Buffer",
    "textureProj": _FLAT,
    "textureLod": f"{_WITH_LEVELS} {_LAYERED} Cube",
    "textureOffset": f"{_FLAT} {_LAYERED}",
    "texelFetch": "1D 2D 3D 2DRect 1DArray 2DArray Buffer",
    "texelFetchOffset": "1D 2D 3D 2DRect 1DArray 2DArray",
    "textureProjOffset": _FLAT,
    "textureLodOffset": f"{_WITH_LEVELS} {_LAYERED}",
    "textureProjLod": _WITH_LEVELS,
    "textureProjLodOffset": _WITH_LEVELS,
    "textureGrad": f"{_FLAT} {_LAYERED} 2DArrayShadow Cube CubeShadow",
    "textureGradOffset": f"{_FLAT} {_LAYERED} 2DArrayShadow",
    "textureProjGrad": _FLAT,
    "textureProjGradOffset": _FLAT,
}
#: Shapes whose lookups take no bias: they have one level only, or no room for another argument.
_UNBIASED = frozenset({"2DRect", "2DRectShadow", "2DArrayShadow"})
#: OES_EGL_image_external and its form for ES 3.00: what samplerExternalOES can be given to.
_EXTERNAL = (
    _Names("texture2D texture2DProj", "100", ALL_STAGES, "GL_OES_EGL_image_external"),
    _Names("texture textureProj textureSize texelFetch", "300", ALL_STAGES, "GL_OES_EGL_image_external_essl3"),
)

_OLD_ROWS: dict[str, list[_Names]] = {}
for _row in _OLD:
    for _name in _row.names.split():
        _OLD_ROWS.setdefault(_name, []).append(_row)
TEXTURE_FUNCTION_NAMES = (*_OLD_ROWS, *_MODERN)


# -------------------------------------------------------------------------------------- signatures
def texture_functions(name: str) -> Iterator[BuiltinFunction]:
    """Every overload of the texture function `name` in any version."""
    lookup = lookup_of(name)
    if lookup is None:
        return
    for row in _OLD_ROWS.get(name, ()):
        sampler = SAMPLERS[f"sampler{lookup.shape}{'Shadow' * lookup.is_shadow}"]
        yield from _overloads(name, lookup, sampler, row)
    for shape in _MODERN.get(name, "").split():
        row = _Names(name, _VERSIONS[shape])
        for prefix in ("",) if shape.endswith("Shadow") else ("", "i", "u"):
            yield from _overloads(name, lookup, SAMPLERS[f"{prefix}sampler{shape}"], row)
    for row in _EXTERNAL:
        if name in row.names.split():
            yield from _overloads(name, lookup, SAMPLER_EXTERNAL, row)


def _overloads(name: str, lookup: Lookup, sampler: SamplerType, row: _Names) -> Iterator[BuiltinFunction]:
    """The overloads for one sampler: those for every stage, then those with a bias, which fragment shaders have."""
    kind = SAMPLER_KINDS[sampler.kind]
    if lookup.is_size:
        result = numeric("int", kind.size_width)
    elif kind.is_shadow:
        result = VEC4 if lookup.is_shadow else FLOAT
    else:
        result = numeric(kind.texel, 4)
    precision: Precision | None = "highp" if lookup.is_size else None
    fixed = [[sampler, *coordinate, *_rest(lookup, kind)] for coordinate in _coordinates(lookup, kind)]
    for parameters in fixed:
        yield BuiltinFunction(
            name, result, tuple(parameters), row.stages, row.extension, row.versions, precision=precision
        )
    if _takes_bias(lookup, kind, row):
        for parameters in fixed:
            types = (*parameters, FLOAT)
            yield BuiltinFunction(name, result, types, FRAGMENT, row.extension, row.versions)


def _takes_bias(lookup: Lookup, kind: SamplerKind, row: _Names) -> bool:
    if kind.shape == "External" and "100" in row.versions:
        return False
    return lookup.mode == "auto" and not lookup.is_size and kind.name.partition("sampler")[2] not in _UNBIASED


def _coordinates(lookup: Lookup, kind: SamplerKind) -> list[list[GlslType]]:
    """The coordinate, or the two forms that it has where its last component divides it."""
    if lookup.is_size:
        return [[]]
    if lookup.mode == "fetch":
        return [[numeric("int", kind.coordinate_width)]]
    width = reference_component(kind) + 1 if kind.is_shadow else kind.coordinate_width
    widths = sorted({width + 1, 4}) if lookup.is_projective else [width]
    return [[numeric("float", width)] for width in widths]


def _rest(lookup: Lookup, kind: SamplerKind) -> list[GlslType]:
    """What follows the coordinate, but for the bias."""
    types: list[GlslType] = []
    if lookup.mode == "grad":
        types += [numeric("float", kind.dimensions)] * 2
    elif lookup.mode == "lod":
        types.append(FLOAT)
    elif (lookup.mode == "fetch" or lookup.is_size) and has_levels(kind):
        types.append(INT)
    if lookup.has_offset:
        types.append(numeric("int", kind.dimensions))
    return types
