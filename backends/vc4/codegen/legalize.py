"""What the QPU lacks is removed from the IR, before code is selected.

In: an optimised module.  Out: `main` alone; single numbers everywhere but at loads, stores and texture lookups;
straight-line code but for skipped arms and loops with one branch each; a discard at the end only; and only operations
that the rules of `selection/` know.  Ints stay ints, bools stay bools.
"""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.directions import NormaliseDirections
from glslc_multi.backends.vc4.codegen.integers import LowerIntegers
from glslc_multi.backends.vc4.codegen.options import ChooseAccuracy, DropVaryings
from glslc_multi.backends.vc4.codegen.signs import SinkSigns
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.lowering.elementary.transcendentals import LowerTranscendentals
from glslc_multi.compiler.lowering.indexing import LowerIndexing
from glslc_multi.compiler.lowering.kill import LowerKill
from glslc_multi.compiler.lowering.matrices import LowerMatrices, ProductForm
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.scales import FactorScales
from glslc_multi.compiler.lowering.split import Scalarize
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.passes.base import CostModel, PassContext
from glslc_multi.compiler.passes.pipeline import (
    CLEAN_WELL,
    DCE,
    GVN,
    IF_CONVERT,
    LOWER_ENDLESS,
    MEM2REG,
    PROMOTE,
    SIMPLIFY_CFG,
    SROA,
    STRUCTURIZE,
    Pipeline,
)
from glslc_multi.compiler.passes.runner import run_pipeline

_KEPT, _LACKING = "fceil.ftrunc.ffract.fsign.fsqrt", OpcodeSet("fmad.fdiv")
#: A logarithm and a power of 2 take some 40 operations, where their own bits are not enough.
_PRODUCTS = 7
#: What reading a table from memory costs, in comparisons and selects.
_MEMORY_COST = 2
_BUILTINS, _SCALARIZE = LowerBuiltins(OpcodeSet(_KEPT), lacks=_LACKING, products=_PRODUCTS), Scalarize()
_BEFORE: Pipeline = (
    *(*PROMOTE, LowerIndexing(memory_cost=_MEMORY_COST), SROA, LowerKill(), MEM2REG),
    *(SIMPLIFY_CFG, IF_CONVERT, SIMPLIFY_CFG, LOWER_ENDLESS, STRUCTURIZE),
)
_AFTER: Pipeline = (
    NormaliseDirections(),
    SIMPLIFY_CFG,
    LowerMatrices(ProductForm.MADS),
    LowerTranscendentals(OpcodeSet("fexp2.flog2.fpow"), exact_angles=True),
    LowerIntegers(),
    # Dot products stay until scales have left them.
    LowerBuiltins(OpcodeSet(f"{_KEPT}.dot"), lacks=_LACKING, products=_PRODUCTS),
    FactorScales(merge_roots=True),
    *(_BUILTINS, _SCALARIZE, CLEAN_WELL, _BUILTINS, _SCALARIZE, GVN, DCE),
    SinkSigns(),
    # What cleans up takes exits of endless loops away again.
    *(GVN, DCE, LOWER_ENDLESS),
)


def legalize(module: Module, costs: CostModel, options: TargetOptions) -> None:
    """Change `module` in place; what is left that the machine cannot do, `refuse_inexpressible` reports."""
    context = PassContext(costs, options.precise)
    if options.stage == "coordinate":
        run_pipeline(module, (DropVaryings(),), context)
    run_pipeline(module, _BEFORE, context)
    if len(module.main.blocks) > 1:
        from glslc_multi.backends.vc4.codegen.linearise import Linearise

        run_pipeline(module, (Linearise(),), context)
    run_pipeline(module, _AFTER, context)
    values = options.values
    shows_bytes = options.stage == "fragment" and values["output"] == "rgba8" and values["blend"] == "none"
    run_pipeline(module, (ChooseAccuracy(str(values["functions"]), shows_bytes),), context)
    for function in module.functions.values():
        function.renumber()
