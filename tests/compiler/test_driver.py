"""The way from a request to a target, and what is refused before any work is done."""

from __future__ import annotations

import pytest

from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.driver import Request, Source, assemble_text, compile_source, disassemble_data
from tests.compiler.fake_target import FakeTarget, fake_target

__all__ = ["fake_target"]


def compile_for(
    target: str, stage: str | None = "vertex", filename: str = "a.vert", optimisation: int = 2, **options: object
) -> bytes:
    request = Request(target, optimisation, target_options=options)
    return compile_source(Source("void main() {}", filename, stage), request, DiagnosticSink()).binary


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
    assert assemble_text("nop", target="fake", filename="a.s", sink=DiagnosticSink()) == b"nop"
    assert disassemble_data(b"nop", target="fake", filename="a.bin", sink=DiagnosticSink()) == "nop"
