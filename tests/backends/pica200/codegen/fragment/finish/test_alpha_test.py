"""`discard` as alpha test, for every comparison and for limits on, between and beyond bytes."""

from __future__ import annotations

import operator
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from glslc_multi.runtime.shader import CompiledShader
from glslc_multi.runtime.textures import Texture
from tests.backends.pica200.codegen.fragment.pixels import compiled, difference, refused
from tests.proof.prove import prove_text

#: What draws an alpha beside the reference.
_PASSES = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
_MEANINGS = {**_PASSES, "==": operator.eq, "!=": operator.ne}

_TEXT = """
uniform sampler2D u_a;
uniform float u_cut;
uniform bool u_on, u_off;
varying vec2 v_uv;
void main() {{
    vec4 a = texture2D(u_a, v_uv);
    if ({condition}) discard;
    gl_FragColor = a;
}}"""


@pytest.mark.parametrize("comparison", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("limit", ["0.0", "0.5", "0.2", "1.0", "-1.0", "2.0"])
def test_literal_limits(comparison: str, limit: str) -> None:
    for condition in (f"a.a {comparison} {limit}", f"{limit} {comparison} a.a", f"!(a.a {comparison} {limit})"):
        assert difference(compiled(_TEXT.format(condition=condition))) < 0.01


@pytest.mark.parametrize("comparison", ["<", "<=", ">", ">="])
@pytest.mark.parametrize("cut", [0.0, 0.2, 0.5, 128 / 255, 1.0])
def test_limits_of_the_host(comparison: str, cut: float) -> None:
    shader = compiled(_TEXT.format(condition=f"a.a {comparison} u_cut"))
    assert difference(shader, {"u_cut": cut}) < 0.01


def drawn_bytes(shader: CompiledShader, cut: float) -> NDArray[np.bool_]:
    """Which of all alphas are drawn."""
    alphas = np.arange(256, dtype=np.uint8)
    image = Texture(np.repeat(alphas[None, :, None], 4, axis=2))
    places = np.stack([(alphas + 0.5) / 256, np.full(256, 0.5)], axis=1)
    drawn: NDArray[np.bool_] = ~shader.run({"v_uv": places}, {"u_cut": cut}, {"u_a": image})["discarded"]
    return drawn


@pytest.mark.parametrize("comparison", _MEANINGS)
@pytest.mark.parametrize("limit", ["0.0", "0.001", "0.005", "0.497", "0.5", "0.503", "0.9955", "0.999", "1.0"])
@pytest.mark.parametrize("is_literal", [False, True])
def test_all_bytes_beside_limits(comparison: str, limit: str, is_literal: bool) -> None:
    """None of the limits is that of a byte, but 0 and 1: halves of the way to the next one, or about."""
    if comparison in ("==", "!=") and not is_literal:
        return
    shader = compiled(_TEXT.format(condition=f"a.a {comparison} {limit if is_literal else 'u_cut'}"))
    wanted = [not _MEANINGS[comparison](Fraction(alpha, 255), Fraction(limit)) for alpha in range(256)]
    assert drawn_bytes(shader, float(limit)).tolist() == wanted


@pytest.mark.parametrize(
    ("comparison", "function", "reference"), [("<", ">=", 103), ("<=", ">", 102), (">", "<=", 102), (">=", "<", 103)]
)
def test_bytes_on_either_side_of_a_limit_of_the_host(comparison: str, function: str, reference: int) -> None:
    """255 * 0.402 is 102.51: alphas of up to 102 are below it."""
    shader = compiled(_TEXT.format(condition=f"a.a {comparison} u_cut"))
    assert f"function={function}\n" in shader.assembly
    drawn = drawn_bytes(shader, 0.402)
    assert drawn.tolist() == [_PASSES[function](alpha, reference) for alpha in range(256)]


@pytest.mark.parametrize("is_on", [False, True])
@pytest.mark.parametrize("is_off", [False, True])
def test_what_the_host_decides(is_on: bool, is_off: bool) -> None:
    shader = compiled(_TEXT.format(condition="u_on && a.a < u_cut || u_off"))
    assert difference(shader, {"u_cut": 0.4, "u_on": is_on, "u_off": is_off}) < 0.01
    shader = compiled(_TEXT.format(condition="u_off"))
    assert difference(shader, {"u_off": is_off}) < 0.01


def test_an_alpha_that_nobody_needs_may_be_what_is_tested() -> None:
    text = """
    uniform sampler2D u_a;
    varying vec2 v_uv;
    void main() {
        vec4 a = texture2D(u_a, v_uv);
        if (a.g < 0.25) discard;
        gl_FragColor = vec4(a.rgb, 1.0);
    }"""
    code, message, line = refused(text)
    assert (code, line) == ("E0723", 6)
    assert "discard by something else than the pixel's alpha" in message
    shader = compiled(f"#pragma pica200 opaque\n{text}")
    assert "a = texture0.g" in shader.assembly
    assert "function=>= reference=64" in shader.assembly
    # The proof compares the other components alone.
    (colour,) = shader.artifact.reflection.outputs
    assert [place.components for place in colour.locations] == ["xyz"]
    text = f"#pragma pica200 opaque\nprecision mediump float;\n{text}"
    assert prove_text(text, "pica200", "fragment", draws=16).outcome in ("equal", "near")


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("a.a < 0.25 || a.a > 0.75", "two comparisons"),
        ("a.r < 0.25", "something else"),
        ("a.a == u_cut", "an equality"),
        ("u_on && a.a <= u_cut", "turns off"),
    ],
)
def test_what_one_test_cannot_do(condition: str, reason: str) -> None:
    code, message, line = refused(_TEXT.format(condition=condition))
    assert (code, line) == ("E0723", 8)
    assert reason in message


#: What is compared, the condition, and alpha: the clamp of it, or what a comparison has the clamp of.
_CLAMPED = (
    ("(min(a.r + a.b, 1.0) - a.g) * 4.0", "k < 0.25", "clamp(k, 0.0, 1.0)"),
    ("a.r - a.g", "k > 0.5", "max(k, 0.0)"),
    ("a.r - a.g", "k <= 0.0", "max(k, 0.0)"),
    ("a.r + a.g", "k >= 0.75", "min(k, 1.0)"),
    ("a.r + a.g", "k <= 0.5", "1.0 - min(k, 1.0)"),
    ("(a.r - a.g) * 2.0", "0.3 > k", "clamp(k, 0.0, 1.0) * 0.5"),
    ("(a.r - a.g) * 2.0", "k < u_cut * 0.5 + 0.25", "clamp(k, 0.0, 1.0)"),
    ("a.r * 2.0", "min(k, 1.0) < 0.5", "a.r"),
    ("a.r - a.b", "max(k, 0.0) * 4.0 > 1.0", "max(k, 0.0)"),
)


@pytest.mark.parametrize(("compared", "condition", "alpha"), _CLAMPED)
def test_alpha_is_the_clamp_of_what_is_compared(compared: str, condition: str, alpha: str) -> None:
    text = _TEXT.format(condition=condition).replace("    if", f"    float k = {compared};\n    if")
    shader = compiled(text.replace("= a;", f"= vec4(a.rgb, {alpha});"))
    for cut in (0.0, 0.31, 1.0):
        assert difference(shader, {"u_cut": cut}) <= (shader.stats.error_steps or 0.0) + 0.01


@pytest.mark.parametrize("condition", ["k < 0.0", "k <= u_cut", "k > 1.0", "k == 1.0", "k < u_cut"])
def test_what_the_clamp_hides(condition: str) -> None:
    """Of -1 and 0, or 1 and 2, one is discarded; alpha is the same."""
    text = _TEXT.format(condition=condition).replace("    if", "    float k = (a.r - a.g) * 2.0;\n    if")
    code, message, _ = refused(text.replace("= a;", "= vec4(a.rgb, clamp(k, 0.0, 1.0));"))
    assert code == "E0723"
    assert "something else than the pixel's alpha" in message


def test_a_clamp_of_what_is_compared_where_nobody_needs_alpha() -> None:
    text = _TEXT.format(condition="(a.r - a.g) * 4.0 < 0.25")
    shader = compiled(f"#pragma pica200 opaque\n{text.replace('= a;', '= vec4(a.rgb, 1.0);')}")
    assert "function=>= reference=64" in shader.assembly
    values = {"u_a": Texture(np.array([[[40, 23, 0, 0], [40, 24, 0, 0], [40, 25, 0, 0], [9, 200, 0, 0]]], np.uint8))}
    places = np.stack([(np.arange(4) + 0.5) / 4, np.full(4, 0.5)], axis=1)
    assert shader.run({"v_uv": places}, {}, values)["discarded"].tolist() == [False, False, True, True]
