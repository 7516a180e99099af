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
