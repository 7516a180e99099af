"""From GLSL to words: recorded images, and numbers computed independently."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.registers import VARIANTS, Variant, address_of
from glslc_multi.backends.theia.isa.validate import validate
from glslc_multi.backends.theia.machine.scene import Scene, render
from glslc_multi.backends.theia.target import TARGET
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, run_artifact
from tests.backends.theia.compiled import colour_of, compiled, run
from tests.backends.theia.generated import Refused, complaint_about, shaders
from tests.shared_data import shared_path

_COUNT = 2000 if os.environ.get("GLSLC_MULTI_ALL") else 20


# ------------------------------------------------------------------------------------------------ meaning
X = np.array([[0.5, -1.25, 3.0], [-2.0, 0.0, 0.75], [1.0, 1.0, -1.0], [-0.5, 2.5, 4.0]])
Y = np.array([[1.5, -1.25, -3.0], [2.0, 0.25, 0.5], [1.0, -1.0, -1.0], [0.5, -2.5, 0.125]])
EXACT = {
    "x + y": X + Y,
    "x * y": X * Y,
    "-x": -X,
    "abs(x)": np.abs(X),
    "sign(x)": np.sign(X),
    "floor(x)": np.floor(X),
    "fract(x)": X - np.floor(X),
    "ceil(x)": np.ceil(X),
    "min(x, y)": np.minimum(X, Y),
    "max(x, y)": np.maximum(X, Y),
    "clamp(x, 0.0, 1.0)": np.clip(X, 0.0, 1.0),
    "step(y, x)": np.where(X < Y, 0.0, 1.0),
    "cross(x, y)": np.cross(X, Y),
    "x.zyx": X[:, ::-1],
    "x.yzx + y.zxy": X[:, [1, 2, 0]] + Y[:, [2, 0, 1]],
    "vec3(dot(x, y))": np.repeat((X * Y).sum(axis=1, keepdims=True), 3, axis=1),
    "vec3(dot(x.xy, y.yz))": np.repeat((X[:, :2] * Y[:, 1:]).sum(axis=1, keepdims=True), 3, axis=1),
    "vec3(lessThan(x, y))": (X < Y).astype(float),
    "vec3(equal(x, y))": (X == Y).astype(float),
    "vec3(not(greaterThanEqual(x, y)))": (X < Y).astype(float),
    "vec3(any(equal(x, y)), all(equal(x, y)), x == x)": np.stack(
        [(X == Y).any(axis=1), (X == Y).all(axis=1), np.ones(4, bool)], axis=1
    ).astype(float),
    "x.x < y.y ? x : y": np.where(X[:, :1] < Y[:, 1:2], X, Y),
    "mod(floor(x), 3.0)": np.mod(np.floor(X), 3.0),
    "vec3(ivec3(x))": np.trunc(X),
    "vec3(int(x.z) / 2, x.y, 0.25)": np.stack([np.trunc(np.trunc(X[:, 2]) / 2), X[:, 1], np.full(4, 0.25)], axis=1),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("expression", EXACT)
def test_exact_operations_are_exact(expression: str, variant: Variant) -> None:
    assert np.array_equal(
        colour_of(expression, X, Y if "y" in expression.replace("any", "") else None, variant=variant),
        EXACT[expression],
    )


P = np.array([[0.25, 0.5, 1.0], [2.0, 0.1, 0.75], [0.9, 0.3, 3.5]])
APPROXIMATE = {
    "sqrt(x)": np.sqrt(P),
    "inversesqrt(x)": 1 / np.sqrt(P),
    "exp2(x)": np.exp2(P),
    "exp(x)": np.exp(P),
    "log2(x)": np.log2(P),
    "log(x)": np.log(P),
    "sin(x)": np.sin(P),
    "cos(x * 16.0)": np.cos(P * 16),
    "tan(x * 0.25)": np.tan(P / 4),
    "asin(x * 0.25)": np.arcsin(P / 4),
    "acos(x * 0.25)": np.arccos(P / 4),
    "atan(x)": np.arctan(P),
    "normalize(x)": P / np.linalg.norm(P, axis=1, keepdims=True),
    "vec3(length(x))": np.repeat(np.linalg.norm(P, axis=1, keepdims=True), 3, axis=1),
    "mod(x, 0.75)": np.mod(P, 0.75),
    "smoothstep(0.0, 2.0, x)": np.clip(P / 2, 0, 1) ** 2 * (3 - 2 * np.clip(P / 2, 0, 1)),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("expression", APPROXIMATE)
def test_functions_are_near(expression: str, variant: Variant) -> None:
    found = colour_of(expression, P, variant=variant)
    assert np.allclose(found, APPROXIMATE[expression], rtol=2e-4, atol=2e-4)


_STEP = 2.0**-17
REMAINDERS = [(-_STEP, 3.0), (_STEP, -3.0), (-3.0 - _STEP, 3.0), (-_STEP, 0.75), (6.0, 3.0), (-6.0, 3.0), (5.5, -2.0)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_remainders_have_the_sign_of_the_divisor(variant: Variant) -> None:
    """Also where the quotient is so small that the divider cuts it off."""
    x, y = (np.repeat(np.array(column)[:, None], 3, axis=1) for column in zip(*REMAINDERS, strict=True))
    wanted = x - y * np.floor(x / y)
    assert np.array_equal(colour_of("mod(x, y)", x, y, variant=variant), wanted)
    assert np.array_equal(colour_of("vec3(mod(x.x, y.x))", x, y, variant=variant), wanted)
    assert np.array_equal(colour_of("mod(x, 3.0)", x[:3], variant=variant), np.mod(x[:3], 3.0))
    assert np.array_equal(colour_of("mod(x, -3.0)", x[:3], variant=variant), np.mod(x[:3], -3.0))


@pytest.mark.parametrize("variant", VARIANTS)
def test_powers_of_zero_are_zero(variant: Variant) -> None:
    x, y = np.array([[0.0, 1e-7, 0.5], [0.5, 0.0, 0.0]]), np.array([[0.05, 0.5, 0.25], [3.0, 8.0, 1.0]])
    wanted = np.array([[0.0, 0.0, 0.5], [0.125, 0.0, 0.5]])
    found = colour_of("vec3(pow(x.xy, y.xy), 0.5)", x, y, variant=variant)
    assert np.allclose(found, wanted, rtol=2e-4, atol=2e-4)
    assert colour_of("vec3(pow(x.y, y.y))", x, y, variant=variant).max() == 0.0


def test_loops_stay_loops() -> None:
    text = """varying float n; void main() {
        float sum = 0.0;
        for (int i = 0; i < 100; i++) { if (float(i) >= n) break; sum += float(i); }
        gl_FragColor = vec4(sum); }"""
    found = run(text, {"n": np.array([0.0, 3.0, 20.0, 99.0])})["gl_FragColor"]
    assert found[:, 0].tolist() == [0.0, 3.0, 190.0, 4851.0]
    assert compiled(text).stats.instructions < 30


@pytest.mark.parametrize(
    "loop",
    [
        "if (x > 9.0) { while (true) {} } s = x * 2.0;",
        "if (x > 9.0) { while (true) { s += x; } } else s = x * 2.0;",
        "float t; if (x < 9.0) t = x; else for (;;) s += 1.0; s = t + t;",
    ],
)
def test_loops_that_nothing_leaves_are_left_alone(loop: str) -> None:
    """Pixels that stay out of them come to their end; a bare loop is code as well."""
    x = np.array([0.5, -3.0, 8.0])
    text = f"varying float x; void main() {{ float s = 0.0; {loop} gl_FragColor = vec4(s); }}"
    assert run(text, {"x": x})["gl_FragColor"][:, 0].tolist() == [1.0, -6.0, 16.0]
    assert compiled("void main() { for (;;) {} }").binary


def test_values_may_change_places_in_a_loop() -> None:
    """The allocation's checker must see that they do, and come to an end."""
    text = """varying vec3 x; varying vec3 y; varying float n; void main() {
        vec3 p = x; vec3 q = y;
        for (int i = 0; i < 100; i++) { if (float(i) >= n) break; vec3 t = p; p = q; q = t; }
        gl_FragColor = vec4(p + q * 2.0, 1.0); }"""
    found = run(text, {"x": X, "y": Y, "n": np.array([0.0, 1.0, 2.0, 7.0])})["gl_FragColor"]
    is_swapped = np.array([[False], [True], [False], [True]])
    assert np.array_equal(found[:, :3], np.where(is_swapped, Y + X * 2, X + Y * 2))


def test_long_functions_of_four_components_share_their_code() -> None:
    x = np.array([[0.5, 1.0, 2.0, 3.5], [0.0, 0.25, 4.0, 0.125]])
    y = np.array([[2.0, 3.0, 0.5, 1.5], [2.0, 1.5, -1.0, 2.0]])
    power = run("varying vec4 x; varying vec4 y; void main() { gl_FragColor = pow(x, y); }", {"x": x, "y": y})
    assert np.allclose(power["gl_FragColor"], x**y, rtol=2e-4, atol=2e-4)
    inside = x / 4 - 0.5
    arcs = run("varying vec4 x; void main() { gl_FragColor = asin(x); }", {"x": inside})
    assert np.allclose(arcs["gl_FragColor"], np.arcsin(inside), rtol=2e-4, atol=2e-4)


def test_what_depends_on_uniforms_alone_is_computed_once() -> None:
    text = """varying vec3 x; uniform vec3 u; uniform float k;
        void main() { gl_FragColor = vec4(x * normalize(u) + pow(k, 2.5), k); }"""
    artifact = compiled(text)
    assert artifact.stats.extra is not None
    assert artifact.stats.extra["pixelshader"] <= 6
    assert {binding.name for binding in artifact.reflection.uniforms} == {"u", "k"}
    u, k = np.array([1.0, -2.0, 2.0]), 1.75
    found = run(text, {"x": X}, {"u": u, "k": k})["gl_FragColor"]
    assert np.allclose(found[:, :3], X * u / 3 + k**2.5, rtol=2e-4, atol=2e-4)
    assert found[:, 3].tolist() == [k] * len(X)


@pytest.mark.parametrize(("u", "b", "n"), [(2.0, False, 5), (2.0, True, 5), (0.5, False, 7), (2.0, False, 7)])
def test_conditions_and_ints_of_uniforms_are_computed_once(u: float, b: bool, n: int) -> None:
    text = """varying vec3 x; uniform float u; uniform bool b; uniform ivec2 n; void main() {
        vec3 c = x;
        if (u > 1.0 && !b) c = -c;
        if (n.x / 2 == n.y) c += 1.0;
        gl_FragColor = vec4(c, float(n.x * n.y)); }"""
    found = run(text, {"x": X}, {"u": u, "b": b, "n": [n, 2]})["gl_FragColor"]
    wanted = (-X if u > 1 and not b else X) + (n // 2 == 2)
    assert np.array_equal(found, np.hstack([wanted, np.full((len(X), 1), 2.0 * n)]))


def test_the_hosts_preamble_is_not_computed_again() -> None:
    text = "precision highp float; uniform vec3 u; void main() { gl_FragColor = vec4(normalize(u), 1.0); }"
    source = make_source(text, "t.frag")
    request = Request(target_options={"output": "raw"}, preamble=True)
    artifact = compile_source(source, load_target("theia"), request, DiagnosticSink())
    assert "DIV" not in artifact.assembly
    module = lower_source(source, FrontEndOptions(), DiagnosticSink())
    found = run_artifact(Simulated(TARGET, artifact, module), {}, {"u": np.array([3.0, 0.0, 4.0])}, lanes=1)
    assert np.allclose(found["gl_FragColor"], [[0.6, 0.0, 0.8, 1.0]], atol=2e-5)


def test_pinned_uniforms_stay_in_their_registers() -> None:
    text = "uniform vec3 u; uniform mat3 m; varying vec3 x; void main() { gl_FragColor = vec4(m * x + u * x, 1.0); }"
    lines = compiled(text, options={"pin": "u=C6,m=C2"}).assembly.split("ENTRYPOINT_ADRR_PIXELSHADER:")
    assert all(f"SETX C{number} " in lines[0] for number in (2, 3, 4, 6))
    assert all(f" C{number}" in lines[1] for number in (2, 3, 4, 6))


@pytest.mark.parametrize("pin", ["u=C8", "x=C1", "u=C1,k=C1", "m=C6", "u"])
def test_pins_that_cannot_be(pin: str) -> None:
    uniforms = "uniform vec3 u; uniform float k; uniform mat3 m; varying vec3 x;"
    text = uniforms + "void main() { gl_FragColor = vec4(m * x * k + u, 1.0); }"
    with pytest.raises(CompileError) as caught:
        compiled(text, options={"pin": pin})
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0907"]


def test_pixels_of_the_manuals_hardware_leave_by_a_register() -> None:
    text = "varying vec3 x; void main() { gl_FragColor = vec4(x * 2.0, 0.5); }"
    assembly = compiled(text, options={"variant": "v1.2"}).assembly
    assert "OMWRITE" not in assembly
    assert "COPY OREG_PIXEL_COLOR" in assembly
    assert np.array_equal(run(text, {"x": X}, variant="v1.2")["gl_FragColor"][:, :3], X * 2)


@pytest.mark.parametrize(
    "text",
    [
        "varying float x; void main() { if (x < 0.0) discard; gl_FragColor = vec4(x); }",
        "varying vec2 x; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, x); }",
    ],
)
def test_what_the_manuals_hardware_lacks(text: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(text, options={"variant": "v1.2"})
    assert [d.code for d in caught.value.diagnostics if d.severity == "error"] == ["E0702"]


def test_long_programs_fit_the_manuals_hardware() -> None:
    text = "varying vec4 x; void main() { gl_FragColor = sin(x) + exp(x) + log(x) + asin(x) + atan(x); }"
    assert 116 < compiled(text, options={"variant": "v1.2"}).stats.instructions <= 500


def test_no_word_computes_what_is_not_read() -> None:
    """The screen has no alpha, and what would be multiplied by a texel's alpha is not."""
    text = "varying vec2 v; uniform sampler2D s; uniform vec4 u; void main() { gl_FragColor = texture2D(s, v) * u; }"
    assembly = compiled(text, options={"output": "screen"}).assembly
    results = [line.split()[1] for line in assembly.splitlines() if line.split()[0] in ("MUL", "ADD", "COPY")]
    sources = [word for line in assembly.splitlines() for word in line.split()[2:]]
    assert set(results) <= set(sources)


_TEXELS = np.dstack([np.random.default_rng(5).integers(0, 9, (8, 8, 3)) / 8, np.ones((8, 8))])


def _mixed_texels(place: Any, wrap: str) -> Any:
    """Section 3.8.7 of OpenGL ES 2.0."""
    u, v = (place * 8 - 0.5).T
    total = np.zeros((len(place), 4))
    for right, up in ((0, 0), (1, 0), (0, 1), (1, 1)):
        i, j = np.floor(u).astype(int) + right, np.floor(v).astype(int) + up
        i, j = (np.mod(index, 8) if wrap == "repeat" else np.clip(index, 0, 7) for index in (i, j))
        weights = [np.abs(1 - side - part) for side, part in ((right, u - np.floor(u)), (up, v - np.floor(v)))]
        total += (weights[0] * weights[1])[:, None] * _TEXELS[j, i]
    return total


@pytest.mark.parametrize("variant", ("trunk", "icarus"))
@pytest.mark.parametrize("wrap", ["repeat", "clamp"])
def test_four_texels_are_mixed(wrap: str, variant: Variant) -> None:
    text = "varying vec2 v; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, v); }"
    place = np.random.default_rng(6).integers(-512, 1024, (64, 2)) / 512
    options = {"filter": "linear", "wrap": wrap, "variant": variant}
    textures = {"s": Texture(_TEXELS, "linear", wrap)}
    found = run(text, {"v": place}, options=options, textures=textures)["gl_FragColor"]
    assert np.allclose(found, _mixed_texels(place, wrap), atol=4 * _STEP)


def test_a_texture_needs_the_filter_that_the_code_was_made_for() -> None:
    text = "varying vec2 v; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, v); }"
    with pytest.raises(CompileError) as caught:
        run(text, {"v": np.zeros((1, 2))}, textures={"s": Texture(_TEXELS, "linear", "repeat")})
    assert caught.value.diagnostics[0].code == "E0702"


SATURATED: dict[str, Callable[[Any, Any], Any]] = {
    "x * y * 100.0": lambda x, y: x * y * 100,
    "(x * 500.0) + (y * 500.0)": lambda x, y: x * 500 + y * 500,
    "vec3(dot(x * 50.0, y * 16.0))": lambda x, y: np.repeat((x * 50 * y * 16).sum(axis=1, keepdims=True), 3, axis=1),
    "cross(x * 40.0, y * 40.0)": lambda x, y: np.cross(x * 40, y * 40),
}


@pytest.mark.parametrize("expression", SATURATED)
def test_values_may_stay_at_the_ends_of_the_range(expression: str) -> None:
    text = f"varying vec3 x; varying vec3 y; void main() {{ gl_FragColor = vec4({expression}, 1.0); }}"
    x, y = np.vstack([X, [[30, -30, 20], [32, 32, 32]]]), np.vstack([Y, [[30, 30, -25], [-32, 32, 32]]])
    sink = DiagnosticSink()
    compiled(text, sink, {"saturate": "on"})
    assert {diagnostic.code for diagnostic in sink.diagnostics} == {"W0711"}
    found = run(text, {"x": x, "y": y}, options={"saturate": "on"})["gl_FragColor"][:, :3]
    assert np.allclose(found, np.clip(SATURATED[expression](x, y), -16384, 16384), atol=64 * _STEP, rtol=1e-6)


@pytest.mark.parametrize("expression", ["x * 0.375 + y - y", "x * y", "y * x", "vec3(dot(x, y), dot(y, x), x.x * y.x)"])
def test_products_of_large_numbers_are_exact(expression: str) -> None:
    """The multiplier is wrong where its first factor is above 10922, and the other has both bits of a digit."""
    x, y = np.array([[12000.0, -16000.0, 11000.0]]), np.full((1, 3), 0.375)
    text = f"varying vec3 x; varying vec3 y; void main() {{ gl_FragColor = vec4({expression}, 1.0); }}"
    found = run(text, {"x": x, "y": y}, options={"range": "x=-16000:16000,y=-1:1"})["gl_FragColor"][:, :3]
    wanted = [[2625.0, 2625.0, 4500.0]] if "dot" in expression else x * 0.375
    assert np.array_equal(found, wanted)


def test_colours_that_cannot_be_negative_are_not_cut_off() -> None:
    text = "varying float x; void main() { gl_FragColor = vec4(x + 40.0, 0.5, step(x, 0.5), x); }"
    assert "32'hFFFFFFF8" not in compiled(text, options={"output": "screen"}).assembly
    text = "varying float x; void main() { gl_FragColor = vec4(abs(x), 0.5, x, 1.0); }"
    assert "32'hFFFFFFF8" in compiled(text, options={"output": "screen"}).assembly


def test_discarded_pixels_are_not_written() -> None:
    text = "varying float x; void main() { if (x < 0.0) discard; gl_FragColor = vec4(x); }"
    found = run(text, {"x": np.array([-1.0, 2.0])})
    assert found["discarded"].tolist() == [True, False]
    assert found["gl_FragColor"][1].tolist() == [2.0] * 4


@pytest.mark.parametrize(
    "main", ["", "vec4 open; gl_FragColor = open;", "if (x > 0.5) discard;", "if (x > 0.5) gl_FragColor = vec4(x);"]
)
def test_pixels_without_a_colour_are_written_unless_they_are_discarded(main: str) -> None:
    text = f"precision mediump float; varying float x; void main() {{ {main} }}"
    shader = glslc_multi.compile(text, target="theia", stage="fragment")
    found = shader.run({"x": np.array([0.25, 1.0])} if "x" in main else {})["discarded"].tolist()
    assert found == [False, "discard" in main][: len(found)]


def test_uniforms_are_immediate_values_that_the_host_replaces() -> None:
    text = "uniform mat4 m; varying vec4 v; void main() { gl_FragColor = m * v; }"
    matrix = np.arange(16.0).reshape(4, 4) / 4
    vectors = np.array([[1.0, 2.0, -1.0, 0.5], [0.0, -2.0, 3.0, 1.0]])
    assert np.array_equal(run(text, {"v": vectors}, {"m": matrix})["gl_FragColor"], vectors @ matrix.T)


# -------------------------------------------------------------------------------------------- the chip
LAMBERT = """
varying vec3 theia_Normal, theia_HitPosition, theia_Diffuse;
varying vec2 theia_TexCoord;
void main() {
    vec3 light = normalize(vec3(0.0, 0.0, 4.0) - theia_HitPosition);
    gl_FragColor = vec4(vec3(theia_TexCoord, sign(theia_Diffuse.x)) * dot(theia_Normal, light), 1.0);
}"""


def test_a_recorded_image_is_reproduced() -> None:
    """`hit_lambert_uv`, whose code was written by hand; z of its texture coordinates is 1.0 once a triangle was hit."""
    images = json.loads(shared_path("golden/theia/images.json").read_text())["images"]
    case = next(image for image in images if (image.get("id") or image.get("name")) == "hit_lambert_uv")
    triangles = [
        {("TRI_DIFFUSE" if name == "DIFFUSE" else name): [int(lane, 16) for lane in row] for name, row in t.items()}
        for t in case["triangles"]
    ]
    registers = {address_of(n, "trunk") or 0: [int(lane, 16) for lane in r] for n, r in case["registers"].items()}
    scene = Scene(case["width"], case["height"], registers, triangles, case["cores"])
    assert render(unpack(compiled(LAMBERT).binary), scene) == case["pixels"]


# --------------------------------------------------------------------------------------------- generated
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("optimisation", [0, 2])
def test_generated_shaders_compute_what_they_mean(variant: Variant, optimisation: int) -> None:
    passed = 0
    for program, trial in islice(shaders(1, statements=3), _COUNT):
        try:
            assert complaint_about(program, trial, variant, optimisation) == "", trial.name
        except Refused as refusal:
            assert str(refusal) in ("E0701", "E0702", "E0710", "E0712")
        else:
            passed += 1
    assert passed > _COUNT / 4


def test_generated_code_keeps_the_rules() -> None:
    for program, _ in islice(shaders(3, statements=3), 20):
        try:
            artifact = compile_source(
                make_source(program.source, "t.frag"), load_target("theia"), Request(), DiagnosticSink()
            )
        except CompileError:
            continue
        assert validate(unpack(artifact.binary)) == []
