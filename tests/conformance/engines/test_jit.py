"""Recorded shaders on the jit engine: a sample with a fixed seed, everything with GLSLC_MULTI_ALL=1."""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.conformance.engines.engines import make_engine
from tests.conformance.records import load_records
from tests.conformance.runner import judge
from tests.shared_data import shared_path

SAMPLE = None if os.environ.get("GLSLC_MULTI_ALL") else 60


@pytest.mark.parametrize("corpus", ["corpus/cts", "golden/reference"])
def test_corpus(corpus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "")
    records = [record for record in load_records([shared_path(corpus)]) if record.runs]
    if SAMPLE is not None and len(records) > SAMPLE:
        records = Random(1).sample(records, SAMPLE)
    engine = make_engine("jit", 2, {})
    outcomes = [judge(record, engine) for record in records]
    assert {outcome.status for outcome in outcomes} == {"passed"}
