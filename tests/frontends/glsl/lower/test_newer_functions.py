"""Built-in functions of GLSL 1.30 to 3.30 and ES 3.00 at run time: those that constants cannot show, and lookups.

What functions compute is tested where constants are folded (`../library/test_recipes.py`), by the same recipes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.frontends.glsl.library.functions import function_names, functions_of
from glslc_multi.frontends.glsl.symbols import BuiltinFunction, Stage
from tests.frontends.glsl.lower.harness import lower_text, run
from tests.frontends.glsl.shaders import check_shader, compile_shader

HEAD = "#version 330\n"
A = np.array([0.25, -0.5, 1.75])
M = np.array([[4.0, 1.0, 2.0], [0.0, 3.0, -1.0], [1.0, 0.0, 2.0]])

#: Statements over the names a (vec3), m (mat3), i (ivec3), u (uvec3) -> vec3.
CASES: dict[str, Any] = {
    "result = round(a);": [0.0, 0.0, 2.0],
    "result = tanh(a);": np.tanh(A),
    "result = asinh(a);": np.arcsinh(A),
    "vec3 w; result = modf(a, w);": [0.25, -0.5, 0.75],
    "vec3 w; modf(a, w); result = w;": [0.0, 0.0, 1.0],
    "float w[2]; modf(a.z, w[i.x + 2]); result = vec3(w[1]);": [1.0] * 3,
    "mat3 w = m; vec3 f = modf(a * 4.0, w[1]); result = w[1] + f;": A * 4.0,
    "result = inverse(m) * a;": np.linalg.solve(M, A),
    "result = a * transpose(m);": M @ A,
    "result = vec3(determinant(m));": [np.linalg.det(M)] * 3,
    "result = outerProduct(a, a)[2];": A * A[2],
    "result = vec3(max(i, -2));": [-1.0, 2.0, -2.0],
    "result = vec3(abs(i) * sign(i));": [-1.0, 2.0, -3.0],
    "result = vec3(lessThan(u, u.yzx));": [0.0, 1.0, 0.0],
    "result = mix(a, -a, lessThan(i, ivec3(0)));": [-0.25, -0.5, -1.75],
    "result = intBitsToFloat(floatBitsToInt(a) ^ ivec3(1 << 31));": -A,
    "result = vec3(isnan(a / 0.0 - a / 0.0));": [1.0] * 3,
    "result = vec3(isinf(a / (a.x - 0.25)));": [1.0] * 3,
    "result = vec3(noise1(a), noise2(a));": [0.0] * 3,
}
VALUES: dict[str, Any] = {
    "a": A,
    "m": M,
    "i": np.array([-1, 2, -3]),
    "u": np.array([3, 1, 2**31 + 5], np.uint32),
}


@pytest.mark.parametrize("body", CASES)
def test_function(body: str) -> None:
    np.testing.assert_allclose(run(body, "vec3", head=HEAD, **VALUES), CASES[body], rtol=5e-6, atol=1e-6)


# --------------------------------------------------------------------------------------- textures
def _levels(*shape: int) -> list[Any]:
    """A texture whose texels hold their own numbers, the last axis in red; alpha tells the level."""
    levels = []
    for level in range(4):
        sizes = [max(size >> level, 1) for size in shape]
        numbers = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij")[::-1], -1)
        fill = np.zeros((*sizes, 4), np.float32)
        fill[..., : len(shape)] = numbers
        fill[..., 3] = level
        levels.append(fill)
    return levels


def _texture(kind: str, *shape: int, **options: Any) -> Texture:
    first, *rest = _levels(*shape)
    return Texture(first, "nearest_mipmap_nearest", "clamp", rest, kind=kind, **options)


def _layers() -> Texture:
    """Three layers in every level; blue is the layer."""
    levels = [np.stack([level] * 3) for level in _levels(4, 8)]
    for level in levels:
        level[..., 2] = np.arange(3)[:, None, None]
    return Texture(levels[0], "nearest_mipmap_nearest", "clamp", levels[1:], kind="2d_array")


#: Expression -> (sampler's type, texture, the vec4 that it yields); the place is the centre of texel (5, 2, 1).
PLANE, LINE, BOX = _texture("2d", 4, 8), _texture("1d", 8), _texture("3d", 4, 4, 8)
LAYERS = _layers()
RECT = Texture(_levels(4, 8)[0], kind="rect", wrap="clamp")
BUFFER = Texture(_levels(8)[0], kind="buffer")
INTS = Texture(_levels(4, 8)[0].astype(np.int32) - 5, "nearest", "clamp", kind="2d", texels="int")
UINTS = Texture(_levels(4, 8)[0].astype(np.uint32) + 2**31, "nearest", "clamp", kind="2d", texels="uint")
DEPTHS = Texture(np.linspace(0.0, 0.9, 8, dtype=np.float32).reshape(1, 8), "nearest", "clamp", compare="less")
LOOKUPS: list[tuple[str, str, Texture, Any]] = [
    ("texture(s, p.xy)", "sampler2D", PLANE, [5, 2, 0, 0]),
    ("textureLod(s, p.xy, 1.0)", "sampler2D", PLANE, [2, 1, 0, 1]),
    ("textureProj(s, vec3(p.xy * 2.0, 2.0))", "sampler2D", PLANE, [5, 2, 0, 0]),
    ("textureProj(s, vec4(p.xy * 2.0, 7.0, 2.0))", "sampler2D", PLANE, [5, 2, 0, 0]),
    ("textureProjLod(s, vec4(p.xy * 2.0, 7.0, 2.0), 1.0)", "sampler2D", PLANE, [2, 1, 0, 1]),
    ("textureOffset(s, p.xy, ivec2(-3, 1))", "sampler2D", PLANE, [2, 3, 0, 0]),
    ("textureLodOffset(s, p.xy, 1.0, ivec2(1, -1))", "sampler2D", PLANE, [3, 0, 0, 1]),
    ("textureProjOffset(s, vec3(p.xy * 2.0, 2.0), ivec2(2, 0))", "sampler2D", PLANE, [7, 2, 0, 0]),
    ("textureProjLodOffset(s, vec3(p.xy * 2.0, 2.0), 1.0, ivec2(1, 0))", "sampler2D", PLANE, [3, 1, 0, 1]),
    ("textureGrad(s, p.xy, vec2(0.25, 0.0), vec2(0.0))", "sampler2D", PLANE, [2, 1, 0, 1]),
    ("textureGradOffset(s, p.xy, vec2(0.25, 0.0), vec2(0.0), ivec2(1, 0))", "sampler2D", PLANE, [3, 1, 0, 1]),
    ("textureProjGrad(s, vec3(p.xy * 2.0, 2.0), vec2(0.25, 0.0), vec2(0.0))", "sampler2D", PLANE, [2, 1, 0, 1]),
    (
        "textureProjGradOffset(s, vec3(p.xy * 2.0, 2.0), vec2(0.25, 0.0), vec2(0.0), ivec2(-1, 0))",
        *("sampler2D", PLANE, [1, 1, 0, 1]),
    ),
    ("texelFetch(s, ivec2(6, 3), 0)", "sampler2D", PLANE, [6, 3, 0, 0]),
    ("texelFetchOffset(s, ivec2(1, 1), 1, ivec2(2, -1))", "sampler2D", PLANE, [3, 0, 0, 1]),
    ("vec4(textureSize(s, 1), 0, 0)", "sampler2D", PLANE, [4, 2, 0, 0]),
    ("texture(s, p.x)", "sampler1D", LINE, [5, 0, 0, 0]),
    ("textureProj(s, vec2(p.x * 4.0, 4.0))", "sampler1D", LINE, [5, 0, 0, 0]),
    ("textureProj(s, vec4(p.x * 4.0, 9.0, 9.0, 4.0))", "sampler1D", LINE, [5, 0, 0, 0]),
    ("textureOffset(s, p.x, 2)", "sampler1D", LINE, [7, 0, 0, 0]),
    ("vec4(textureSize(s, 0))", "sampler1D", LINE, [8] * 4),
    ("texture(s, p)", "sampler3D", BOX, [5, 2, 1, 0]),
    ("textureProjOffset(s, vec4(p * 2.0, 2.0), ivec3(1, -1, 2))", "sampler3D", BOX, [6, 1, 3, 0]),
    ("texelFetch(s, ivec3(1, 0, 1), 1)", "sampler3D", BOX, [1, 0, 1, 1]),
    ("vec4(textureSize(s, 0), 0)", "sampler3D", BOX, [8, 4, 4, 0]),
    ("texture(s, vec3(p.xy, 1.6))", "sampler2DArray", LAYERS, [5, 2, 2, 0]),
    ("textureLodOffset(s, vec3(p.xy, 1.0), 1.0, ivec2(1))", "sampler2DArray", LAYERS, [3, 1, 1, 1]),
    ("texelFetch(s, ivec3(7, 0, 2), 0)", "sampler2DArray", LAYERS, [7, 0, 2, 0]),
    ("vec4(textureSize(s, 1), 0)", "sampler2DArray", LAYERS, [4, 2, 3, 0]),
    ("texture(s, vec2(5.5, 2.5))", "sampler2DRect", RECT, [5, 2, 0, 0]),
    ("textureProj(s, vec3(11.0, 5.0, 2.0))", "sampler2DRect", RECT, [5, 2, 0, 0]),
    ("texelFetch(s, ivec2(5, 2))", "sampler2DRect", RECT, [5, 2, 0, 0]),
    ("texelFetchOffset(s, ivec2(5, 2), ivec2(-1, 1))", "sampler2DRect", RECT, [4, 3, 0, 0]),
    ("vec4(textureSize(s), 0, 0)", "sampler2DRect", RECT, [8, 4, 0, 0]),
    ("texelFetch(s, 6)", "samplerBuffer", BUFFER, [6, 0, 0, 0]),
    ("vec4(textureSize(s))", "samplerBuffer", BUFFER, [8] * 4),
    ("vec4(texture(s, p.xy))", "isampler2D", INTS, [0, -3, -5, -5]),
    ("vec4(texelFetch(s, ivec2(0), 0) >> 31)", "isampler2D", INTS, [-1, -1, -1, -1]),
    ("vec4(texture(s, p.xy) - (1u << 31))", "usampler2D", UINTS, [5, 2, 0, 0]),
    ("vec4(texture(s, vec3(p.xy, 0.5)))", "sampler2DShadow", DEPTHS, [1] * 4),
    ("vec4(texture(s, vec3(p.xy, 0.7)))", "sampler2DShadow", DEPTHS, [0] * 4),
    ("vec4(textureProj(s, vec4(p.xy, 0.5, 1.0) * 4.0))", "sampler2DShadow", DEPTHS, [1] * 4),
    ("shadow2D(s, vec3(p.xy, 0.5))", "sampler2DShadow", DEPTHS, [1] * 4),
    ("shadow2DProj(s, vec4(p.xy, 0.7, 1.0) * 4.0)", "sampler2DShadow", DEPTHS, [0, 0, 0, 1]),
]


@pytest.mark.parametrize(("call", "sampler", "texture", "expected"), LOOKUPS, ids=[row[0] for row in LOOKUPS])
def test_lookup(call: str, sampler: str, texture: Texture, expected: Any) -> None:
    place = np.array([5.5 / 8.0, 2.5 / 4.0, 1.5 / 4.0])
    found = run(
        f"result = {call};", head=HEAD, functions=f"uniform highp {sampler} s;", textures={"s": texture}, p=place
    )
    np.testing.assert_allclose(found, expected)


OFFSETS = "#version 300 es\nprecision highp float; uniform sampler2D s; uniform ivec2 o; void main() {{ {call}; }}"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("textureOffset(s, vec2(0.0), o)", "E0435"),
        ("textureOffset(s, vec2(0.0), ivec2(0, 8), 0.5)", "E0436"),
        ("texelFetchOffset(s, o, 0, ivec2(-9, 0))", "E0436"),
        ("modf(1.5, 2.0)", "E0410"),
        ("texture2D(s, vec2(0.0))", "E0301"),
    ],
)
def test_what_calls_must_not_be(call: str, code: str) -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        check_shader(OFFSETS.format(call=call), filename="a.frag", stage="fragment", sink=sink)
    assert [d.entry.code for d in sink.diagnostics] == [code]


def test_offsets_may_be_named_constants() -> None:
    call = "const ivec2 c = ivec2(-8, 7); vec4 t = textureOffset(s, vec2(0.0), c)"
    compile_shader(OFFSETS.format(call=call), filename="a.frag", stage="fragment", sink=DiagnosticSink())


# ------------------------------------------------------------------------------- every overload
def _call_of(function: BuiltinFunction) -> str:
    """A shader without its end that calls one overload: with uniforms, but for the offset, the last int of all."""
    ints = [i for i, type_ in enumerate(function.parameters) if str(type_).startswith(("int", "ivec"))]
    constant = ints[-1] if "Offset" in function.name else None
    declarations, arguments = [], []
    for number, type_ in enumerate(function.parameters):
        if number != constant:
            storage = "" if number in function.out_parameters else "uniform "
            declarations.append(f"{storage}{type_} a{number};")
        arguments.append(f"{type_}(1)" if number == constant else f"a{number}")
    call = f"{function.name}({', '.join(arguments)})"
    return "\n".join([*declarations, f"void main() {{ {function.return_type} r = {call};"])


@pytest.mark.parametrize("version", [120, 330])
@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_every_overload_becomes_sound_code(version: int, stage: Stage) -> None:
    for name in function_names(version):
        for function in functions_of(name, version):
            if stage in function.stages and not function.extension:
                end = " gl_Position = vec4(0.0); }" if stage == "vertex" else " }"
                lower_text(f"#version {version}\n{_call_of(function)}{end}", stage)
