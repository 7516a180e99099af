"""Proofs of programs: right code is equal, and each kind of fault in its text differs."""

from __future__ import annotations

import re

import pytest

from glslc_multi.compiler.artifact import Artifact, Verdict
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.proof.compare import FULL
from glslc_multi.compiler.records import replace
from tests.proof.prove import compile_text, prove_artifact, prove_text, prove_with_fault

PIXEL = """
precision highp float;
uniform vec4 a, b; uniform float level; varying vec2 u, v;
void main() {
    if (u.x > level) discard;
    float s = a.x - b.x;
    vec3 c = vec3(0.5 + 0.25 * abs(u.y) * a.y - 0.125 * v.x, 1.0 / (1.0 + v.y * v.y), max(s, u.y));
    gl_FragColor = vec4(c, 0.25);
}
"""
VERTEX = "attribute vec4 p, q; uniform vec4 u; varying vec4 v; void main() { v = p * u + q; gl_Position = p - q; }"
CHOICE = """
precision highp float; uniform vec4 a, b; varying vec2 u;
void main() { gl_FragColor = u.x < 0.5 ? (u.y < 0.5 ? a : b) : a * b; }
"""
TEXELS = """
precision highp float;
uniform sampler2D image; uniform samplerCube sky; uniform sampler2D images[2]; varying vec3 u;
void main() {
    vec4 first = texture2D(image, u.xy), second = texture2D(images[1], u.yz);
    gl_FragColor = vec4(first.rgb * second.a + textureCube(sky, u).bgr, first.g);
}
"""
INPUTS = """
precision highp float; uniform bool on; uniform int count; uniform float table[4];
void main() {
    float x = gl_FragCoord.x * 0.01 + (gl_FrontFacing ? 0.25 : 0.0);
    gl_FragColor = vec4(on ? x : gl_FragCoord.y / 64.0, table[count], gl_FragCoord.z, gl_FragCoord.w);
}
"""
INTS = """
#version 300 es
precision highp float; precision highp int; uniform int n, m; flat in int k; in float x; out vec4 colour;
void main() {
    int sum = 0;
    for (int i = 0; i < 6; i++) sum += i * n + k;
    colour = vec4(float(sum % 7) / 8.0, float(n / (m * m + 1)), uintBitsToFloat(floatBitsToUint(x) & 0x7fffffffu), x);
}
"""


@pytest.mark.parametrize("optimisation", [0, 2, 3])
@pytest.mark.parametrize("text", [PIXEL, CHOICE, TEXELS, INTS])
def test_right_code_of_pixels_is_equal(text: str, optimisation: int) -> None:
    verdict = prove_text(text.strip(), "vc4", "fragment", optimisation=optimisation, draws=16)
    assert verdict.outcome == "equal", verdict


def test_inputs_of_the_chip_are_those_of_the_source() -> None:
    """A depth is a product with a rounded constant."""
    verdict = prove_text(INPUTS, "vc4", "fragment", draws=16)
    assert verdict.outcome == "near", verdict
    assert verdict.distance < 1e-6


@pytest.mark.parametrize("options", [{"threaded": True}, {"primitive": "points"}, {"primitive": "lines"}])
def test_options_of_the_target_are_kept(options: dict[str, object]) -> None:
    assert prove_text(TEXELS, "vc4", "fragment", draws=8, options=options).outcome == "equal"


def test_raw_pixels_are_equal() -> None:
    assert prove_text(PIXEL, "vc4", "fragment", draws=8, options={"output": "raw"}).outcome == "equal"


def test_a_mixed_colour_is_unknown() -> None:
    assert prove_text(PIXEL, "vc4", "fragment", options={"blend": "alpha"}).outcome == "unknown"


@pytest.mark.parametrize("stage", ["vertex", "coordinate"])
def test_both_programs_of_a_vertex_are_equal(stage: str) -> None:
    text = VERTEX.replace("gl_Position", "gl_PointSize = p.x; gl_Position")
    assert prove_text(text, "vc4", stage, draws=16).outcome == "equal"


def test_precise_powers_are_near() -> None:
    text = (
        "attribute vec4 p; varying float v; void main() { v = pow(abs(p.x), 2.5) + log2(1.5 + p.x); gl_Position = p; }"
    )
    verdict = prove_text(text, "vc4", "vertex", draws=16)
    assert verdict.outcome == "near", verdict
    assert 0.0 < verdict.distance < 1e-4


#: A pattern in the text of a program, and what a fault makes of it.
FAULTS = {
    "part of a varying is lost": (PIXEL, r"fadd (\w+), (\w+), r5", r"or \1, \2, \2"),
    "operands are swapped": (PIXEL, r"fsub (\w+), unif, (\w+)", r"fsub \1, \2, unif"),
    "a magnitude is none": (PIXEL, r"fmaxabs (\w+), (\w+), \2", r"fmax \1, \2, \2"),
    "flags are those of another instruction": (PIXEL, r"fmax\.setf", "fmax"),
    "a condition is negated": (PIXEL, r"or\.ifcc tlbc", "or.ifc tlbc"),
    "bytes are exchanged": (PIXEL, r"8bsf", "8asf"),
    "a register is another one": (PIXEL, r"8csf, \w+, \w+", "8csf, r1, r1"),
    "a constant is another one": (PIXEL, r"8dsf, 0\.25, 0\.25", "8dsf, 0.5, 0.5"),
    "columns and rows are exchanged": (VERTEX, r"16a, (\w+)", r"16b, \1"),
    "a row is written twice": (VERTEX, r"fadd vpm, \w+, \w+((?s:.*?))(fadd vpm, \w+, \w+)", r"\2\1\2"),
    "an offset is missing": (VERTEX, r"fadd vpm, (\w+), unif", r"or vpm, \1, \1"),
    "a choice takes the other side": (CHOICE, r"\.ifc ", ".ifcc "),
    "a texel's channels are exchanged": (TEXELS, r"r4\.8([bc])f, r4\.8[bc]f", "r4.8af, r4.8af"),
    "a coordinate is another one": (TEXELS, r"t0t, \w+, \w+", "t0t, rb0, rb0"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "pattern", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_fault_differs(text: str, pattern: str, fault: str) -> None:
    stage = "vertex" if text == VERTEX else "fragment"
    verdict = prove_with_fault(text, "vc4", lambda code: re.sub(pattern, fault, code, count=1), stage, draws=FULL)
    assert verdict.outcome == "differs", verdict


def test_words_of_the_stream_in_the_wrong_order_differ() -> None:
    module, artifact = compile_text(VERTEX, "vc4", "vertex")
    assert _with_words_exchanged(module, artifact).outcome == "differs"


def _with_words_exchanged(module: Module, artifact: Artifact) -> Verdict:
    (uniform,) = artifact.reflection.uniforms
    first, second, *rest = uniform.locations
    exchanged = (replace(first, index=second.index), replace(second, index=first.index), *rest)
    reflection = replace(artifact.reflection, uniforms=(replace(uniform, locations=exchanged),))
    return prove_artifact(module, replace(artifact, reflection=reflection), "vc4", draws=2)
