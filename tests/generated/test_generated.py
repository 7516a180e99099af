"""A sample of generated shaders on every target; `GLSLC_MULTI_ALL=1` runs two thousand."""

from __future__ import annotations

import os

import pytest

from backends.registry import target_names
from tests.generated.trial import Trials

COUNT = 2000 if os.environ.get("GLSLC_MULTI_ALL") else 24
#: Options that make different code generators of one target.
VARIANTS = {"agal": [{"agal_version": "1"}, {"agal_version": "2"}, {"agal_version": "3"}]}
CASES = [(target, options) for target in target_names() for options in VARIANTS.get(target, [{}])]


@pytest.mark.parametrize(("target", "options"), CASES, ids=[" ".join([t, *o.values()]) for t, o in CASES])
def test_machine_code_computes_what_the_shader_means(target: str, options: dict[str, str]) -> None:
    outcomes = [Trials(target, options=options).run(seed) for seed in range(COUNT)]
    failed = [
        f"seed {outcome.seed}: {outcome.reason}\n{outcome.source}" for outcome in outcomes if outcome.status == "failed"
    ]
    assert not failed, "\n\n".join(failed[:3])
    # Limits of the hardware must not hide that nothing is tested.
    assert sum(outcome.status == "passed" for outcome in outcomes) >= COUNT // 4
