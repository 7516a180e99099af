"""Vertices that the host has shaded itself, for a fragment program alone (NV shader state): their structure in C."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from glslc_multi.compiler.artifact import Artifact, Binding, Location
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.preamble_c import C_TYPES
from glslc_multi.compiler.records import dataclass

_WORD = 4
#: Position packed, depth, 1/w.
_FIXED_WORDS = 3


@dataclass(frozen=True, slots=True)
class ShadedVertex:
    """A vertex: the hardware's numbers, then varyings in the order in which the program reads them."""

    has_size: bool
    #: Name, kind, and how many numbers in a row.
    varyings: tuple[tuple[str, str, int], ...]

    @property
    def bytes(self) -> int:
        return _WORD * (_FIXED_WORDS + self.has_size + sum(count for _, _, count in self.varyings))

    def structure(self, prefix: str) -> Iterator[str]:
        names = CNames()
        yield ""
        yield "/* A vertex that the host has shaded: x and y in sixteenths of a pixel from the viewport's centre. */"
        yield f"typedef struct {prefix}_shaded {{"
        yield f"    int16_t {names.new('x')}, {names.new('y')};"
        yield f"    float {names.new('z')};"
        yield f"    float {names.new('inverse_w')};"
        if self.has_size:
            yield f"    float {names.new('point_size')};"
        for name, kind, count in self.varyings:
            yield f"    {C_TYPES[kind]} {names.new(member_name(name))}[{count}];"
        yield f"}} {prefix}_shaded;"


def shaded_vertex(fragment: Artifact) -> ShadedVertex:
    """What a fragment program takes; numbers of one varying that follow each other are one member."""
    reflection = fragment.reflection
    places: list[tuple[Binding, Location]] = sorted(
        ((binding, location) for binding in reflection.varyings for location in binding.locations),
        key=lambda found: found[1].index,
    )
    rows = groupby(places, key=lambda found: found[0])
    members = tuple((binding.name, binding.kind, len(list(found))) for binding, found in rows)
    return ShadedVertex((reflection.host_state or {})["primitive"] == "points", members)
