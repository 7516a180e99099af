"""Proofs of programs: right code is equal or near, and each kind of fault in its text differs."""

from __future__ import annotations

import re

import pytest

from tests.proof.prove import prove_text, prove_with_fault

SUMS = """
precision highp float; uniform vec3 tint; uniform float level; varying vec3 u; varying vec2 v;
void main() {
    vec3 c = u * tint + v.xyx;
    gl_FragColor = vec4(v.x < level ? c : c.zxy - abs(u), 1.0);
}
"""
GEOMETRY = """
precision highp float; uniform vec3 light; varying vec3 u; varying float h;
void main() {
    float lit = max(dot(normalize(u), light), 0.0);
    gl_FragColor = vec4(lit * cross(u, light), 1.0) / (2.0 + sqrt(h * h + 1.0));
}
"""
WHOLES = """
precision highp float; varying vec2 v; uniform int n;
void main() {
    int k = int(v.x * 8.0);
    gl_FragColor = vec4(float(k / 2) * 0.125, floor(v.y * 4.0) + float(n), fract(v.y + 0.25), 1.0);
}
"""
TEXEL = """
precision highp float; uniform sampler2D image; uniform vec2 offset; varying vec2 v;
void main() {
    vec4 c = texture2D(image, v * 2.0 + offset);
    gl_FragColor = vec4(c.bgr * c.a + texture2D(image, -v).rgb, c.a);
}
"""
PLACE = """
precision highp float; varying vec2 v;
void main() { if (v.x < 0.25) discard; gl_FragColor = vec4(gl_FragCoord.xy * 0.25, gl_FragCoord.z, 1.0); }
"""


SIDE = """
precision highp float; uniform vec3 front, back;
void main() { gl_FragColor = vec4(gl_FrontFacing ? front : back, 1.0); }
"""


@pytest.mark.parametrize("variant", ["trunk", "icarus"])
@pytest.mark.parametrize("optimisation", [0, 2, 3])
@pytest.mark.parametrize("text", [SUMS, WHOLES, TEXEL, PLACE, SIDE])
def test_right_code_is_equal(text: str, optimisation: int, variant: str) -> None:
    options = {"variant": variant}
    verdict = prove_text(text, "theia", "fragment", optimisation=optimisation, draws=16, options=options)
    assert verdict.outcome == "equal", verdict


def test_a_root_that_a_loop_finds_is_one() -> None:
    verdict = prove_text(GEOMETRY, "theia", "fragment", draws=16)
    assert verdict.outcome == "equal", verdict


def test_the_register_of_the_first_variant_has_the_pixel() -> None:
    assert prove_text(SUMS, "theia", "fragment", draws=8, options={"variant": "v1.2"}).outcome == "equal"


def test_a_root_alone_is_one() -> None:
    text = "precision highp float; varying vec3 u; void main() { gl_FragColor = vec4(sqrt(abs(u.x))); }"
    assert prove_text(text, "theia", "fragment", draws=8).outcome == "equal"


def test_values_of_the_scene_are_unknown() -> None:
    text = "precision highp float; uniform vec3 theia_Normal; void main() { gl_FragColor = vec4(theia_Normal, 1.0); }"
    assert prove_text(text, "theia", "fragment").outcome == "unknown"


def test_four_channels_are_as_they_are() -> None:
    assert prove_text(SUMS, "theia", "fragment", draws=8, options={"output": "raw"}).outcome == "equal"


def test_functions_that_are_loops_and_polynomials_are_near() -> None:
    body = "gl_FragColor.rgb = vec3(sin(u.x), exp2(u.y), atan(u.z));"
    text = f"precision highp float; varying vec3 u; void main() {{ {body} }}"
    verdict = prove_text(text, "theia", "fragment", draws=16)
    assert verdict.outcome == "near", verdict
    assert 0.0 < verdict.distance < 1e-4


def test_a_rounded_constant_is_near() -> None:
    text = "precision highp float; varying vec3 u; void main() { gl_FragColor = vec4(u * 0.3, 1.0); }"
    verdict = prove_text(text, "theia", "fragment", draws=8)
    assert verdict.outcome == "near", verdict
    assert 0.0 < verdict.distance < 2.0**-17


@pytest.mark.parametrize("options", [{"filter": "linear"}, {"wrap": "clamp"}])
def test_texels_that_are_mixed_or_clamped_are_unknown(options: dict[str, str]) -> None:
    assert prove_text(TEXEL, "theia", "fragment", options=options).outcome == "unknown"


#: A pattern in the text of a program, and what a fault makes of it.
FAULTS = {
    "a register is another one": (SUMS, r"MUL (\w+) CREG_E1_LAST", r"MUL \1 CREG_E2_LAST"),
    "operands are swapped": (SUMS, r"SUB (\w+) (\w+) (\w+)", r"SUB \1 \3 \2"),
    "a jump goes the other way": (SUMS, r"JLX", "JGX"),
    "lanes are exchanged": (SUMS, r"XCHANGEX (\w+) (\w+) (\w+)", r"XCHANGEX \1 \3 \2"),
    "a sum is a difference": (GEOMETRY, r"INC ", "DEC "),
    "a dot product is of another vector": (GEOMETRY, r"DOT (\w+) (\w+) (\w+)", r"DOT \1 \2 \2"),
    "a quotient is upside down": (GEOMETRY, r"DIV (\w+) (\w+) (\w+)", r"DIV \1 \3 \2"),
    "a number is not cut off": (WHOLES, r"FRAC (\w+) (\w+) VOID", r"COPY \1 \2 VOID"),
    "a texel is one of another place": (TEXEL, r"UNSCALE (\w+) (\w+) VOID", r"COPY \1 \2 VOID"),
    "a pixel is kept": (PLACE, r"JGX", "JLX"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "pattern", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_fault_differs(text: str, pattern: str, fault: str) -> None:
    verdict = prove_with_fault(text, "theia", lambda code: re.sub(pattern, fault, code, count=1), "fragment", draws=16)
    assert verdict.outcome == "differs", verdict
