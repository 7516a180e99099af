"""What operations cost, in words, for the passes that weigh them."""

from __future__ import annotations

from compiler.ir import ops
from compiler.passes.base import CostModel

#: A branch takes words for itself, its delay slots, and the reset of the uniform stream after it; and code without
#: branches is shorter, because it is scheduled as a whole.
_BRANCH = 60.0
_COSTS = {
    ops.FMAD: float("inf"),
    ops.SWIZZLE: 0.0,
    ops.INSERT: 0.0,
    ops.CONSTRUCT: 0.0,
    ops.LOAD: 0.0,
    ops.SELECT: 2.0,
    ops.TEXTURE: 10.0,
    ops.FDIV: 6.0,
    ops.FRCP: 5.0,
    ops.FSQRT: 6.0,
    ops.FRSQRT: 6.0,
    ops.FSIN: 14.0,
    ops.FCOS: 14.0,
    ops.FPOW: 20.0,
}


def cost_model() -> CostModel:
    """The costs of this machine."""
    return CostModel(_COSTS, branch=_BRANCH, vector=False)
