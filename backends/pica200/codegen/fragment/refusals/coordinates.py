"""Texture coordinates that are computed for each pixel, reported at the lookup with the nearest thing that fits."""

from __future__ import annotations

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.refusals.operations import has_place, refuse_input, values_below
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import COMBINER_COORDINATES
from compiler.ir import ops
from compiler.ir.module import Instruction

_REPEATS = frozenset((ops.FFRACT, ops.FFLOOR, ops.FMOD))


def report_coordinate(lookup: Instruction, sink: DiagnosticSink) -> None:
    """Say what is wrong with a coordinate."""
    below = list(values_below(lookup.operands[lookup.address.index_count]))
    operations = {value.op for value in below}
    reads_texel = ops.TEXTURE in operations
    places = [value for value in below if value.op is ops.LOAD and has_place(value.address.variable)]
    if places and not reads_texel:
        refuse_input(places[0], sink)
    construct = "computed from a texel" if reads_texel else "not linear in the varyings"
    if ops.TEXTURE in operations:
        help = "store what is found there in the first image, or compute the coordinate in the vertex shader"
    elif operations >= {ops.NORMALIZE, ops.DOT}:
        help = "write the ramp as a function, with smoothstep or choices: of one dot(normal, light) it is a table"
    elif operations & _REPEATS:
        help = "let the texture repeat (GPU_REPEAT), and leave out fract and mod"
    else:
        help = "compute it in the vertex shader, on a mesh that is fine enough"
    sink.report(COMBINER_COORDINATES, lookup.span, target=TARGET_NAME, construct=construct, help=help)
