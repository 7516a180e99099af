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


def test_a_program_that_fits_with_its_branches_is_made_once() -> None:
    assert compiled(50).stats.exceeded == ()


def test_branches_go_where_they_need_too_many_registers() -> None:
    shader = compiled(70)
    (error,) = shader.stats.exceeded
    assert error.values["what"] == "registers" and int(error.values["need"]) >= 70
    assert "brr" not in shader.assembly
    v = np.linspace(0.0, 1.0, 4 * _LANES).reshape(_LANES, 4)
    uniforms = {"u": np.array([0.5, 0.75, 0.5, 0.001])}
    wanted = shader.run({"v": v}, uniforms, engine="reference")["gl_FragColor"]
    assert wanted.max() < 1.0
    assert np.allclose(shader.run({"v": v}, uniforms)["gl_FragColor"], wanted, atol=0.005)


def test_what_no_order_of_the_source_fits_comes_in_another_one() -> None:
    """Values that two sums read, one 30 values ahead: all are kept between them, unless both sums go on together."""
    values = [f"float a{k} = (v.x + {k}.0) * (v.y - {k}.5);" for k in range(80)]
    sums = [f"x = x * 0.5 + a{k};" for k in range(80)]
    sums += [f"y = y * 0.25 - a{(k + 30) % 80} * v.z;" for k in range(80)]
    body = "\n".join([*values, "float x = 0.0, y = 0.0;", *sums])
    source = (
        f"precision highp float; varying vec4 v;\nvoid main() {{\n{body}\ngl_FragColor = vec4(x, y, x, y) * 1e-4; }}"
    )
    shader = glslc_multi.compile(source, target="vc4", stage="fragment", options={"output": "raw"})
    (error,) = shader.stats.exceeded
    assert error.values["what"] == "registers"
    lanes = {"v": np.linspace(0.0, 1.0, 4 * _LANES).reshape(_LANES, 4)}
    wanted = shader.run(lanes, {}, engine="reference")["gl_FragColor"]
    assert np.allclose(shader.run(lanes, {})["gl_FragColor"], wanted, rtol=1e-4)


def test_arms_with_much_in_common_are_not_skipped() -> None:
    """Both arms compute the same but for a sign: without branches once."""
    shared = "pow(abs(sin(v.x * 3.0)) + 1.0, cos(v.y) + 2.0) * exp(v.z) / (sqrt(v.w) + log(v.x + 2.0)) + atan(v.y, v.z)"
    source = (
        "precision highp float; varying vec4 v; uniform float u;\n"
        f"void main() {{ float s; if (v.x > u) s = {shared}; else s = 2.0 - ({shared}); gl_FragColor = vec4(s); }}"
    )
    assert "brr" not in glslc_multi.compile(source, target="vc4", stage="fragment").assembly
