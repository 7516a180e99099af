"""From a request to a target, and what is refused before any work is done."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.assembly import assemble_text, disassemble_data
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_program, link_sources
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.registry import make_source
from tests.compiler.fake_target import FakeTarget, fake_target

__all__ = ["fake_target"]


def compile_for(
    target: str, stage: str | None = "vertex", filename: str = "a.vert", optimisation: int = 2, **options: object
) -> bytes:
    request = Request(optimisation, target_options=options)
    return compile_source(
        make_source("void main() {}", filename, stage), find_target(target, DiagnosticSink()), request, DiagnosticSink()
    ).binary


def errors(caught: pytest.ExceptionInfo[CompileError]) -> list[tuple[str, str | None]]:
    return [(diagnostic.code, diagnostic.help) for diagnostic in caught.value.diagnostics]


def test_a_target_gets_the_module_and_the_settled_options(fake_target: FakeTarget) -> None:
    assert compile_for("fake", copies=3) == b"vertex as vertex O2 f32=False,copies=3,variant=old\n"


def test_a_coordinate_shader_is_read_as_a_vertex_shader(fake_target: FakeTarget) -> None:
    assert compile_for("fake", stage="coordinate", optimisation=0).startswith(b"vertex as coordinate O0")


def test_all_mistakes_of_a_request_are_reported_at_once(fake_target: FakeTarget) -> None:
    with pytest.raises(CompileError) as caught:
        compile_for("fake", stage="fragment", optimisation=4, copies="many", colour=1)
    assert [code for code, _ in errors(caught)] == ["E0907", "E0907", "E0905", "E0912"]


def test_an_unknown_target_says_which_exist(fake_target: FakeTarget) -> None:
    with pytest.raises(CompileError) as caught:
        compile_for("fkae")
    assert errors(caught) == [("E0908", "did you mean 'fake'?")]
    with pytest.raises(CompileError) as caught:
        compile_for("x86")
    assert errors(caught) == [("E0908", "known names: fake")]


def test_assembler_and_disassembler_of_a_target(fake_target: FakeTarget) -> None:
    assert assemble_text("nop", target=fake_target, filename="a.s", sink=DiagnosticSink()) == b"nop"
    assert disassemble_data(b"nop", target=fake_target, filename="a.bin", sink=DiagnosticSink()) == "nop"


VERTEX = make_source("attribute vec4 p; varying vec4 v, w; void main() { gl_Position = v = w = p; }", "a.vert")
FRAGMENT = make_source("precision highp float; varying vec4 v; void main() { gl_FragColor = v; }", "a.frag")


def test_linking_keeps_what_flows_between_the_stages() -> None:
    pair = link_sources(VERTEX, FRAGMENT, FrontEndOptions(), DiagnosticSink())
    assert "v" in pair.vertex.variables
    assert "w" not in {variable.name for variable in pair.vertex.outputs()}
    location = pair.vertex.variables["v"].location
    assert location is not None
    assert pair.fragment.variables["v"].location == location


def test_stages_that_do_not_fit_are_refused() -> None:
    other = make_source(FRAGMENT.text.replace("vec4 v", "vec4 missing").replace("= v", "= missing"), "b.frag")
    with pytest.raises(CompileError) as caught:
        link_sources(VERTEX, other, FrontEndOptions(), DiagnosticSink())
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code.startswith("E05")
    assert diagnostic.span is not None
    assert diagnostic.span.file.name == "b.frag"


def test_a_pair_is_compiled_stage_by_stage(fake_target: FakeTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeTarget, "stages", ("vertex", "fragment"))
    monkeypatch.setattr(FakeTarget, "program_stages", ("vertex", "fragment"))
    program = compile_program(VERTEX, FRAGMENT, fake_target, Request(1), DiagnosticSink())
    assert [artifact.binary[:18] for artifact in program.stages.values()] == [
        b"vertex as vertex O",
        b"fragment as fragme",
    ]
    assert list(program.stages) == ["vertex", "fragment"]


def test_a_pair_becomes_the_stages_that_the_target_makes_of_it(fake_target: FakeTarget) -> None:
    program = compile_program(VERTEX, FRAGMENT, fake_target, Request(), DiagnosticSink())
    assert [artifact.binary[:20] for artifact in program.stages.values()] == [
        b"vertex as vertex O2 ",
        b"vertex as coordinate",
    ]


def test_options_of_a_pair_are_checked_before_its_text(fake_target: FakeTarget) -> None:
    with pytest.raises(CompileError) as raised:
        compile_program(replace(VERTEX, content="?"), FRAGMENT, fake_target, Request(7), DiagnosticSink())
    assert [diagnostic.code for diagnostic in raised.value.diagnostics] == ["E0907"]
