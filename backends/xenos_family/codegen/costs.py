"""What operations cost, in instruction slots, for passes that weigh one form against another."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.passes.base import CostModel

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
#: A branch takes the slot that sets the predicate, half a slot for each clause that its ends begin, copies where values
#: meet, and the pairs of operations that its ends keep apart.
_BRANCH = 4.0
#: What a slot of an arm is worth beside one of code: the machine skips an arm only where all lanes of a wave agree.
_SKIPPED = 1 / 16
#: Code that is short and quick to run: what counts are slots of code, but for large arms.
FAST = CostModel(_COSTS, branch=_BRANCH, arms=_SKIPPED, unroll_budget=48)
#: Few slots of code: what the arms of a branch take is there either way, and loops stay unless copies nearly vanish.
SMALL = CostModel(_COSTS, branch=_BRANCH, arms=0.0, unroll_budget=24)
