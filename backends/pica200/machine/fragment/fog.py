"""Fog: colour is mixed with that of the fog, by a table of 128 entries over depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.registers.fog import ENTRY
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.colours import Colours
from glslc_multi.backends.pica200.machine.fragment.vectors import VectorArithmetic
from glslc_multi.compiler.arithmetic.protocol import Number

#: What fields of an entry are divided by.
_ONE = 2047.0


class FogUnit:
    """Fog over the depth of pixels, in single precision; `is_flipped` counts depth from the other end."""

    def __init__(self, colours: Colours, is_flipped: bool) -> None:
        self._colours, self._lanes, self._is_flipped = colours, colours.lanes, is_flipped
        self._a = VectorArithmetic(self._lanes.operations)

    def mixed(self, colour: Sequence[Any], depth: Number) -> list[Any]:
        """Three channels of a pixel at a depth from 0 to 1."""
        factor = self._factor(depth)
        rest = self._a.fsub(self._a.one, factor)
        fog = [self._colours.constant(words.FOG_COLOUR + number) for number in range(len(colour))]
        return [self._colours.blend(x, y, factor, rest) for x, y in zip(colour, fog, strict=True)]

    def _factor(self, depth: Number) -> Number:
        """How much of a pixel's own colour remains: an entry, and its difference for what the index lacks."""
        a = self._a
        from_end = a.fsub(a.one, depth) if self._is_flipped else depth
        scaled = a.fmul(from_end, a.fconst(float(words.FOG_ENTRIES)))
        index = a.imax(a.imin(a.ftoi(a.ffloor(scaled)), a.iconst(words.FOG_ENTRIES - 1)), a.iconst(0))
        entry = self._lanes.constant_at(a.widened(a.iadd(index, a.iconst(words.FOG_TABLE))), "i32")
        value, difference = (a.field(entry, ENTRY.format.by_name[name]) for name in ("value", "difference"))
        slope = a.fdiv(a.itof(difference), a.fconst(_ONE))
        offset = a.fsub(scaled, a.itof(index))
        return a.clamped(a.fadd(a.fdiv(a.itof(value), a.fconst(_ONE)), a.fmul(slope, offset)))
