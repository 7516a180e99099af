"""Generated pairs of stages on every target at every level: a few by fixed seeds, others by variables.

GLSLC_MULTI_SEEDS=FIRST:COUNT chooses seeds, GLSLC_MULTI_ALL=1 runs three thousand.
"""

from __future__ import annotations

import os

import pytest

from tests.code_generators import CODE_GENERATORS, CodeGenerator
from tests.generated.batch import described
from tests.generated.pairs import PairTrials

_COUNT = 3000 if os.environ.get("GLSLC_MULTI_ALL") else 6
FIRST, COUNT = map(int, os.environ.get("GLSLC_MULTI_SEEDS", f"0:{_COUNT}").split(":"))


@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda generator: generator.name)
def test_linked_pairs_compute_what_they_mean(generator: CodeGenerator) -> None:
    trials = PairTrials(generator.target, generator.options)
    outcomes = [outcome for seed in range(FIRST, FIRST + COUNT) for outcome in trials.run(seed)]
    failed = [described(outcome) for outcome in outcomes if outcome.status == "failed"]
    assert not failed, "\n\n".join(failed[:3])
