"""Programs with too many values across a branch are made without it, and say so."""

from __future__ import annotations

import numpy as np

import glslc_multi

_LANES = 32


def shader_with(count: int) -> str:
    """All of `count` values are used in a branch and after it: across the branch all are kept, else one by one."""
    values = [f"float a{k} = v.{'xyzw'[k % 4]} * {k}.5;" for k in range(count)]
    inside = [f"z = z * u.x + a{k};" for k in range(count)]
    after = [f"r = r * u.y + a{k};" for k in range(count)]
    body = "\n".join([*values, "float z = v.w;", "if (v.x > u.z) {", *inside, "}", "float r = 0.0;", *after])
    declarations = "precision highp float; varying vec4 v; uniform vec4 u;"
    return f"{declarations}\nvoid main() {{\n{body}\ngl_FragColor = vec4(r, z, r, z) * u.w; }}"


def compiled(count: int) -> glslc_multi.CompiledShader:
    return glslc_multi.compile(shader_with(count), target="vc4", stage="fragment")


def test_a_program_that_fits_with_its_branches_reports_no_level() -> None:
    assert compiled(50).stats.levels == ()


def test_branches_go_where_they_need_too_many_registers() -> None:
    shader = compiled(70)
    (taken,) = shader.stats.levels
    assert (taken.name, taken.number, taken.count) == ("flat", 2, 2)
    (branching,) = taken.passed_over
    assert branching.level == "branching" and branching.error is not None
    assert branching.error.values["what"] == "registers" and int(branching.error.values["need"]) >= 70
    v = np.linspace(0.0, 1.0, 4 * _LANES).reshape(_LANES, 4)
    uniforms = {"u": np.array([0.5, 0.75, 0.5, 0.001])}
    wanted = shader.run({"v": v}, uniforms, engine="reference")["gl_FragColor"]
    assert wanted.max() < 1.0
    assert np.allclose(shader.run({"v": v}, uniforms)["gl_FragColor"], wanted, atol=0.005)
