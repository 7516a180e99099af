"""Faults planted in the compiler, and what the fuzzer says about a case that meets them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from glslc_multi.cache.system import Replacements
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import syntax, usage
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.glsl import lower
from glslc_multi.frontends.glsl.lower import lower as lower_shader
from tests.fuzz.attempt import attempt
from tests.fuzz.case import Case

SHADER = b"attribute vec4 a; void main() { gl_Position = a; }"
READ = Case("mutant", {"fuzz.vert": SHADER})
COMPILE = Case("mutant", {"fuzz.vert": SHADER}, ("compile", "fuzz.vert", "--target", "pica200", "-o", "out.shbin"))
LINK = Case(
    "mutant",
    {"fuzz.vert": SHADER, "fuzz.frag": b"void main() { gl_FragColor = vec4(1.0); }"},
    ("link", "fuzz.vert", "fuzz.frag", "--target", "vc4", "-o", "out.qpu"),
)


def _raise(*_: Any, **__: Any) -> Any:
    raise KeyError("a planted fault")


@pytest.mark.parametrize(
    ("case", "outcome"),
    [
        (READ, "accepted"),
        (READ.with_file("fuzz.vert", b"void main() { x; }"), "rejected"),
        (READ.with_file("fuzz.vert", b"\xff\xfe\x00"), "rejected"),
        (COMPILE, "accepted"),
        (LINK, "accepted"),
        (COMPILE.with_file("fuzz.vert", b"void main() { x; }"), "rejected"),
        (COMPILE.with_file("fuzz.vert", b"\xff\0"), "wrong usage"),
        (
            COMPILE.with_file("fuzz.vert", b"uniform vec4 u[200]; void main() { gl_Position = u[int(u[0].x)]; }"),
            "too large",
        ),
    ],
)
def test_what_is_no_fault(case: Case, outcome: str) -> None:
    assert attempt(case).outcome == outcome


@pytest.mark.parametrize("case", [READ, COMPILE, LINK])
def test_a_traceback(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(*arguments: Any) -> Module:
        lower_shader(*arguments)
        return _raise()  # type: ignore[no-any-return]

    monkeypatch.setattr(lower, "lower", plant)
    verdict = attempt(case)
    assert verdict.outcome == "finding"
    assert verdict.signature == "KeyError in compile_tokens of glslc_multi/frontends/glsl/frontend.py"
    assert "a planted fault" in verdict.details


def test_a_message_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(tokens: object, sink: DiagnosticSink, stage: str) -> None:
        sink.report(syntax.UNMATCHED_BRACE, None)
        sink.raise_if_errors()

    monkeypatch.setattr("glslc_multi.frontends.glsl.parser.parse", plant)
    assert attempt(READ).signature == f"a message without a place [{syntax.UNMATCHED_BRACE.code}]"


def test_an_undocumented_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(tokens: object, sink: DiagnosticSink, stage: str) -> None:
        sink.report(usage.INTERNAL_ERROR, what="a planted fault")
        sink.raise_if_errors()

    monkeypatch.setattr("glslc_multi.frontends.glsl.parser.parse", plant)
    assert attempt(READ).signature == "exit status 70"
    assert attempt(COMPILE).signature == "exit status 70"


def test_accepted_text_whose_ir_breaks_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(*arguments: Any) -> Module:
        module = lower_shader(*arguments)
        last = module.main.entry.terminator
        assert last is not None
        last.erase()
        return module

    monkeypatch.setattr(lower, "lower", plant)
    shader = b"attribute vec4 a; void main() { gl_Position = a; if (a.x > 0.0) gl_Position = a.yyyy; }"
    assert attempt(READ.with_file("fuzz.vert", shader)).signature == "accepted, but the IR breaks a rule"


def test_files_that_are_left_by_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(self: Replacements, path: str, data: bytes) -> None:
        Path(path).write_bytes(data[: len(data) // 2])
        raise OSError("the disk is full")

    monkeypatch.setattr(Replacements, "add", plant)
    assert attempt(COMPILE).signature == "files are left though it failed"


@pytest.mark.parametrize(
    ("left", "signature"),
    [("out.shbin", "a partial file"), ("out.shbin.part", "a partial file"), ("other", "no file though it succeeded")],
)
def test_files_that_are_not_whole(left: str, signature: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Replacements, "add", lambda self, path, data: Path(left).write_bytes(b""))
    assert attempt(COMPILE).signature == signature


def test_half_of_a_binary_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Replacements, "add", lambda self, path, data: Path(path).write_bytes(data[: len(data) // 2]))
    assert attempt(COMPILE).signature == "no disassembly of its own output for pica200"


def test_what_runs_out_of_memory_is_told_to_who_bounds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(lower, "lower", plant)
    for case in (READ, COMPILE):
        with pytest.raises(MemoryError):
            attempt(case)
