"""From a request to a target, and what is refused before any work is done."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from backends.registry import find_target
from compiler.artifact import Artifact
from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.driver import assemble_text, compile_pair, compile_source, disassemble_data, link_sources
from compiler.frontend import FrontEndOptions, Source
from compiler.ir.module import Module
from compiler.options import Request, TargetOptions
from compiler.passes.base import GENERIC_COSTS, CostModel
from compiler.records import replace
from frontends.registry import make_source
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
    program = compile_pair(VERTEX, FRAGMENT, fake_target, Request(1), DiagnosticSink())
    assert [artifact.binary[:18] for artifact in program.stages.values()] == [
        b"vertex as vertex O",
        b"fragment as fragme",
    ]
    assert list(program.stages) == ["vertex", "fragment"]


def test_a_pair_becomes_the_stages_that_the_target_makes_of_it(fake_target: FakeTarget) -> None:
    program = compile_pair(VERTEX, FRAGMENT, fake_target, Request(), DiagnosticSink())
    assert [artifact.binary[:20] for artifact in program.stages.values()] == [
        b"vertex as vertex O2 ",
        b"vertex as coordinate",
    ]


#: Straight code is the same small code.
def branching(arm: str) -> Source:
    text = f"attribute vec4 p; varying vec4 v; void main() {{ v = p; if (p.x > 0.0) v = {arm}; gl_Position = v; }}"
    return make_source(text, "a.vert")


#: Fast code keeps the branch, small code does not; neither keeps the other one.
BRANCHING, STRAIGHT = branching("sin(p) * cos(p.yzwx) + exp(sin(p.zwxy) * 2.0)"), branching("p * p")


class Tight(FakeTarget):
    """Has room for small code only, as long as it is told apart from fast code."""

    name = "tight"
    stages = program_stages = ("vertex", "fragment")
    need = 2

    def costs(self, options: TargetOptions) -> CostModel:
        return replace(GENERIC_COSTS, arms=0.0) if options.small else GENERIC_COSTS

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        need = self.need if options.small else 3
        if need > 2:
            sink.report(RESOURCE_EXCEEDED, module.main.span, target=self.name, need=need, what="words", limit=2)
        return super().generate(module, options, sink)


FAST = "needs 3 words, tight has 2"


def notes(diagnostics: Iterable[Diagnostic]) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in diagnostics]


def test_what_does_not_fit_is_made_small_and_that_is_said() -> None:
    artifact = compile_source(BRANCHING, Tight(), Request(), DiagnosticSink())
    assert notes(artifact.diagnostics) == [("N0714", f"{FAST}; the code was made small as with -Os, and fits")]
    assert [(level.name, level.passed_over[0].why) for level in artifact.stats.levels] == [("small", f"failed: {FAST}")]
    program = compile_pair(BRANCHING, FRAGMENT, Tight(), Request(), DiagnosticSink())
    assert [code for code, _ in notes(program.diagnostics)][-1] == "N0714"
    assert all(each.stats.levels[0].name == "small" for each in program.stages.values())


def test_what_the_passes_leave_as_it_was_is_not_made_small() -> None:
    with pytest.raises(CompileError) as caught:
        compile_source(STRAIGHT, Tight(), Request(), DiagnosticSink())
    assert [message for _, message in notes(caught.value.diagnostics)] == [FAST]


@pytest.mark.parametrize("request_", [Request(small=True), Request(3, small=True)])
def test_small_code_that_was_asked_for_needs_no_note(request_: Request) -> None:
    assert compile_source(VERTEX, Tight(), request_, DiagnosticSink()).diagnostics == ()


@pytest.mark.parametrize(("level", "needs"), [(1, [FAST]), (2, ["needs 4 words, tight has 2"])])
def test_what_does_not_fit_small_either_is_refused(level: int, needs: list[str]) -> None:
    target = Tight()
    target.need = 4
    with pytest.raises(CompileError) as caught:
        compile_source(BRANCHING, target, Request(level), DiagnosticSink())
    assert [message for _, message in notes(caught.value.diagnostics)] == needs
