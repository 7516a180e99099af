"""Blocks of 2x2 pixels: inputs that are planes over them, and the differences that derivatives are.

Pixels come in the order (0, 0), (1, 0), (0, 1), (1, 1).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.conformance.define.domains import Domain


class Quad:
    """The block of a lane as a formula sees it: `quad.dx(lambda a: 2 * a)` is the derivative of `2 * a` along x."""

    def __init__(self, values: Mapping[str, list[Any]], place: int) -> None:
        self._values = values
        self._place = place

    def dx(self, read: Callable[..., Any]) -> Any:
        """How `read(inputs...)` differs between the columns, in the lane's row."""
        row = self._place & 2
        return self._at(row + 1, read) - self._at(row, read)

    def dy(self, read: Callable[..., Any]) -> Any:
        """How `read(inputs...)` differs between the rows, in the lane's column."""
        column = self._place & 1
        return self._at(column + 2, read) - self._at(column, read)

    def _at(self, place: int, read: Callable[..., Any]) -> Any:
        return read(**{name: self._values[name][place] for name in inspect.signature(read).parameters})


def block(domain: Domain, size: int, random: Random) -> list[list[float]]:
    """Four pixels of planes through a block, so that coarse and fine derivatives agree."""
    base = [domain.pick(random) for _ in range(size)]
    x, y = ([_slope(domain, random, axis, index) for index in range(size)] for axis in range(2))
    return [
        [b + right * dx + up * dy for b, dx, dy in zip(base, x, y, strict=True)]
        for up, right in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]


def _slope(domain: Domain, random: Random, axis: int, index: int) -> float:
    if domain.slope is None:
        return random.randint(-8, 8) / 64
    return domain.slope if axis == index else 0.0
