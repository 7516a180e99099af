"""Fields of fetches that the vendor's compiler gives a value of its own."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.xenos.isa.asm import assemble
from glslc_multi.compiler.diagnostics import DiagnosticSink

TEXT = "precision mediump float; uniform sampler2D s; varying vec2 v; void main() { gl_FragColor = texture2D(s, v); }"


def test_lookups_sample_at_the_centroid() -> None:
    made = glslc_multi.compile(TEXT, target="xenos", stage="fragment")
    (lookup,) = (line for line in made.assembly.splitlines() if "SAMPLE" in line)
    assert lookup.split("CONST(0) ")[1] == "LOCATION(CENTROID)"


@pytest.mark.parametrize(
    ("sampler", "lookup", "dimension"),
    [("sampler2D", "texture2D(s, v.xy)", 1), ("samplerCube", "textureCube(s, v)", 3)],
)
def test_bits_14_and_15_of_the_last_word_are_the_dimension(sampler: str, lookup: str, dimension: int) -> None:
    """0 is 1D, 1 is 2D, 2 is 3D and 3 a cube."""
    text = f"precision mediump float; uniform {sampler} s; varying vec3 v; void main() {{ gl_FragColor = {lookup}; }}"
    made = glslc_multi.compile(text, target="xenos", stage="fragment")
    program = assemble(made.assembly, "test", DiagnosticSink())
    (fetch,) = (program.instruction(issue.slot) for issue in program.issues() if issue.is_fetch)
    assert fetch is not None
    assert (fetch & 0x1F, fetch >> 64 + 14 & 3) == (1, dimension)
