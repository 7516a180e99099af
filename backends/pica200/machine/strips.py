"""EMIT as the language has it: vertices of triangle strips, which a lifter writes.

Vertex number k of a strip goes into slot k modulo 3, and from the third one on each completes a triangle, of which
every other one is turned.  Where code follows that on all paths, each EMIT is a vertex; else each triangle is a strip.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from glslc_multi.backends.pica200.isa.flow import Control
from glslc_multi.backends.pica200.isa.program import Program
from glslc_multi.backends.pica200.machine.emission import Emitter
from glslc_multi.backends.pica200.machine.execute import PicaProgram
from glslc_multi.backends.pica200.machine.places import SLOTS, Emission, Place, places_of
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Edge, LaneProgram, Lanes
from glslc_multi.compiler.records import replace

#: After so many vertices slots and turns repeat.
_PERIOD = 2 * SLOTS
#: Slots of a triangle that is turned, in the order of its corners.
_TURNED = (1, 0, 2)


class _TriangleEmitter(Emitter):
    """Each triangle is a strip."""

    def emit(self, emission: Emission, most: Number) -> None:
        self.fill(emission.slot)
        if emission.issues:
            for slot in _TURNED if emission.winding else range(SLOTS):
                self._lanes.emit(self.in_slot(slot))
            self._lanes.end_strip()
        self.swap()

    def finish(self) -> None:
        """Nobody counts."""


class _StripEmitter(_TriangleEmitter):
    """Each EMIT is a vertex."""

    def emit(self, emission: Emission, most: Number) -> None:
        self._lanes.emit(self.shown())
        self.swap()


class _TriangleProgram(PicaProgram):
    emitter = _TriangleEmitter


class _StripProgram(PicaProgram):
    emitter = _StripEmitter


class _At(NamedTuple):
    """A place, and how many vertices the strip has when lanes come there."""

    machine: Place
    vertices: int = 0


class EmittingProgram(LaneProgram[_At]):
    """An executable of a program that emits vertices of strips."""

    def __init__(self, program: Program, executable: int, lanes: Lanes) -> None:
        self._lanes = lanes
        self._start = _At(places_of(program).place(Control(program.executables[executable].entry)))
        self._has_strips = _emits_strips(self._start)
        program_of = _StripProgram if self._has_strips else _TriangleProgram
        self._program = program_of(program, executable, True, False, lanes)

    @property
    def start(self) -> _At:
        return self._start

    def step(self, place: _At) -> Sequence[Edge[_At]]:
        emits = self._has_strips and _is_emit(place.machine)
        if emits and place.vertices and _begins_strip(place.machine):
            self._lanes.end_strip()
        edges = self._program.step(place.machine)
        count = _count_after(place) if emits else place.vertices
        if emits and not count:
            self._lanes.end_strip()
        return [(_At(after, count or 0), condition) for after, condition in edges]

    def finish(self) -> None:
        self._program.finish()


def _emits_strips(start: _At) -> bool:
    """Tell whether vertices are those of strips on all paths."""
    seen, waiting = {start}, [start]
    while waiting:
        at = waiting.pop()
        count = _count_after(at) if _is_emit(at.machine) else at.vertices
        if count is None:
            return False
        others = {_At(after, count) for after in _following(at.machine)} - seen
        seen |= others
        waiting += others
    return True


def _is_emit(place: Place) -> bool:
    return place.instruction is not None and place.instruction.name == "EMIT"


def _following(place: Place) -> set[Place]:
    """The places that may come next."""
    if place.instruction is None or place.instruction.name == "END":
        return set()
    return {after for exit in place.exits for after in (exit.again, exit.onward)}


def _begins_strip(place: Place) -> bool:
    """Tell whether a vertex is the first one of a strip: it goes into slot 0 and completes nothing."""
    return place.emission.slot == 0 and not place.emission.issues


def _count_after(at: _At) -> int | None:
    """Count the vertices of the strip after EMIT, 0 where each next one begins another; None where this is no strip."""
    emission, count = at.machine.emission, 0 if _begins_strip(at.machine) else at.vertices
    completes = count >= SLOTS - 1
    wanted = Emission(count % SLOTS, completes, completes and bool(count % 2))
    if emission != wanted and (completes or replace(emission, winding=False) != wanted):
        return None
    if completes and all(map(_begins_strip, _next_vertices(at.machine))):
        return 0
    return count + 1 if count < _PERIOD else count + 1 - _PERIOD


def _next_vertices(place: Place) -> list[Place]:
    """The places of the vertices that may be emitted next."""
    vertices, seen, waiting = [], {place}, [*_following(place)]
    while waiting:
        after = waiting.pop()
        if after in seen and after is not place:
            continue
        seen.add(after)
        if _is_emit(after):
            vertices.append(after)
        else:
            waiting += _following(after)
    return vertices
