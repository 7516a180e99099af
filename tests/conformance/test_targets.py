"""The project's own cases, and the shared ones, on every target's machine code in its simulator.

A sample with a fixed seed runs by default, everything with GLSLC_MULTI_ALL=1 or by the runner's command.  What a target
refuses must name a limit of its hardware; most of the cases must compile.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from backends.registry import target_names
from tests.conformance.engines import make_engine
from tests.conformance.model import Record
from tests.conformance.records import load_records
from tests.conformance.runner import Outcome, judge
from tests.conformance.write_cases import FOLDER
from tests.shared_data import shared_path

SAMPLE = None if os.environ.get("GLSLC_MULTI_ALL") else 30
#: Target and option -> the share of cases that must compile and be right.
SHARES: dict[tuple[str, str], float] = {
    ("pica200", ""): 0.9,
    ("agal", "1"): 0.7,
    ("agal", "2"): 0.8,
    ("agal", "3"): 0.8,
    ("adreno", ""): 0.9,
    ("theia", ""): 0.6,
    ("vc4", ""): 0.9,
}
ENGINES = [engine for engine in SHARES if engine[0] in target_names()]


def judged(path: Path, target: str, version: str, seed: int) -> list[Outcome]:
    engine = make_engine(target, 2, {"agal_version": version} if version else {})
    records: list[Record] = [r for r in load_records([path]) if r.runs and engine.takes(r.runs[0].sources)]
    if SAMPLE is not None and len(records) > SAMPLE:
        records = Random(seed).sample(records, SAMPLE)
    return [judge(record, engine) for record in records]


@pytest.mark.parametrize(("target", "version"), ENGINES, ids=lambda value: value or "only")
def test_own_cases(target: str, version: str) -> None:
    outcomes = judged(FOLDER, target, version, seed=1)
    assert [outcome for outcome in outcomes if outcome.status == "failed"] == []
    passed = sum(outcome.status == "passed" for outcome in outcomes)
    assert passed >= SHARES[target, version] * len(outcomes)


@pytest.mark.parametrize("corpus", ["corpus/cts", "golden/reference/features.jsonl", "golden/reference/real.jsonl"])
@pytest.mark.parametrize(("target", "version"), ENGINES, ids=lambda value: value or "only")
def test_shared_cases(target: str, version: str, corpus: str) -> None:
    outcomes = judged(shared_path(corpus), target, version, seed=2)
    assert [outcome for outcome in outcomes if outcome.status == "failed"] == []
