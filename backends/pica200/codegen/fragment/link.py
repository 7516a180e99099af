"""Linking: the vertex shader leaves what the fragment stage reads, in the outputs that the rasteriser has.

In: a linked pair whose fragment module is optimised.  Out: both modules speak of the outputs of the rasteriser
(`$color`, `$texcoord0`, ...), as `units.py` chose them: varyings are packed, doubled, or computed from others at the
vertices.
"""

from __future__ import annotations

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.flatten import flatten
from backends.pica200.codegen.fragment.hosting import Host
from backends.pica200.codegen.fragment.lighting.carry import carry_lighting
from backends.pica200.codegen.fragment.lighting.find import Lighting
from backends.pica200.codegen.fragment.promises import promised_ranges
from backends.pica200.codegen.fragment.units import drop_unread, wire
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.link import UNIFORM_ELSEWHERE
from compiler.ir.module import Module
from compiler.link import LinkedPair
from compiler.lowering.interface.at_vertices import names_in_the_way, write_at_vertices
from compiler.lowering.interface.flat import interpolate_flat
from compiler.options import TargetOptions


def adapt(pair: LinkedPair, options: TargetOptions, sink: DiagnosticSink) -> None:
    """See the module's text."""
    interpolate_flat(pair.fragment, TARGET_NAME, sink)
    flatten(pair.fragment, precise=options.precise, sink=sink)
    for variable in names_in_the_way(pair.vertex, pair.fragment):
        sink.report(UNIFORM_ELSEWHERE, variable.span, name=variable.name)
    sink.raise_if_errors()
    carried = carry_lighting(pair.fragment, _lighting(pair.fragment, options, sink))
    wiring = wire(pair.fragment, {}, sink)
    write_at_vertices(pair.vertex, pair.fragment, [*wiring.outputs, *carried])
    drop_unread(pair.fragment)


def _lighting(fragment: Module, options: TargetOptions, sink: DiagnosticSink) -> Lighting:
    promises = promised_ranges(fragment, str(options.values.get("ranges", "")), sink)
    return Lighting(fragment.main.entry, Host(fragment.main.entry, promises))
