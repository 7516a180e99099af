"""Depths compared in code, on every machine that takes them: against verdicts that are worked out here."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.vc4.machine.run import stored_depths
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.shader import Engine
from glslc_multi.runtime.textures import Texture
from tests.frontends.spirv.modules import VALUES
from tests.frontends.spirv.modules import shader as spirv_module

ENGINES: tuple[Engine, ...] = ("reference", "jit", "simulator", "translated")
TARGETS = ("adreno", "agal", "theia", "vc4", "xenos")
#: Those whose textures may have any size and wrap.
FREE = ("adreno", "agal", "vc4", "xenos")
_ES = "#version 300 es\nprecision highp float;\nprecision highp sampler2DShadow;\nprecision highp samplerCubeShadow;\n"
ES = f"{_ES}in vec4 v; out vec4 c;\n"
DESKTOP = "#version 330\nin vec4 v; out vec4 c;\n"
OLD = "#version 120\nvarying vec4 v;\n#define c gl_FragColor\n"


def fragment(head: str, sampler: str, lookup: str) -> str:
    return f"{head}uniform {sampler} s;\nvoid main() {{ c = {lookup}; }}"


def depths(image: Any, **settings: Any) -> Texture:
    return Texture(image, wrap="repeat", compare="lequal", **settings)


def runs(source: str, target: str, places: Any, textures: Any, uniforms: Any = None, **options: Any) -> list[Array]:
    """What each engine makes of a fragment shader."""
    shader = glslc_multi.compile(source, target=target, stage="fragment")
    given = {"v": np.array(places, np.float32)}
    name = "gl_FragColor" if "gl_FragColor" in source else "c"
    return [shader.run(given, uniforms, textures=textures, engine=engine, **options)[name] for engine in ENGINES]


# ----------------------------------------------------------------------------------------------------- edges
def verdict(depth: float, texel: Fraction) -> int:
    """GL ES 3.0 section 3.8.16.1, of fixed-point depths and the comparison LEQUAL."""
    return int(min(max(Fraction(depth), Fraction(0)), Fraction(1)) <= texel)


def beside(depth: float) -> list[float]:
    """A float32, and the ones below and above."""
    x = np.float32(depth)
    return [float(x), float(np.nextafter(x, np.float32(-9))), float(np.nextafter(x, np.float32(9)))]


@pytest.mark.parametrize("target", TARGETS)
def test_depths_at_the_ends(target: str) -> None:
    """Above 1 they count as 1, below 0 as 0."""
    image = np.array([[0, 255], [0, 255]], np.uint8)
    # THEIA's numbers are steps of 2 ** -17.
    below = 1 - 2**-15 if target == "theia" else beside(1.0)[1]
    given = [0.0, 2**-14, -(2**-14), -3.0, 1.0, below, beside(1.0)[2], 1.25, 40.0]
    places = [(0.25 + texel / 2, 0.5, depth, 0.0) for texel in (0, 1) for depth in given]
    wanted = [verdict(depth, Fraction(texel)) for texel in (0, 1) for depth in given]
    assert 0 < sum(wanted) < len(wanted)
    found = runs(fragment(ES, "sampler2DShadow", "vec4(texture(s, v.xyz))"), target, places, {"s": depths(image)})
    for each in found:
        assert each[:, 0].astype(int).tolist() == wanted


#: Of 24 bits, as VC4 stores them.
STEPS = 2**24 - 1
BETWEEN = {
    **{target: [(x / 8, beside(x / 8)) for x in range(1, 8)] for target in ("adreno", "agal", "xenos")},
    "theia": [(x / 8, [x / 8, x / 8 - 2**-14, x / 8 + 2**-14]) for x in range(1, 8)],
    "vc4": [(x / STEPS, [y / STEPS for y in (x, x - 1, x + 1)]) for x in (1, 255, 256, 70000, 6543210, 2**23 - 1)],
}


@pytest.mark.parametrize("target", BETWEEN)
def test_depths_beside_those_of_texels(target: str) -> None:
    """Equal ones pass, those before pass, those behind do not."""
    row = [texel for texel, _ in BETWEEN[target]]
    row += [0.0] * (8 - len(row))
    image = np.tile(np.array(row, np.float32), (8, 1))
    places = [((x + 0.5) / 8, 0.5, depth, 0.0) for x, (_, given) in enumerate(BETWEEN[target]) for depth in given]
    found = runs(fragment(ES, "sampler2DShadow", "vec4(texture(s, v.xyz))"), target, places, {"s": depths(image)})
    for each in found:
        assert each[:, 0].astype(int).reshape(-1, 3).tolist() == [[1, 1, 0]] * len(BETWEEN[target])


def test_vc4_reads_the_depths_that_it_stores() -> None:
    """They are 24 bits above those of the stencil, and such a depth compares as the pixel's own does."""
    numbers = np.random.default_rng(3).integers(0, STEPS + 1, 64)
    image = (numbers / STEPS).reshape(1, -1)
    stored = stored_depths(depths(image)).levels[0]
    assert np.rint(stored * 255).astype(np.uint8).tobytes() == struct.pack("<64I", *(int(n) << 8 for n in numbers))
    source = f"{_ES}in vec4 v; out vec4 c; uniform sampler2DShadow s;"
    source += "void main() { c = vec4(texture(s, vec3(v.xy, gl_FragCoord.z))); }"
    shader = glslc_multi.compile(source, target="vc4", stage="fragment")
    places = np.array([((x + 0.5) / 64, 0.5, 0.0, 0.0) for x in range(64)])
    coordinate = np.column_stack([np.zeros((64, 2)), image[0], np.ones(64)])
    for engine in ("simulator", "translated"):
        given = {"v": places, "gl_FragCoord": coordinate}
        assert shader.run(given, textures={"s": depths(image)}, engine=engine)["c"][:, 0].tolist() == [1.0] * 64


# -------------------------------------------------------------------------------------------------- lookups
SIZE = 8
IMAGE = np.random.default_rng(7).integers(0, 16, (SIZE, SIZE)) / 16
ROW = IMAGE[3]
CUBE = np.random.default_rng(9).integers(0, 16, (6, 4, 4)) / 16
#: In texels, and between the depths of them.
PLACES = np.random.default_rng(8).integers(0, SIZE, (32, 2))
DEPTHS = np.random.default_rng(6).integers(0, 16, 32) / 16 + 1 / 32
GIVEN = np.column_stack([(PLACES + 0.5) / SIZE, DEPTHS, np.ones(len(DEPTHS))])
_LEVELS = "#extension GL_ARB_shader_texture_lod : enable\n"
#: Lookup -> head, the expression, by how many texels it is moved, and who has it.
PLANE = {
    "texture": (ES, "vec4(texture(s, v.xyz))", (0, 0), TARGETS),
    "bias": (ES, "vec4(texture(s, v.xyz, 0.5))", (0, 0), FREE),
    "level": (ES, "vec4(textureLod(s, v.xyz, 0.0))", (0, 0), FREE),
    "gradients": (ES, "vec4(textureGrad(s, v.xyz, v.xy, v.yx))", (0, 0), ("xenos",)),
    "projective": (ES, "vec4(textureProj(s, vec4(v.xyz, 1.0) * 2.0))", (0, 0), TARGETS),
    "projective level": (DESKTOP, "vec4(textureProjLod(s, vec4(v.xyz, 1.0) * 0.5, 0.0))", (0, 0), FREE),
    "offset": (ES, "vec4(textureOffset(s, v.xyz, ivec2(3, -2)))", (3, -2), TARGETS),
    "projective offset": (ES, "vec4(textureProjOffset(s, vec4(v.xyz, 1.0) * 4.0, ivec2(-1, 2)))", (-1, 2), TARGETS),
    "level offset": (DESKTOP, "vec4(textureLodOffset(s, v.xyz, 0.0, ivec2(1, 1)))", (1, 1), FREE),
    "gradients offset": (ES, "vec4(textureGradOffset(s, v.xyz, v.xy, v.yx, ivec2(1, 0)))", (1, 0), ("xenos",)),
    "old": (OLD, "shadow2D(s, v.xyz)", (0, 0), TARGETS),
    "old projective": (OLD, "shadow2DProj(s, vec4(v.xyz, 1.0) * 2.0)", (0, 0), TARGETS),
    "old level": (f"#version 120\n{_LEVELS}{OLD[13:]}", "shadow2DLod(s, v.xyz, 0.0)", (0, 0), FREE),
}
LINE = {
    "texture": (DESKTOP, "vec4(texture(s, v.xyz))", 0, FREE),
    "projective": (DESKTOP, "vec4(textureProj(s, vec4(v.xyz, 1.0) * 2.0))", 0, FREE),
    "level": (DESKTOP, "vec4(textureLod(s, v.xyz, 0.0))", 0, FREE),
    "offset": (DESKTOP, "vec4(textureOffset(s, v.xyz, 2))", 2, FREE),
    "gradients": (DESKTOP, "vec4(textureGrad(s, v.xyz, v.x, v.y))", 0, ("xenos",)),
    "old": (OLD, "shadow1D(s, v.xyz)", 0, FREE),
    "old projective": (OLD, "shadow1DProj(s, vec4(v.xyz, 1.0) * 2.0)", 0, FREE),
}


@pytest.mark.parametrize(("lookup", "target"), [(name, target) for name in PLANE for target in PLANE[name][-1]])
def test_lookups(lookup: str, target: str) -> None:
    """The old names yield a luminance, whose alpha is 1."""
    head, expression, (right, up), _ = PLANE[lookup]
    lit = IMAGE[(PLACES[:, 1] + up) % SIZE, (PLACES[:, 0] + right) % SIZE] >= DEPTHS
    assert 0 < lit.sum() < len(lit)
    alpha = lit | ("shadow" in expression)
    # THEIA has no alpha.
    wanted = np.column_stack([lit, lit, lit, alpha]).astype(float)[:, : 3 if target == "theia" else 4]
    for each in runs(fragment(head, "sampler2DShadow", expression), target, GIVEN, {"s": depths(IMAGE)}):
        assert each[:, : wanted.shape[1]].tolist() == wanted.tolist()


@pytest.mark.parametrize(("lookup", "target"), [(name, target) for name in LINE for target in LINE[name][-1]])
def test_lookups_in_rows(lookup: str, target: str) -> None:
    head, expression, right, _ = LINE[lookup]
    source = fragment(head, "sampler1DShadow", expression)
    lit = ROW[(PLACES[:, 0] + right) % SIZE] >= DEPTHS
    for each in runs(source, target, GIVEN, {"s": depths(ROW, kind="1d")}):
        assert each[:, 0].tolist() == lit.astype(float).tolist()


@pytest.mark.parametrize("target", FREE)
def test_cube_maps(target: str) -> None:
    """Faces as in GL ES 2.0 table 3.21: towards +x a place is (-z, -y), towards -z it is (-x, -y)."""
    x, y = (np.random.default_rng(5).integers(0, 4, (2, 32)) + 0.5) / 2 - 1
    directions = np.concatenate([np.stack([x * 0 + 1, -y, -x], 1)[:16], np.stack([-x, -y, x * 0 - 1], 1)[16:]])
    columns, rows = ((place + 1) * 2 for place in (x, y))
    faces = np.repeat([0, 5], 16)
    lit = CUBE[faces, rows.astype(int), columns.astype(int)] >= DEPTHS
    source = fragment(ES, "samplerCubeShadow", "vec4(texture(s, vec4(v.xyz * 3.0, v.w)))")
    for each in runs(source, target, np.column_stack([directions, DEPTHS]), {"s": depths(CUBE[..., None])}):
        assert each[:, 0].tolist() == lit.astype(float).tolist()


@pytest.mark.parametrize("target", ("adreno", "vc4", "xenos"))
def test_levels(target: str) -> None:
    """The nearest level is one, whose depths are compared."""
    small = IMAGE[1:5, 2:6]
    levels = [small, IMAGE[:2, :2], IMAGE[:1, :1]]
    places = np.column_stack([(PLACES // 2 + 0.5) / 4, DEPTHS, np.ones(len(DEPTHS))])
    source = fragment(ES, "sampler2DShadow", "vec4(textureLod(s, v.xyz, v.w))")
    texture = depths(IMAGE, filter="nearest_mipmap_nearest", mips=levels)
    lit = small[PLACES[:, 1] // 2, PLACES[:, 0] // 2] >= DEPTHS
    for each in runs(source, target, places, {"s": texture}):
        assert each[:, 0].tolist() == lit.astype(float).tolist()


@pytest.mark.parametrize("target", ("adreno", "vc4", "xenos"))
def test_vertex_shaders_compare(target: str) -> None:
    source = f"{_ES}in vec4 p; uniform sampler2DShadow s;"
    source += "void main() { gl_Position = vec4(texture(s, p.xyz), textureLod(s, p.xyz, 0.0), p.zw); }"
    shader = glslc_multi.compile(source, target=target, stage="vertex")
    lit = (IMAGE[PLACES[:, 1], PLACES[:, 0]] >= DEPTHS).astype(float)
    for engine in ENGINES:
        found = shader.run({"p": GIVEN}, textures={"s": depths(IMAGE)}, engine=engine)["gl_Position"]
        assert found.tolist() == np.column_stack([lit, lit, DEPTHS, np.ones(len(DEPTHS))]).tolist()


@pytest.mark.parametrize("target", FREE)
def test_samplers_of_an_array_by_an_index(target: str) -> None:
    source = OLD.replace("v;", "v; uniform sampler2DShadow s[2]; uniform int k;")
    source += "void main() { gl_FragColor = shadow2D(s[k], v.xyz); }"
    textures = {"s[0]": depths(IMAGE), "s[1]": depths(IMAGE[::-1])}
    lit = (IMAGE[SIZE - 1 - PLACES[:, 1], PLACES[:, 0]] >= DEPTHS).astype(float)
    for each in runs(source, target, GIVEN, textures, {"k": 1}):
        assert each[:, 0].tolist() == lit.tolist()


#: Operation of SPIR-V -> its coordinate, by what that is divided, and the level.
DREF = {
    "OpImageSampleDrefImplicitLod": ("%uv", 1.0, ""),
    "OpImageSampleDrefExplicitLod": ("%uv", 1.0, " Lod %f0"),
    "OpImageSampleProjDrefImplicitLod": ("%uvq", 2.0, ""),
    "OpImageSampleProjDrefExplicitLod": ("%uvq", 2.0, " Lod %f0"),
}


@pytest.mark.parametrize("target", FREE)
@pytest.mark.parametrize("operation", DREF)
def test_spirv(operation: str, target: str) -> None:
    """The texel at (0.25, 0.75) is 0.5."""
    coordinate, divisor, level = DREF[operation]
    texture = depths(np.array([[0, 0], [0.5, 0]], np.float32))
    for reference, wanted in ((0.25, 1.0), (0.75, 0.0)):
        declared = f"""
            %depth = OpTypeImage %float 2D 1 0 0 1 Unknown
            %both = OpTypeSampledImage %depth
            %to_both = OpTypePointer UniformConstant %both
            %s = OpVariable %to_both UniformConstant
            %u = OpConstant %float {0.25 * divisor}
            %v = OpConstant %float {0.75 * divisor}
            %q = OpConstant %float {divisor}
            %ref = OpConstant %float {reference * divisor}
            %uv = OpConstantComposite %vec2 %u %v
            %uvq = OpConstantComposite %vec3 %u %v %q
        """
        body = f"""
            %sh = OpLoad %both %s
            %r = {operation} %float %sh {coordinate} %ref{level}
            %result = OpCompositeConstruct %vec4 %r %r %r %r
        """
        module = spirv_module(body, declared)
        shader = glslc_multi.compile(module, target=target, stage="fragment", filename="a.spvasm")
        found = shader.run({}, {name: [0] * 4 for name in VALUES}, textures={"s": texture})
        assert found["color"].tolist() == [[wanted] * 4]


# ------------------------------------------------------------------------------------- what the host must see to
SHADOW = fragment(ES, "sampler2DShadow", "vec4(texture(s, v.xyz))")


def state(source: str, target: str) -> dict[str, Any]:
    return dict(glslc_multi.compile(source, target=target, stage="fragment").reflection.host_state or {})


@pytest.mark.parametrize("target", TARGETS)
def test_the_map_says_that_the_code_compares(target: str) -> None:
    reflection = glslc_multi.compile(SHADOW, target=target, stage="fragment").reflection
    assert [(binding.name, binding.type) for binding in reflection.samplers] == [("s", "sampler2DShadow")]
    found = dict(reflection.host_state or {})
    assert (found["s.compare"], found["s.filter"], "s.mipmaps" in found) == ("lequal", "nearest", False)


def test_the_map_of_rows_and_of_what_is_not_compared() -> None:
    found = state(fragment(DESKTOP, "sampler1DShadow", "vec4(textureOffset(s, v.xyz, 1))"), "xenos")
    assert {name: value for name, value in found.items() if name.startswith("s.")} == {
        "s.compare": "lequal",
        "s.filter": "nearest",
        "s.mipmaps": False,
        "s.height": 1,
    }
    source = fragment(DESKTOP, "sampler1DShadow", "vec4(texture(s, v.xyz))")
    (binding,) = glslc_multi.compile(source, target="vc4", stage="fragment").reflection.samplers
    assert binding.type == "sampler1DShadow"
    asked = fragment(ES, "sampler2DShadow", "vec4(v.xy * float(textureSize(s, 0).x), 0.0, 1.0)")
    assert not [name for name in state(asked, "vc4") if name.startswith("s.")]


@pytest.mark.parametrize(
    ("texture", "wanted"),
    [
        (depths(IMAGE, filter="linear"), "the filter nearest, or the code for vc4 is not what 'sampler2DShadow' means"),
        (depths(IMAGE, filter=("nearest", "linear")), "the filter nearest"),
        (depths(IMAGE, filter="nearest_mipmap_linear", mips=True), "the filter nearest"),
        (Texture(IMAGE, compare="less"), "the comparison lequal"),
        (Texture(IMAGE), "the comparison lequal"),
    ],
)
def test_textures_that_the_code_is_not_made_for(texture: Texture, wanted: str) -> None:
    shader = glslc_multi.compile(SHADOW, target="vc4", stage="fragment")
    with pytest.raises(CompileError, match=wanted) as refused:
        shader.run({"v": np.zeros((4, 4))}, textures={"s": texture}, engine="simulator", quads=True)
    assert [each.code for each in refused.value.diagnostics] == ["E0717"]


@pytest.mark.parametrize("words", ["linear", "anisotropic4x", "miplinear"])
def test_agal_samplers_that_would_filter_depths_are_refused(words: str) -> None:
    with pytest.raises(CompileError, match="a filter of 's', whose depths are compared") as refused:
        glslc_multi.compile(f"{SHADOW}\n#pragma agal sampler(s, {words})\n", target="agal", stage="fragment")
    assert refused.value.diagnostics[0].span is not None


def test_agal_samplers_of_depths_take_the_nearest_texel() -> None:
    for pragma, wanted in (("", "2d,nearest,mipnone,repeat"), ("clamp, mipnearest", "2d,nearest,mipnearest,clamp")):
        source = f"{SHADOW}\n#pragma agal sampler(s, {pragma})\n" if pragma else SHADOW
        text = glslc_multi.compile(source, target="agal", stage="fragment").assembly
        assert f"<{wanted}>" in text
    cube = fragment(ES, "samplerCubeShadow", "vec4(texture(s, v))")
    assert "<cube,nearest,mipnearest,clamp>" in glslc_multi.compile(cube, target="agal", stage="fragment").assembly


@pytest.mark.parametrize(
    ("target", "options", "source"),
    [
        ("pica200", {}, SHADOW),
        ("theia", {"filter": "linear"}, SHADOW),
        ("theia", {}, fragment(ES, "samplerCubeShadow", "vec4(texture(s, v))")),
        ("xenos", {}, fragment(DESKTOP, "sampler2DArrayShadow", "vec4(texture(s, v))")),
        ("vc4", {}, fragment(DESKTOP, "sampler2DRectShadow", "vec4(texture(s, v.xyz))")),
        ("vc4", {}, fragment(ES, "sampler2DShadow", "vec4(textureGrad(s, v.xyz, v.xy, v.yx))")),
    ],
)
def test_what_is_refused(target: str, options: dict[str, Any], source: str) -> None:
    with pytest.raises(CompileError) as refused:
        glslc_multi.compile(source, target=target, stage="fragment", options=options)
    assert [each.code for each in refused.value.diagnostics if each.severity == "error"] == ["E0702"]
