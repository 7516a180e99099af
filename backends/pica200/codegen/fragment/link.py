"""Linking: the vertex shader leaves what the fragment stage reads, in the outputs that the rasteriser has.

In: a linked pair whose fragment module is optimised.  Out: both modules speak of the outputs of the rasteriser
(`$color`, `$texcoord0`, ...), as `units.py` chose them: varyings are packed, doubled, or computed from others at the
vertices.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.colours import COLOUR
from backends.pica200.codegen.fragment.fog.promised import link_depth
from backends.pica200.codegen.fragment.plan import plan
from backends.pica200.codegen.fragment.promises import promises_of
from backends.pica200.codegen.fragment.vertex_colours import warn_of_colours
from backends.pica200.codegen.fragment.window import pass_window
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.link import UNIFORM_ELSEWHERE
from compiler.link import LinkedPair
from compiler.lowering.interface.at_vertices import AtVertices, names_in_the_way, write_at_vertices
from compiler.lowering.interface.flat import interpolate_flat
from compiler.options import TargetOptions


def adapt(pair: LinkedPair, options: TargetOptions, sink: DiagnosticSink) -> None:
    """See the module's text."""

    def write(outputs: Sequence[AtVertices]) -> None:
        for variable in names_in_the_way(pair.vertex, pair.fragment):
            sink.report(UNIFORM_ELSEWHERE, variable.span, name=variable.name)
        sink.raise_if_errors()
        write_at_vertices(pair.vertex, pair.fragment, outputs)
        promised = promises_of(pair.fragment, str(options.values.get("ranges", "")), sink)
        for output in outputs:
            if output.variable.name == COLOUR:
                warn_of_colours(pair.vertex, output, promised, sink)

    interpolate_flat(pair.fragment, TARGET_NAME, sink)
    link_depth(pair.fragment, sink)
    pass_window(pair, sink)
    plan(pair.fragment, options, sink, write, pair.vertex.pragmas)
