"""Loops are unrolled where their copies are few words, or where they index arrays."""

from __future__ import annotations

import glslc_multi

_HEAD = "precision highp float; varying vec4 a; uniform sampler2D image; uniform float k[8]; uniform vec4 u;"


def assembly_of(body: str, functions: str = "") -> str:
    source = f"{_HEAD}\n{functions}\nvoid main() {{\n{body}\n}}"
    return glslc_multi.compile(source, target="vc4", stage="fragment").assembly


def is_rolled(body: str, functions: str = "") -> bool:
    return "brr" in assembly_of(body, functions)


def test_few_words_are_copied() -> None:
    assert not is_rolled("float s = 0.0; for (int i = 0; i < 8; i++) s += k[i] * a.x; gl_FragColor = vec4(s);")


def test_many_words_stay_in_a_loop() -> None:
    noise = "float noise(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5); }"
    octaves = "float s = 0.0; vec2 p = a.xy; for (int i = 0; i < 5; i++) { s += noise(p); p *= 2.0; }"
    assert is_rolled(f"{octaves} gl_FragColor = vec4(s);", noise)


def test_vectors_count_by_component() -> None:
    """The same number of instructions: four times the words."""
    loop = "{type} s = {type}(0.0); for (int i = 0; i < 12; i++) s = s * u.{x} + {type}(float(i)) * a.{x};"
    assert not is_rolled(loop.format(type="float", x="x") + "gl_FragColor = vec4(s);")
    assert is_rolled(loop.format(type="vec4", x="xyzw") + "gl_FragColor = s;")


def test_arrays_are_indexed_by_constants() -> None:
    fill = "float t[9]; for (int i = 0; i < 9; i++) t[i] = texture2D(image, a.xy + vec2(float(i)) * u.xy).x;"
    assert not is_rolled(f"{fill} gl_FragColor = vec4(t[0] - t[8], t[2] * t[6], t[4], t[1] + t[3] - t[5] * t[7]);")
