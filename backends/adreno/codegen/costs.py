"""What operations cost, in instruction slots, for passes that weigh one form against another."""

from __future__ import annotations

from compiler.ir import ops
from compiler.passes.base import CostModel

#: Signs, swizzles and inputs are parts of sources; scalar functions run beside vector operations.
_FREE = (ops.LOAD, ops.SWIZZLE, ops.FNEG, ops.FABS, ops.FSATURATE)
_COSTS = {
    **dict.fromkeys(_FREE, 0.0),
    ops.CONSTRUCT: 0.5,
    ops.INSERT: 0.5,
    ops.MAT_VEC: 4.0,
    ops.FDIV: 1.5,
    ops.FSIN: 3.0,
    ops.FCOS: 3.0,
    ops.TEXTURE: 4.0,
}
#: Few slots that run: loops are unrolled, and branches stay whose arms are worth skipping.
FAST = CostModel(_COSTS, branch=4.0, unroll_budget=96)
#: Few slots of code: loops stay, and a branch that stays costs the slot that sets the predicate.
SMALL = CostModel(_COSTS, branch=1.0, arms=0.0, unroll_budget=4)
