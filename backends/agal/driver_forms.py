"""Uniforms as Stage3D takes them."""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.target import Update


def agal_vectors(update: Update) -> list[float]:
    """`data` of `setProgramConstantsFromVector`; `firstRegister` is the update's, `numRegisters` a fourth of these."""
    numbers: list[float] = update.words.view(np.float32).reshape(-1).tolist()
    return numbers
