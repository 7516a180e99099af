"""From any module to one that the rules of `select.py` cover: floats, and operations with instructions.

Functions are inlined and loops unrolled.  Conditions become arithmetic, since version 1 has nothing else and both arms
of most conditions are short; on request those stay branches whose arithmetic would cost more.  What remains after
that is refused (`refuse.py`).
"""

from __future__ import annotations

from copy import copy
from math import inf

from glslc_multi.backends.agal.codegen.refuse import loop_tests, refuse, refuse_loops, warn_of_limit
from glslc_multi.backends.agal.codegen.rewrites.built_ins import DropPointSize, PassWindow, TakeSideFromHost
from glslc_multi.backends.agal.codegen.rewrites.comparisons import JoinComparisons
from glslc_multi.backends.agal.codegen.rewrites.idioms import ExpandByWidth, ExpandIdioms, WidenAttributes
from glslc_multi.backends.agal.codegen.rewrites.indices import LowerIndices
from glslc_multi.backends.agal.codegen.rewrites.joined_indices import JoinIndices
from glslc_multi.backends.agal.codegen.rewrites.products import CompleteProducts, Factor, JoinRows, TurnConstants
from glslc_multi.backends.agal.codegen.rewrites.selects import LowerSelects
from glslc_multi.backends.agal.codegen.rewrites.shared_varyings import ShareRegisters
from glslc_multi.backends.agal.codegen.rewrites.signs import FoldSigns
from glslc_multi.backends.agal.isa.registers import DEEPEST_NESTING, TOKEN_LIMITS
from glslc_multi.backends.agal.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.codegen.packing.pack import Pack
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.lowering.bool_to_float import LowerBoolToFloat
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.lowering.elementary.transcendentals import LowerTranscendentals
from glslc_multi.compiler.lowering.index_offsets import IndexOffsets, WholeIndices
from glslc_multi.compiler.lowering.indexing import LowerIndexing
from glslc_multi.compiler.lowering.int_to_float import LowerIntToFloat
from glslc_multi.compiler.lowering.integer_bits import LowerIntegerBits
from glslc_multi.compiler.lowering.interface.clip_depth import bring_depth_above_zero
from glslc_multi.compiler.lowering.matrices import LowerMatrices
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.rows import reads_rows_alone
from glslc_multi.compiler.lowering.tables import PlaceTables
from glslc_multi.compiler.lowering.zeros import AddedZeros
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.passes.base import CostModel, PassContext
from glslc_multi.compiler.passes.pipeline import (
    CLEAN_WELL,
    DCE,
    GVN,
    IF_CONVERT,
    INSTCOMBINE,
    LOOP_UNROLL,
    MEM2REG,
    PROMOTE,
    SCCP,
    SIMPLIFY_CFG,
    SROA,
    Pipeline,
    Repeat,
)
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.passes.scalar.directions import Directions
from glslc_multi.compiler.passes.scalar.vectorize import Vectorize
from glslc_multi.compiler.records import replace

#: Constant registers of vertex shaders in any version.
_CONSTANTS = 128
#: Memory becomes values once more, after loops were unrolled.
_UNROLLED: Pipeline = (SROA, MEM2REG, CLEAN_WELL)
_ADDRESSES: Pipeline = (IndexOffsets(), DCE, WholeIndices())
#: Where constants are indexed.
_INDICES: Pipeline = (LowerIndices(), JoinIndices(), WidenAttributes())
_BUILTINS: Pipeline = (
    LowerBuiltins(
        OpcodeSet("fdiv.fsaturate.fstep.ffract.fsqrt.fpow.dot.normalize.cross"), lacks=OpcodeSet("ffloor.select")
    ),
    GVN,
)
_OPERATIONS: Pipeline = (
    JoinRows(),
    ExpandByWidth(),
    LowerSelects(),
    GVN,
    JoinComparisons(),
    LowerBoolToFloat(),
    Vectorize(),
    GVN,
    DCE,
)
#: Operations that packing makes one of, at most.
_JOINED = 4


def prepare(module: Module, version: int, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> None:
    """Make `main` the only function, without loops; those that cannot be unrolled are reported and raised."""
    if options.values.get("agal_clip_z") and module.stage == "vertex":
        bring_depth_above_zero(module)
    # Bring the interface into the form that the machine has.
    module.functions.pop(PREAMBLE, None)
    points = (DropPointSize(),) if options.values.get("agal_point_size") == "drop" else ()
    interface = (*points, TakeSideFromHost(), PassWindow(options.linked), ShareRegisters(options.linked))
    loop_limit = int(options.values.get("agal_loop_limit", 0))
    context = PassContext(costs, options.precise, sink)
    run_pipeline(module, (*interface, *PROMOTE, CLEAN_WELL, LOOP_UNROLL, *_UNROLLED), context)
    unbounded = loop_tests(module)
    if unbounded and loop_limit > 0:
        from glslc_multi.compiler.passes.control_flow.loop_unroll import LoopUnroll

        run_pipeline(module, (LoopUnroll(max=TOKEN_LIMITS[version], limit=loop_limit), *_UNROLLED), context)
    refuse_loops(module, version, sink)
    if unbounded:
        warn_of_limit(unbounded, loop_limit, version, sink)


def legalize(
    module: Module, version: int, costs: CostModel, *, branches: bool, joins: int, precise: bool, sink: DiagnosticSink
) -> dict[Variable, Variable]:
    """Lower `module` in place; its variables as they are declared.  What has no form is reported and raised."""
    # Whether branches stay is decided once; the later passes see the costs of the version.
    branching = PassContext(costs if branches else replace(costs, branch=inf), precise, sink)
    context = PassContext(costs, precise, sink)
    # No indices but those of constants in vertex shaders.
    indices = LowerIndexing(uniforms=module.stage == "fragment")
    tables = (PlaceTables(_CONSTANTS),) if module.stage == "vertex" else ()
    run_pipeline(module, (*tables, indices, SROA, MEM2REG, IF_CONVERT, SIMPLIFY_CFG), branching)
    if branches:
        from glslc_multi.compiler.lowering.structure import Structurize

        run_pipeline(module, (Structurize(depth=DEEPEST_NESTING), SCCP, INSTCOMBINE, IF_CONVERT), branching)
    if module.stage == "vertex":
        run_pipeline(module, _ADDRESSES, context)
    run_pipeline(module, (Directions(), TurnConstants()), context)
    run_pipeline(module, _to_floats(module), context)
    refuse(module, version, sink)
    declared = {variable: copy(variable) for variable in module.variables.values()}
    of_constants = _INDICES if module.stage == "vertex" else ()
    run_pipeline(module, (*of_constants, AddedZeros(), ExpandIdioms()), context)
    if run_pipeline(module, (FoldSigns(),), context):
        run_pipeline(module, (GVN, DCE), context)
    run_pipeline(module, (*_BUILTINS, *((Factor(),) if joins > 1 else ()), *_OPERATIONS), context)
    if joins > 0 and sum(1 for _ in module.main.instructions()) <= _JOINED * TOKEN_LIMITS[version]:
        run_pipeline(module, (Pack(), DCE), context)
    run_pipeline(module, (CompleteProducts(),), context)
    if len(module.main.blocks) > 1:
        from glslc_multi.backends.agal.codegen.rewrites.branches import LegalizeBranches

        run_pipeline(module, (LegalizeBranches(version),), context)
    return declared


def _to_floats(module: Module) -> Pipeline:
    return (
        LowerMatrices(keep=OpcodeSet("vec_mat"), all_rows=reads_rows_alone(module.main)),
        LowerIntegerBits(WHOLE_NUMBERS.outside),
        LowerIntToFloat(),
        LowerTranscendentals(OpcodeSet("fsin.fcos.fexp2.flog2.fpow")),
        Repeat((INSTCOMBINE, GVN, DCE), 4),
    )
