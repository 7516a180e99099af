"""`--verify-each`: the step that breaks a rule is named, whether it is a pass or a step of code generation."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.cli.main import main
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.memory.mem2reg import Mem2Reg
from glslc_multi.compiler.programs import compile_linked, link_sources
from glslc_multi.compiler.trace import Watcher, watching
from glslc_multi.compiler.verification import BrokenByStep
from glslc_multi.frontends.registry import make_source
from tests.shared_data import PROJECT_ROOT

VERTEX = """
uniform mat4 u_transform;
uniform vec4 u_lamps[4];
attribute vec4 a_position;
varying vec4 v_color;
void main() {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        sum += a_position.x < 0.5 ? u_lamps[i] : sqrt(u_lamps[i]);
    }
    for (int i = 0; i < 200; i++) {
        sum = sum * 0.5 + abs(sum.yzwx);
    }
    v_color = sum;
    gl_Position = u_transform * a_position;
}
"""
FRAGMENT = "precision mediump float; varying vec4 v_color; void main() { gl_FragColor = fract(v_color) + v_color; }"


def compile(target: str, text: str, stage: str, *, verify_each: bool = True) -> None:
    source = make_source(text, f"a.{stage}", stage)
    compile_source(source, load_target(target), Request(verify_each=verify_each), DiagnosticSink())


@pytest.mark.parametrize("target", target_names())
def test_no_step_breaks_a_rule(target: str) -> None:
    for stage, text in (("vertex", VERTEX), ("fragment", FRAGMENT)):
        if stage in load_target(target).stages and (target, stage) != ("agal", "vertex"):
            # Combiners cannot do what is left of a number by cutting.
            compile(target, text.replace("fract(v_color) +", "v_color *") if target == "pica200" else text, stage)


def break_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that leaves `main` without an end."""
    original = Mem2Reg.run

    def run(self: Mem2Reg, function: Function, context: PassContext) -> bool:
        progress = original(self, function, context)
        terminator = function.blocks[-1].terminator
        assert progress and terminator is not None
        terminator.unlink()
        return progress

    monkeypatch.setattr(Mem2Reg, "run", run)


def break_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that loses a source."""
    from glslc_multi.backends.xenos_family.codegen import fixup, generate
    from glslc_multi.compiler.codegen.step import step

    @step("fetch first")
    def fetch_first(function: MachineFunction) -> None:
        fixup.fetch_first(function)
        next(made for made in function.instructions() if len(made.uses) > 1).uses.pop()

    monkeypatch.setattr(generate, "fetch_first", fetch_first)


def test_a_broken_pass_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass(monkeypatch)
    with pytest.raises(BrokenByStep, match=r"'mem2reg' broke a rule: .*terminator"):
        compile("adreno", VERTEX, "vertex")


def test_a_broken_step_of_code_generation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    break_step(monkeypatch)
    with pytest.raises(BrokenByStep, match=r"'fetch first' broke a rule: .* has 1 sources, .* reads 2"):
        compile("adreno", FRAGMENT, "fragment")
    with pytest.raises(Exception) as caught:
        compile("adreno", FRAGMENT, "fragment", verify_each=False)
    assert not isinstance(caught.value, BrokenByStep)


def test_pairs_are_checked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = make_source(VERTEX, "a.vert"), make_source(FRAGMENT, "a.frag")
    pair = link_sources(*sources, FrontEndOptions(), DiagnosticSink())
    break_step(monkeypatch)
    with pytest.raises(BrokenByStep, match="'fetch first'"):
        compile_linked(pair, load_target("adreno"), Request(verify_each=True), DiagnosticSink())


def test_who_watches_sees_the_steps_all_the_same() -> None:
    steps: dict[str, type] = {}

    class Types(Watcher):
        def after(self, step: str, code: object, *, changed: bool) -> None:
            steps[step] = type(code)

    with watching(Types()):
        compile("adreno", FRAGMENT, "fragment")
    assert steps["mem2reg"] is Module
    assert steps["fold limits"] is steps["allocate"] is MachineFunction


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shader, result = PROJECT_ROOT / "examples" / "lit.vert", tmp_path / "lit.bin"
    arguments = [str(shader), "--target", "adreno", "--verify-each", "-o", str(result)]
    assert main(arguments) == 0
    result.unlink()
    break_step(monkeypatch)
    assert main(arguments) != 0
    assert "'fetch first' broke a rule" in capsys.readouterr().err
    assert not result.exists()


def test_the_ir_is_checked_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_pass(monkeypatch)
    shader = tmp_path / "a.vert"
    shader.write_text(VERTEX)
    assert main([str(shader), "--emit", "ir", "--verify-each"]) != 0
    assert "'mem2reg' broke a rule" in capsys.readouterr().err
