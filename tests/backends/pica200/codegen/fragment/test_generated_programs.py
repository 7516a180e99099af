"""A sample of generated fragment shaders; `generated.py` runs as many as one likes."""

from __future__ import annotations

import pytest

from tests.backends.pica200.codegen.fragment.generated import outcome


@pytest.mark.parametrize("seed", range(24))
def test_generated_shaders(seed: int) -> None:
    assert outcome(seed)[0] in ("passed", "refused")


def test_most_of_them_fit() -> None:
    assert sum(outcome(seed)[0] == "passed" for seed in range(100, 110)) >= 6
