"""What a lookup of the source yields, as GLSL has it: an oracle of the place, and of what it says of the level.

Places of texels by number, and moves by texels, follow from the size of the texture, a value of the draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from glslc_multi.compiler.execution.machine_code import Lookup
from glslc_multi.compiler.ir.variables import TextureAccess
from glslc_multi.compiler.lowering.interface.texture_sizes import size_name
from glslc_multi.compiler.proof.draw import Draw, Part
from glslc_multi.compiler.proof.numbers import Number, Unsupported, number_of
from glslc_multi.compiler.proof.operations import ProofOperations

_SHAPES = frozenset({"1D", "2D", "Cube", "External"})
_NOUGHT, _ONE = number_of(0.0), number_of(1.0)
#: The second coordinate in a 1D texture, which is a row of texels.
_MIDDLE = number_of(0.5)
#: A sampler's name and element.
Sampler = tuple[str, int]


class Lookups:
    """The textures of a draw; `code` is what the machine's code does for a lookup, where it does."""

    def __init__(self, a: ProofOperations, draw: Draw, code: Lookup | None) -> None:
        self._a = a
        self._draw = draw
        self._code = code

    def size(self, access: TextureAccess, sampler: Sampler, level: int) -> list[int]:
        """The size of level 0."""
        if level:
            raise Unsupported("sizes and texels of levels other than 0")
        name, element = sampler
        return [
            self._draw.whole(Part(size_name(name), element, 0, component), "int")
            for component in range(access.size_type.width)
        ]

    def texel(self, access: TextureAccess, sampler: Sampler, operands: Sequence[list[Any]]) -> list[Number]:
        """The result for a coordinate and what follows it."""
        kind = access.kind
        if kind.shape not in _SHAPES or kind.is_arrayed or kind.texel != "float":
            raise Unsupported(f"lookups by {kind.name}")
        coordinate, *rest = operands
        if kind.is_shadow:
            depth, *rest = rest
            return self._compared(depth[0], self._colour(access, sampler, coordinate, rest)[0])
        return self._colour(access, sampler, coordinate, rest)

    def _compared(self, depth: Number, texel: Number) -> list[Number]:
        """The verdict on a depth, which counts as 1 above it, by the comparison that textures have unless the host sets
        another."""
        a = self._a
        passes = a.fle(a.select(a.flt(_ONE, depth), _ONE, depth), texel)
        return [_ONE if passes else _NOUGHT, _NOUGHT, _NOUGHT, _ONE]

    def _colour(
        self, access: TextureAccess, sampler: Sampler, coordinate: list[Any], rest: Sequence[list[Any]]
    ) -> list[Number]:
        place = self._place(access, sampler, coordinate, rest)
        if self._code is not None:
            # There is one level.
            return list(self._code(self._a, place, lambda texel: self._draw.colour(sampler, texel, [_NOUGHT])))
        if access.is_cube:
            place = on_cube(self._a, place)
        elif access.kind.dimensions == 1:
            place = [*place, _MIDDLE]
        return self._draw.colour(sampler, place, _detail(access, rest))

    def _place(
        self, access: TextureAccess, sampler: Sampler, coordinate: list[Any], rest: Sequence[list[Any]]
    ) -> list[Number]:
        if access.mode == "fetch":
            return self._centre(access, sampler, coordinate, rest[0][0])
        return self._moved(access, sampler, coordinate) if any(access.offset) else coordinate

    def _centre(self, access: TextureAccess, sampler: Sampler, texel: Sequence[int], level: int) -> list[Number]:
        """The place of the middle of a texel."""
        a, moves = self._a, access.offset or (0,) * len(texel)
        return [
            a.fdiv(a.fadd(a.itof(number), number_of(0.5 + move)), a.itof(size))
            for number, move, size in zip(texel, moves, self.size(access, sampler, level), strict=True)
        ]

    def _moved(self, access: TextureAccess, sampler: Sampler, place: Sequence[Number]) -> list[Number]:
        """A place as many texels away as the lookup says."""
        a = self._a
        return [
            a.fadd(x, a.fdiv(number_of(float(move)), a.itof(size)))
            for x, move, size in zip(place, access.offset, self.size(access, sampler, 0), strict=True)
        ]


def _detail(access: TextureAccess, rest: Sequence[list[Any]]) -> list[Number]:
    """The level, or what it differs by from that of the steps that follow, or of the neighbours."""
    if access.mode == "fetch" or not rest:
        return [_NOUGHT]
    if access.mode != "grad":
        return rest[0]
    if access.is_cube:
        raise Unsupported("gradients of lookups in cube maps")
    missing = [_NOUGHT] * (2 - access.kind.dimensions)
    return [_NOUGHT, *rest[0], *missing, *rest[1], *missing]


def on_cube(a: ProofOperations, direction: Sequence[Number]) -> list[Number]:
    """The point of a cube in a direction: all that a lookup sees of it."""
    major = direction[0]
    for component in direction[1:]:
        if a.flt(a.fabs(major), a.fabs(component)):
            major = component
    return [a.fdiv(component, a.fabs(major)) for component in direction]
