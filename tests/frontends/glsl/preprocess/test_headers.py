"""The headers that come with the compiler, which `#include <name>` finds without an extension and without -I."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.frontends.glsl.preprocess.includes import HEADERS
from tests.frontends.glsl.preprocess.support import messages, run
from tests.frontends.glsl.shaders import compile_shader

USE = "#include <pica200.glsl>\n"
BODIES = {
    "": "void main() { gl_FragColor = picaPrimary() + picaSecondary(); }",
    "#version 100\n": "void main() { gl_FragColor = picaPrimary() + picaSecondary(); }",
    "#version 110\n": "void main() { gl_FragColor = picaPrimary() + picaSecondary(); }",
    "#version 300 es\n": "out mediump vec4 colour; void main() { colour = picaPrimary() + picaSecondary(); }",
    "#version 330\n": "out vec4 colour; void main() { colour = picaPrimary() + picaSecondary(); }",
}


@pytest.mark.parametrize("version", BODIES)
def test_the_header_of_the_lighting_unit_is_read_in_every_version(version: str) -> None:
    sink = DiagnosticSink()
    source = version + USE + USE + BODIES[version]
    module = compile_shader(source, filename="a.frag", stage="fragment", sink=sink)
    varyings = [v for v in module.variables.values() if v.storage == "varying"]
    assert [(v.name, v.type.name) for v in varyings] == [("pica_primary", "vec4"), ("pica_secondary", "vec4")]
    assert not sink.diagnostics


def test_a_folder_of_the_user_comes_first(tmp_path: Path) -> None:
    (tmp_path / "pica200.glsl").write_text("mine")
    assert run(USE, include_dirs=[str(tmp_path)])[0].tokens.texts[:-1] == ["mine"]


def test_quotes_do_not_find_it() -> None:
    assert messages('#include "pica200.glsl"') == ["1:1-9: error: '#include' needs an extension [E0142]"]
    source = '#extension GL_GOOGLE_include_directive : require\n#include "pica200.glsl"'
    assert [found.code for found in run(source)[1]] == ["E0144"]


@pytest.mark.parametrize("name", ["../headers/pica200.glsl", "pica200", "x/../pica200.glsl", ".", ""])
def test_nothing_else_is_found_by_the_way(name: str) -> None:
    assert [found.code for found in run(f"#include <{name}>")[1]] == ["E0142"]


def test_headers_are_no_dependencies() -> None:
    assert run(USE)[0].dependencies == []
    assert (HEADERS / "pica200.glsl").is_file()
