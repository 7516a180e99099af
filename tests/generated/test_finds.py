"""Texts that once came out wrong, on every target at every level: their values are right, and proven."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import load_target
from tests.code_generators import CODE_GENERATORS, CodeGenerator
from tests.generated.batch import described
from tests.generated.finds import FILES, program_of, stage_of
from tests.generated.trial import Trials

_CASES = [
    pytest.param(file, generator, id=f"{file}-{generator.name}")
    for file in FILES
    for generator in CODE_GENERATORS
    if stage_of(file) in load_target(generator.target).stages
]


@pytest.mark.parametrize("file, generator", _CASES)
def test_a_find_is_mended(file: str, generator: CodeGenerator) -> None:
    outcomes = Trials(generator.target, generator.options).outcomes_of(program_of(file))
    assert [described(outcome) for outcome in outcomes if outcome.status == "failed"] == []
