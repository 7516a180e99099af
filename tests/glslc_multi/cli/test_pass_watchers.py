"""What `opt` shows of passes while they run: dumps, times, and where a pipeline ends."""

from __future__ import annotations

from contextlib import suppress

import pytest

from glslc_multi.cli import pass_watchers
from glslc_multi.cli.pass_watchers import Dumps, StopAfter, Stopped, Times
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.trace import Watcher, watching


def module() -> Module:
    made = Module("vertex", "a")
    Builder(made.add_function("main").add_block("entry")).ret()
    return made


def run(text: str, *watchers: Watcher) -> None:
    with suppress(Stopped), watching(*watchers):
        run_pipeline(module(), parse_pipeline(text, DiagnosticSink()))


def titles(before: set[str], after: set[str], text: str) -> list[str]:
    texts: list[str] = []
    run(text, Dumps(before, after, texts.append))
    assert all("ret" in dump.split() for dump in texts)
    return [dump.splitlines()[0] for dump in texts]


def test_only_what_is_asked_for_is_dumped() -> None:
    assert titles({"gvn"}, {"dce"}, "dce,gvn,sccp") == ["; ---- after dce", "; ---- before gvn"]
    assert titles(set(), {"*"}, "dce,gvn") == ["; ---- after dce", "; ---- after gvn"]
    assert titles(set(), set(), "dce,gvn") == []


@pytest.mark.parametrize(
    ("text", "ran"), [("dce,gvn,sccp", ["dce", "gvn"]), ("dce,repeat(gvn,sccp),dce", ["dce", "gvn"]), ("dce", ["dce"])]
)
def test_a_pipeline_ends_after_the_first_run_of_a_pass(text: str, ran: list[str]) -> None:
    times = Times()
    run(text, times, StopAfter("gvn"))
    assert [*times.seconds] == ran


def test_the_table_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0.0, 0.001, 1.0, 1.0025, 2.0, 2.0005))
    monkeypatch.setattr(pass_watchers, "perf_counter", clock.__next__)
    times = Times()
    for name in ("dce", "add-blocks", "dce"):
        times.before(name, None)
        times.after(name, None, changed=False)
    assert [line.split() for line in times.table().splitlines()] == [
        ["pass", "runs", "ms", "share"],
        ["add-blocks", "1", "2.50", "62.5%"],
        ["dce", "2", "1.50", "37.5%"],
    ]
    assert Times().table().count("\n") == 0
