"""What does not fit is refused by the code of its kind, at its place."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.codegen.fragment.pixels import compiled, refused

_DECLARED = """
uniform sampler2D u_a, u_b, u_c, u_d;
uniform vec4 u_k[16];
uniform float u_x, u_y;
uniform int u_n;
varying vec2 v_uv, v_uv1, v_uv2, v_uv3;
varying vec4 v_color, v_more; varying vec3 v_normal, v_eye;
void main() {
    vec4 a = texture2D(u_a, v_uv), b = texture2D(u_b, v_uv1);
"""
#: Statements -> the code, and words of the message.
_CASES = {
    "gl_FragColor = vec4(sin(a.r));": ("E0723", "sin"),
    "gl_FragColor = vec4(normalize(a.rgb), 1.0);": ("E0723", "normalize"),
    "gl_FragColor = a / b;": ("E0723", "a division by what differs"),
    "gl_FragColor = a.r > b.g ? a * b : a + b;": ("E0723", "a choice that jumps"),
    "gl_FragColor = step(0.5, a * b);": ("E0723", "a choice that jumps"),
    "gl_FragColor = fract(a * 4.0);": ("E0723", "fract"),
    "gl_FragColor = a * float(a.r < u_x ? u_n : 2);": ("E0723", "whole numbers"),
    "gl_FragColor = vec4(gl_FragCoord.x / 400.0);": ("E0724", "gl_FragCoord"),
    "gl_FragColor = gl_FrontFacing ? a : b;": ("E0724", "gl_FrontFacing"),
    "gl_FragColor = texture2D(u_a, a.rg);": ("E0722", "computed from a texel"),
    "gl_FragColor = texture2D(u_a, v_uv * v_uv);": ("E0722", "not linear in the varyings"),
    "gl_FragColor = a * b * texture2D(u_c, v_uv2) * texture2D(u_d, v_uv3);": ("E0721", "'u_d'"),
    "gl_FragColor = a * v_color + v_more;": ("E0726", "8 numbers"),
    "gl_FragColor = a * tan(u_x);": ("E0725", "what the host computes"),
    "gl_FragColor = a; for (int i = 0; i < u_n; i++) gl_FragColor = gl_FragColor * 0.5 + b * 0.5;": ("E0720", "a loop"),
}


@pytest.mark.parametrize("statement", _CASES)
def test_each_kind_has_its_code(statement: str) -> None:
    code, message, line = refused(f"{_DECLARED}    {statement}\n}}")
    assert (code, line) == (_CASES[statement][0], _line(statement))
    assert _CASES[statement][1] in message


def _line(statement: str) -> int:
    """Varyings are named where they are declared."""
    return 7 if "v_more" in statement else 10


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("gl_FragColor = pow(a, vec4(2.2));", "store the result in the texture"),
        ("if (distance(a.rgb, u_k[0].rgb) < 0.1) discard; gl_FragColor = a;", "store the result in the texture"),
        ("gl_FragColor = texture2D(u_a, a.rg);", "store what is found there"),
        ("gl_FragColor = texture2D(u_a, sin(v_uv));", "on a mesh that is fine enough"),
        ("gl_FragColor = texture2D(u_c, fract(v_uv * 4.0));", "GPU_REPEAT"),
        ("gl_FragColor = texture2D(u_c, vec2(dot(normalize(v_more.xyz), u_k[0].xyz), 0.5));", "as a function"),
        ("gl_FragColor = vec4(normalize(v_more.xyz * v_color.xyz), 1.0);", "the normal and the view vector alone"),
        (
            "vec3 n = normalize(v_normal); float d = dot(n, normalize(u_k[0].xyz + normalize(v_eye)));"
            " gl_FragColor = vec4(d + dot(n, u_k[0].xyz) + dot(n, u_k[1].xyz));",
            "normalise the light, too",
        ),
        ("gl_FragColor = vec4(dot(normalize(a.x * v_more.xyz + a.y * v_color.xyz), u_k[0].xyz));", "a quaternion"),
        ("gl_FragColor = a * b * texture2D(u_c, v_uv2) * texture2D(u_d, v_uv3);", "put two images into one"),
        ("gl_FragColor = a * texture2D(u_a, v_uv1) * texture2D(u_a, v_uv2) * texture2D(u_a, v_uv3);", "three at most"),
        ("if (a.a < 0.2 || b.a < 0.2) discard; gl_FragColor = a;", "multiply both masks"),
    ],
)
def test_the_nearest_thing_that_fits_is_named(statement: str, words: str) -> None:
    with pytest.raises(CompileError) as refusal:
        compiled(f"{_DECLARED}    {statement}\n}}")
    (error,) = refusal.value.diagnostics
    assert error.help is not None and words in error.help


def test_the_factor_that_is_too_large_is_named_and_not_those_of_a_dot_product() -> None:
    with pytest.raises(CompileError) as refusal:
        compiled(
            f"""{_DECLARED}    vec3 n = a.rgb * 2.0 - 1.0, l = v_color.rgb * 2.0 - 1.0;
    float d = max(dot(n, l), 0.0);
    gl_FragColor = vec4(b.rgb + b.a * pow(d, 4.0) * u_x, 1.0);
}}"""
        )
    (error,) = refusal.value.diagnostics
    assert (error.code, error.span and error.span.line) == ("E0725", 12)
    assert "lies in 0 to 3" in error.message
    assert error.help is not None and error.help.startswith("write min(x, 1.0)")


def test_too_many_stages_say_how_far_the_search_came() -> None:
    lines = "".join(f"    x = clamp(x + u_k[{n}].rgb, 0.0, 1.0) * u_k[{n + 7}].rgb;\n" for n in range(7))
    code, message, _ = refused(f"{_DECLARED}    vec3 x = a.rgb;\n{lines}    gl_FragColor = vec4(x, 1.0);\n}}")
    assert code == "E0720"
    assert message == "this does not fit in the 6 combiner stages of pica200"


def test_coordinates_that_a_vertex_shader_could_compute_are_left_to_it() -> None:
    code, message, line = refused(f"{_DECLARED}    gl_FragColor = texture2D(u_a, v_uv * 2.0 + u_x);\n}}")
    assert (code, line) == ("E0722", 10)
    assert "no varying as it is" in message


def test_promises_are_checked() -> None:
    text = "uniform vec4 u_k;\nvoid main() { gl_FragColor = u_k; }"
    for promise, problem in {
        "u_k 0": "expected a name and two numbers",
        "u_q 0 1": "no such uniform",
        "u_k zero 1": "expected two numbers",
        "u_k 2 1": "the first number is above the second",
        "u_k 0 inf": "expected two numbers",
    }.items():
        code, message, _ = refused(f"#pragma pica200 range {promise}\n{text}")
        assert code == "E0728"
        assert problem in message
    assert refused(text, ranges="u_q=0..4")[0] == "E0728"


def test_a_promise_widens_what_fits() -> None:
    text = """
    uniform sampler2D u_a;
    uniform float u_gain;
    varying vec2 v_uv;
    void main() { vec4 a = texture2D(u_a, v_uv); gl_FragColor = vec4(a.rgb * u_gain, a.a); }"""
    assert "4 * (" not in compiled(text).assembly
    assert "4 * (" in compiled(text, ranges="u_gain=0..4").assembly
    assert "4 * (" in compiled(f"#pragma pica200 range u_gain 0 4\n{text}").assembly


def test_far_results_are_warned_of_and_refused() -> None:
    text = """
    uniform sampler2D u_a;
    varying vec2 v_uv;
    varying vec4 v_color;
    void main() {
        float d = texture2D(u_a, v_uv).a;
        gl_FragColor = vec4(v_color.rgb, clamp((d - 0.3) * 40.0, 0.0, 1.0));
    }"""
    assert [diagnostic.code for diagnostic in compiled(text).diagnostics] == ["W0727"]
    assert compiled(text, max_error=40).binary == compiled(text).binary
    code, message, line = refused(text, max_error=4)
    assert (code, line) == ("E0727", 7)
    assert "4 are allowed" in message


def test_choices_that_depend_on_choices_are_refused_before_they_grow() -> None:
    """Each doubles what the next one compares: written out, 2^40 of them."""
    rounds = "for (int i = 0; i < 40; i++) { float k = s < t ? t : a.g; t = k < s ? s : b.g; s = k; }"
    text = f"{_DECLARED}    float s = a.r, t = b.r; {rounds}\n    gl_FragColor = vec4(s, t, s, t);\n}}"
    code, _, _ = refused(text)
    assert code in ("E0723", "E0725")


def test_pixels_choose_no_ints_of_the_host() -> None:
    text = (
        "#version 300 es\nprecision highp float; precision highp int; in vec2 v; uniform uint w; out vec4 c;\n"
        "void main() { int k = 0; if (v.x > 0.625) k += int(w % 5u); c = vec4(float(k) * 0.1); }\n"
    )
    with pytest.raises(CompileError, match=r"whole numbers for each pixel.*E0723"):
        glslc_multi.compile(text, target="pica200", stage="fragment")


def test_powers_are_refused_before_they_grow() -> None:
    """Each round adds a term with one more factor; the search for stages would look at them all, again and again."""
    rounds = "for (int i = 0; i < 80; i++) { if (t < 0.5) discard; t = t * b.r + 0.25; }"
    code, message, _ = refused(f"{_DECLARED}    float t = a.r; {rounds}\n    gl_FragColor = vec4(t);\n}}")
    assert code == "E0720"
    assert "so long a sum of products" in message
