"""The project's own cases, and the shared ones, on every target's machine code in its simulator, at several levels.

By default a fixed sample runs, a quarter of the cases of GLSL ES 1.00 and fewer of the others; everything with
GLSLC_MULTI_ALL=1 or by the runner's command.  What a target refuses must name a limit of its hardware;
which of the own cases (of the sample) those are is recorded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from tests.code_generators import CODE_GENERATORS, LEVELS, CodeGenerator
from tests.conformance import refusals
from tests.conformance.engines.machine import make_machines
from tests.conformance.model import Record
from tests.conformance.records import load_records
from tests.conformance.runner import BEYOND, judge
from tests.conformance.summary import Outcome
from tests.conformance.write_cases import FOLDER
from tests.shared_data import shared_path

_EVERYTHING = bool(os.environ.get("GLSLC_MULTI_ALL"))
#: Shared records -> how many are taken, at which levels.  Searches of the code generators take long on real shaders.
_CORPORA: dict[str, tuple[int, Sequence[str]]] = {
    "corpus/cts": (20, LEVELS),
    "golden/reference/features.jsonl": (20, LEVELS),
    "golden/reference/real.jsonl": (8, ("2",)),
    "corpus/cts3": (20, ("2",)),
    "golden/reference3/features3.jsonl": (20, ("2",)),
    "golden/reference3/real3.jsonl": (8, ("2",)),
}
#: Files with cases that have values: name -> path.
CASE_FILES = {path.stem: path for path in sorted(FOLDER.rglob("*.jsonl")) if not path.stem.endswith("_failures")}
#: One in so many cases of GLSL ES 1.00 and of newer languages is in the sample: each by its own name, so that a new
#: case moves no other.
_SHARE, _NEWER_SHARE = 4, 24

on_every_generator = pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda generator: generator.name)


def judged(
    records: Sequence[Record], generator: CodeGenerator, levels: Sequence[str] = LEVELS
) -> Iterator[dict[str, Outcome]]:
    """By record, the outcomes by level.  Levels share the front end's work, and runs of what they make alike."""
    engines = dict(zip(levels, make_machines(generator.target, levels, generator.options), strict=True))
    for record in records:
        if record.runs and engines["2"].takes(record.runs[0].sources):
            yield {level: judge(record, engine) for level, engine in engines.items()}


def failures(outcomes: Sequence[dict[str, Outcome]]) -> list[str]:
    return [
        f"-O{level} {outcome.name}: {outcome.reason}"
        for by_level in outcomes
        for level, outcome in by_level.items()
        if outcome.status == "failed"
    ]


@on_every_generator
@pytest.mark.parametrize("case_file", CASE_FILES)
def test_own_cases(case_file: str, generator: CodeGenerator, accept: bool) -> None:
    path = CASE_FILES[case_file]
    records = [record for record in load_records([path]) if _EVERYTHING or _is_recorded(path, record.name)]
    outcomes = list(judged(records, generator))
    assert failures(outcomes) == []
    recorded = (by_level for by_level in outcomes if _is_recorded(path, by_level["2"].name))
    refused = sorted(line for by_level in recorded for line in _refusals(case_file, by_level))
    if accept:
        refusals.record(generator.name, case_file, refused)
    assert refused == refusals.recorded(generator.name, case_file)


def _is_recorded(path: Path, name: str) -> bool:
    """Whether refusals of a case are recorded: whether it is in the sample."""
    return crc32(name.encode()) % (_SHARE if path.parent == FOLDER else _NEWER_SHARE) == 0


def _refusals(case_file: str, by_level: dict[str, Outcome]) -> Iterator[str]:
    codes: dict[str, list[str]] = {}
    for level, outcome in by_level.items():
        if outcome.status != "passed" and outcome.reason != BEYOND:
            codes.setdefault(outcome.reason, []).append(level)
    name = by_level["2"].name
    return (refusals.refusal(case_file, name, code, levels) for code, levels in codes.items())


def test_every_recorded_refusal_is_of_a_case() -> None:
    files = {path.stem for path in refusals.FOLDER.iterdir()}
    assert files <= {generator.name for generator in CODE_GENERATORS}
    cases = {(name, record.name) for name, path in CASE_FILES.items() for record in load_records([path])}
    lines = [line for name in files for line in (refusals.FOLDER / f"{name}.txt").read_text("utf-8").splitlines()]
    assert [line for line in lines if tuple(line.split(" ")[:2]) not in cases] == []


@on_every_generator
@pytest.mark.parametrize("corpus", _CORPORA)
def test_shared_cases(corpus: str, generator: CodeGenerator) -> None:
    records = [record for record in load_records([shared_path(corpus)]) if record.runs]
    count, levels = (len(records), LEVELS) if _EVERYTHING else _CORPORA[corpus]
    sample = Random(2).sample(records, min(count, len(records)))
    assert failures(list(judged(sample, generator, levels))) == []
