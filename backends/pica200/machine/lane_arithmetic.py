"""Both arithmetics of the machine over arrays: for the interpreter, and for the evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np

from glslc_multi.backends.pica200.machine.arithmetic import F24Arithmetic, F32Arithmetic
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic


class _F32Lanes(F32Arithmetic, LaneArithmetic):
    """Also an arithmetic for the evaluator, with values from outside and to it."""


class _F24Lanes(F24Arithmetic, LaneArithmetic):
    def encode(self, kind: str, values: Any) -> Array:
        if kind != "float":
            return super().encode(kind, values)
        (found,) = self.run(lambda a, wide: [a.rounded(wide)], np.asarray(values, np.float64))
        return np.asarray(found)

    def decode(self, kind: str, x: Array) -> Array:
        return np.asarray(x, dtype=np.float32) if kind == "float" else x


F32 = _F32Lanes(LANES)
F24 = _F24Lanes(LANES)
