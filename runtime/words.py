"""Numbers of uniforms as the 32-bit words that code reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.target import Target
from glslc_multi.runtime.transforms import transformed

Words = NDArray[np.uint32]

_MOST_STEPS = 255
_LIMITS = {"int": (-(2.0**31), 2.0**31 - 1), "uint": (0.0, 2.0**32 - 1)}
_ALL_ONES = 0xFFFFFFFF


def register_width(target: Target, space: str) -> int:
    """Words that a register of a space has."""
    return 1 if space in target.narrow_spaces else 4


def words_of(numbers: Array, target: Target, kind: str, transform: str) -> Words:
    """Numbers of a uniform of a kind as the words that the code reads."""
    if kind == "bool":
        numbers = np.asarray(numbers != 0, dtype=np.float64)
    elif kind in _LIMITS:
        numbers = np.clip(np.trunc(np.nan_to_num(numbers)), *_LIMITS[kind])
    own: Words | None = target.uniform_words(numbers)
    if own is not None:
        return own
    if transform == "unorm8":
        # NaN is 0, as where colours are written.
        steps: Words = np.floor(np.clip(np.nan_to_num(numbers), 0.0, 1.0) * _MOST_STEPS + 0.5).astype(np.uint32)
        return steps
    numbers = transformed(numbers, transform)
    if transform == "count":
        return numbers.astype(np.uint32)
    if transform in ("identity", "transpose") and kind == "bool":
        masks: Words = (numbers != 0).astype(np.uint32) * np.uint32(_ALL_ONES)
        return masks
    if transform in ("identity", "transpose") and kind in _LIMITS:
        return numbers.astype(np.int64).astype(np.uint32)
    with np.errstate(over="ignore"):
        return numbers.astype(np.float32).view(np.uint32)
