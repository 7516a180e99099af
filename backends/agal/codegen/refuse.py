"""What this machine cannot express, reported where the source has it, with the smallest change that helps.

In: a module as the lowerings left it, as far as they could.  Limits of registers and tokens are found later, where
they are assigned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn

from glslc_multi.backends.agal.isa.registers import BY_TYPE, DEPTH, INSTANCE, OUTPUT, Stage
from glslc_multi.backends.agal.isa.sampler_options import BIAS_STEPS
from glslc_multi.backends.agal.isa.textures import TEXTURES
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE, SHADER_TOO_LARGE
from glslc_multi.compiler.diagnostics.catalogue.machine import AGAL_LOOP_LIMITED
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Module
from glslc_multi.compiler.ir.variables import Variable

#: Role of a built-in -> what to do without it.
_NO_INPUT = {
    "point_coord": "draw points as quads, with a varying from corner to corner",
}
_VERSION_2 = "--agal-version 2 has it"


class Refusal(NamedTuple):
    """A construct without a form, where it stands, and what to do."""

    construct: str
    span: Span | None
    help: str


def refuse(module: Module, version: int, sink: DiagnosticSink) -> None:
    """Report what has no form; each construct once where it stands."""
    stage: Stage = "vertex" if module.stage == "vertex" else "fragment"
    refusals = dict.fromkeys(refusal for i in module.main.instructions() for refusal in _refusals(i, stage, version))
    for refusal in refusals:
        sink.report(
            NOT_EXPRESSIBLE, refusal.span, help=refusal.help, target=f"agal {version}", construct=refusal.construct
        )
    sink.raise_if_errors()


def loop_tests(module: Module) -> list[Span | None]:
    """The loops, each as the span of a test that leaves it."""
    if len(module.main.blocks) == 1:
        return []
    from glslc_multi.compiler.analysis.loops import loop_nest

    loops = AnalysisManager(module.main).get(loop_nest).all_loops()
    tests = [next((block for block, _ in loop.exits), loop.header).terminator for loop in loops]
    return list(dict.fromkeys(None if test is None else test.span for test in tests))


def refuse_loops(module: Module, version: int, sink: DiagnosticSink) -> None:
    """Report the loops that could not be unrolled."""
    tests = loop_tests(module)
    if not tests:
        return
    from glslc_multi.compiler.analysis.trips import trip_counts
    from glslc_multi.compiler.passes.control_flow.loop_unroll import MOST_UNROLLED, unrolled_size

    analyses = AnalysisManager(module.main)
    size = unrolled_size(analyses)
    if size > MOST_UNROLLED or analyses.get(trip_counts):
        rounds = f"all rounds of loops take {size}" if size > MOST_UNROLLED else "each round of a loop is a copy"
        help = f"{rounds}, since agal {version} has no loops; let them run less often"
        sink.report(SHADER_TOO_LARGE, tests[0], help=help, limit=MOST_UNROLLED)
        sink.raise_if_errors()
    help = "bound the loop by a small constant, or let --agal-loop-limit N end it after N rounds"
    for span in tests:
        sink.report(NOT_EXPRESSIBLE, span, help=help, target=f"agal {version}", construct="a loop that is not unrolled")
    sink.raise_if_errors()


def refuse_branch(construct: str, span: Span | None, version: int, sink: DiagnosticSink) -> NoReturn:
    """Report a branch that no instruction can be."""
    sink.report(NOT_EXPRESSIBLE, span, help="let it be arithmetic", target=f"agal {version}", construct=construct)
    raise CompileError(sink.diagnostics)


def warn_of_limit(loops: Iterable[Span | None], limit: int, version: int, sink: DiagnosticSink) -> None:
    """Report the loops that run at most as often as the option says."""
    help = "bound it by a constant, as in i < 8 && i < n; --agal-loop-limit sets another limit, 0 refuses such loops"
    for span in loops:
        sink.report(AGAL_LOOP_LIMITED, span, help=help, limit=limit, target=f"agal {version}")


def _refusals(instruction: Instruction, stage: Stage, version: int) -> Iterator[Refusal]:
    op = instruction.op
    if op is ops.TEXTURE:
        yield from _texture(instruction, stage)
    elif op in (ops.DDX, ops.DDY) and version < 2:
        yield Refusal("derivatives in version 1", instruction.span, _VERSION_2)
    elif op is ops.LOAD:
        yield from _load(instruction, stage, version)
    elif op is ops.STORE:
        yield from _store(instruction, stage, version)


def _texture(instruction: Instruction, stage: Stage) -> Iterator[Refusal]:
    access, span = instruction.attribute, instruction.span
    if stage not in TEXTURES.stages:
        yield Refusal("texture lookups in vertex shaders", span, "look up in the fragment shader")
    elif access.mode not in TEXTURES.modes and not is_of_base_level(instruction):
        yield Refusal(
            "a texture lookup with an explicit level of detail",
            span,
            "let the hardware choose the level, or take level 0",
        )
    elif access.mode == "lod" and access.kind.image_kind == "cube":
        yield Refusal("a lookup in a cube map without mip levels", span, "let the hardware choose the level")
    elif access.mode == "bias" and fixed_bias(instruction) is None:
        least, most = -128 // BIAS_STEPS, 127 / BIAS_STEPS
        yield Refusal(
            "a level of detail bias that is no constant in eighths", span, f"use a constant from {least} to {most}"
        )
    elif access.address.is_dynamic:
        yield Refusal("an index into so many samplers", span, "use fewer samplers, or constant indices")


def fixed_bias(lookup: Instruction) -> int | None:
    """The bias of a lookup in eighths, 0 where it has none; None where a token cannot hold it."""
    if lookup.attribute.mode != "bias":
        return 0
    bias = lookup.operands[-1]
    value = bias.components[0] if isinstance(bias, Constant) else None
    eighths = None if value is None else float(value) * BIAS_STEPS
    return int(eighths) if eighths is not None and -128 <= eighths <= 127 and eighths == int(eighths) else None


def is_of_base_level(lookup: Instruction) -> bool:
    """Tell whether a lookup asks for level 0 or less, which is level 0 (ES 3.00 section 8.8): `mipnone` has it."""
    level = lookup.operands[-1]
    if lookup.attribute.mode != "lod" or not isinstance(level, Constant):
        return False
    # An undefined level may be any.
    return level.components[0] is None or float(level.components[0]) <= 0.0


def _load(load: Instruction, stage: Stage, version: int) -> Iterator[Refusal]:
    variable = load.address.variable
    if variable.role in _NO_INPUT:
        yield Refusal(variable.name, load.span, _NO_INPUT[variable.role])
    elif variable.role == "instance_id" and BY_TYPE[stage, INSTANCE].size(version) == 0:
        yield Refusal(f"{variable.name} before version 3", load.span, "--agal-version 3 has it")
    elif load.address.is_dynamic and variable.storage != "uniform":
        yield Refusal(
            f"an index into the {variable.length} elements of '{_name(variable)}'", load.span, "use a smaller array"
        )
    elif load.address.is_dynamic and stage == "fragment":
        yield Refusal(
            f"an index into the {variable.length} elements of '{variable.name}' in a fragment shader",
            load.span,
            "use a smaller array, a texture, or look it up in the vertex shader",
        )


def _name(variable: Variable) -> str:
    """As the source calls it: the copy of an output that is written in parts has a suffix."""
    return variable.name.partition("$")[0]


def _store(store: Instruction, stage: Stage, version: int) -> Iterator[Refusal]:
    variable = store.address.variable
    if variable.storage == "local":
        if store.address.is_dynamic:
            yield Refusal(
                f"an index into the {variable.length} elements of '{_name(variable)}'",
                store.span,
                "use a smaller array",
            )
        return
    value = store.operands[-1]
    if isinstance(value, Constant) and value.is_undef:
        return
    if variable.role == "point_size":
        yield Refusal(variable.name, store.span, "draw points as quads; --agal-point-size drop compiles without it")
    elif variable.role == "frag_depth" and BY_TYPE[stage, DEPTH].size(version) == 0:
        yield Refusal(f"{variable.name} in version 1", store.span, _VERSION_2)
    elif variable.role == "frag_data":
        colour = (variable.location or 0) + store.address.offset
        if colour >= BY_TYPE[stage, OUTPUT].size(version):
            name = f"{variable.name}[{colour}]" if variable.location is None else f"colour {colour}"
            most = BY_TYPE[stage, OUTPUT].size(2)
            yield Refusal(name, store.span, _VERSION_2 if colour < most else f"there are {most} colours at most")
