"""What the machine lacks is removed from the IR, before code is selected.

In: an optimised module of a vertex or geometry shader.  Out: one function `main` whose control flow is a nest of ifs
and loops, with floats only (bools are 1 or 0), in operations that the rules of `select.py` know; and the loops
that the hardware counts.

The hardware has no divider, but reciprocals; dot products, so that matrices are laid out in rows; floor, but no
truncation.  Selects stay until the rules see them, since what is cheapest depends on the operands.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.register_files import CONSTANTS
from glslc_multi.backends.pica200.codegen.rewrites.addresses import ScaleIndices
from glslc_multi.backends.pica200.codegen.rewrites.bools import BoolNumbers, BranchOnBools, PlainTests, SplitTests
from glslc_multi.backends.pica200.codegen.rewrites.choices import Choices
from glslc_multi.backends.pica200.codegen.rewrites.constant_lanes import ConstantLanes
from glslc_multi.backends.pica200.codegen.rewrites.exits import SeparateExits
from glslc_multi.backends.pica200.codegen.rewrites.loops import CountedLoop, CountLoops
from glslc_multi.backends.pica200.codegen.rewrites.outputs import DefineComponents, WritePosition
from glslc_multi.backends.pica200.codegen.rewrites.scaled_inputs import ScaleInputs
from glslc_multi.backends.pica200.codegen.rewrites.shifted_products import ShiftedProducts
from glslc_multi.backends.pica200.codegen.rewrites.simplify import Apart, Bounds, Factor, Roots
from glslc_multi.backends.pica200.codegen.rewrites.strips import CountIndices
from glslc_multi.backends.pica200.codegen.rewrites.transposed_dots import TransposedDots
from glslc_multi.backends.pica200.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.codegen.packing.pack import Pack
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lowering.bool_to_float import LowerBoolToFloat
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.lowering.elementary.transcendentals import LowerTranscendentals
from glslc_multi.compiler.lowering.index_offsets import IndexOffsets, WholeIndices
from glslc_multi.compiler.lowering.indexing import LowerIndexing, refuse_indices
from glslc_multi.compiler.lowering.int_to_float import LowerIntToFloat
from glslc_multi.compiler.lowering.integer_bits import LowerIntegerBits
from glslc_multi.compiler.lowering.matrices import LowerMatrices
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.structure import Structurize
from glslc_multi.compiler.lowering.tables import PlaceTables
from glslc_multi.compiler.lowering.zeros import AddedZeros
from glslc_multi.compiler.options import DEFAULT_OPTIMISATION
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.pipeline import (
    CLEAN,
    DCE,
    GVN,
    IF_CONVERT,
    INSTCOMBINE,
    MEM2REG,
    PROMOTE,
    SCCP,
    SIMPLIFY_CFG,
    SROA,
    Pipeline,
    Repeat,
)
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.passes.scalar.contract import Contract
from glslc_multi.compiler.passes.scalar.directions import Directions
from glslc_multi.compiler.passes.scalar.vectorize import Vectorize
from glslc_multi.compiler.records import replace

#: Composite operations that the rules compute.
KEPT = OpcodeSet("fmad.ftrunc.dot")
#: Elementary functions of the hardware.
ELEMENTARY = OpcodeSet("fexp2.flog2")
#: Instructions that a loop may be unrolled to where its counter selects elements of a local array.
_UNROLLED_FOR_ARRAYS = 2048

#: Cost of selects up to which both arms of a branch are run.
_FLAT_COST = 16.0

#: Ifs and loops that may stand inside each other.
_DEEPEST_NESTING = 8
_EXPAND: Pipeline = (
    LowerTranscendentals(ELEMENTARY),
    LowerBuiltins(KEPT, lacks=OpcodeSet("fceil")),
    LowerBoolToFloat(),
)


def prepare(module: Module, context: PassContext, sink: DiagnosticSink) -> None:
    """Refuse what cannot be had and make `main` the only function."""
    run_pipeline(module, PROMOTE, context)
    # Report what no sequence of instructions computes; the first one will do.
    for function in module.functions.values():
        lookup = next((i for i in function.instructions() if i.op.attribute == "texture"), None)
        if lookup is not None:
            help = "pass the values as attributes or uniforms"
            construct = "a texture lookup: its vertex unit has no textures"
            sink.report(NOT_EXPRESSIBLE, lookup.span, target=TARGET_NAME, construct=construct, help=help)
    sink.raise_if_errors()
    run_pipeline(module, (PlainTests(), WritePosition()), context)


def variants(module: Module, context: PassContext, optimisation: int) -> list[Module]:
    """Return modules that mean the same as a prepared one, which comes first.

    Where loops select elements of local arrays or of inputs, or emit vertices, unrolling makes indices of elements
    and of vertices in strips constant, or only more code.  Both arms of a branch run without the words of the branch,
    but selects take some.
    """
    modules = [module]
    if module.stage == "geometry" or _has_indices(module):
        from glslc_multi.compiler.passes.control_flow.loop_unroll import LoopUnroll

        modules += _changed(module, (LoopUnroll(max=_UNROLLED_FOR_ARRAYS), SROA, MEM2REG, CLEAN), context)
    if optimisation >= DEFAULT_OPTIMISATION:
        flat = replace(context, costs=replace(context.costs, branch=_FLAT_COST, arms=0.0))
        branching = [each for each in modules if len(each.main.blocks) > 1]
        flattened = [made for each in branching for made in _changed(each, (IF_CONVERT,), flat)]
        for made in flattened:
            run_pipeline(made, (INSTCOMBINE, GVN, DCE), flat)
        modules += flattened
    for each in modules:
        run_pipeline(each, (Repeat((SplitTests(),), _DEEPEST_NESTING), BranchOnBools()), context)
    return modules


def _changed(module: Module, passes: Pipeline, context: PassContext) -> list[Module]:
    """Return the module after some passes, where they change it."""
    clone = clone_module(module)
    return [clone] if run_pipeline(clone, passes, context) else []


def legalize(module: Module, context: PassContext, sink: DiagnosticSink) -> list[CountedLoop]:
    """Change a module in place; the loops that i registers drive.

    Elements of local arrays are found by comparing, unless the loops whose counters select them are unrolled; arrays
    too large for that are reported.
    """
    if module.stage == "geometry" and run_pipeline(module, (CountIndices(),), context):
        run_pipeline(module, (MEM2REG, DCE), context)
    counted: list[CountedLoop] = []
    run_pipeline(module, pipeline(counted), context)
    refuse_indices(module, TARGET_NAME, sink)
    return counted


def pipeline(counted: list[CountedLoop]) -> Pipeline:
    """The passes, in order; hardware loops are put into `counted`."""
    return (
        *(SIMPLIFY_CFG, Structurize(depth=_DEEPEST_NESTING), SeparateExits(), CountLoops(counted)),
        *(PlaceTables(CONSTANTS.count), Directions(), IndexOffsets(), DCE, WholeIndices()),
        *(LowerMatrices(all_rows=True), LowerIndexing(), SROA, MEM2REG),
        *(LowerIntegerBits(WHOLE_NUMBERS.outside), LowerIntToFloat(exact=WHOLE_NUMBERS.exact)),
        *(*_EXPAND, Repeat((SCCP, INSTCOMBINE, GVN, DCE), 4), AddedZeros()),
        # `instcombine` puts composite operations together again where it finds them.
        *(*_EXPAND, GVN, Contract()),
        *(ScaleIndices(), Choices(), Bounds(), Factor(), Roots(), ScaleInputs()),
        *(GVN, Vectorize(), DCE, Pack(), DCE, ShiftedProducts(), Apart(), TransposedDots(), DCE, ConstantLanes(), DCE),
        *(BoolNumbers(), DefineComponents()),
    )


def _has_indices(module: Module) -> bool:
    """Whether an element of a local array or of an input is selected at run time."""
    return any(
        instruction.address.is_dynamic and instruction.address.variable.storage in ("local", "input")
        for function in module.functions.values()
        for instruction in function.instructions()
        if instruction.op in (ops.LOAD, ops.STORE)
    )
