"""The arrays of attributes of a program: one for each column, which both programs of a vertex read.

The hardware copies so many bytes of each array to rows of the VPM, for either program from a row of its own. A program
may leave out rows at the end that it does not read, but the hardware copies whole arrays for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.host_code.places import shape_of
from glslc_multi.compiler.records import dataclass

_ROW = 4
#: An array: name, and number of the column among those of all elements.
_Column = tuple[str, int]


@dataclass(frozen=True, slots=True)
class AttributeArray:
    """An array: where it begins in a vertex, its bytes, and where they go for a stage, if it reads them."""

    offset: int
    bytes: int
    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class VertexMember:
    """An attribute in the structure of a vertex."""

    name: str
    kind: str
    count: int
    remark: str


@dataclass(frozen=True, slots=True)
class Attributes:
    """What the host has for each vertex."""

    arrays: tuple[AttributeArray, ...]
    members: tuple[VertexMember, ...]

    @property
    def vertex_bytes(self) -> int:
        return _ROW * sum(member.count for member in self.members)

    def selected(self, stage: str) -> int:
        """A bit for each array that a stage reads; it must have one."""
        return sum(1 << number for number, array in enumerate(self.arrays) if stage in array.places) or 1

    def stage_bytes(self, stage: str) -> int:
        """Bytes of a vertex that the hardware hands to a stage."""
        ends = [array.places[stage] + array.bytes for array in self.arrays if stage in array.places]
        return max(ends, default=self.arrays[0].bytes)


def attributes_of(artifacts: Mapping[str, Artifact]) -> Attributes:
    """The arrays in the order of the vertex stage; one of a number that nobody looks at, where there are none."""
    rows: dict[_Column, dict[str, int]] = {}
    sizes: dict[_Column, int] = {}
    bindings: dict[str, Binding] = {}
    for stage, artifact in artifacts.items():
        for binding in artifact.reflection.attributes:
            bindings.setdefault(binding.name, binding)
            for column, first, count in _columns(binding):
                rows.setdefault((binding.name, column), {})[stage] = _ROW * first
                sizes[binding.name, column] = max(count, sizes.get((binding.name, column), 0))
    members = tuple(_member(binding, [c for name, c in rows if name == binding.name]) for binding in bindings.values())
    starts = _starts(members)
    arrays = (
        AttributeArray(starts[name] + _ROW * column * _height(bindings[name]), _ROW * sizes[name, column], places)
        for (name, column), places in rows.items()
    )
    return Attributes(tuple(arrays) or (AttributeArray(0, _ROW, {}),), members)


def _columns(binding: Binding) -> Iterator[tuple[int, int, int]]:
    """Of each column: its number, its first row, how many rows."""
    width, _ = shape_of(binding.type)
    found: dict[int, list[int]] = {}
    for location in binding.locations:
        found.setdefault(location.element * width + location.column, []).append(location.index)
    for column, rows in found.items():
        yield column, min(rows), len(rows)


def _member(binding: Binding, columns: list[int]) -> VertexMember:
    length = "" if binding.length is None else f"[{binding.length}]"
    count = (max(columns) + 1) * _height(binding)
    return VertexMember(binding.name, binding.kind, count, f"{binding.type} {binding.name}{length}")


def _height(binding: Binding) -> int:
    return shape_of(binding.type)[1]


def _starts(members: tuple[VertexMember, ...]) -> dict[str, int]:
    starts, offset = {}, 0
    for member in members:
        starts[member.name] = offset
        offset += _ROW * member.count
    return starts
