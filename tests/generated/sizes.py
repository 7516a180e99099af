"""How long the code of generated shaders is: recorded in `sizes/`, so that no change makes code longer unseen.

A line is a seed with size and registers at each level, `12: 40/7 31/6 28/6`; `-` where the hardware cannot hold it.
`pytest --accept` writes what was found; whether it is better or worse is for the reader of the difference to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

from tests.generated.trial import Outcome

FOLDER = Path(__file__).parent / "sizes"


def lines_of(outcomes: Iterable[Outcome]) -> dict[int, str]:
    """By seed, what is recorded of a shader."""
    return {seed: " ".join(map(_said, group)) for seed, group in groupby(outcomes, lambda outcome: outcome.seed)}


def _said(outcome: Outcome) -> str:
    return "-" if outcome.size is None else "/".join(map(str, outcome.size))


def recorded(generator: str) -> dict[int, str]:
    """What is recorded of a code generator."""
    path = _path(generator)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {int(seed): said for seed, _, said in (line.partition(": ") for line in lines)}


def record(generator: str, found: Mapping[int, str]) -> None:
    """Write what was found over what is recorded."""
    FOLDER.mkdir(exist_ok=True)
    lines = sorted({**recorded(generator), **found}.items())
    _path(generator).write_text("".join(f"{seed}: {said}\n" for seed, said in lines), encoding="utf-8")


def _path(generator: str) -> Path:
    return FOLDER / f"{generator}.txt"
