"""The pool of processes: a compilation that ends its process fails alone, and the line of progress."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.batch import pool, progress
from glslc_multi.batch.progress import Progress, bar
from glslc_multi.batch.results import Found, Result, Results, tool_digest
from glslc_multi.batch.variants import Variant
from glslc_multi.batch.work import How, Outcome, Settings, compile_variant
from glslc_multi.cache.lookup import write_entry
from glslc_multi.compiler import driver
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.target import Target
from glslc_multi.report.kinds import Emission

DEADLY = {3, 4, 17}


def deadly_work(numbered: Sequence[tuple[int, Variant]], settings: Settings) -> list[Outcome]:
    """Some of the variants end the process."""
    if any(number in DEADLY for number, _ in numbered):
        os._exit(9)
    return [Outcome(number, "compiled", Result(0, (("", str(number).encode()),))) for number, _ in numbered]


@pytest.mark.parametrize("size", [1, 5])
def test_others_do_not_suffer_from_a_process_that_dies(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "work", deadly_work)
    variants = [(number, Variant({"vertex": "a.vert"}, "agal", Request(), f"{number}")) for number in range(20)]
    tasks = [variants[start : start + size] for start in range(0, 20, size)]
    settings = Settings(str(tmp_path), b"", DiagnosticSink())
    outcomes = [outcome for some in pool.run_in_pool(tasks, settings, 3, ()) for outcome in some]
    assert sorted(outcome.number for outcome in outcomes) == list(range(20))
    assert {outcome.number for outcome in outcomes if outcome.result.status == 70} == DEADLY
    assert all("the process that compiled this died" in o.result.messages for o in outcomes if o.number in DEADLY)


def test_a_mistake_of_the_compiler_is_a_result_but_is_not_kept(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = Variant({"fragment": str(place / "plain.frag")}, "agal", Request(), "x")
    results = Results(str(tmp_path / "results"), tool_digest())

    def fail(*_: object) -> None:
        raise ZeroDivisionError("on purpose")

    with monkeypatch.context() as patch:
        patch.setattr("glslc_multi.batch.work.generate_code", fail)
        how, result = compile_variant(variant, results, DiagnosticSink())
    assert (how, result.status) == ("compiled", 70)
    assert "ZeroDivisionError" in result.messages
    assert results.of_variant(variant) is None
    assert compile_variant(variant, results, DiagnosticSink())[1].status == 0
    known = results.of_variant(variant)
    assert known is not None
    assert known.files[0][1]


def test_a_source_that_becomes_the_code_of_another_one_has_its_own_proof(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pass that adds where it is to subtract makes of the second shader the code of the first."""
    right = driver.optimise_for

    def optimise_for(target: Target, module: Module, *rest: Any) -> None:
        for instruction in module.main.instructions():
            if instruction.op is ops.FSUB:
                instruction.op = ops.FADD
        right(target, module, *rest)

    monkeypatch.setattr(driver, "optimise_for", optimise_for)
    results = Results(str(tmp_path / "results"), tool_digest())
    outcomes: list[tuple[How, Result]] = []
    for sign in "+-":
        path = place / f"{len(outcomes)}.vert"
        path.write_text(f"attribute vec4 a, b;\nvoid main() {{ gl_Position = a {sign} b; }}\n")
        variant = Variant({"vertex": str(path)}, "agal", Request(proof="quick"), "x")
        outcomes.append(compile_variant(variant, results, DiagnosticSink()))
    assert [(how, result.status) for how, result in outcomes] == [("compiled", 0), ("compiled", 70)]
    assert "E0960" in outcomes[1][1].messages


def test_warnings_stay_with_their_variant(tmp_path: Path, place: Path) -> None:
    """The same text elsewhere has the same code, but a warning names the place of its own."""
    results = Results(str(tmp_path / "results"), tool_digest())
    messages = []
    for name in ("one.vert", "two.vert"):
        path = place / name
        path.write_text(
            "varying float v;\n#pragma strange\nvoid main() { gl_Position = vec4(1.0); int a = 1/0; v = 1.0; }\n"
        )
        variant = Variant({"vertex": str(path)}, "agal", Request(), name)
        how, result = compile_variant(variant, results, DiagnosticSink())
        assert (how, result.status) == ("compiled", 0)
        messages.append(result.messages)
        again = results.of_variant(variant)
        assert again is not None
        assert again.messages == result.messages
    assert ["one.vert" in text for text in messages] == [True, False]
    assert ["two.vert" in text for text in messages] == [False, True]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ((0, 10, 0, 0.0), "[..............................] 0/10"),
        ((120, 240, 70, 2.0), "[###############...............] 120/240  35/s  0:03 left"),
        ((10, 1000, 1, 1.0), "[..............................] 10/1000  1/s  16:30 left"),
        ((0, 0, 0, 1.0), "[..............................] 0/0"),
    ],
)
def test_the_bar_has_rate_and_time_to_go(state: tuple[int, int, int, float], expected: str) -> None:
    assert bar(*state) == expected


@pytest.mark.parametrize("suffix", ["/../../x", "x", ".agal/x", ".agalbin.exe", ".host/a/b", ".host/../x", "/x", ""])
def test_a_result_with_files_of_other_names_is_none(suffix: str, tmp_path: Path, place: Path) -> None:
    """A forged entry could name any file."""
    emissions = (Emission(), Emission("host", "lit"))
    variant = Variant({"fragment": str(place / "plain.frag")}, "agal", Request(), "x", emissions)
    results = Results(str(tmp_path / "results"), tool_digest())
    first = variant.output.removeprefix("x")
    for files in ((first, b""), (f"{first}.json", b""), (".host/lit.as", b"")), ((suffix, b"forged"),):
        found = results.put(results.key("result", files), Result(0, files))
        results.keep(variant, {}, found)
        known = results.of_variant(variant)
        assert (known is None) == (files[0][0] == suffix)


@pytest.mark.parametrize("parts", [[], [b"0"], [b"x", b""], [b"0", b"", b"\xff", b""], [b"0", b"", b".agal"]])
def test_odd_results_are_none(parts: list[bytes], tmp_path: Path, place: Path) -> None:
    variant = Variant({"fragment": str(place / "plain.frag")}, "agal", Request(), "x")
    results = Results(str(tmp_path / "results"), tool_digest())
    address = results.key("result")
    write_entry(results.folder, address, parts)
    results.keep(variant, {}, Found(address, Result(0, ())))
    assert results.of_variant(variant) is None
    write_entry(results.folder, results.key("text"), parts)
    assert results.shared(results.key("text"), variant) is None


@pytest.mark.parametrize(("platform", "method"), [("linux", "fork"), ("darwin", "spawn"), ("win32", "spawn")])
def test_processes_are_forked_where_that_is_safe(platform: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    try:
        importlib.reload(pool)
        start = pool._START
        assert start == method
    finally:
        monkeypatch.undo()
        importlib.reload(pool)


def test_no_bar_where_sequences_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    for is_known, text in ((False, ""), (True, "\r\x1b[K")):
        monkeypatch.setattr(progress, "takes_sequences", lambda stream, is_known=is_known: is_known)
        Progress(1, stream).finish()
        assert stream.getvalue() == text
