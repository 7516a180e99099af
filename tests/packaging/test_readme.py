"""The README shows real output: its console examples are run, its Python examples too."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys

import pytest

from tests.shared_data import PROJECT_ROOT

README = PROJECT_ROOT / "README.md"
#: A fenced block of one command, `$ command`, and what it prints.
_CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```\n", re.DOTALL)
_COMMANDS = [match["command"] for match in _CONSOLE.finditer(README.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_command_prints_what_the_readme_shows(command: str, accept: bool) -> None:
    text = README.read_text(encoding="utf-8")
    (example,) = (match for match in _CONSOLE.finditer(text) if match["command"] == command)
    printed = run(command)
    if accept:
        start, end = example.span("output")
        README.write_text(text[:start] + printed + text[end:], encoding="utf-8")
        return
    assert printed == example["output"], "run `pytest --accept` if the new output is right"


def test_python_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT_ROOT)
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


def test_there_are_commands() -> None:
    assert len(_COMMANDS) >= 2


def run(command: str) -> str:
    """What a reader sees in a terminal without colours."""
    name, *arguments = shlex.split(command)
    assert name == "glslc-multi"
    done = subprocess.run(
        [sys.executable, "-m", "compiler.cli.main", *arguments],
        cwd=PROJECT_ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout
