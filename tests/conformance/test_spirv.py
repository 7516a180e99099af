"""The ways by SPIR-V: a sample of the project's own cases, and what the optimiser's validator refuses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.engines.reference import GLSL, use_front_end
from tests.conformance.model import Language
from tests.conformance.records import load_records
from tests.conformance.runner import EngineChoice, run_records
from tests.conformance.spirv.compilers import COMMANDS, is_there
from tests.conformance.spirv.route import module_of

_CASES = Path(__file__).parent / "cases"
_SAMPLE = 12
_BOOL = """#version 300 es
precision mediump float;
uniform bool on;
out vec4 c;
void main() { c = vec4(on ? 1.0 : 0.5); }
"""


@pytest.fixture(params=COMMANDS)
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    if not is_there(request.param):
        pytest.skip(f"{COMMANDS[request.param][0]} is not installed")
    yield request.param
    use_front_end(GLSL)


def test_a_sample_of_cases(way: str) -> None:
    """Values as by our own front end; nearly all of it goes this way."""
    records = [record for record in load_records([_CASES]) if record.runs]
    sample = random.Random(29).sample(records, _SAMPLE)
    outcomes = list(run_records(sample, EngineChoice("reference", front_end=way), 1))
    assert [each for each in outcomes if each.status == "failed"] == []
    assert Counter(each.status for each in outcomes)["passed"] >= 0.9 * _SAMPLE


def test_uniforms_of_type_bool(way: str) -> None:
    module = module_of(_BOOL, "fragment", Language(), way)
    # A block, where Vulkan's uniforms are, holds no bools.
    assert module.variables["on"].type.kind == ("int" if way == "spirv-vulkan" else "bool")
