"""What operations cost in words, for passes that weigh one form against another."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.passes.base import CostModel

# A jump is one word, a select two; there is no multiply-add.  Loops are cheaper than copies of their bodies.
_COSTS = {ops.FMAD: float("inf"), ops.MAT_VEC: 7.0, ops.SELECT: 2.0, ops.TEXTURE: 12.0, ops.FDIV: 4.0, ops.FSQRT: 8.0}
COSTS = CostModel(_COSTS, branch=1.0, unroll_budget=24, hoists=True)
