"""What the optimiser reckons with: the version of the byte code, and what operations cost in it."""

from __future__ import annotations

from math import inf

from glslc_multi.backends.agal.isa.registers import TOKEN_LIMITS
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.passes.base import CostModel

#: Tokens of a condition, and the part of its blocks' cost that is saved where they do not run.
_BRANCH = 4.0
_ARMS = 0.25
#: Costs of what takes several instructions, and of what passes must not make.
_COSTS = {
    ops.FMAD: inf,
    ops.FFLOOR: 2.0,
    ops.FCEIL: 3.0,
    ops.FTRUNC: 6.0,
    ops.FSIGN: 3.0,
    ops.FMOD: 4.0,
    ops.FMIX: 3.0,
    ops.FCLAMP: 2.0,
    ops.SELECT: 3.0,
    ops.LENGTH: 2.0,
    ops.FTAN: 3.0,
    ops.FEXP: 2.0,
    ops.FLOG: 2.0,
    ops.FSMOOTHSTEP: 8.0,
    ops.TEXTURE: 4.0,
    ops.SWIZZLE: 0.0,
    ops.LOAD: 0.0,
}


def version_of(options: TargetOptions) -> int:
    return int(options.values.get("agal_version", 1))


def costs_of(version: int) -> CostModel:
    """The costs of a version; the first one has no branches."""
    branch = _BRANCH if version > 1 else inf
    return CostModel(_COSTS, branch, arms=_ARMS, unroll_budget=8 * TOKEN_LIMITS[version], loops=False)
