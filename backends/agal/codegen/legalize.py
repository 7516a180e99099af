"""From any module to one that the rules of `select.py` cover: floats, and operations with instructions.

Functions are inlined and loops unrolled.  Conditions become arithmetic, since version 1 has nothing else and both arms
of most conditions are short; on request those stay branches whose arithmetic would cost more.  What remains after
that is refused (`refuse.py`).
"""

from __future__ import annotations

from math import inf

from backends.agal.codegen.comparisons import join_comparisons
from backends.agal.codegen.idioms import expand_by_width, expand_idioms, widen_attributes
from backends.agal.codegen.indices import settle_indices
from backends.agal.codegen.refuse import loop_tests, refuse, refuse_loops, warn_of_limit
from backends.agal.codegen.selects import lower_selects
from backends.agal.isa.registers import DEEPEST_NESTING, TOKEN_LIMITS
from compiler.diagnostics import DiagnosticSink
from compiler.ir import ops
from compiler.ir.module import Module
from compiler.ir.variables import PREAMBLE, Variable
from compiler.passes.base import CostModel, PassContext
from compiler.passes.pipeline import parse_pipeline
from compiler.passes.runner import run_pipeline

_CLEAN = "repeat{rounds=4}(sccp,instcombine,gvn,simplify-cfg,dce)"
#: Values instead of memory, no calls; the same behind loops that were unrolled.
_PROMOTE = f"inline,simplify-cfg,sroa,mem2reg,{_CLEAN}"
_UNROLLED = f"sroa,mem2reg,{_CLEAN}"
#: No indices but those of constants in vertex shaders; few branches, or none; floats only.
_INDICES = "lower-indexing{{uniforms={index_uniforms}}},sroa,mem2reg,if-convert,simplify-cfg"
_NEST = f"structurize{{depth={DEEPEST_NESTING}}},sccp,instcombine,if-convert"
_TO_FLOATS = (
    "lower-matrices{{keep=vec_mat,all-rows={all_rows}}},lower-int-to-float,"
    "lower-transcendentals{{keep=fsin.fcos.fexp2.flog2.fpow}},repeat{{rounds=4}}(instcombine,gvn,dce)"
)
_BUILTINS = "lower-builtins{keep=fdiv.fsaturate.fstep.ffract.fsqrt.fpow.dot.normalize.cross,lacks=ffloor.select},gvn"
_FINISH = "lower-bool-to-float,vectorize,gvn,dce"
#: Tokens of a condition, and the part of its blocks' price that is saved where they do not run.
_BRANCH = 4.0
_ARMS = 0.25
#: Prices of what takes several instructions, and of what passes must not make.
_PRICES = {
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
    ops.FSMOOTHSTEP: 9.0,
    ops.TEXTURE: 4.0,
    ops.SWIZZLE: 0.0,
    ops.LOAD: 0.0,
}


def costs(version: int, *, branches: bool = True) -> CostModel:
    """What the optimiser should know of a version: which branches are worth it, if there are any."""
    branch = _BRANCH if branches and version > 1 else inf
    return CostModel(_PRICES, branch, arms=_ARMS, unroll_budget=8 * TOKEN_LIMITS[version], loops=False)


def prepare(module: Module, version: int, loop_limit: int, *, precise: bool, sink: DiagnosticSink) -> None:
    """Make `main` the only function, without loops; those that cannot be unrolled are reported and raised."""
    module.functions.pop(PREAMBLE, None)
    context = PassContext(costs(version), precise, sink)
    _run(module, f"{_PROMOTE},loop-unroll,{_UNROLLED}", context)
    unbounded = loop_tests(module)
    if unbounded and loop_limit > 0:
        _run(module, f"loop-unroll{{max={TOKEN_LIMITS[version]},limit={loop_limit}}},{_UNROLLED}", context)
    refuse_loops(module, version, sink)
    if unbounded:
        warn_of_limit(unbounded, loop_limit, version, sink)


def legalize(
    module: Module, version: int, *, branches: bool, precise: bool, sink: DiagnosticSink
) -> frozenset[Variable]:
    """Lower `module` in place; the matrices that are laid out in rows.  What has no form is reported and raised."""
    # Prices of branches matter as long as there are some; behind that passes see what they saw before.
    branching = PassContext(costs(version, branches=branches), precise, sink)
    context = PassContext(costs(version), precise, sink)
    index_uniforms = "true" if module.stage == "fragment" else "false"
    _run(module, _INDICES.format(index_uniforms=index_uniforms), branching)
    if branches:
        _run(module, _NEST, branching)
    _run(module, _TO_FLOATS.format(all_rows="true" if _are_left_factors(module) else "false"), context)
    refuse(module, version, sink)
    in_rows = frozenset(variable for variable in module.variables.values() if variable.layout == "rows")
    if module.stage == "vertex":
        settle_indices(module)
        widen_attributes(module)
    expand_idioms(module.main, precise=precise)
    _run(module, _BUILTINS, context)
    expand_by_width(module.main)
    lower_selects(module.main)
    _run(module, "gvn", context)
    join_comparisons(module.main)
    _run(module, _FINISH, context)
    if len(module.main.blocks) > 1:
        _settle_branches(module)
    return in_rows


def _settle_branches(module: Module) -> None:
    from backends.agal.codegen.branches import orient
    from compiler.codegen.regions import split_critical_edges

    orient(module.main)
    split_critical_edges(module.main)


def _are_left_factors(module: Module) -> bool:
    """Whether all reads of uniform matrices are for products M * v, or v with a part of M: they want rows."""
    loads = [i for i in module.main.instructions() if i.op is ops.LOAD and i.address.variable.is_matrix]
    uniform = [load for load in loads if load.address.variable.storage == "uniform"]
    readers = [
        reader
        for load in uniform
        for user in load.users
        for reader in (user.users if user.op is ops.SWIZZLE else [user])
    ]
    is_whole = not any(load.address.dynamic_column for load in uniform)
    return is_whole and all(reader.op is ops.MAT_VEC for reader in readers)


def _run(module: Module, pipeline: str, context: PassContext) -> None:
    run_pipeline(module, parse_pipeline(pipeline, context.sink), context)
    # The steps between the pipelines change code that the analyses would remember.
    for function in module.functions.values():
        context.analyses(function).invalidate()
