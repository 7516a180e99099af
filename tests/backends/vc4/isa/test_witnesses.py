"""Facts recorded from other tools: an assembler, a driver and its kernel, and an emulator.

`witnesses.json` is a selection; the golden runner checks all of them where the shared data are at hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden import vc4
from tests.golden.runner import Failure

WITNESSES = json.loads(Path(__file__).with_name("witnesses.json").read_text("utf-8"))


def named(kind: str) -> pytest.MarkDecorator:
    """The cases of a kind, with their names for messages."""
    return pytest.mark.parametrize("case", WITNESSES[kind], ids=lambda case: case["name"])


@pytest.mark.parametrize(("line", "word"), WITNESSES["encodings"])
def test_encodings(line: str, word: str) -> None:
    assert vc4.encoding({"asm": line, "word": word, "category": ""}, None) is None


@pytest.mark.parametrize("line", WITNESSES["rejects"])
def test_refused_lines(line: str) -> None:
    assert vc4.reject({"asm": line}, None) is None


@named("hazards")
def test_hazards(case: dict[str, Any]) -> None:
    assert not isinstance(vc4.hazard(case, None), Failure)


@named("executions")
def test_executions(case: dict[str, Any]) -> None:
    assert vc4.execution(case, None) is None


@named("programs")
def test_programs_of_a_driver(case: dict[str, Any]) -> None:
    assert not isinstance(vc4.program(case, None), Failure)
