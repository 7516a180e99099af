"""The shared corpora on the reference engine: other people's suites, and values of another implementation.

A sample with a fixed seed runs by default, everything with GLSLC_MULTI_ALL=1 or by the runner's command.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.conformance.deviations import KNOWN_DEVIATIONS
from tests.conformance.engines.engines import make_engine
from tests.conformance.records import load_records
from tests.conformance.runner import judge
from tests.shared_data import shared_path

SAMPLE = None if os.environ.get("GLSLC_MULTI_ALL") else 250


@pytest.mark.parametrize("corpus", ["corpus/cts", "corpus/webgl", "corpus/real", "golden/reference"])
def test_corpus(corpus: str) -> None:
    records = list(load_records([shared_path(corpus)]))
    if SAMPLE is not None and len(records) > SAMPLE:
        records = Random(1).sample(records, SAMPLE)
    engine = make_engine("reference", 2, {})
    outcomes = [judge(record, engine) for record in records]
    assert [outcome for outcome in outcomes if outcome.status == "failed"] == []
    assert any(outcome.status == "passed" for outcome in outcomes)


def test_known_deviations_are_needed() -> None:
    """Every entry excuses a record that we judge differently; otherwise it can go."""
    engine = make_engine("reference", 2, {})
    records = [r for r in load_records([shared_path("corpus/webgl")]) if r.name in KNOWN_DEVIATIONS]
    assert {judge(record, engine).status for record in records} <= {"deviation"}
