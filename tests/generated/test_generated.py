"""Generated shaders on every target at every level: fifty by fixed seeds, others by variables of the environment.

GLSLC_MULTI_SEEDS=FIRST:COUNT chooses seeds, GLSLC_MULTI_ALL=1 runs two thousand.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import pytest

from tests.code_generators import CODE_GENERATORS, CodeGenerator
from tests.generated import sizes
from tests.generated.batch import described
from tests.generated.trial import Outcome, Trials

#: Seeds of which sizes are recorded; of a shader whose size changed, how often it runs on edges before that is told.
_RECORDED, _MORE = 100, 4
_COUNT = 2000 if os.environ.get("GLSLC_MULTI_ALL") else 24
FIRST, COUNT = map(int, os.environ.get("GLSLC_MULTI_SEEDS", f"0:{_COUNT}").split(":"))
#: Of programs whose loops exchange what they carry, one in so many; of most targets fewer, which unroll them or jump.
_LOOPS, _OTHER_LOOPS = 4, 16
_COUNTING = ("adreno", "pica200", "xenos")
#: Of other kinds a few short ones, which differ from target to target.
_OTHERS = ("integers", "wide", "wild", "sums", "flow", "aggregates", "units")
_OTHER_COUNT, _OTHER_STATEMENTS = max(COUNT // 16, 1), 3
#: Tests are shared out to processes; a code generator's shaders make several.
_PARTS = 4


@pytest.mark.parametrize("part", range(_PARTS))
@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda generator: generator.name)
def test_machine_code_computes_what_the_shader_means(generator: CodeGenerator, part: int, accept: bool) -> None:
    trials = Trials(generator.target, generator.options)
    outcomes = [outcome for seed in range(FIRST + part, FIRST + COUNT, _PARTS) for outcome in trials.run(seed)]
    _check_values(outcomes)
    _check_share(outcomes)
    found = {seed: line for seed, line in sizes.lines_of(outcomes).items() if seed < _RECORDED}
    recorded = sizes.recorded(generator.name)
    changed = {seed: line for seed, line in found.items() if line != recorded.get(seed)}
    # Values come first: other code may be wrong code.
    judged = [outcome for seed in changed for outcome in trials.run(seed, more=_MORE)]
    _check_values(judged)
    unjudged = sorted({outcome.seed for outcome in judged if outcome.status == "passed" and not outcome.is_judged})
    assert unjudged == [], f"sizes changed, but no values say that the code is right: {unjudged}"
    if accept:
        sizes.record(generator.name, changed)
    else:
        assert changed == {seed: recorded.get(seed) for seed in changed}, "sizes changed; the values are right"


@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda generator: generator.name)
def test_loops_leave_what_they_carry(generator: CodeGenerator) -> None:
    trials = Trials(generator.target, generator.options, kind="loops")
    count = COUNT // (_LOOPS if generator.target in _COUNTING else _OTHER_LOOPS)
    outcomes = [outcome for seed in range(FIRST, FIRST + count) for outcome in trials.run(seed)]
    _check_values(outcomes)
    _check_share(outcomes)


@pytest.mark.parametrize("kind", _OTHERS)
@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda generator: generator.name)
def test_programs_of_other_kinds_compute_what_they_mean(generator: CodeGenerator, kind: str) -> None:
    first = FIRST + CODE_GENERATORS.index(generator) * _OTHER_COUNT
    trials = Trials(generator.target, generator.options, statements=_OTHER_STATEMENTS, kind=kind)
    _check_values(outcome for seed in range(first, first + _OTHER_COUNT) for outcome in trials.run(seed))


def _check_values(outcomes: Iterable[Outcome]) -> None:
    failed = [described(outcome) for outcome in outcomes if outcome.status == "failed"]
    assert not failed, "\n\n".join(failed[:3])


def _check_share(outcomes: Sequence[Outcome]) -> None:
    """Limits of the hardware must not hide that nothing is tested."""
    assert sum(outcome.status == "passed" for outcome in outcomes) >= len(outcomes) // 4
