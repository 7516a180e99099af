"""Programs that are too long are made in the form of fewest words, and say so."""

from __future__ import annotations

import numpy as np

import glslc_multi
from glslc_multi.compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED

_LANES = 8


def compiled(count: int) -> glslc_multi.CompiledShader:
    """Functions of uniforms, which a block of constants would compute in advance."""
    terms = [f"r += vec3(sqrt(u.x + {k}.0) * sin(u.y), exp2(u.z), u.x) * v.xyz;" for k in range(count)]
    body = "\n".join(["vec3 r = v.xyz;", *terms, "gl_FragColor = vec4(r, 1.0);"])
    source = f"precision mediump float; varying vec4 v; uniform vec4 u;\nvoid main() {{\n{body}\n}}"
    return glslc_multi.compile(source, target="theia", stage="fragment")


def test_a_program_that_fits_in_its_fast_form_is_made_once() -> None:
    assert compiled(1).stats.exceeded == ()


def test_what_is_too_long_is_made_compact() -> None:
    shader = compiled(3)
    (error,) = shader.stats.exceeded
    assert error.entry is RESOURCE_EXCEEDED and error.values["what"] == "instructions"
    assert int(error.values["need"]) > 116 >= shader.stats.instructions
    v = np.linspace(0.0, 0.125, 4 * _LANES).reshape(_LANES, 4)
    uniforms = {"u": np.array([0.5, 0.25, 0.5, 0.0])}
    wanted = shader.run({"v": v}, uniforms, engine="reference")["gl_FragColor"]
    assert np.allclose(shader.run({"v": v}, uniforms)["gl_FragColor"][:, :3], wanted[:, :3], atol=0.02)
