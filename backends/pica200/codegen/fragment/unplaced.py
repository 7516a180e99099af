"""Why a shader whose operations are all possible does not fit: what it reads, or how much it computes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.plan import Plan
from glslc_multi.backends.pica200.codegen.fragment.prove.problem import NoSolution
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Polynomial
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import lies_in_unit, range_of
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import FADING_HELP, is_distance, refuse
from glslc_multi.backends.pica200.codegen.fragment.read.walk import COLOUR
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.rotation import quaternion_of_normal
from glslc_multi.backends.pica200.codegen.fragment.units.textures import Wiring, source_of
from glslc_multi.backends.pica200.codegen.output_semantics import RASTERISER
from glslc_multi.backends.pica200.isa.fragment.combiners import STAGES
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import (
    COMBINER_COORDINATES,
    COMBINER_RANGE,
    COMBINER_STAGES,
    COMBINER_VARYINGS,
)
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction

#: A value of the shader, and its least and greatest number.
_Factor = tuple[Instruction, float, float]

_BELOW_0 = "write max(x, 0.0) or abs(x) if that is meant, or scale it: x * 0.5 + 0.5"
_ABOVE_1 = "write min(x, 1.0) if that is meant, or a part of it, x * 0.25, and multiply by the rest at the end"
_LINK = "link it with its vertex shader, which then computes it"


def refuse_plain_parts(wiring: Wiring, sink: DiagnosticSink) -> None:
    """Outputs of the rasteriser that are not varyings as they are: a linked vertex shader computes them."""
    for output in wiring.outputs:
        if output.variable.name == COLOUR:
            computed = any(term.degree and term.part is None for term in output.terms)
            if computed:
                sink.report(
                    COMBINER_VARYINGS, target=TARGET_NAME, what="these varyings", limit="a colour of 4", help=_LINK
                )
        elif output.make is quaternion_of_normal and any(source_of(term)[1] == "negated" for term in output.terms):
            # A register map has no word for it.
            limit = "the rotation to a normal as it is"
            sink.report(COMBINER_VARYINGS, target=TARGET_NAME, what="opposite normals", limit=limit, help=_LINK)
        elif any(source_of(term)[0] is None for term in output.terms):
            number = output.variable.name.removeprefix(f"{RASTERISER}texcoord")[:1]
            span = next((lookup.span for lookup, unit in wiring.unit_of.items() if str(unit) == number), None)
            sink.report(COMBINER_COORDINATES, span, target=TARGET_NAME, construct="no varying as it is", help=_LINK)
    sink.raise_if_errors()


def refuse_problem(plan: Plan, failure: NoSolution, sink: DiagnosticSink) -> NoReturn:
    """No stages were found: a factor that no byte holds is the likeliest reason, else there are too few stages."""
    factors = [(instruction, factor) for instruction in plan.block for factor in _wide_factors(plan, instruction)]
    if factors:
        # A dot product of what is in -1 to 1 is the machine's own: others are likelier to be the reason.
        likeliest = min(factors, key=lambda row: row[0].op is ops.DOT and row[1][1] >= -1 and row[1][2] <= 1)
        instruction, (operand, low, high) = likeliest
        span = operand.span or instruction.span
        help = FADING_HELP if is_distance(instruction) else _BELOW_0 if low < 0 else _ABOVE_1
        refuse(sink, COMBINER_RANGE, span, help, what="this factor", low=f"{low:g}", high=f"{high:g}")
    need = f"at least {failure.at_least} stages are needed" if failure.at_least > STAGES else "no program was found"
    complete = "all were tried" if failure.is_complete else "the search was given up after much work"
    notes, help = (f"{need}: {complete}",), "compute a part per vertex, merge constants, or leave something out"
    refuse(sink, COMBINER_STAGES, plan.pixel.colour_span, help, what="this does not fit", limit=STAGES, notes=notes)


def _wide_factors(plan: Plan, instruction: Instruction) -> Iterator[_Factor]:
    """Operands of a product of pixel values that are below 0 or above 1."""
    if instruction.op not in (ops.FMUL, ops.FMIX, ops.DOT) or instruction not in plan.walk.values:
        return
    pixels = [o for o in instruction.operands if isinstance(o, Instruction) and o not in plan.host.values]
    for operand in pixels if len(pixels) > 1 else ():
        for value in plan.walk.values.get(operand, ()):
            if isinstance(value, Polynomial) and not lies_in_unit(value):
                low, high = range_of(value)
                yield operand, float(low), float(high)
