"""Workers that hang, grow or die: each becomes a finding, and the other inputs are tried all the same."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable

import pytest

from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.glsl import lower
from tests.fuzz.case import Case, Verdict
from tests.fuzz.workers import Crew, Limits, attempt_alone

LIMITS = Limits(seconds=0.5, waiting=60.0, memory=1 << 28)
BAD = 7


def _sleep() -> None:
    time.sleep(3600)


def _spin_in_c() -> None:
    """One call of the regular expression engine, in which no handler of Python would run."""
    re.fullmatch(r"(a*)*b", "a" * 40)


def _eat() -> None:
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def _crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _leave() -> None:
    os._exit(3)


@pytest.mark.parametrize(
    ("fault", "limits", "signature"),
    [
        (_spin_in_c, LIMITS, "a hang: more than 0.5 s of processor time"),
        (_sleep, Limits(waiting=0.5), "a hang: more than 0.5 s on the clock"),
        # To be given so much memory takes time of the processor, too.
        (_eat, Limits(memory=1 << 28), "more than 256 MiB"),
        (_crash, LIMITS, "the process died by SIGKILL"),
        (_leave, LIMITS, "the process ended with 3"),
    ],
)
def test_a_worker_that_is_lost_is_replaced(fault: Callable[[], None], limits: Limits, signature: str) -> None:
    def try_input(number: int) -> tuple[str, Verdict]:
        if number == BAD:
            fault()
        return "mutant", Verdict("accepted")

    results = list(Crew(try_input, limits, jobs=2).run([range(4), range(4, 12), range(12, 13)]))
    assert sorted(number for result in results for number in result.numbers) == list(range(13))
    assert sum(result.counts["mutant", "accepted"] for result in results) == 12
    assert [(number, found.signature) for result in results for number, found in result.findings] == [(BAD, signature)]


def test_a_hang_in_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(*_: object) -> Module:
        _spin_in_c()
        raise AssertionError("it does not end")

    monkeypatch.setattr(lower, "lower", plant)
    case = Case("mutant", {"fuzz.vert": b"void main() {}"})
    assert attempt_alone(case, LIMITS).signature == "a hang: more than 0.5 s of processor time"


def test_memory_that_the_compiler_eats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower, "lower", lambda *_: _eat())
    arguments = ("compile", "fuzz.vert", "--target", "vc4", "-o", "out.qpu")
    for case in (Case("", {"fuzz.vert": b"void main() {}"}), Case("", {"fuzz.vert": b"void main() {}"}, arguments)):
        assert attempt_alone(case, Limits(memory=1 << 28)).signature == "more than 256 MiB"


def test_a_case_alone_that_is_fine() -> None:
    assert attempt_alone(Case("", {"fuzz.vert": b"void main() {}"}), Limits()) == Verdict("accepted")
