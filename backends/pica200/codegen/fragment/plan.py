"""The first half of code generation: an optimised module to a problem for the search, and everything around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backends.pica200.codegen.fragment.build import Pixel, Walk
from backends.pica200.codegen.fragment.flatten import flatten
from backends.pica200.codegen.fragment.hosting import Host, unhoist
from backends.pica200.codegen.fragment.leaves import final, provisional, settle_lighting
from backends.pica200.codegen.fragment.promises import promised_ranges
from backends.pica200.codegen.fragment.units import Wiring, drop_unread, wire
from backends.pica200.codegen.output_semantics import requested_outputs
from compiler.diagnostics import DiagnosticSink
from compiler.ir.module import Block, Module
from compiler.lowering.interface.at_vertices import AtVertices
from compiler.options import TargetOptions
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """What the shader is, before stages are looked for."""

    block: Block
    host: Host
    wiring: Wiring
    walk: Walk
    pixel: Pixel


def plan(
    module: Module,
    options: TargetOptions,
    sink: DiagnosticSink,
    write: Callable[[Sequence[AtVertices]], None] | None = None,
    pragmas: Sequence[str] = (),
) -> Plan:
    """The pixel as polynomials over what is read; what cannot be is reported and raised.

    `write` is told what the rasteriser's outputs are made of, while that is there to be copied; `pragmas` are those of
    a linked vertex shader.
    """
    unhoist(module)
    settle_lighting(module)
    block = flatten(module, precise=options.precise, sink=sink)
    promises = promised_ranges(module, str(options.values.get("ranges", "")), sink)
    # What no wiring could help is said first.
    Walk(Host(block, promises), provisional(sink), sink).pixel(block)
    hints = requested_outputs([*module.pragmas, *pragmas], str(options.values.get("outputs", "")), sink)
    wiring = wire(module, hints, sink, promises)
    if write is not None:
        write(wiring.outputs)
    drop_unread(module)
    module.main.renumber()
    host = Host(block, promises)
    walk = Walk(host, final(wiring.unit_of, sink), sink)
    return Plan(block, host, wiring, walk, walk.pixel(block))
