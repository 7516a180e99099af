"""Shaders that were compiled and lifted again compute what their machine code does: simulator against evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.frontend import MachineCode
from glslc_multi.backends.registry import TARGETS
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions, Source
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
#: By target: sources, and how far the results may be apart for the format of the machine.
COMBINERS = 3.0 / 255


def lifted(shader: CompiledShader, folder: Any) -> Module:
    """The shader of a file with its register map."""
    path = folder / f"shader{shader.target.suffix_of(shader.reflection.stage)}"
    path.write_bytes(shader.binary)
    path.with_name(f"{path.name}.json").write_text(register_map(shader.artifact), encoding="utf-8")
    source = Source(shader.binary, str(path), MachineCode(shader.target, ""))
    module = lower_source(source, FrontEndOptions(), DiagnosticSink())
    assert not verify_module(module)
    return optimise(module, 2)


@pytest.mark.parametrize(
    ("target", "text", "nearness"),
    [("pica200", SPRITE, COMBINERS), ("pica200", SWITCHED, COMBINERS), ("pica200", LIT, COMBINERS)],
    ids=["sprite", "switched", "lit"],
)
def test_lifted_shaders_compute_what_the_simulator_does(target: str, text: str, nearness: float, tmp_path: Any) -> None:
    source = make_source(text, "<test>", "fragment")
    shader = compile_shader(source, TARGETS.load(target), Request())
    module, values = lifted(shader, tmp_path), np.random.default_rng(7)
    inputs: dict[str, Any] = {}
    uniforms: dict[str, Any] = {}
    images: dict[str, Any] = {}
    for variable in shader.module.variables.values():
        shape = (variable.type.width,) if variable.type.width > 1 else ()
        if variable.storage == "sampler":
            images[variable.name] = Texture(values.integers(0, 256, (16, 16, 4)).astype(np.uint8), filter="nearest")
        elif variable.storage == "varying":
            inputs[variable.name] = values.random((LANES, *shape)).astype(np.float32)
        elif variable.storage == "uniform":
            uniforms[variable.name] = values.random(shape) if variable.type.kind == "float" else True
    for given in (uniforms, {name: False if value is True else value for name, value in uniforms.items()}):
        found = shader.run(inputs, given, images)
        own = {v.name for v in module.variables.values()}
        result = run_module(
            module,
            {name: value for name, value in inputs.items() if name in own},
            {name: value for name, value in given.items() if name in own},
            {name: value for name, value in images.items() if name in own},
            lanes=LANES,
        )
        discarded = np.asarray(found["discarded"], bool)
        assert (np.asarray(result["discarded"], bool) == discarded).all()
        np.testing.assert_allclose(result["gl_FragColor"][~discarded], found["gl_FragColor"][~discarded], atol=nearness)
