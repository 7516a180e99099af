"""Chebyshev's theorem: a polynomial has the least error of its degree if the error swings between its ends in turn.

With as many coefficients as `count`, it does so at `count + 1` places or more.
"""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array


def grid(low: float, high: float) -> Array:
    """Many numbers of an interval, close to each other at its ends; without 0."""
    points: Array = low + (high - low) * (1 - np.cos(np.linspace(0, np.pi, 20_001))) / 2
    found: Array = points[points != 0]
    return found


def swings(error: Array) -> int:
    """Count the places in turn where an error is half of its largest one at least."""
    parts = np.split(error, np.flatnonzero(np.diff(np.sign(error))) + 1)
    return sum(bool(np.abs(part).max() > np.abs(error).max() / 2) for part in parts)
