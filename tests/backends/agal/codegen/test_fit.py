"""Programs that hardly fit are made again, and say so; versions that would do are named."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.agal.compiled import LANES, build, compiled, dyadic, refusal, run

_FUNCTIONS = """
precision highp float;
varying vec4 v; varying vec4 w;
uniform vec4 a; uniform vec4 b;
void main() {
    vec4 p = sin(v * a), q = sin(v * b), r = sin(w * a), s = sin(w * b);
    vec4 t = p * q, u = q * r, x = r * s, y = s * p;
    vec4 m = t + u * p + x * q + y * r;
    gl_FragColor = (m * p + t * x + u * y) / (m + p * p + q * q + r * r + s * s + 8.0);
}
"""


def test_an_order_is_found_for_which_temporaries_suffice() -> None:
    (error,) = compiled(_FUNCTIONS, "fragment").stats.exceeded
    assert error.message == "needs 9 temporary registers, agal 1 has 8"


def test_values_find_temporaries_in_that_order() -> None:
    v, w, a, b = dyadic(1, LANES, 4), dyadic(2, LANES, 4), dyadic(3, 4), dyadic(4, 4)
    p, q, r, s = np.sin(v * a), np.sin(v * b), np.sin(w * a), np.sin(w * b)
    t, u, x, y = p * q, q * r, r * s, s * p
    m = t + u * p + x * q + y * r
    expected = (m * p + t * x + u * y) / (m + p * p + q * q + r * r + s * s + 8)
    shader = build(_FUNCTIONS, "fragment")
    assert np.allclose(run(shader, {"v": v, "w": w}, {"a": a, "b": b})["gl_FragColor"], expected, rtol=1e-5, atol=1e-5)
    assert (shader.artifact.reflection.limits or {})["temporaries"] == (8, 8)


#: No order needs fewer than nine temporaries.
_MORE = _FUNCTIONS.replace("vec4 t =", "vec4 k = v + w, o = v * w; vec4 t =").replace(
    "gl_FragColor = (m * p + t * x + u * y)", "gl_FragColor = (k + o) * (m * k * p + t * x + u * y + o)"
)


def test_cheap_values_are_computed_again_where_no_order_suffices() -> None:
    v, w, a, b = dyadic(1, LANES, 4), dyadic(2, LANES, 4), dyadic(3, 4), dyadic(4, 4)
    p, q, r, s = np.sin(v * a), np.sin(v * b), np.sin(w * a), np.sin(w * b)
    k, o, t, u, x, y = v + w, v * w, p * q, q * r, r * s, s * p
    m = t + u * p + x * q + y * r
    expected = (k + o) * (m * k * p + t * x + u * y + o) / (m + p * p + q * q + r * r + s * s + 8)
    shader = build(_MORE, "fragment")
    assert np.allclose(run(shader, {"v": v, "w": w}, {"a": a, "b": b})["gl_FragColor"], expected, rtol=1e-5, atol=1e-5)
    roomy = compiled(_MORE, "fragment", agal_version=2)
    assert roomy.stats.exceeded == ()
    assert shader.artifact.stats.instructions > roomy.stats.instructions


def test_what_another_order_makes_fit_is_not_computed_again() -> None:
    roomy = compiled(_FUNCTIONS, "fragment", agal_version=2)
    assert compiled(_FUNCTIONS, "fragment").stats.instructions == roomy.stats.instructions


def test_more_temporaries_need_no_other_order() -> None:
    assert compiled(_FUNCTIONS, "fragment", agal_version=2).stats.exceeded == ()


#: Joined operations need nine temporaries, and moves of their components to do with eight.
_TINT = """
precision highp float;
varying vec4 v;
uniform float s, c, l, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ta, tb, g0, g1, g2;
void main() {
    float k = 1.0 - s;
    vec4 p = clamp(mix(pow(v, vec4(2.25)), vec4(0.5), 1.0 - c) * l, 0.0, 1.0);
    mat4 tint = mat4(t0, t1, t2, 0.0, t3, t4, t5, 0.0, t6, t7, t8, 0.0, t9, ta, tb, 0.0);
    tint *= mat4(
        k * 0.25 + s, k * 0.25, k * 0.25, 1.0, k * 0.5, k * 0.5 + s, k * 0.5, 1.0,
        k * 0.125, k * 0.125, k * 0.125 + s, 1.0, 0.0, 0.0, 0.0, 1.0);
    gl_FragColor = pow(tint * p, vec4(vec3(1.0) / (vec3(2.0) - vec3(g0, g1, g2)), 1.0));
}
"""


def test_operations_are_not_joined_where_that_takes_too_many_temporaries() -> None:
    values = np.random.default_rng(6).integers(1, 9, 18) / 8
    s, c, light, *t, g0, g1, g2 = values
    v = np.abs(dyadic(5, LANES, 4)) + 0.25
    p = np.clip((v**2.25 * c + 0.5 * (1 - c)) * light, 0, 1)
    tint = np.concatenate([np.reshape(t, (4, 3)).T, np.zeros((1, 4))])
    grey = np.outer([1, 1, 1, 0], [0.25, 0.5, 0.125, 0]) * (1 - s) + np.diag([s, s, s, 1])
    grey[3, :3] = 1
    power = 1 / (2 - np.array([g0, g1, g2]))
    expected = np.concatenate([(p @ (tint @ grey).T)[:, :3] ** power, np.zeros((LANES, 1))], axis=1)
    names = ["s", "c", "l", *(f"t{n:x}" for n in range(12)), "g0", "g1", "g2"]
    shader = build(_TINT, "fragment")
    found = run(shader, {"v": v}, dict(zip(names, values, strict=True)))["gl_FragColor"]
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-5)
    assert shader.artifact.stats.exceeded == ()
    assert shader.artifact.stats.instructions <= 63


def test_too_many_constants_are_said_at_once() -> None:
    sums = " + ".join(f"u[{k}] * {k}.25" for k in range(29))
    source = f"precision highp float; uniform vec4 u[29]; void main() {{ gl_FragColor = {sums}; }}"
    with pytest.raises(CompileError, match="constant"):
        compiled(source, "fragment")


# --- Later versions ---------------------------------------------------------------------------------------------------


def uniforms(count: int) -> str:
    sums = " + ".join(f"u[{k}]" for k in range(count))
    return (
        f"precision highp float; varying vec4 v; uniform vec4 u[{count}]; void main() {{ gl_FragColor = v + {sums}; }}"
    )


@pytest.mark.parametrize(("count", "version", "advice"), [(29, 1, 2), (64, 1, 2), (65, 1, 3), (65, 2, 3), (200, 1, 3)])
def test_the_first_later_version_that_would_do_is_named(count: int, version: int, advice: int) -> None:
    found = refusal(uniforms(count), "fragment", agal_version=version)
    needs = {1: 28, 2: 64}[version]
    assert found.message == f"needs {count} constant registers, agal {version} has {needs}"
    assert found.help == f"'u' may have {needs} elements at most; --agal-version {advice} would do"
    assert compiled(uniforms(count), "fragment", agal_version=advice)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_no_version_is_named_where_none_would_do(version: int) -> None:
    found = refusal(uniforms(201), "fragment", agal_version=version)
    assert found.help == f"'u' may have { ({1: 28, 2: 64, 3: 200}[version]) } elements at most"
