"""Depth that fog cannot be made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.algebra.polynomials import Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import lies_in_unit, range_of
from backends.pica200.codegen.fragment.fog.depths import Depths
from compiler.diagnostics import CompileError, DiagnosticSink, Span
from compiler.diagnostics.catalogue.limits import COMBINER_INPUT, COMBINER_RANGE


def refuse_depth(depths: Depths, sink: DiagnosticSink) -> NoReturn:
    """A use of depth that is no fog."""
    sink.report(
        COMBINER_INPUT,
        depths.leaves[0].span,
        target=TARGET_NAME,
        name=depths.name,
        notes=("depth reaches the fog unit alone, which mixes the finished colour with one of uniforms",),
        help="end with mix(fog, colour, f), where f depends on gl_FragCoord.z and uniforms alone and lies in 0 to 1",
    )
    raise CompileError(sink.diagnostics)


def refuse_body(body: Sequence[Polynomial], span: Span | None, sink: DiagnosticSink) -> None:
    """A colour below the fog that stages would clamp."""
    channel = next((each for each in body if not lies_in_unit(each)), None)
    if channel is None:
        return
    low, high = map(float, range_of(channel))
    what = "what the fog covers"
    help = "clamp it before the fog, or promise less of uniforms by '#pragma pica200 range NAME LOW HIGH'"
    sink.report(COMBINER_RANGE, span, target=TARGET_NAME, what=what, low=f"{low:g}", high=f"{high:g}", help=help)
    raise CompileError(sink.diagnostics)
