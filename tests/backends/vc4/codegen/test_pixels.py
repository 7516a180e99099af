"""What is written to the tile buffer: texels and known colours as they are, without packing."""

from __future__ import annotations

import pytest

import glslc_multi

_HEAD = "precision mediump float; varying vec2 at; varying vec4 tint; uniform sampler2D image; uniform vec4 u;"


@pytest.mark.parametrize(
    ("colour", "words"),
    [
        # By hand: two varyings, both coordinates, the end, the result, the tile buffer.
        ("texture2D(image, at)", 7),
        # And a load of the known byte.
        ("vec4(texture2D(image, at).rgb, 1.0)", 8),
        # A load, the end, a word in between, the tile buffer.
        ("vec4(0.2, 0.4, 0.6, 1.0)", 4),
    ],
)
def test_words_of_simple_pixels(colour: str, words: int) -> None:
    shader = glslc_multi.compile(f"{_HEAD} void main() {{ gl_FragColor = {colour}; }}", target="vc4", stage="fragment")
    assert shader.stats.instructions == words


@pytest.mark.parametrize(
    "colour", ["texture2D(image, at).bgra", "texture2D(image, at) * u", "texture2D(image, at).rrra"]
)
def test_other_colours_are_packed(colour: str) -> None:
    shader = glslc_multi.compile(f"{_HEAD} void main() {{ gl_FragColor = {colour}; }}", target="vc4", stage="fragment")
    assert ".8asf" in shader.assembly or ".8bsf" in shader.assembly
