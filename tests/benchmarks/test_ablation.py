"""Ablation: every place exists, switching off works and is undone, and the figures are what they say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from benchmarks.ablation import measure
from benchmarks.ablation.log import Log
from benchmarks.ablation.measure import Compiled, Finding, Totals, active_pieces
from benchmarks.ablation.page import Circumstances, renewed, tables
from benchmarks.ablation.pieces import pass_names, pieces_of, without
from benchmarks.ablation.programs import Corpus, Program
from benchmarks.ablation.switch import Piece, Switch, answering, found, observed, replaced, switched_off, value
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.pipeline import level
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source

SHADER = """
uniform mat4 u_transform;
uniform float u_scale;
attribute vec4 a_position;
varying vec4 v_color;
void main() {
    v_color = a_position * u_scale + a_position;
    gl_Position = u_transform * a_position;
}
"""


def double(number: int) -> int:
    return 2 * number


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, ModuleType]]:
    """A module with a function, a table and a class, and one that imported the function."""
    first, second = ModuleType("glslc_multi.compiler.first"), ModuleType("glslc_multi.compiler.second")
    function = FunctionType(double.__code__, {}, "double")
    function.__module__ = first.__name__
    vars(first).update(double=function, ROWS=(1, 2), Base=type("Base", (), {"run": lambda self: 1}))
    vars(first)["Derived"] = type("Derived", (vars(first)["Base"],), {})
    vars(second)["double"] = function
    for module in (first, second):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    yield first, second


@pytest.mark.parametrize("target", target_names())
def test_every_place_exists(target: str) -> None:
    pieces = pieces_of(target)
    assert len({piece.name for piece in pieces}) == len(pieces)
    for piece in pieces:
        for switch in piece.switches:
            before = found(switch.place)[2]
            with switched_off(piece):
                assert found(switch.place)[2] is not before, piece.name
            assert found(switch.place)[2] == before, piece.name


def test_all_passes_are_pieces() -> None:
    names = {piece.name for piece in pieces_of("pica200")}
    assert {f"`{name}` in -O2" for name in pass_names(level(2))} <= names
    assert {"`gvn`", "`pack`", "`lower-matrices`"} <= names
    assert "`vc4-signs`" not in names


def test_steps_of_the_target_are_pieces() -> None:
    names = {piece.name for piece in pieces_of("pica200")}
    assert {"join moves", "forward outputs"} <= names
    assert "fold limits" not in names


def test_a_run_for_one_target_renews_its_section_only() -> None:
    def found(target: str, size: int) -> Finding:
        return Finding("x", "step", target, totals={"real": Totals(1, 100, size)})

    early, late = Circumstances(4, date(2026, 1, 31), "abc1"), Circumstances(1, date(2026, 2, 1), "abc2")
    first = renewed("", [found("agal", 101), found("vc4", 102)], early)
    second = renewed(first, [found("vc4", 103), found("theia", 104)], late)
    assert renewed(second, [], late) == second
    sections = {part.split("\n")[0]: part for part in second.split("## ")[1:]}
    assert list(sections) == ["agal", "theia", "vc4"]
    assert "1.00%" in sections["agal"] and "one program of 4, 2026-01-31, revision abc1" in sections["agal"]
    assert "3.00%" in sections["vc4"] and "all programs, 2026-02-01, revision abc2" in sections["vc4"]


def test_a_run_goes_on_with_what_the_log_has_of_the_same_revision(tmp_path: Path) -> None:
    findings = [Finding("x", "step", "vc4", totals={"real": Totals(1, 100, 103)}), Finding("y", "pass", "vc4", False)]
    path = tmp_path / "new" / "log.jsonl"
    assert Log(path, "abc1", 3).findings() == []
    for finding in findings:
        Log(path, "abc1", 3).add([finding])
    assert Log(path, "abc1", 3).findings() == findings
    assert Log(path, "abc2", 3).findings() == Log(path, "abc1", 4).findings() == []


def test_a_function_is_replaced_wherever_it_was_imported(modules: tuple[ModuleType, ModuleType]) -> None:
    first, second = modules
    with replaced("glslc_multi.compiler.first:double", answering(0)):
        assert (first.double(3), second.double(3)) == (0, 0)
        late = ModuleType("glslc_multi.compiler.late")
        vars(late)["double"] = first.double
        sys.modules["glslc_multi.compiler.late"] = late
    try:
        assert (first.double(3), second.double(3), late.double(3)) == (6, 6, 6)
    finally:
        del sys.modules["glslc_multi.compiler.late"]


def test_in_the_module_that_uses_it_a_function_is_replaced_there_only(modules: tuple[ModuleType, ModuleType]) -> None:
    first, second = modules
    with replaced("glslc_multi.compiler.second:double", answering(0)):
        assert (first.double(3), second.double(3)) == (6, 0)


def test_tables_and_inherited_methods_come_back(modules: tuple[ModuleType, ModuleType]) -> None:
    first, _ = modules
    with (
        replaced("glslc_multi.compiler.first:ROWS", value(())),
        replaced("glslc_multi.compiler.first:Derived.run", answering(0)),
    ):
        assert first.ROWS == () and first.Derived().run() == 0 and first.Base().run() == 1
    assert first.ROWS == (1, 2) and first.Derived().run() == 1 and "run" not in vars(first.Derived)


def test_what_comes_into_play(modules: tuple[ModuleType, ModuleType]) -> None:
    first, _ = modules
    places = {
        "called": "glslc_multi.compiler.first:double",
        "not called": "glslc_multi.compiler.first:Base.run",
        "table": "glslc_multi.compiler.first:ROWS",
    }
    pieces = [Piece(name, "rewrite", (Switch(place, answering(0)),)) for name, place in places.items()]
    active: set[str] = set()
    with observed(pieces, active):
        first.double(1)
    assert active == {"called", "table"}


def test_a_pass_is_left_out_of_groups_too() -> None:
    assert "gvn" in pass_names(level(2))
    assert "gvn" not in pass_names(without(level(2), "gvn"))
    assert set(pass_names(without(level(2), "gvn"))) == set(pass_names(level(2))) - {"gvn"}


def test_sums_are_over_programs_that_compile_either_way() -> None:
    totals = Totals()
    totals.add(Compiled(10, 200), Compiled(12, 100))
    totals.add(Compiled(10), Compiled(10))
    totals.add(Compiled(99, 900), Compiled(None))
    totals.add(Compiled(None), Compiled(5, 100))
    assert (totals.programs, totals.changed, totals.lost) == (2, 1, 1)
    assert totals.buys == pytest.approx(0.1)
    assert (totals.calls, totals.calls_without) == (200, 100)


def test_the_page_begins_with_what_is_worth_most() -> None:
    def finding(piece: str, size_without: int, lost: int = 0, *, is_active: bool = True) -> Finding:
        totals = Totals(2, 100, size_without, 1000, 900, 1, lost)
        return Finding(piece, "rewrite", "vc4", is_active, {"real": totals} if is_active else {})

    findings = [
        finding("idle", 100), finding("harmful", 99), finding("good", 110), finding("fit", 100, 1),
        finding("absent", 0, is_active=False), finding("basis", 100, 3),
    ]  # fmt: skip
    rows = [
        line.split(" | ")
        for line in tables(findings, Circumstances(3, date.today(), "abc1")).splitlines()
        if line.startswith("| ")
    ][2:]
    assert [row[0][2:] for row in rows] == ["basis", "good", "fit", "idle", "harmful", "absent"]
    assert rows[1][2:] == ["10.00%", "-", "1", "", "10.0% |"]
    assert rows[0][2] == "needed" and rows[-1][2] == "never"


@pytest.fixture
def one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """One small shader instead of the corpora."""

    def programs_of(target: Target, corpus: Corpus, every: int) -> list[Program]:
        source = make_source(SHADER, "small.vert", "vertex")
        compiled = lambda level: [compile_source(source, target, Request(level), DiagnosticSink())]  # noqa: E731
        return [Program("small", compiled)] if corpus == "real" else []

    monkeypatch.setattr(measure, "programs_of", programs_of)


def test_a_program_is_larger_without_a_piece(one_program: None) -> None:
    active = active_pieces("pica200", 1)
    assert "`contract`" in active and "`loop-unroll`" not in active
    (contracted,) = measure.measure("pica200", ["`contract`"], 1)
    totals = contracted.totals["real"]
    # A product and a sum instead of MAD.
    assert (totals.size_without - totals.size, totals.lost) == (1, 0)
    assert 0 < abs(totals.calls - totals.calls_without) < totals.calls / 4


def test_a_program_that_fails_without_a_piece_is_lost(one_program: None) -> None:
    (lowered,) = measure.measure("pica200", ["`lower-matrices`"], 1)
    assert lowered.totals["real"].lost == 1
    load_target("pica200").preload()
