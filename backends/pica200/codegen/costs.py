"""What the optimiser reckons with."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.passes.base import CostModel

#: Shuffles and signs belong to operands; what takes several words costs as many.
_COSTS = {
    ops.SWIZZLE: 0.0,
    ops.INSERT: 0.5,
    ops.CONSTRUCT: 0.5,
    ops.FNEG: 0.0,
    ops.LOAD: 0.0,
    ops.BTOF: 0.0,
    ops.SELECT: 4.0,
    ops.FEQ: 3.0,
    ops.FNE: 3.0,
    ops.FSIN: 14.0,
    ops.FCOS: 13.0,
    ops.FPOW: 3.0,
    ops.MAT_VEC: 4.0,
    ops.FDIV: 2.0,
    ops.NORMALIZE: 3.0,
    ops.LENGTH: 3.0,
    ops.FTRUNC: 4.0,
}

#: A loop costs a word and its body: copies of it never pay, unless it runs once.
COSTS = CostModel(_COSTS, branch=2.0, uniform_branch=1.0, unroll_budget=4)
