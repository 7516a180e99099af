"""Components of values, found rather than made where the value was put together from them.

`Pieces.take(value, first, count)` is the value with some neighbouring components of another.  It looks
through `construct`, `insert`, `swizzle` and constants; only where it meets a value that computes all its
components at once does it make a swizzle, right after that value and once for all who ask.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.analysis.component_sources import Source, source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Value


class Pieces:
    """Pieces of the values of one function, `limit` components at most."""

    __slots__ = ("_last", "_limit", "_made", "_parts")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        #: Value -> the pieces that take its place.
        self._parts: dict[Value, Sequence[Value]] = {}
        #: Value and components -> the swizzle that was made for them.
        self._made: dict[tuple[Instruction, tuple[int, ...]], Instruction] = {}
        #: Value -> the last of its swizzles.
        self._last: dict[Instruction, Instruction] = {}

    def is_split(self, value: Value) -> bool:
        return value in self._parts

    def split(self, value: Instruction, parts: Sequence[Value]) -> None:
        """Remember what takes the place of `value`, piece by piece."""
        self._parts[value] = parts

    def take(self, value: Value, first: int, count: int, before: Instruction) -> Value:
        """`count` components of `value` from `first` on, for use before `before`."""
        parts = self._parts.get(value)
        if parts is not None:
            return parts[first // self._limit]
        if first == 0 and count == value.type.width:
            return value
        return self.gather(value, first, count, before)

    def gather(self, value: Value, first: int, count: int, before: Instruction) -> Value:
        """Like `take`, but looks for the components of a whole value too."""
        aligned = _aligned(value, first, count)
        if aligned is not None:
            return aligned
        sources = [self._source(value, first + number) for number in range(count)]
        if count == 1:
            origin, component = sources[0]
            return self._swizzle(origin, (component,))
        if all(isinstance(origin, Constant) for origin, _ in sources):
            components = tuple(origin.components[number] for origin, number in sources if isinstance(origin, Constant))
            return Constant(value.type.with_width(len(sources)), components)
        origin, _ = sources[0]
        if any(other is not origin for other, _ in sources[1:]):
            builder = Builder.before(before)
            return builder.construct(*(self._swizzle(origin, (component,)) for origin, component in sources))
        return self._swizzle(origin, tuple(component for _, component in sources))

    def _source(self, value: Value, component: int) -> Source:
        """Where a component comes from, seen through what was split too."""
        value, component = source(value, component)
        while value in self._parts:
            value, component = source(self._parts[value][component // self._limit], component % self._limit)
        return value, component

    def _swizzle(self, value: Value, pattern: tuple[int, ...]) -> Value:
        """`value` itself, its swizzle made before, or a new one after it."""
        if pattern == tuple(range(value.type.width)):
            return value
        if isinstance(value, Constant):
            return Constant(value.type.with_width(len(pattern)), tuple(value.components[c] for c in pattern))
        assert isinstance(value, Instruction)
        piece = self._made.get((value, pattern))
        if piece is None:
            # A builder that inserts after `value` (after all phis where it is one) and its swizzles.
            piece = self._made[value, pattern] = builder_after(self._last.get(value, value)).swizzle(value, pattern)
            self._last[value] = piece
        return piece


def builder_after(value: Instruction) -> Builder:
    """A builder that inserts after `value`, after all phis where it is one."""
    assert value.block is not None
    builder = Builder(value.block, value.block.first_non_phi if value.op is ops.PHI else value.next)
    builder.span = value.span
    return builder


def _aligned(value: Value, first: int, count: int) -> Value | None:
    """The operand of a construct that is just these components."""
    if not isinstance(value, Instruction) or value.op is not ops.CONSTRUCT:
        return None
    for part in value.operands:
        if first <= 0:
            return part if first == 0 and part.type.width == count else None
        first -= part.type.width
    return None
