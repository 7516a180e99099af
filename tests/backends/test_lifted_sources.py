"""Shaders that were compiled and lifted again compute what their machine code does: simulator against evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.frontend import MachineCode
from glslc_multi.backends.registry import TARGETS
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.reflection import register_map
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.shader import CompiledShader, compile_shader

LANES = 1000

SPRITE = """
precision mediump float;
uniform sampler2D u_image, u_mask; uniform vec4 u_tint; uniform vec3 u_fog; uniform float u_strength;
varying vec2 v_uv; varying vec4 v_colour;
void main() {
    vec4 base = texture2D(u_image, v_uv) * v_colour;
    if (base.a < 0.4) discard;
    float fog = texture2D(u_mask, v_uv).g * u_strength;
    gl_FragColor = vec4(mix(u_fog, base.rgb * u_tint.rgb, fog), base.a);
}
"""
SWITCHED = """
precision mediump float;
uniform vec3 u_first; uniform bool u_drawn; varying vec4 v_colour;
void main() {
    if (!u_drawn) discard;
    gl_FragColor = vec4(clamp(v_colour.rgb * 2.0 - u_first, 0.0, 1.0), 1.0 - v_colour.a);
}
"""
LIT = """
precision highp float;
uniform sampler2D u_image; uniform vec3 u_light, u_ambient, u_diffuse; varying vec2 v_uv; varying vec3 v_normal;
void main() {
    vec4 base = texture2D(u_image, v_uv);
    float facing = max(dot(normalize(v_normal), normalize(u_light)), 0.0);
    gl_FragColor = vec4(base.rgb * (u_ambient * 0.25 + u_diffuse * 0.75 * facing), base.a);
}
"""
PHONG = """
#pragma pica200 range u_shine 1 30
precision highp float;
uniform vec3 u_light, u_ambient; uniform float u_shine; varying vec3 v_normal, v_eye;
void main() {
    vec3 n = normalize(v_normal), l = normalize(u_light);
    float shine = pow(max(dot(n, normalize(l + normalize(v_eye))), 0.0), u_shine);
    gl_FragColor = vec4(u_ambient * 0.25 + vec3(0.5 * max(dot(n, l), 0.0)) + vec3(0.25 * shine), 1.0);
}
"""
FOG = """
precision highp float;
uniform sampler2D u_image; uniform vec3 u_fog; uniform float u_density; varying vec2 v_uv;
void main() {
    vec4 base = texture2D(u_image, v_uv);
    gl_FragColor = vec4(mix(u_fog, base.rgb, exp2(-u_density * gl_FragCoord.z * gl_FragCoord.z)), base.a);
}
"""
FIXED = """
precision highp float;
uniform vec4 u_tint; uniform mat3 u_turn; uniform int u_count; uniform bool u_flip;
varying vec2 v_uv; varying vec3 v_normal; varying float v_level;
void main() {
    float facing = max(dot(normalize(u_turn * v_normal), vec3(0.6, 0.8, 0.0)), 0.0);
    if (v_level < u_tint.a) discard;
    vec3 colour = min(u_tint.rgb * (facing - 0.25), 0.5);
    for (int i = 0; i < 3; i++) if (i < u_count) colour.r += sqrt(v_level);
    gl_FragColor = vec4(colour, v_level > 0.75 || u_flip ? fract(v_uv.x * 7.0 - 2.5) : floor(v_uv.y * 3.0 - 1.5));
}
"""
TEXTURED = """
precision highp float;
uniform sampler2D u_image; uniform bool u_flip; varying vec2 v_uv; varying float v_level;
void main() {
    vec2 place = u_flip ? v_uv.yx : v_uv * 2.0 - 0.5;
    gl_FragColor = vec4(texture2D(u_image, place).rgb * v_level, sqrt(v_level));
}
"""
FUNCTIONS = """
precision highp float;
varying vec2 v_uv; varying float v_level;
void main() {
    vec2 x = v_uv * 4.0 - 2.0;
    gl_FragColor = vec4(sin(x.x), exp2(x.x), log2(v_level + 0.5), cos(x.y));
}
"""
PLACES = """
precision highp float;
varying float v_level;
void main() {
    float dots = mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0);
    float side = gl_FrontFacing ? dots : 1.0 - dots;
    gl_FragColor = vec4(side, mod(gl_FragCoord.x * 0.3, 3.0), sign(v_level - 0.5), atan(v_level));
}
"""
#: How far results may be from those of the machine's format.
COMBINERS, FIXED_POINT = 3.0 / 255, 2e-3
RAW = {"output": "raw"}


def lifted(shader: CompiledShader, folder: Path) -> Module:
    """The shader of a file with its register map."""
    path = folder / f"shader{shader.target.suffix_of(shader.reflection.stage)}"
    path.write_bytes(shader.binary)
    path.with_name(f"{path.name}.json").write_text(register_map(shader.artifact), encoding="utf-8")
    source = Source(shader.binary, str(path), MachineCode(shader.target, ""))
    module = lower_source(source, FrontEndOptions(), DiagnosticSink())
    assert not verify_module(module)
    return optimise(module, 2)


@pytest.mark.parametrize(
    ("target", "options", "text", "nearness"),
    [
        ("pica200", {}, SPRITE, COMBINERS),
        ("pica200", {}, SWITCHED, COMBINERS),
        ("pica200", {}, LIT, COMBINERS),
        ("pica200", {}, PHONG, COMBINERS),
        ("pica200", {}, FOG, COMBINERS),
        ("theia", RAW, FIXED, FIXED_POINT),
        ("theia", RAW, TEXTURED, FIXED_POINT),
        ("theia", RAW, FUNCTIONS, FIXED_POINT),
        ("theia", RAW, PLACES, FIXED_POINT),
        ("theia", {**RAW, "filter": "linear"}, TEXTURED, FIXED_POINT),
        ("theia", {**RAW, "variant": "icarus"}, TEXTURED, FIXED_POINT),
    ],
)
def test_lifted_shaders_compute_what_the_simulator_does(
    target: str, options: dict[str, Any], text: str, nearness: float, tmp_path: Path
) -> None:
    request = Request(target_options=options)
    shader = compile_shader(make_source(text, "<test>", "fragment"), TARGETS.load(target), request)
    module, values = lifted(shader, tmp_path), np.random.default_rng(7)
    inputs: dict[str, Any] = {}
    uniforms: dict[str, Any] = {}
    images: dict[str, Any] = {}
    for variable in shader.module.variables.values():
        kind, shape = variable.type.kind, (variable.type.width,) if variable.type.width > 1 else ()
        if variable.storage == "sampler":
            image = values.integers(0, 256, (16, 16, 4)).astype(np.uint8)
            image[..., 3] = 255
            images[variable.name] = Texture(image, filter=options.get("filter", "nearest"))
        elif variable.role == "frag_coord":
            pixels = [(lane % 40 + 0.5, lane // 40 + 0.5, lane / LANES, 1.0) for lane in range(LANES)]
            inputs[variable.name] = np.array(pixels)
        elif variable.storage in ("varying", "input"):
            inputs[variable.name] = values.random((LANES, *shape)) if kind == "float" else values.random(LANES) < 0.5
        elif variable.storage == "uniform":
            columns = (variable.columns,) if variable.is_matrix else ()
            uniforms[variable.name] = values.random((*columns, *shape)) if kind == "float" else kind == "bool" or 2
    own = {v.name for v in module.variables.values()}
    for given in (uniforms, {name: False if value is True else value for name, value in uniforms.items()}):
        found = shader.run(inputs, given, images)
        result = run_module(
            module,
            {name: value for name, value in inputs.items() if name in own},
            {name: value for name, value in given.items() if name in own},
            {name: value for name, value in images.items() if name in own},
            lanes=LANES,
        )
        left, right = (np.asarray(each["discarded"], bool) for each in (found, result))
        # Alpha may lie within a step of what it is compared with.
        assert (left != right).mean() <= nearness
        kept = ~(left | right)
        np.testing.assert_allclose(
            result["gl_FragColor"][kept], found["gl_FragColor"][kept], rtol=nearness, atol=nearness
        )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FIXED, {ops.FSQRT, ops.NORMALIZE, ops.FMAX, ops.FFRACT, ops.FFLOOR}),
        (TEXTURED, {ops.TEXTURE, ops.FSQRT}),
        (PLACES, {ops.FMIN, ops.FABS, ops.FFLOOR}),
    ],
    ids=["fixed", "textured", "places"],
)
def test_digits_are_read_as_what_they_mean(text: str, expected: set[ops.Opcode], tmp_path: Path) -> None:
    request = Request(target_options=RAW)
    module = lifted(compile_shader(make_source(text, "<test>", "fragment"), TARGETS.load("theia"), request), tmp_path)
    used = {instruction.op for instruction in module.main.instructions()}
    assert used >= expected
    assert not used & {ops.IAND, ops.FTOI, ops.USHR, ops.TEXTURE_SIZE}
