"""What the combiners cannot do, reported at its place with the nearest thing that they can."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, NoReturn

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.colours import COLOUR
from backends.pica200.codegen.fragment.hosting import Unbounded
from backends.pica200.codegen.fragment.lighting.functions import has_jumps
from backends.pica200.codegen.fragment.polynomials import Polynomial
from backends.pica200.codegen.fragment.problem import NoSolution
from backends.pica200.codegen.fragment.ranges import lies_in_unit, range_of
from backends.pica200.codegen.fragment.units import Wiring, source_of
from backends.pica200.codegen.output_semantics import RASTERISER
from backends.pica200.isa.fragment.combiners import STAGES
from compiler.diagnostics import CompileError, DiagnosticSink, Span
from compiler.diagnostics.catalogue.limits import (
    COMBINER_COORDINATES,
    COMBINER_INPUT,
    COMBINER_LIGHTS,
    COMBINER_OPERATION,
    COMBINER_RANGE,
    COMBINER_SOFT_EDGE,
    COMBINER_STAGES,
    COMBINER_VARYINGS,
)
from compiler.ir import ops
from compiler.ir.module import Instruction

if TYPE_CHECKING:
    from backends.pica200.codegen.fragment.lighting.settle import Settled
    from backends.pica200.codegen.fragment.plan import Plan

_LINK = "link it with its vertex shader, which then computes it"
#: What messages call an operation, where that is not its name without the letter of its kind.
_NAMES = {
    ops.FDIV: "a division by what differs",
    ops.FRCP: "a division by what differs",
    ops.FRSQRT: "inversesqrt",
    ops.FROUNDEVEN: "roundEven",
    ops.FATAN2: "atan",
    ops.DDX: "differences between neighbouring pixels",
    ops.DDY: "differences between neighbouring pixels",
    ops.BTOF: "a choice that jumps",
    ops.SELECT: "a choice that jumps",
    ops.FSTEP: "step",
    ops.FTOI: "whole numbers",
    ops.FTOU: "whole numbers",
}
_HELP = {
    "a choice that jumps": "choose by a ramp: mix(a, b, clamp((x - edge) * 16.0 + 0.5, 0.0, 1.0))",
    "step": "use a steep ramp: clamp((x - edge) * 16.0 + 0.5, 0.0, 1.0)",
    "normalize": "the lighting unit normalises the normal and the view vector alone; put the rest into a texture",
    "a division by what differs": "divide in the vertex shader, or multiply with what a texture holds",
}
_INPUT_HELP = {
    "frag_coord": "pass what is needed in a varying, or use a texture that repeats",
    "front_facing": "draw the two sides one after the other, with face culling",
    "point_coord": "draw points as quads, with a varying from corner to corner",
}


def refuse_operation(instruction: Instruction, construct: str, sink: DiagnosticSink) -> NoReturn:
    """An operation that pixels cannot have; `construct` says what it is, where that is not the operation."""
    op = instruction.op
    name = construct or _NAMES.get(op) or op.name.removeprefix("f")
    sink.report(COMBINER_OPERATION, instruction.span, target=TARGET_NAME, construct=name, help=_HELP.get(name))
    raise CompileError(sink.diagnostics)


def refuse_input(load: Instruction, sink: DiagnosticSink) -> NoReturn:
    """A built-in input that does not reach the combiners."""
    variable = load.address.variable
    help = _INPUT_HELP.get(variable.role)
    sink.report(COMBINER_INPUT, load.span, target=TARGET_NAME, name=variable.name, help=help)
    raise CompileError(sink.diagnostics)


def refuse_output(store: Instruction, sink: DiagnosticSink) -> NoReturn:
    """An output that is not the pixel's colour."""
    construct = f"'{store.address.variable.name}': the colour is the one output"
    sink.report(COMBINER_OPERATION, store.span, target=TARGET_NAME, construct=construct)
    raise CompileError(sink.diagnostics)


def refuse_length(instruction: Instruction, sink: DiagnosticSink) -> NoReturn:
    """A polynomial that has grown too long for six stages."""
    what = "so long a sum of products does not fit"
    help = "a loop whose rounds uniforms count, or choices between many sums: compile one program for each case"
    sink.report(COMBINER_STAGES, instruction.span, target=TARGET_NAME, limit=STAGES, what=what, help=help)
    raise CompileError(sink.diagnostics)


def refuse_unbounded(instruction: Instruction, failure: Unbounded, sink: DiagnosticSink) -> NoReturn:
    """A number of the host that may be any."""
    low, high = (f"{end:g}" if isfinite(end) else "any number" for end in (failure.interval.low, failure.interval.high))
    help = "promise the ranges of its uniforms by '#pragma pica200 range NAME LOW HIGH', or clamp it"
    what = "what the host computes here"
    sink.report(COMBINER_RANGE, instruction.span, target=TARGET_NAME, what=what, low=low, high=high, help=help)
    raise CompileError(sink.diagnostics)


def refuse_discard(span: Span | None, construct: str, sink: DiagnosticSink) -> NoReturn:
    """A discard that is no alpha test."""
    help = "compare the alpha that is written; '#pragma pica200 opaque' says that nobody else needs alpha"
    sink.report(COMBINER_OPERATION, span, target=TARGET_NAME, construct=f"discard by {construct}", help=help)
    raise CompileError(sink.diagnostics)


def refuse_plain_parts(wiring: Wiring, sink: DiagnosticSink) -> None:
    """Outputs of the rasteriser that are not varyings as they are: a linked vertex shader computes them."""
    for output in wiring.outputs:
        if output.variable.name == COLOUR:
            computed = any(term.degree and term.part is None for term in output.terms)
            if computed:
                sink.report(
                    COMBINER_VARYINGS, target=TARGET_NAME, what="these varyings", limit="a colour of 4", help=_LINK
                )
        elif any(source_of(term)[0] is None for term in output.terms):
            construct = f"computed for {output.variable.name.removeprefix(RASTERISER)}"
            sink.report(COMBINER_COORDINATES, target=TARGET_NAME, construct=construct, help=_LINK)
    sink.raise_if_errors()


def refuse_problem(plan: Plan, failure: NoSolution, sink: DiagnosticSink) -> NoReturn:
    """No stages were found: a factor that no byte holds is the likeliest reason, else there are too few stages."""
    for instruction in plan.block:
        for operand, low, high in _wide_factors(plan, instruction):
            help = "write max(x, 0.0) or abs(x) if that is meant, or scale it: x * 0.5 + 0.5"
            limits = {"low": f"{float(low):g}", "high": f"{float(high):g}"}
            span = operand.span or instruction.span
            sink.report(COMBINER_RANGE, span, target=TARGET_NAME, what="this factor", help=help, **limits)
            raise CompileError(sink.diagnostics)
    refuse_stages(plan.pixel.colour_span, failure, sink)


def _wide_factors(plan: Plan, instruction: Instruction) -> Iterator[tuple[Instruction, Fraction, Fraction]]:
    """Operands of a product of pixel values that are below 0 or above 1."""
    if instruction.op not in (ops.FMUL, ops.FMIX, ops.DOT) or instruction not in plan.walk.values:
        return
    pixels = [o for o in instruction.operands if isinstance(o, Instruction) and o not in plan.host.values]
    for operand in pixels if len(pixels) > 1 else ():
        for value in plan.walk.values[operand]:
            if isinstance(value, Polynomial) and not lies_in_unit(value):
                yield operand, *range_of(value)


def refuse_stages(span: Span | None, failure: NoSolution, sink: DiagnosticSink) -> NoReturn:
    """No program was found."""
    found = f"at least {failure.at_least} stages are needed" if failure.at_least > STAGES else "no program was found"
    complete = "all were tried" if failure.is_complete else "the search was given up after much work"
    sink.report(
        COMBINER_STAGES,
        span,
        target=TARGET_NAME,
        limit=STAGES,
        what="this does not fit",
        notes=(f"{found}: {complete}",),
        help="compute a part per vertex, merge constants, or leave something out",
    )
    raise CompileError(sink.diagnostics)


def refuse_lighting(span: Span | None, sink: DiagnosticSink) -> NoReturn:
    """Functions of normal, light and view that the lighting unit cannot join so."""
    sink.report(
        COMBINER_OPERATION,
        span,
        target=TARGET_NAME,
        construct="lighting of this form",
        notes=(
            "the lighting unit yields ambient + sums of diffuse * max(dot(N, L), 0), and sums of colours times "
            "functions of dot(N, L), dot(N, H), dot(N, V), of which two can be multiplied",
        ),
        help="write it as sums of such products, or set lights up by hand: #include <pica200.glsl>",
    )
    raise CompileError(sink.diagnostics)


def warn_of_lighting(settled: Settled, span: Span | None, sink: DiagnosticSink) -> None:
    """Sums that the unit clamps though the shader does not; that the host's numbers keep them low is taken on trust.
    And functions that jump, of which tables make slopes."""
    if any(has_jumps(use.content) for use in settled.unit.tables.values()):
        sink.report(COMBINER_SOFT_EDGE, span, target=TARGET_NAME)
    for value in settled.exceeding:
        sink.report(COMBINER_LIGHTS, span, target=TARGET_NAME, high=f"{float(range_of(value)[1]):g}")
