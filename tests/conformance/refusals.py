"""The cases of the project that a code generator refuses since hardware cannot hold them: recorded in `refused/`.

A line is a case with the diagnostic's code and the levels at which it is refused.  A limit that begins to bite, or no
longer does, shows as a difference; `pytest --accept` writes what was found.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "refused"


def refusal(case_file: str, case: str, code: str, levels: Iterable[str]) -> str:
    """The line of a case in the file of a code generator."""
    return f"{case_file} {case} {code} at -O{', -O'.join(levels)}"


def recorded(generator: str, case_file: str) -> list[str]:
    """What is recorded of the cases of one file."""
    return [line for line in _lines(generator) if _case_file(line) == case_file]


def record(generator: str, case_file: str, found: Iterable[str]) -> None:
    """Write what was found over what is recorded of the cases of one file."""
    others = [line for line in _lines(generator) if _case_file(line) != case_file]
    FOLDER.mkdir(exist_ok=True)
    _path(generator).write_text("".join(f"{line}\n" for line in sorted([*others, *found])), encoding="utf-8")


def _lines(generator: str) -> list[str]:
    path = _path(generator)
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _path(generator: str) -> Path:
    return FOLDER / f"{generator}.txt"


def _case_file(line: str) -> str:
    return line.split(" ", 1)[0]
