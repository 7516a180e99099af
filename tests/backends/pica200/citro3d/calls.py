"""Calls that do nothing but set fields of registers, a row a call.

`{env}`, `{light}` in the name of a register are the argument's number; a field `{mode}...` is that of the colour or the
alpha combiner, or of both, as the argument `mode` says. A field without a name is the whole register.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from glslc_multi.compiler.records import dataclass

#: An argument's name, a number, or a function of the arguments by name.
What = str | int | Callable[[Mapping[str, Any]], float]


@dataclass(frozen=True, slots=True)
class Set:
    """A field that a call sets."""

    register: str
    field: str
    what: What
    #: An argument and the bit of it without which nothing is set.
    when: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call: its arguments, as names and kinds, and what it sets."""

    name: str
    #: Kinds are those of `ENUMERATORS`, "number", or "object" for env0, light3...
    arguments: tuple[tuple[str, str], ...]
    sets: tuple[Set, ...]


def _call(name: str, arguments: str, *sets: tuple[str, str, What] | Set) -> Call:
    """Arguments are `name` or `name: kind`, with commas between them."""
    pairs = (text.partition(":") for text in arguments.split(",")) if arguments else ()
    return Call(
        name,
        tuple((name.strip(), kind.strip() or "number") for name, _, kind in pairs),
        tuple(row if isinstance(row, Set) else Set(*row) for row in sets),
    )


def _bit(argument: str, bit: int) -> Callable[[Mapping[str, Any]], int]:
    return lambda values: int(values[argument]) >> bit & 1


#: Depth test of gas by comparison; it has four of the eight.
_GAS_DEPTH = (2, 0, 0, 0, 3, 3, 2, 2)

_STAGES = (
    _call(
        "C3D_TexEnvInit",
        "env: object",
        ("TEXENV{env}_SOURCE", "", 0x000F000F),
        ("TEXENV{env}_OPERAND", "", 0),
        ("TEXENV{env}_COMBINER", "", 0),
        ("TEXENV{env}_COLOR", "", 0xFFFFFFFF),
        ("TEXENV{env}_SCALE", "", 0),
    ),
    _call(
        "C3D_TexEnvSrc",
        "env: object, mode: mode, first: source, second: source, third: source",
        ("TEXENV{env}_SOURCE", "{mode}1", "first"),
        ("TEXENV{env}_SOURCE", "{mode}2", "second"),
        ("TEXENV{env}_SOURCE", "{mode}3", "third"),
    ),
    _call(
        "C3D_TexEnvOpRgb",
        "env: object, first: rgb operand, second: rgb operand, third: rgb operand",
        ("TEXENV{env}_OPERAND", "rgb1", "first"),
        ("TEXENV{env}_OPERAND", "rgb2", "second"),
        ("TEXENV{env}_OPERAND", "rgb3", "third"),
    ),
    _call(
        "C3D_TexEnvOpAlpha",
        "env: object, first: alpha operand, second: alpha operand, third: alpha operand",
        ("TEXENV{env}_OPERAND", "a1", "first"),
        ("TEXENV{env}_OPERAND", "a2", "second"),
        ("TEXENV{env}_OPERAND", "a3", "third"),
    ),
    _call(
        "C3D_TexEnvFunc",
        "env: object, mode: mode, function: function",
        ("TEXENV{env}_COMBINER", "{mode}", "function"),
    ),
    _call("C3D_TexEnvScale", "env: object, mode: mode, scale: scale", ("TEXENV{env}_SCALE", "{mode}", "scale")),
    _call("C3D_TexEnvColor", "env: object, color", ("TEXENV{env}_COLOR", "", "color")),
    _call("C3D_TexEnvBufUpdate", "mode: mode, mask", ("TEXENV_UPDATE_BUFFER", "{mode}", "mask")),
    _call("C3D_TexEnvBufColor", "color", ("TEXENV_BUFFER_COLOR", "", "color")),
)

_FOG = (
    _call(
        "C3D_FogGasMode",
        "mode: fog mode, density: gas mode, flip: bool",
        ("TEXENV_UPDATE_BUFFER", "mode", "mode"),
        ("TEXENV_UPDATE_BUFFER", "depth_density", "density"),
        ("TEXENV_UPDATE_BUFFER", "z_flip", "flip"),
    ),
    _call("C3D_FogColor", "color", ("FOG_COLOR", "", "color")),
)

_OUTPUT = (
    _call(
        "C3D_AlphaTest",
        "enable: bool, function: comparison, reference",
        ("FRAGOP_ALPHA_TEST", "enable", "enable"),
        ("FRAGOP_ALPHA_TEST", "function", "function"),
        ("FRAGOP_ALPHA_TEST", "reference", "reference"),
    ),
    _call(
        "C3D_AlphaBlend",
        "rgb: equation, a: equation, s_rgb: factor, d_rgb: factor, s_a: factor, d_a: factor",
        ("BLEND_FUNC", "rgb_equation", "rgb"),
        ("BLEND_FUNC", "a_equation", "a"),
        ("BLEND_FUNC", "rgb_source", "s_rgb"),
        ("BLEND_FUNC", "rgb_destination", "d_rgb"),
        ("BLEND_FUNC", "a_source", "s_a"),
        ("BLEND_FUNC", "a_destination", "d_a"),
        ("COLOR_OPERATION", "blend", 1),
    ),
    _call(
        "C3D_ColorLogicOp",
        "operation: logic operation",
        ("LOGIC_OP", "operation", "operation"),
        ("COLOR_OPERATION", "blend", 0),
    ),
    _call("C3D_BlendingColor", "color", ("BLEND_COLOR", "", "color")),
    _call(
        "C3D_DepthTest",
        "enable: bool, function: comparison, write: write mask",
        ("DEPTH_COLOR_MASK", "depth_test", "enable"),
        ("DEPTH_COLOR_MASK", "function", "function"),
        ("DEPTH_COLOR_MASK", "write", "write"),
        ("GAS_DELTAZ_DEPTH", "function", lambda values: _GAS_DEPTH[int(values["function"])]),
    ),
    _call(
        "C3D_StencilTest",
        "enable: bool, function: comparison, reference, input_mask, write_mask",
        ("STENCIL_TEST", "enable", "enable"),
        ("STENCIL_TEST", "function", "function"),
        ("STENCIL_TEST", "reference", "reference"),
        ("STENCIL_TEST", "input_mask", "input_mask"),
        ("STENCIL_TEST", "write_mask", "write_mask"),
    ),
    _call(
        "C3D_StencilOp",
        "fail: stencil operation, depth: stencil operation, both: stencil operation",
        ("STENCIL_OP", "fail", "fail"),
        ("STENCIL_OP", "depth_fail", "depth"),
        ("STENCIL_OP", "pass", "both"),
    ),
    _call(
        "C3D_EarlyDepthTest",
        "enable: bool, function: early comparison, reference",
        ("EARLYDEPTH_TEST1", "enable", "enable"),
        ("EARLYDEPTH_TEST2", "enable", "enable"),
        ("EARLYDEPTH_FUNC", "function", "function"),
        ("EARLYDEPTH_DATA", "value", "reference"),
    ),
    _call("C3D_CullFace", "mode: culling", ("FACECULLING_CONFIG", "mode", "mode")),
    _call(
        "C3D_DepthMap",
        "z_buffer: bool, scale, offset",
        ("DEPTHMAP_ENABLE", "z_buffer", "z_buffer"),
        ("DEPTHMAP_SCALE", "scale", "scale"),
        ("DEPTHMAP_OFFSET", "offset", "offset"),
    ),
    _call("C3D_FragOpMode", "mode: fragment mode", ("COLOR_OPERATION", "mode", "mode")),
    _call(
        "C3D_FragOpShadow",
        "scale, bias",
        ("FRAGOP_SHADOW", "constant", lambda values: float(values["scale"]) + float(values["bias"])),
        ("FRAGOP_SHADOW", "linear", lambda values: -float(values["scale"])),
    ),
)

#: Bits of the shadow mode that say what is darkened.
_SHADOWED = 0b1011

_LIGHTING = (
    _call(
        "C3D_LightEnvFresnel",
        "env: object, which: fresnel",
        ("LIGHTING_CONFIG0", "fresnel_primary", _bit("which", 0)),
        ("LIGHTING_CONFIG0", "fresnel_secondary", _bit("which", 1)),
    ),
    _call("C3D_LightEnvBumpMode", "env: object, mode: bump mode", ("LIGHTING_CONFIG0", "bump", "mode")),
    _call("C3D_LightEnvBumpSel", "env: object, unit", ("LIGHTING_CONFIG0", "bump_unit", "unit")),
    _call("C3D_LightEnvBumpNormalZ", "env: object, enable: bool", ("LIGHTING_CONFIG0", "bump_z", "enable")),
    _call(
        "C3D_LightEnvShadowMode",
        "env: object, mode: shadow mode",
        ("LIGHTING_CONFIG0", "shadow", lambda values: int(values["mode"] & _SHADOWED != 0)),
        ("LIGHTING_CONFIG0", "shadow_primary", _bit("mode", 0)),
        ("LIGHTING_CONFIG0", "shadow_secondary", _bit("mode", 1)),
        ("LIGHTING_CONFIG0", "invert_shadow", _bit("mode", 2)),
        ("LIGHTING_CONFIG0", "shadow_alpha", _bit("mode", 3)),
    ),
    _call("C3D_LightEnvShadowSel", "env: object, unit", ("LIGHTING_CONFIG0", "shadow_unit", "unit")),
    _call(
        "C3D_LightEnvClampHighlights",
        "env: object, enable: bool",
        ("LIGHTING_CONFIG0", "clamp_highlights", "enable"),
    ),
    _call(
        "C3D_LightPosition",
        "light: object, x, y, z, w",
        ("LIGHT{light}_XY", "x", "x"),
        ("LIGHT{light}_XY", "y", "y"),
        ("LIGHT{light}_Z", "z", "z"),
        ("LIGHT{light}_CONFIG", "directional", lambda values: int(values["w"] == 0)),
    ),
    _call(
        "C3D_LightTwoSideDiffuse",
        "light: object, enable: bool",
        ("LIGHT{light}_CONFIG", "two_sided", "enable"),
    ),
    _call(
        "C3D_LightShadowEnable",
        "light: object, enable: bool",
        ("LIGHTING_CONFIG1", "no_shadow{light}", lambda values: int(not values["enable"])),
    ),
    _call(
        "C3D_LightGeoFactor",
        "light: object, which, enable: bool",
        ("LIGHT{light}_CONFIG", "geometric_factor{which}", "enable"),
    ),
)


def _noise(axis: int) -> tuple[tuple[str, str, What], ...]:
    """What the noise of u (0) or v (1) becomes, if the call is about it."""
    register = f"TEXUNIT3_PROCTEX{axis + 1}"
    return (
        (register, "amplitude", lambda values: int(4096 * float(values["amplitude"]))),
        (register, "phase", "phase"),
        ("TEXUNIT3_PROCTEX3", "uv"[axis], "frequency"),
    )


_PROCEDURAL = (
    _call(
        "C3D_ProcTexInit",
        "texture: object, offset, width",
        *((f"TEXUNIT3_PROCTEX{number}", "", 0) for number in range(4)),
        ("TEXUNIT3_PROCTEX4", "", 0x60 << 3),
        ("TEXUNIT3_PROCTEX4", "width", "width"),
        ("TEXUNIT3_PROCTEX5", "", 0xE0C080 << 8),
        ("TEXUNIT3_PROCTEX5", "offset", "offset"),
    ),
    _call(
        "C3D_ProcTexClamp",
        "texture: object, u: texture clamp, v: texture clamp",
        ("TEXUNIT3_PROCTEX0", "u_clamp", "u"),
        ("TEXUNIT3_PROCTEX0", "v_clamp", "v"),
    ),
    _call(
        "C3D_ProcTexCombiner",
        "texture: object, separate: bool, rgb: texture function, a: texture function",
        ("TEXUNIT3_PROCTEX0", "separate_alpha", "separate"),
        ("TEXUNIT3_PROCTEX0", "rgb_function", "rgb"),
        ("TEXUNIT3_PROCTEX0", "a_function", lambda values: values["a"] if values["separate"] else 0),
    ),
    _call(
        "C3D_ProcTexShift",
        "texture: object, u: texture shift, v: texture shift",
        ("TEXUNIT3_PROCTEX0", "u_shift", "u"),
        ("TEXUNIT3_PROCTEX0", "v_shift", "v"),
    ),
    _call("C3D_ProcTexFilter", "texture: object, filter: texture filter", ("TEXUNIT3_PROCTEX4", "filter", "filter")),
    _call(
        "C3D_ProcTexNoiseCoefs",
        "texture: object, axes: texture axes, amplitude, frequency, phase",
        ("TEXUNIT3_PROCTEX0", "noise", 1),
        *(Set(*row, when=("axes", axis)) for axis in range(2) for row in _noise(axis)),
    ),
    _call(
        "C3D_ProcTexBind",
        "coordinate, texture: object",
        ("TEXUNIT_CONFIG", "unit3_coordinate", "coordinate"),
        ("TEXUNIT_CONFIG", "unit3", 1),
    ),
)

CALLS: Mapping[str, Call] = {call.name: call for call in (*_STAGES, *_FOG, *_OUTPUT, *_LIGHTING, *_PROCEDURAL)}
