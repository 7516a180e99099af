"""What operations cost, in words, for the passes that weigh them."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.passes.base import CostModel

#: A branch takes words for itself, its delay slots, and the reset of the uniform stream after it; and code without
#: branches is shorter, because it is scheduled as a whole.
_BRANCH = 100.0
#: Words that a loop may grow to.  Copies of its body save the words of a branch in each round; but the cache of a slice
#: has 512 words for four QPUs, and what is still small then leaves room for others.
_UNROLLED = 72
#: Where arrays are indexed: at an unknown index, each element takes a select, and a register all along.
_UNROLLED_ARRAYS = 256
#: What an operation adds to a program, by component of its result; where it takes vectors together, of three numbers.
_COSTS = {
    ops.FMAD: float("inf"),
    ops.SWIZZLE: 0.0,
    ops.INSERT: 0.0,
    ops.CONSTRUCT: 0.0,
    ops.LOAD: 0.0,
    ops.STORE: 0.0,
    ops.SELECT: 2.0,
    ops.TEXTURE: 1.5,
    ops.DOT: 5.0,
    ops.LENGTH: 12.0,
    ops.NORMALIZE: 4.0,
    ops.CROSS: 3.0,
    ops.MAT_VEC: 6.0,
    ops.VEC_MAT: 6.0,
    ops.FDIV: 6.0,
    ops.FRCP: 5.0,
    ops.FSQRT: 6.0,
    ops.FRSQRT: 6.0,
    ops.FSIN: 24.0,
    ops.FCOS: 22.0,
    ops.FTAN: 32.0,
    ops.FASIN: 26.0,
    ops.FACOS: 28.0,
    ops.FATAN: 34.0,
    ops.FATAN2: 40.0,
    ops.FPOW: 24.0,
    ops.FEXP: 12.0,
    ops.FLOG: 12.0,
    ops.FEXP2: 12.0,
    ops.FLOG2: 12.0,
    ops.FFLOOR: 5.0,
    ops.FCEIL: 5.0,
    ops.FFRACT: 5.0,
    ops.FMOD: 14.0,
    ops.FMIX: 3.0,
    ops.FCLAMP: 2.0,
    ops.FSMOOTHSTEP: 14.0,
    ops.FSTEP: 3.0,
    ops.FSIGN: 4.0,
    ops.IDIV: 50.0,
}


def cost_model() -> CostModel:
    """The costs of this machine."""
    return CostModel(
        _COSTS, branch=_BRANCH, vector=False, unroll_budget=_UNROLLED, array_unroll_budget=_UNROLLED_ARRAYS
    )
