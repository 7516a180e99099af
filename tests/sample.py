"""Which cases `pytest --sample` runs: of each test function a few, and none of what is marked `thorough`.

A case of a test function is one choice of its parameters.  Those stay that show most of the values that no other of
them has shown, so that each target and each level comes up; among equals chance decides, by a fixed seed.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import pytest

#: Of a test function; all tests with so few take about five minutes on two cores.
MOST_CASES = 2


def sample(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests that stay, in their order."""
    functions: dict[str, list[pytest.Item]] = {}
    items = list(items)
    for item in items:
        if item.get_closest_marker("thorough") is None:
            functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = {case.nodeid for cases in functions.values() for case in _few(cases)}
    return [item for item in items if item.nodeid in kept]


def _few(cases: list[pytest.Item]) -> list[pytest.Item]:
    if len(cases) <= MOST_CASES:
        return cases
    left = sorted(cases, key=lambda case: crc32(case.nodeid.encode()))
    kept: list[pytest.Item] = []
    seen: set[tuple[str, int]] = set()
    while len(kept) < MOST_CASES:
        best = max(left, key=lambda case: len(_values(case) - seen))
        left.remove(best)
        kept.append(best)
        seen |= _values(best)
    return kept


def _values(case: pytest.Item) -> set[tuple[str, int]]:
    """The places of a case's parameters in the lists that they come from."""
    return set(case.callspec.indices.items()) if hasattr(case, "callspec") else set()
