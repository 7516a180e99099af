"""Where the numbers of a uniform go, as few loops as possible over registers.

In: a binding of a register map, and how many components its registers have. Out: runs. A run is a loop nest that copies
the same components from places of the value that are evenly spaced to registers that are evenly spaced:

    for i in range(outer.count):
        for j in range(inner.count):
            register[first + i * outer.register + j * inner.register].components[k] =
                value[sources[k] + i * outer.source + j * inner.source]

The value is flat, as OpenGL takes it: elements of an array in order, matrices by columns.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.artifact import Binding, Location, Transform
from glslc_multi.compiler.ir.types import matrix_shape
from glslc_multi.compiler.records import dataclass, replace

#: Transforms of the whole matrix: a register holds a row.
TRANSPOSED = "transpose"


@dataclass(frozen=True, slots=True)
class Step:
    """A loop: how often, and how far registers and sources move each time."""

    count: int
    register: int
    source: int


@dataclass(frozen=True, slots=True)
class Run:
    """Evenly spaced registers of one space that are filled alike."""

    space: str
    first: int
    components: str
    transform: Transform
    #: Of each component: which number of the value, at the first register.
    sources: tuple[int, ...]
    #: From the outermost; none for a single register.
    steps: tuple[Step, ...] = ()

    @property
    def registers(self) -> tuple[int, ...]:
        """All registers, in the order of the loops."""
        registers = [self.first]
        for step in reversed(self.steps):
            registers = [number + turn * step.register for turn in range(step.count) for number in registers]
        return tuple(registers)


def shape_of(type_name: str) -> tuple[int, int]:
    """Columns and rows of a GLSL type: `mat2x3` has 2 columns of 3 numbers, `vec3` one column."""
    if type_name.startswith("mat"):
        return matrix_shape(type_name)
    return 1, int(type_name[-1]) if type_name[-1:] in "234" and "vec" in type_name else 1


def size_of(binding: Binding) -> int:
    """How many numbers a value has."""
    columns, rows = shape_of(binding.type)
    return (1 if binding.length is None else binding.length) * columns * rows


def runs_of(binding: Binding) -> list[Run]:
    """The registers of a uniform as runs, in the order of its value."""
    runs = [
        Run(location.space, location.index, location.components, location.transform, sources_of(location, binding))
        for location in binding.locations
    ]
    return _folded(_folded(runs))


def sources_of(location: Location, binding: Binding) -> tuple[int, ...]:
    """Which numbers of the flat value the components of a register are."""
    columns, rows = shape_of(binding.type)
    parts = range(location.first, location.first + len(location.components))
    element = location.element * columns * rows
    if location.transform == TRANSPOSED:
        return tuple(element + part * rows + location.column for part in parts)
    return tuple(element + location.column * rows + part for part in parts)


def _folded(runs: Sequence[Run]) -> list[Run]:
    """Runs that are alike and evenly spaced, as one with a loop around it."""
    folded: list[Run] = []
    start = 0
    while start < len(runs):
        count = _evenly_spaced(runs, start)
        folded.append(_looped(runs, start, count))
        start += count
    return folded


def _evenly_spaced(runs: Sequence[Run], start: int) -> int:
    """How many runs from `start` on differ by the same step from their neighbour."""
    count, step = 1, None
    while start + count < len(runs):
        found = _step_between(runs[start + count - 1], runs[start + count])
        if found is None or (step is not None and found != step):
            break
        count, step = count + 1, found
    return count


def _step_between(one: Run, other: Run) -> tuple[int, int] | None:
    """How far the second run is from the first in registers and sources; None where they are not alike."""
    moved = other.sources[0] - one.sources[0]
    sources = tuple(source + moved for source in one.sources)
    alike = replace(one, first=other.first, sources=sources) == other
    return (other.first - one.first, moved) if alike else None


def _looped(runs: Sequence[Run], start: int, count: int) -> Run:
    first = runs[start]
    if count == 1:
        return first
    register, source = _step_between(first, runs[start + 1]) or (0, 0)
    return replace(first, steps=(Step(count, register, source), *first.steps))
