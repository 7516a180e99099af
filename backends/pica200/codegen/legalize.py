"""What the machine lacks is removed from the IR, before code is selected.

In: an optimised module of a vertex or geometry shader.  Out: one function `main` whose control flow is a nest of ifs
and loops, with floats only (bools are 1 or 0), in operations that the rules of `select.py` know; and the loops
that the hardware counts.

The hardware has no divider, but reciprocals; dot products, so that matrices are laid out in rows; floor, but no
truncation.  Selects stay until the rules see them, since what is cheapest depends on the operands.
"""

from __future__ import annotations

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.rewrites.addresses import ScaleIndices
from backends.pica200.codegen.rewrites.bools import BoolNumbers, branch_on_bools, test_as_uploaded
from backends.pica200.codegen.rewrites.choices import Choices
from backends.pica200.codegen.rewrites.exits import SeparateExits
from backends.pica200.codegen.rewrites.loops import CountedLoop, CountLoops
from backends.pica200.codegen.rewrites.pack import Pack
from backends.pica200.codegen.rewrites.simplify import Bounds, Factor, Roots
from backends.pica200.codegen.rewrites.strips import count_indices
from backends.pica200.isa.whole_numbers import WHOLE_NUMBERS
from compiler.analysis.cfg_analyses import CFG_ANALYSES
from compiler.codegen.levels import Level
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Module
from compiler.ir.types import VEC4
from compiler.ir.variables import Variable
from compiler.lowering.opcode_set import OpcodeSet
from compiler.options import DEFAULT_OPTIMISATION
from compiler.passes.base import PassContext
from compiler.passes.control_flow.clone import clone_module
from compiler.passes.pipeline import Pipeline, parse_pipeline
from compiler.passes.runner import run_pipeline
from compiler.records import dataclass, replace

#: Composite operations that the rules compute.
KEPT = OpcodeSet("fmad.ftrunc.dot")
#: Elementary functions of the hardware.
ELEMENTARY = OpcodeSet("fexp2.flog2")
#: Instructions that a loop may be unrolled to where its counter selects elements of a local array.
_UNROLLED_FOR_ARRAYS = 2048

#: Cost of selects up to which both arms of a branch are run.
_FLAT_COST = 16.0

_PROMOTE = "inline,simplify-cfg,sroa,mem2reg"
_CLEAN = "repeat{rounds=4}(sccp,instcombine,gvn,dce)"
_EXPAND = f"lower-builtins{{keep={KEPT},lacks=fceil}},lower-bool-to-float"
_UNROLL = (
    f"loop-unroll{{max={_UNROLLED_FOR_ARRAYS}}},sroa,mem2reg,repeat{{rounds=4}}(sccp,instcombine,simplify-cfg,dce)"
)
_FLATTEN = "if-convert"
_TIDY = "instcombine,gvn,dce"
_NEST = "simplify-cfg,structurize{depth=8}"
_TO_FLOATS = (
    "lower-matrices{all-rows=true},lower-indexing,sroa,mem2reg,"
    f"lower-integer-bits{{outside={WHOLE_NUMBERS.outside}}},lower-int-to-float,"
    f"lower-transcendentals{{keep={ELEMENTARY}}},{_EXPAND},{_CLEAN}"
)
#: `instcombine` puts composite operations together again where it finds them, so they are expanded once more.
_AGAIN = f"lower-transcendentals{{keep={ELEMENTARY}}},{_EXPAND},gvn,contract"
_SHAPE = "gvn,vectorize,dce"


def prepare(module: Module, context: PassContext, sink: DiagnosticSink) -> None:
    """Refuse what cannot be had and make `main` the only function."""
    run_pipeline(module, _parse(_PROMOTE), context)
    _refuse_textures(module, sink)
    test_as_uploaded(module.main)
    _ensure_position(module)


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several modules that mean the same."""

    module: Module
    #: Variants of one family differ in small branches only, which are selects in one of them.
    family: int


#: By family, and whether small branches are selects.
_FORMS = {
    (0, False): ("as written", "the loops and branches of the source"),
    (0, True): ("flat", "both arms of small branches run"),
    (1, False): ("unrolled", "loops whose counters are indices are unrolled"),
    (1, True): ("unrolled and flat", "loops whose counters are indices are unrolled, both arms of small branches run"),
}
_BRANCHING = "choosing by branches", "what a bool uniform chooses is chosen by a branch"


def variants(module: Module, context: PassContext, optimisation: int) -> list[Level[Variant]]:
    """Modules that mean the same as a prepared one, which comes last; whose code is the shortest is seen in the end.

    Where loops select elements of local arrays or of inputs, or emit vertices, unrolling makes indices of elements
    and of vertices in strips constant, or only more code.  Both arms of a branch run without the words of the branch,
    but selects take some; where a bool uniform chooses, they take its number, too.
    """
    found = [_variant(module, 0)]
    if module.stage == "geometry" or _has_indices(module):
        found += [_variant(made, 1) for made in _changed(module, _UNROLL, context)]
    if optimisation >= DEFAULT_OPTIMISATION:
        flat = replace(context, costs=replace(context.costs, branch=_FLAT_COST, arms=0.0))
        branching = [each.values for each in found if len(each.values.module.main.blocks) > 1]
        flattened = [(made, each.family) for each in branching for made in _changed(each.module, _FLATTEN, flat)]
        for made, family in flattened:
            run_pipeline(made, _parse(_TIDY), flat)
            found.append(_variant(made, family, is_flat=True))
    return [*(made for each in found for made in _branching(each)), *found][::-1]


def _branching(level: Level[Variant]) -> list[Level[Variant]]:
    """The variant in which bool uniforms choose by branches, where they choose."""
    clone = clone_module(level.values.module)
    if not branch_on_bools(clone.main):
        return []
    name, about = _BRANCHING
    return [Level(f"{level.name}, {name}", f"{level.about}; {about}", Variant(clone, level.values.family))]


def _variant(module: Module, family: int, *, is_flat: bool = False) -> Level[Variant]:
    return Level(*_FORMS[family, is_flat], Variant(module, family))


def _changed(module: Module, passes: str, context: PassContext) -> list[Module]:
    """The module after some passes, where they change it."""
    clone = clone_module(module)
    return [clone] if run_pipeline(clone, _parse(passes), context) else []


def legalize(module: Module, context: PassContext, sink: DiagnosticSink) -> list[CountedLoop]:
    """Change a module in place; the loops that i registers drive.

    Elements of local arrays are found by comparing, unless the loops whose counters select them are unrolled; arrays
    too large for that are reported.
    """
    is_counting = count_indices(module.main)
    context.analyses(module.main).invalidate(CFG_ANALYSES)  # What has changed the module so far is no pass.
    if is_counting:
        run_pipeline(module, _parse("mem2reg,dce"), context)
    counted: list[CountedLoop] = []
    run_pipeline(module, pipeline(counted), context)
    _refuse_indices(module, sink)
    _define_components(module)
    return counted


def _refuse_indices(module: Module, sink: DiagnosticSink) -> None:
    """Report what selects elements of local arrays that are left."""
    for instruction in module.main.instructions():
        if instruction.op not in (ops.LOAD, ops.STORE):
            continue
        if instruction.address.is_dynamic and instruction.address.variable.storage == "local":
            construct = "a variable index of so large an array"
            help = "use a smaller array, a uniform one, or constant indices"
            sink.report(NOT_EXPRESSIBLE, instruction.span, target=TARGET_NAME, construct=construct, help=help)
    sink.raise_if_errors()


def _define_components(module: Module) -> None:
    """Let undefined components of vectors be 0: the hardware waits for every component of an output."""
    for instruction in module.main.instructions():
        if instruction.op is not ops.CONSTRUCT:
            continue
        for position, operand in enumerate(instruction.operands):
            if isinstance(operand, Constant) and None in operand.components:
                instruction.set_operand(position, operand.settled())


def pipeline(counted: list[CountedLoop]) -> Pipeline:
    """The passes, in order; hardware loops are put into `counted`."""
    return (
        *_parse(_NEST),
        SeparateExits(),
        CountLoops(counted),
        *_parse("index-offsets,dce,whole-indices"),
        *_parse(_TO_FLOATS),
        *_parse("added-zeros"),
        *_parse(_AGAIN),
        ScaleIndices(),
        Choices(),
        Bounds(),
        Factor(),
        Roots(),
        *_parse(_SHAPE),
        Pack(),
        *_parse("dce"),
        BoolNumbers(),
    )


def _parse(text: str) -> Pipeline:
    return parse_pipeline(text, DiagnosticSink())


def _refuse_textures(module: Module, sink: DiagnosticSink) -> None:
    """Report what no sequence of instructions computes; the first one will do."""
    for function in module.functions.values():
        lookup = next((i for i in function.instructions() if i.op.attribute == "texture"), None)
        if lookup is not None:
            help = "pass the values as attributes or uniforms"
            construct = "a texture lookup: its vertex unit has no textures"
            sink.report(NOT_EXPRESSIBLE, lookup.span, target=TARGET_NAME, construct=construct, help=help)
    sink.raise_if_errors()


def _ensure_position(module: Module) -> None:
    """Let a shader that writes no position write one: the hardware waits for it."""
    if any(variable.role == "position" for variable in module.outputs()):
        return
    position = module.add_variable(Variable("gl_Position", "output", VEC4, precision="highp", role="position"))
    complete = ops.EMIT_VERTEX if module.stage == "geometry" else ops.RET
    for instruction in [i for i in module.main.instructions() if i.op is complete]:
        Builder.before(instruction).store(position, Constant.splat(VEC4, 0.0))


def _has_indices(module: Module) -> bool:
    """Whether an element of a local array or of an input is selected at run time."""
    return any(
        instruction.address.is_dynamic and instruction.address.variable.storage in ("local", "input")
        for function in module.functions.values()
        for instruction in function.instructions()
        if instruction.op in (ops.LOAD, ops.STORE)
    )
