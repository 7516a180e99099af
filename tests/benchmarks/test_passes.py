"""The growth benchmark: its modules are sound and of the requested size, and exponents are exponents."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.passes import Growth, branchy, measure, straight
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import verify_module


@pytest.mark.parametrize("build", [straight, branchy])
@pytest.mark.parametrize("size", [200, 1000])
def test_modules(build: Callable[[int], Module], size: int) -> None:
    module = build(size)
    assert not verify_module(module, final=True)
    assert 0.6 * size < sum(1 for _ in module.main.instructions()) < 1.5 * size


def test_exponent() -> None:
    assert Growth("x", "y", {10: 1.0, 100: 3.0, 1000: 10000.0}).exponent == pytest.approx(2.0)


def test_measured_growth() -> None:
    found = list(measure(["gvn"], [40, 80], rounds=1))
    assert [(growth.name, growth.shape, list(growth.seconds)) for growth in found] == [
        ("gvn", "straight", [40, 80]),
        ("gvn", "branchy", [40, 80]),
    ]
