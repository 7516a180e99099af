"""Every check file holds (see `check_file.py`), and every pass has enough of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.compiler.analysis.cfg import ControlFlow
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import BrokenModule
from glslc_multi.compiler.passes.base import Pass
from glslc_multi.compiler.passes.registry import PASSES, pass_class
from glslc_multi.compiler.passes.runner import run_pipeline
from tests.compiler.passes.check_file import (
    CheckFailure,
    CheckFile,
    check_files,
    match,
    read_check_file,
    run_check_file,
    with_new_checks,
)
from tests.compiler.passes.judge import must_compute_the_same, must_hold, name_of

FILES = check_files("compiler/passes")
CASES_A_PASS = 15

SMALL = """; passes: mem2reg
shader vertex
attribute @a: vec4
output @gl_Position: vec4 role(position)

func @main {
  local @x: vec4
^entry:
  %0:vec4 = load @a
  store @x, %0
  %2:vec4 = load @x
  store @gl_Position, %2
  ret
}
"""


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_check_file(path: Path, accept: bool) -> None:
    must_hold(path, accept)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_results_stay_the_same(path: Path) -> None:
    must_compute_the_same(path)


@pytest.mark.parametrize("name", sorted(PASSES))
def test_every_pass_has_cases(name: str) -> None:
    folder = name.replace("-", "_")
    cases = [path for path in check_files() if folder in path.parts]
    assert len(cases) >= CASES_A_PASS, f"{len(cases)} check files in a folder '{folder}'"


@pytest.mark.parametrize("name", sorted(PASSES))
def test_passes_say_whether_blocks_stay(name: str) -> None:
    """One that does not has a case that shows why."""
    changed = [
        path.name for path in check_files() if name.replace("-", "_") in path.parts and _changes_flow(path, name)
    ]
    assert bool(changed) != pass_class(name).preserves_control_flow, changed


def _changes_flow(path: Path, name: str) -> bool:
    """Whether the pass alone changes the blocks or branches of a case."""
    file = read_check_file(path)
    steps = [step for step in file.pipeline if isinstance(step, Pass) and step.name == name]
    module = file.module()
    before = _flow(module)
    if "expect-error" not in file.directives:
        run_pipeline(module, tuple(steps[:1]), file.context())
    return _flow(module) != before


def _flow(module: Module) -> list[tuple[object, ...]]:
    return [(block, *block.successors) for block in ControlFlow(module.main).order]


def small(tmp_path: Path, text: str = SMALL) -> CheckFile:
    path = tmp_path / "small.sir"
    path.write_text(text)
    return read_check_file(path)


def failure(file: CheckFile) -> str:
    with pytest.raises(CheckFailure) as raised:
        run_check_file(file)
    return str(raised.value)


def test_new_checks_hold(tmp_path: Path) -> None:
    renewed = with_new_checks(small(tmp_path))
    run_check_file(small(tmp_path, renewed))
    assert with_new_checks(small(tmp_path, renewed)) == renewed


def test_changed_declarations_are_checked_too(tmp_path: Path) -> None:
    text = SMALL.replace("  local @x: vec4\n", "").replace("output", "local @x: vec4\noutput")
    assert "; CHECK: shader vertex\n" in with_new_checks(small(tmp_path, text))


def test_wrong_checks_fail(tmp_path: Path) -> None:
    renewed = with_new_checks(small(tmp_path))
    wrong = renewed.replace("CHECK-NEXT:   store @gl_Position, %0", "CHECK-NEXT:   store @gl_Position, %7")
    assert 'Couldn\'t match "store @gl_Position, %7"' in failure(small(tmp_path, wrong))


def test_a_file_without_checks_fails(tmp_path: Path) -> None:
    assert "No check strings found" in failure(small(tmp_path))


def test_mistakes_in_the_module_are_shown(tmp_path: Path) -> None:
    complaint = failure(small(tmp_path, SMALL.replace("load @x", "lode @x")))
    assert complaint.startswith("small.sir:11:13: error: ")
    assert "^^^^" in complaint


def test_mistakes_in_the_pipeline_are_shown(tmp_path: Path) -> None:
    assert "there is no pass called 'mem2rag'" in failure(small(tmp_path, SMALL.replace("mem2reg", "mem2rag")))


def test_unsound_modules_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenModule, match="used before it is defined"):
        run_check_file(small(tmp_path, SMALL.replace("store @x, %0", "store @x, %2")))


def test_an_expected_error_must_come(tmp_path: Path) -> None:
    text = SMALL.replace("\n", "\n; expect-error: E0703\n", 1)
    assert "there was no error" in failure(small(tmp_path, text))


def test_context() -> None:
    directives = {"passes": "dce", "context": "precise, branch=inf, vector=false, unroll_budget=9, cost.fmad=0.5"}
    context = CheckFile(Path("x.sir"), "", directives).context()
    assert context.precise
    assert not context.costs.vector
    assert (context.costs.branch, context.costs.unroll_budget) == (float("inf"), 9)
    assert [(op.name, cost) for op, cost in context.costs.opcodes.items()] == [("fmad", 0.5)]


def test_match_knows_brackets_of_phis() -> None:
    assert match("; CHECK: %2:int = phi [0, ^a], [%1, ^b]\n", "  %2:int = phi [0, ^a], [%1, ^b]\n", "x") == ""
