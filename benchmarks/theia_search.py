"""Searches for the inputs of a function at which THEIA is furthest from the exact result.

In: what tells the errors at many inputs at once.  Out: the largest ones that were found.  Numbers are multiples of the
format's step: those near zero, ends and powers of two with their neighbours, and random ones of all magnitudes, are
combined at random; from the worst on, numbers are changed by few steps and by many as long as errors grow.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from glslc_multi.backends.theia.isa.numbers import ONE
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.records import dataclass

#: Of y.
LOW, HIGH = 0.25, 2.0
_PIXELS, _ROUNDS = 200_000, 4
_CLIMBERS, _CHANGES = 20_000, 100


@dataclass(frozen=True, slots=True)
class Errors:
    """Of each component of each pixel, and whether any exact result was above 1."""

    absolute: Array
    relative: Array
    has_large: bool

    def largest(self) -> Errors:
        return Errors(self.absolute.max(), self.relative.max(), self.has_large)


@dataclass(frozen=True, slots=True)
class Domain:
    """Which x there are; y is between 0.25 and 2, and both are of length 1 where that is said."""

    low: float
    high: float
    is_unit: bool = False

    def hold(self, x: Array, y: Array) -> tuple[Array, Array]:
        """The nearest inputs of the domain."""
        x, y = np.clip(x, self.low, self.high), np.clip(y, LOW, HIGH)
        if self.is_unit:
            x = np.where(x.any(axis=1, keepdims=True), x, 1.0)
            x, y = (v / np.sqrt((v * v).sum(axis=1, keepdims=True)) for v in (x, y))
        return np.rint(x * ONE) / ONE, np.rint(y * ONE) / ONE

    def random(self, random: np.random.Generator, count: int) -> tuple[Array, Array]:
        """Pixels with inputs of all kinds; the first two have the ends of the range."""
        x, y = (_numbers(random, low, high, count) for low, high in ((self.low, self.high), (LOW, HIGH)))
        x[0], x[1] = self.low, self.high
        return self.hold(x, y)


def _numbers(random: np.random.Generator, low: float, high: float, count: int) -> Array:
    """Three numbers for each pixel: even ones, of one magnitude or several, near a power of two, an end or zero."""
    shape = (count, 3)
    even = random.uniform(low, high, shape)
    powers = 2.0 ** random.integers(-17, 3, shape)
    any_sizes = random.uniform(0.5, 1.0, shape) * powers
    one_size = random.uniform(0.5, 1.0, shape) * powers[:, :1]
    near = random.choice(np.array([low, high, 0.0]), shape) + random.integers(-4, 5, shape) / ONE
    edges = powers + random.integers(-2, 3, shape) / ONE
    signs = random.choice(np.array([-1.0, 1.0]), shape)
    kinds = np.where(random.random((count, 1)) < 0.5, random.integers(0, 5, (count, 1)), random.integers(0, 5, shape))
    return np.choose(kinds, [even, signs * any_sizes, signs * one_size, near, signs * edges])


def every_number(domain: Domain) -> tuple[Array, Array]:
    """All x of the domain, three to a pixel."""
    steps = np.arange(round(domain.low * ONE), round(domain.high * ONE) + 1)
    x = np.resize(steps, (-(-len(steps) // 3), 3)) / ONE
    return x, np.ones_like(x)


def search(measured: Callable[[Array, Array], Errors], domain: Domain, *, mixes: bool) -> Errors:
    """The largest errors that are found; of a function that mixes components, those of whole pixels."""
    random = np.random.default_rng(1)
    x, y = (
        np.concatenate(each) for each in zip(*(domain.random(random, _PIXELS) for _ in range(_ROUNDS)), strict=True)
    )

    def heights(errors: Array) -> Array:
        return errors.max(axis=1, keepdims=True) if mixes else errors

    absolute = _climb(lambda x, y: heights(measured(x, y).absolute), domain, x, y, random)
    relative = _climb(lambda x, y: heights(measured(x, y).relative), domain, x, y, random)
    return Errors(np.asarray(absolute), np.asarray(relative), measured(x, y).has_large)


def _climb(
    height: Callable[[Array, Array], Array], domain: Domain, x: Array, y: Array, random: np.random.Generator
) -> float:
    """From the worst pixels uphill, or from the worst of each component."""
    best = height(x, y)
    top = np.argsort(best, axis=0)[-_CLIMBERS:]
    x, y = (np.take_along_axis(each, np.broadcast_to(top, (_CLIMBERS, 3)), 0) for each in (x, y))
    best = np.take_along_axis(best, top, 0)
    for _ in range(_CHANGES):
        new_x, new_y = domain.hold(x + _change(random), y + _change(random))
        found = height(new_x, new_y)
        better = found > best
        x, y, best = np.where(better, new_x, x), np.where(better, new_y, y), np.maximum(found, best)
    return float(best.max())


def _change(random: np.random.Generator) -> Array:
    """Steps of all sizes for some of the numbers."""
    shape = (_CLIMBERS, 3)
    sizes = 2.0 ** random.integers(0, 18, shape) * random.choice(np.array([-1.0, 0.0, 0.0, 1.0]), shape)
    steps: Array = np.rint(sizes * random.uniform(0.5, 1.0, shape))
    return steps / ONE
