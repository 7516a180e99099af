"""From any module to one whose operations the selection rules know, one row of the machine a value.

In: a module in any form that the front end or the optimiser leaves. Out: `main`, and a preamble of what depends on
uniforms alone (see `compiler/passes/motion/uniform_hoist.py`), which the block of constants computes; both without
memory, ints, matrix products or elementary functions. Values have at most three components, but for loads, textures
and what is stored, which are put together where they are used. A discard is left at the end only.

The order is that of `compiler/lowering/README.md`.  What remains is `KEPT` and the simple operations that are not
`LACKING`.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.theia.codegen.abi import Interface
from glslc_multi.backends.theia.codegen.rewrites.elementary import LowerElementary, SplitRoots
from glslc_multi.backends.theia.codegen.rewrites.lookup_places import GuardLookups
from glslc_multi.backends.theia.codegen.rewrites.lookups import LowerLookups
from glslc_multi.backends.theia.codegen.rewrites.overflow import KeepInRange, OrderFactors
from glslc_multi.backends.theia.codegen.rewrites.reroll import RerollFunctions
from glslc_multi.backends.theia.codegen.rewrites.unread import DropUnreadResults, ForgetAlpha
from glslc_multi.backends.theia.codegen.settings import Settings
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.backends.theia.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.lowering.indexing import LowerIndexing
from glslc_multi.compiler.lowering.int_to_float import LowerIntToFloat
from glslc_multi.compiler.lowering.integer_bits import LowerIntegerBits
from glslc_multi.compiler.lowering.kill import LowerKill
from glslc_multi.compiler.lowering.matrices import LowerMatrices, ProductForm
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.split import LowerVec4Split
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.motion.uniform_hoist import UniformHoist
from glslc_multi.compiler.passes.pipeline import CLEAN_WELL, DCE, GVN, LOWER_ENDLESS, MEM2REG, PROMOTE, SROA, Pipeline
from glslc_multi.compiler.passes.runner import run_pipeline

_KEPT = "fdiv.fstep.ffract.ftrunc.fsign.fsqrt.dot.cross.all.any"
_LACKING = OpcodeSet("frcp.frsqrt.fmad")
#: The square root of icarus knows whole numbers only.
_LENGTHS: dict[Variant, str] = {"trunk": ".length", "icarus": "", "v1.2": ".length"}


def lowerings(settings: Settings, results: int) -> Pipeline:
    """Return the lowerings in order."""
    hoist: Pipeline = (GVN, UniformHoist(results)) if settings.hoists and results else ()
    reroll: Pipeline = (RerollFunctions(),) if settings.rerolls else ()
    builtins = LowerBuiltins(OpcodeSet(_KEPT + _LENGTHS[settings.variant]), lacks=_LACKING)
    return (
        *(LowerIndexing(uniforms=True), SROA, LowerKill(), MEM2REG, LowerMatrices(ProductForm.MADS)),
        *(LowerIntegerBits(WHOLE_NUMBERS.outside), LowerIntToFloat(exact_divide=True, largest=WHOLE_NUMBERS.largest)),
        *(LowerVec4Split(), *hoist, DCE, *reroll, LowerElementary()),
        # Rules of `instcombine` may make composite operations anew, or join what was split.
        *(builtins, CLEAN_WELL, LowerVec4Split(), builtins, DCE),
        *(SplitRoots(), DropUnreadResults(), GVN, DCE, LOWER_ENDLESS),
    )


def legalize(
    module: Module, settings: Settings, interface: Interface, stated: Mapping[str, Interval], sink: DiagnosticSink
) -> None:
    """Run the lowerings on `module`; results of the block of constants need a free register each.

    `stated` are the ranges of inputs by name, from `--range`.
    """
    variant, rows = settings.variant, interface.scene.rows
    context = PassContext(settings.costs, settings.precise, sink)
    prepare: Pipeline = (
        *(PROMOTE if settings.raw else (*PROMOTE, ForgetAlpha())),
        *(LowerLookups(variant, settings.clamp, settings.linear, rows), GuardLookups(variant, rows)),
    )
    run_pipeline(module, prepare, context)
    # Each row that these read leaves one register less for results.
    run_pipeline(module, lowerings(settings, len(interface.free_constants)), context)
    keep: Pipeline = (KeepInRange(stated),) if settings.saturates else ()
    run_pipeline(module, (*keep, OrderFactors(stated)), context)


#: What selection has rules for.
LEGAL: frozenset[Opcode] = frozenset(
    {
        *(ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FNEG, ops.FABS, ops.FSIGN, ops.FFLOOR, ops.FTRUNC, ops.FFRACT),
        *(ops.FMIN, ops.FMAX, ops.FSTEP, ops.FSQRT, ops.FLT, ops.FLE, ops.FEQ, ops.FNE, ops.AND, ops.OR, ops.XOR),
        *(ops.NOT, ops.ALL, ops.ANY, ops.BTOF, ops.SELECT, ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT, ops.DOT),
        *(ops.LENGTH, ops.CROSS, ops.LOAD, ops.STORE, ops.TEXTURE, ops.PHI, ops.KILL, ops.BR, ops.CONDBR, ops.RET),
    }
)
