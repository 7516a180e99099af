"""Verdicts: right code is equal or near, code with a fault planted into its text differs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.proof.prove import compile_text, prove_artifact, prove_text, prove_with_fault

TARGETS = ("agal", "pica200", "adreno", "xenos", "vc4")
PIXELS = ("agal", "adreno", "xenos", "vc4")

VERTEX = """
attribute vec4 a_position; attribute vec3 a_normal; attribute vec2 a_uv;
uniform mat4 u_matrix; uniform vec3 u_light[2]; uniform float u_shine; uniform bool u_flip;
varying vec3 v_colour; varying vec2 v_uv;
void main() {
    vec3 n = normalize(a_normal);
    v_colour = vec3(0.1);
    for (int i = 0; i < 2; i++) {
        float d = dot(n, u_light[i]);
        if (d > 0.0) v_colour += d * vec3(0.5, 0.25, 0.125) + pow(d, 3.0) * u_shine;
    }
    v_uv = u_flip ? vec2(a_uv.x, 1.0 - a_uv.y) : a_uv;
    gl_Position = u_matrix * a_position;
}
"""
FRAGMENT = """
precision highp float;
uniform sampler2D u_image; uniform samplerCube u_sky; uniform vec4 u_tint; uniform float u_level;
varying vec3 v_direction; varying vec2 v_uv;
void main() {
    vec4 colour = texture2D(u_image, v_uv * 2.0 + u_tint.xy);
    if (colour.a < u_level) discard;
    vec3 reflected = reflect(v_direction, vec3(0.0, 0.6, 0.8));
    colour.rgb = mix(colour.rgb, textureCube(u_sky, reflected).rgb, smoothstep(0.2, 0.9, colour.r));
    gl_FragColor = vec4(sqrt(colour.rgb * colour.rgb + u_tint.rgb * u_tint.rgb), fract(v_uv.x * 7.0));
}
"""


@pytest.mark.parametrize("optimisation", [0, 1, 2, 3])
@pytest.mark.parametrize("target", TARGETS)
def test_right_code_of_a_vertex_shader_is_proven(target: str, optimisation: int) -> None:
    verdict = prove_text(VERTEX, target, "vertex", optimisation=optimisation, draws=16)
    assert verdict.outcome in ("equal", "near"), verdict


@pytest.mark.parametrize("target", TARGETS)
def test_ints_that_nobody_writes_are_no_difference(target: str) -> None:
    """Code may leave out what stores them, but not what stores others."""
    text = """#version 300 es
    in vec3 a; flat out ivec2 v_count;
    void main() {
        int count;
        if (gl_MaxDrawBuffers == 77) count = 5;
        v_count = ivec2(count, 3);
        gl_Position = vec4(a, 1.0);
    }
    """
    assert prove_text(text, target, "vertex").outcome == "equal"
    assert prove_text(text.replace("ivec2(count, 3)", "ivec2(count)"), target, "vertex").outcome == "equal"


UNDEFINED = """#version 300 es
precision highp float;
in vec2 v; uniform int k; out vec4 c;
void main() {
    int count; bool is_far; ivec2 both; uint word; int index;
    if (v.x > 0.5) { count = 3; is_far = v.y > 0.25; both.y = 4; word = 7u; index = 1; }
    vec2 chosen = v; chosen[index & 1] = float(k);
    bvec2 sides = bvec2(is_far, v.x > 0.25);
    c = vec4(float(count) * 0.125, any(sides) ? 1.0 : 0.5, float(word + 1u) * 0.1, float(both.x + k) + chosen.x);
}
"""


@pytest.mark.parametrize("target", ["adreno", "xenos", "vc4"])
def test_depths_of_cube_maps_are_compared_in_cube_maps(target: str) -> None:
    text = """#version 300 es
    precision highp float; uniform highp samplerCubeShadow s; in vec4 v; out vec4 c;
    void main() { c = vec4(texture(s, v), texture(s, v.wzyx), v.xy); }
    """
    assert prove_text(text, target, "fragment", draws=16).outcome in ("equal", "near")


@pytest.mark.parametrize("optimisation", [0, 2])
@pytest.mark.parametrize("target", ["adreno", "xenos", "vc4", "theia"])
def test_what_follows_from_undefined_ints_and_bools_is_no_difference(target: str, optimisation: int) -> None:
    """A machine may take any number where the source has none, and another one each time."""
    verdict = prove_text(UNDEFINED, target, "fragment", optimisation=optimisation, draws=16)
    assert verdict.outcome in ("equal", "near"), verdict


def test_ints_that_are_written_differ_beside_others_that_are_not() -> None:
    module, _ = compile_text(UNDEFINED, "vc4", "fragment")
    _, artifact = compile_text(UNDEFINED.replace("count = 3", "count = 4"), "vc4", "fragment")
    verdict = prove_artifact(module, artifact, "vc4", draws=16)
    assert verdict.reason.startswith("c (element 0, column 0).x is "), verdict


@pytest.mark.parametrize(("target", "option"), [("agal", "agal_clip_z"), ("xenos", "xenos_clip_z")])
def test_depths_of_another_clip_space_are_proven(target: str, option: str) -> None:
    module, artifact = compile_text(VERTEX, target, "vertex", options={option: True})
    assert prove_artifact(module, artifact, target, options={option: True}).outcome in ("equal", "near")
    verdict = prove_artifact(module, artifact, target)
    assert verdict.reason.startswith("gl_Position (element 0, column 0).z is "), verdict


@pytest.mark.parametrize("optimisation", [0, 1, 2, 3])
@pytest.mark.parametrize("target", PIXELS)
def test_right_code_of_a_fragment_shader_is_proven(target: str, optimisation: int) -> None:
    options = {"agal_version": "2"} if target == "agal" else {}
    verdict = prove_text(FRAGMENT, target, "fragment", optimisation=optimisation, draws=16, options=options)
    assert verdict.outcome in ("equal", "near"), verdict


@pytest.mark.parametrize("target", ["adreno", "xenos", "vc4"])
def test_a_place_inside_of_a_point_is_none_outside(target: str) -> None:
    """The sign of the register that has it may mean something else."""
    text = "precision highp float; uniform vec2 u; void main() { gl_FragColor = vec4(gl_PointCoord - u, 0.5, 0.25); }"
    assert prove_text(text, target, "fragment", draws=16).outcome == "equal"


def test_code_that_is_the_source_is_equal() -> None:
    text = "attribute vec4 p; uniform mat4 m; void main() { gl_Position = m * p; }"
    assert [prove_text(text, target, "vertex").outcome for target in TARGETS] == ["equal"] * len(TARGETS)


SUM = "attribute vec4 p, q; uniform vec4 u; varying vec4 v; void main() { v = p * u + q; gl_Position = p - q; }"
#: By target, what a fault makes of the text.
FAULTS: dict[str, Callable[[str], str]] = {
    "agal": lambda text: text.replace("va1", "va0", 1),
    "pica200": lambda text: text.replace(", v1", ", v0", 1),
}


@pytest.mark.parametrize("target", FAULTS)
def test_code_that_reads_the_wrong_register_differs(target: str) -> None:
    verdict = prove_with_fault(SUM, target, FAULTS[target])
    assert verdict.outcome == "differs", verdict
    assert verdict.seed is not None


def test_floats_that_are_the_same_do_not_make_elements_equal() -> None:
    """1e30 swallows what is added to it, whichever attribute that is."""
    text = "attribute vec4 p, q; varying vec4 v; void main() { v = q; gl_Position = p + 1e30; }"
    assert prove_text(text, "agal", "vertex").outcome == "equal"
    verdict = prove_with_fault(text, "agal", lambda code: code.replace("va0", "va1"))
    assert (verdict.outcome, verdict.distance) == ("near", 0.0)


def test_code_that_writes_a_component_of_another_one_differs() -> None:
    verdict = prove_with_fault(SUM, "agal", lambda text: text.replace("va1", "va1.xyzz", 1))
    assert verdict.outcome == "differs", verdict


#: Adds 0 * log2 of a negative number, whose element is that of 0.
_NAN = """    mul r0, c0, v0
    mul r1, v0, v0
    lg2 r1, -r1.xxxx
    add r2, v0, -v0
    mul r1, r1, r2
    add o0, r0, r1
"""


def test_a_nan_where_the_source_has_a_number_differs() -> None:
    text = "attribute vec4 p; uniform vec4 u; void main() { gl_Position = p * u; }"
    verdict = prove_with_fault(text, "pica200", lambda code: code.replace("    mul o0, c0, v0\n", _NAN))
    assert verdict.outcome == "differs", verdict
    assert "is nan" in verdict.reason


def test_what_cannot_be_spoken_of_is_unknown() -> None:
    text = (
        "precision highp float; varying vec4 v; void main() { gl_FragColor = v; while (v.x < 4.0) gl_FragColor.x++; }"
    )
    verdict = prove_text(text, "adreno", "fragment")
    assert (verdict.outcome, verdict.reason) == ("unknown", "paths that are too long")


def test_a_discard_that_follows_from_a_magnified_error_is_no_difference() -> None:
    """2^x is good for 16 digits there, which leaves nothing of the angle."""
    text = """
    precision highp float; varying vec2 u;
    void main() { if (sin(exp2(u.x) * 1e5) > 0.0) discard; gl_FragColor = vec4(u, 0.5, 1.0); }
    """
    assert prove_text(text, "vc4", "fragment", draws=16).outcome != "differs"


def test_a_magnified_error_of_a_function_is_no_difference() -> None:
    """Ints are not moved, but what is a sine of them is."""
    text = """
    precision highp float; uniform ivec2 n;
    void main() { gl_FragColor = vec4(fract(sin(float(n.x) * 12.9898 + float(n.y) * 78.233) * 43758.5453)); }
    """
    assert prove_text(text, "vc4", "fragment", draws=16).outcome != "differs"


def test_a_verdict_is_the_same_each_time() -> None:
    first, second = (prove_text(VERTEX, "pica200", "vertex", draws=8) for _ in range(2))
    assert first == second


#: The sine of a large whole number, which turns to another one by a rounding of it.
NOISE = """
precision highp float; varying vec2 v; uniform float u_time;
void main() {
    vec2 cell = floor(v * 4096.0);
    float wave = sin(cell.x * 7.0 + cell.y * 31.0 + 0.01 * u_time);
    gl_FragColor = vec4(fract(wave * 13.545317), wave, smoothstep(0.45, 0.55, fract(wave * 91.0)), 1.0);
}
"""


@pytest.mark.parametrize("target", ["adreno", "vc4", "xenos"])
def test_a_rounding_that_a_function_magnifies_is_no_difference(target: str) -> None:
    assert prove_text(NOISE, target, "fragment", draws=32).outcome in ("near", "unknown")


WINDOW = """
precision highp float; uniform vec2 u_size;
void main() { gl_FragColor = vec4(gl_FragCoord.xy / u_size, gl_FragCoord.zw); }
"""


@pytest.mark.parametrize("target", PIXELS)
def test_a_place_in_the_window_is_proven(target: str) -> None:
    verdict = prove_text(WINDOW, target, "fragment", draws=16)
    assert verdict.outcome in ("equal", "near"), verdict


@pytest.mark.parametrize("target", ["adreno", "xenos", "vc4"])
def test_either_side_of_a_primitive_is_proven(target: str) -> None:
    """Some draws see its back."""
    text = (
        "void main() { gl_FragColor = gl_FrontFacing ? vec4(1.0, 0.5, 0.25, 1.0) : vec4(gl_FragCoord.xy, 0.0, 1.0); }"
    )
    verdict = prove_text(f"precision highp float; {text}", target, "fragment", draws=16)
    assert verdict.outcome in ("equal", "near"), verdict


def test_a_place_in_the_window_that_is_not_divided_differs() -> None:
    verdict = prove_with_fault(
        WINDOW, "agal", lambda code: code.replace("rcp ft0.w, v0.z", "mov ft0.w, v0.z"), "fragment"
    )
    assert verdict.outcome == "differs", verdict


@pytest.mark.parametrize("target", ["agal", "pica200", "adreno", "xenos", "vc4"])
@pytest.mark.parametrize(
    "body",
    [
        "int k = 0; for (int i = 0; i < 24; i++) k = k * 3 + int(u.x + 2.0); gl_Position = a + float(k);",
        "vec4 b = a * 9.0 + 20.0; b *= b; b *= b; b *= b; b *= b; gl_Position = b * b;",
        "gl_Position = vec4(0.0, 3.4e38, 0.0, 1.0); gl_PointSize = a.x + u.x;",
    ],
)
def test_what_is_beyond_the_numbers_of_a_machine_is_no_difference(target: str, body: str) -> None:
    """Ints of old texts may be floats, which wrap at no bit; numbers of the PICA200 end at 2^64."""
    text = f"attribute vec4 a; uniform vec4 u; void main() {{ {body} }}"
    assert prove_text(text, target, draws=4, stage="vertex").outcome != "differs"


@pytest.mark.parametrize("target", PIXELS)
def test_remainders_of_places_of_pixels_are_proven(target: str) -> None:
    """Machines take the floor of the sum, too, which is whole."""
    text = """
    precision highp float; uniform vec4 a, b;
    void main() { gl_FragColor = mod(gl_FragCoord.x + gl_FragCoord.y, 10.0) == 0.0 ? a : b; }
    """
    assert prove_text(text, target, "fragment", draws=16).outcome in ("equal", "near")


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("max(pow(-1.0 - v * v, 3.0), 0.5)", "what GLSL leaves undefined"),
        ("fract(sin(v + 0.5) * 1e7)", "too near to where a test or a floor turns"),
    ],
)
def test_an_unknown_verdict_says_why_draws_do_not_count(expression: str, reason: str) -> None:
    text = f"precision highp float; varying float v; void main() {{ gl_FragColor = vec4({expression}); }}"
    verdict = prove_text(text, "vc4", "fragment")
    assert verdict.outcome == "unknown"
    assert reason in verdict.reason, verdict
