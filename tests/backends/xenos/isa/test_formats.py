"""Fields of fetches that the vendor's compiler gives a value of its own."""

from __future__ import annotations

import glslc_multi

TEXT = "precision mediump float; uniform sampler2D s; varying vec2 v; void main() { gl_FragColor = texture2D(s, v); }"


def test_lookups_sample_at_the_centroid() -> None:
    made = glslc_multi.compile(TEXT, target="xenos", stage="fragment")
    (lookup,) = (line for line in made.assembly.splitlines() if "SAMPLE" in line)
    assert lookup.split("CONST(0) ")[1] == "LOCATION(CENTROID)"
