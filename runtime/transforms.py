"""What a loader does to numbers before they go into registers: the transforms of the register map, on numbers.

Whatever fills registers here asks these functions.  Formats of a machine (`_BY_MACHINES`) are none of their business:
its simulator rounds to them, and its driver's words are made of them (`words.py`).
"""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array

_MOST_ROUNDS = 255
#: Transforms that leave numbers what they are: to be rounded, or put elsewhere.
_BY_MACHINES = frozenset(
    "identity transpose int-to-float bool-to-float f24 q17 unorm8 unorm8-up snorm12 f16 f20 table quaternion".split()
)
#: Below this, 1 + z of a normal is that of (0, 0, -1).
_OPPOSITE = 2.0**-40


def transformed(numbers: Array, transform: str) -> Array:
    """Numbers of a value as the register takes them."""
    if transform == "negated":
        return -numbers
    if transform == "count":
        rounds: Array = np.clip(numbers - 1, 0, _MOST_ROUNDS)
        return rounds
    assert transform in _BY_MACHINES, f"nobody knows the transform {transform}"
    return numbers


def quaternions(registers: Array) -> Array:
    """Of normals of any length what turns (0, 0, 1) to them; a half turn where that could be about any axis."""
    normals = registers[:, :3]
    x, y, z = (normals / np.linalg.norm(normals, axis=1, keepdims=True)).T
    # 1 + z, which near -1 loses no digits so.
    w = (x * x + y * y) / (1.0 + np.abs(z)) + z + np.abs(z)
    turned = np.stack([-y, x, np.zeros_like(x), w], axis=1)
    return np.where(w[:, None] < _OPPOSITE, [1.0, 0.0, 0.0, 0.0], turned)
