"""Values of the scene: the code generator computes each of those that register maps and simulators number."""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.rewrites.scene_inputs import SOURCES
from glslc_multi.backends.theia.isa.conventions import SCENE_VALUES
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.theia.compiled import compiled


def test_there_is_code_for_every_value_of_the_scene() -> None:
    assert tuple(SOURCES) == SCENE_VALUES


def test_bound_names_read_the_scene() -> None:
    text = "varying vec2 uv; void main() { gl_FragColor = vec4(uv, 0.0, 1.0); }"
    sink = DiagnosticSink()
    artifact = compiled(text, sink, {"bind": "uv=TexCoord"})
    assert [location.space for location in artifact.reflection.varyings[0].locations] == ["scene"]
    assert not sink.diagnostics


def test_a_bound_name_reads_what_it_is_bound_to() -> None:
    """Though it is that of another value of the scene."""
    text = "varying vec2 theia_TexCoord; void main() { gl_FragColor = vec4(theia_TexCoord, 0.0, 1.0); }"
    artifact = compiled(text, DiagnosticSink(), {"bind": "theia_TexCoord=Barycentric"})
    (place,) = artifact.reflection.varyings[0].locations
    assert SCENE_VALUES[place.index] == "Barycentric"
