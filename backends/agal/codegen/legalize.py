"""From any module to one that the rules of `select.py` cover: floats, and operations with instructions.

Functions are inlined and loops unrolled.  Conditions become arithmetic, since version 1 has nothing else and both arms
of most conditions are short; on request those stay branches whose arithmetic would cost more.  What remains after
that is refused (`refuse.py`).
"""

from __future__ import annotations

from math import inf

from backends.agal.codegen.refuse import loop_tests, refuse, refuse_loops, warn_of_limit
from backends.agal.codegen.rewrites.built_ins import drop_point_size, pass_window, take_side_from_host
from backends.agal.codegen.rewrites.comparisons import join_comparisons
from backends.agal.codegen.rewrites.idioms import expand_by_width, expand_idioms, widen_attributes
from backends.agal.codegen.rewrites.indices import settle_indices
from backends.agal.codegen.rewrites.joined_indices import join_indices
from backends.agal.codegen.rewrites.products import complete_products, narrow_vectors, turn_constants
from backends.agal.codegen.rewrites.selects import lower_selects
from backends.agal.codegen.rewrites.shared_varyings import share_registers
from backends.agal.codegen.rewrites.signs import settle_signs
from backends.agal.codegen.varyings import linked_places
from backends.agal.isa.registers import DEEPEST_NESTING, TOKEN_LIMITS
from backends.agal.isa.whole_numbers import WHOLE_NUMBERS
from compiler.diagnostics import DiagnosticSink
from compiler.forms import Form
from compiler.ir.module import Module
from compiler.ir.variables import PREAMBLE, Variable
from compiler.lowering.interface.clip_depth import bring_depth_above_zero
from compiler.lowering.rows import reads_rows_alone
from compiler.options import TargetOptions
from compiler.passes.base import CostModel, PassContext
from compiler.passes.pipeline import parse_pipeline
from compiler.passes.runner import run_pipeline
from compiler.records import replace

_DEPTH = Form(__name__, "depth from 0 to w")
_LIMITED = Form(__name__, "loop that nothing bounds")
_ROWS = Form(__name__, "matrices in rows")

_CLEAN = "repeat{rounds=4}(sccp,instcombine,gvn,simplify-cfg,dce)"
#: Values instead of memory, no calls; the same after loops were unrolled.
_PROMOTE = f"inline,simplify-cfg,sroa,mem2reg,{_CLEAN}"
_UNROLLED = f"sroa,mem2reg,{_CLEAN}"
#: No indices but those of constants in vertex shaders; few branches, or none; floats only.
_INDICES = "lower-indexing{{uniforms={index_uniforms}}},sroa,mem2reg,if-convert,simplify-cfg"
_ADDRESSES = "index-offsets,dce,whole-indices"
_NEST = f"structurize{{depth={DEEPEST_NESTING}}},sccp,instcombine,if-convert"
_TO_FLOATS = (
    "lower-matrices{{keep=vec_mat,all-rows={all_rows}}},"
    f"lower-integer-bits{{{{outside={WHOLE_NUMBERS.outside}}}}},lower-int-to-float,"
    "lower-transcendentals{{keep=fsin.fcos.fexp2.flog2.fpow}},repeat{{rounds=4}}(instcombine,gvn,dce)"
)
_BUILTINS = "lower-builtins{keep=fdiv.fsaturate.fstep.ffract.fsqrt.fpow.dot.normalize.cross,lacks=ffloor.select},gvn"
_FINISH = "lower-bool-to-float,vectorize,gvn,dce"


def prepare(module: Module, version: int, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> None:
    """Make `main` the only function, without loops; those that cannot be unrolled are reported and raised."""
    if options.values.get("agal_clip_z") and module.stage == "vertex" and bring_depth_above_zero(module):
        _DEPTH.fires()
    _settle_interface(module, options, sink)
    loop_limit = int(options.values.get("agal_loop_limit", 0))
    context = PassContext(costs, options.precise, sink)
    _run(module, f"{_PROMOTE},loop-unroll,{_UNROLLED}", context)
    unbounded = loop_tests(module)
    if unbounded and loop_limit > 0:
        _LIMITED.fires()
        _run(module, f"loop-unroll{{max={TOKEN_LIMITS[version]},limit={loop_limit}}},{_UNROLLED}", context)
    refuse_loops(module, version, sink)
    if unbounded:
        warn_of_limit(unbounded, loop_limit, version, sink)


def _settle_interface(module: Module, options: TargetOptions, sink: DiagnosticSink) -> None:
    """Bring the interface into the form that the machine has."""
    module.functions.pop(PREAMBLE, None)
    if options.values.get("agal_point_size") == "drop":
        drop_point_size(module, sink)
    take_side_from_host(module, sink)
    pass_window(module, options.linked)
    if options.linked is not None:
        share_registers(module, linked_places(options.linked))


def legalize(
    module: Module, version: int, costs: CostModel, *, branches: bool, precise: bool, sink: DiagnosticSink
) -> frozenset[Variable]:
    """Lower `module` in place; the matrices in row-major storage.  What has no form is reported and raised."""
    # Whether branches stay is decided once; the later passes see the costs of the version.
    branching = PassContext(costs if branches else replace(costs, branch=inf), precise, sink)
    context = PassContext(costs, precise, sink)
    index_uniforms = "true" if module.stage == "fragment" else "false"
    _run(module, _INDICES.format(index_uniforms=index_uniforms), branching)
    if branches:
        _run(module, _NEST, branching)
    if module.stage == "vertex":
        _run(module, _ADDRESSES, context)
    turn_constants(module.main)
    _run(module, _TO_FLOATS.format(all_rows="true" if reads_rows_alone(module.main) else "false"), context)
    if narrow_vectors(module.main):
        _run(module, "instcombine,gvn,dce", context)
    refuse(module, version, sink)
    row_major = frozenset(variable for variable in module.variables.values() if variable.layout == "rows")
    if row_major:
        _ROWS.fires()
    if module.stage == "vertex":
        settle_indices(module)
        join_indices(module)
        widen_attributes(module)
    _run(module, "added-zeros", context)
    expand_idioms(module.main, precise=precise)
    if settle_signs(module.main):
        _run(module, "gvn,dce", context)
    _run(module, _BUILTINS, context)
    expand_by_width(module.main)
    lower_selects(module.main, context)
    _run(module, "gvn", context)
    join_comparisons(module.main)
    _run(module, _FINISH, context)
    complete_products(module.main)
    if len(module.main.blocks) > 1:
        from backends.agal.codegen.rewrites.branches import legalize_branches

        legalize_branches(module.main, version, sink)
    return row_major


def _run(module: Module, pipeline: str, context: PassContext) -> None:
    run_pipeline(module, parse_pipeline(pipeline, context.sink), context)
    # The steps between the pipelines change code that the analyses would remember.
    for function in module.functions.values():
        context.analyses(function).invalidate()
