"""Triangle strips of geometry shaders: which slot each EMIT fills, and whether it issues a triangle.

The hardware keeps three vertices.  Vertex k of a strip goes to slot k mod 3; from the third on each completes a
triangle, and every other triangle is marked as wound the other way round.  SETEMIT says so with constants, so the
place of a vertex in its strip must be the same on every way to its EMIT.
"""

from __future__ import annotations

from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from compiler.ir import ops
from compiler.ir.module import Block, Function, Instruction
from compiler.records import dataclass

#: Slots, and vertices in front of the first triangle's last one.
_SLOTS, _LEAD = 3, 2
#: After so many triangles slots and winding are the same again.
_CYCLE = 6


@dataclass(frozen=True, slots=True)
class Emission:
    """What SETEMIT says of a vertex."""

    slot: int
    issues: bool
    is_turned: bool


def emissions(main: Function, target: str, sink: DiagnosticSink) -> dict[Instruction, Emission]:
    """How every `emit_vertex` of `main` is done; one whose place is not constant is reported and raised."""
    found: dict[Instruction, Emission] = {}
    for instruction, places in _places(main).items():
        if len(places) > 1:
            construct = "EmitVertex() whose place in its strip depends on the way that leads there"
            help = "call EndPrimitive() in the loop or branch that emits, or emit as many vertices on every way"
            sink.report(NOT_EXPRESSIBLE, instruction.span, target=target, construct=construct, help=help)
            sink.raise_if_errors()
        (place,) = places
        found[instruction] = Emission(place % _SLOTS, place >= _LEAD, place >= _LEAD and place % 2 == 1)
    return found


def _places(main: Function) -> dict[Instruction, set[int]]:
    """The vertices of a strip that an `emit_vertex` may make, by their numbers."""
    found: dict[Instruction, set[int]] = {}
    seen: set[tuple[Block, int]] = set()
    waiting = [(main.entry, 0)]
    while waiting:
        block, place = waiting.pop()
        if (block, place) in seen:
            continue
        seen.add((block, place))
        for instruction in block:
            if instruction.op is ops.END_PRIMITIVE:
                place = 0
            elif instruction.op is ops.EMIT_VERTEX:
                found.setdefault(instruction, set()).add(place)
                place = place + 1 if place + 1 < _LEAD + _CYCLE else _LEAD
        waiting += [(successor, place) for successor in block.successors]
    return found
