"""A configuration as formulas: what a lifter reads of it, in numbers of 0 to 1 in place of bytes.

What bytes cut off is not said.  How pixels are mixed with those that are there is no part of a shader.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.artifact import COLOURS, DRAW_SPACE
from glslc_multi.backends.pica200.machine.fragment.combiners import HELD, sources_of
from glslc_multi.backends.pica200.machine.fragment.execute import DISCARDED, PixelProgram
from glslc_multi.backends.pica200.machine.fragment.lighting import LightingUnit
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp
from glslc_multi.backends.pica200.machine.fragment.shares import ShareColours
from glslc_multi.backends.pica200.machine.fragment.vectors import Vector
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.execution.machine_code import NORMAL, Given, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key, Lanes
from glslc_multi.compiler.records import replace

#: Number of the constant that is above a half where the host draws.
DRAW = words.COUNT
_HALF = 0.5
#: Source -> the space that its colour is in.
_SPACES = {source: space for space, source in COLOURS.items()}
#: Sources that stages have without a texture.
_KNOWN = {"constant", *HELD, *_SPACES}


class FormulaProgram(PixelProgram):
    """A pixel, in shares."""

    def __init__(self, set_up: SetUp, numbers: Mapping[int, int], reflection: Reflection, lanes: Lanes) -> None:
        """`numbers` are the words that no host sets."""
        if set_up.fog_is_flipped is not None:
            lanes.fault("fog is a table over depth")
        for source in sorted(set(sources_of(set_up.stages)) - set_up.samplers.keys() - _KNOWN):
            lanes.fault(f"nothing is known of {source}")
        has_normal = any(at.transform == "quaternion" for each in reflection.varyings for at in each.locations)
        if has_normal and set_up.lighting is not None and set_up.lighting.bump is not None:
            lanes.fault("a texture bends the normal of a quaternion")
        self.lighting_unit = _NormalLighting if has_normal else _FormulaLighting
        self._is_switched = any(at.space == DRAW_SPACE for each in reflection.uniforms for at in each.locations)
        colours = ShareColours(lanes, {word: number / WHOLE for word, number in numbers.items()})
        super().__init__(replace(set_up, output=None), lanes, colours)

    def finish(self) -> None:
        a = self._lanes.operations
        for channel in CHANNELS:
            self._lanes.output(("colour", channel), self._colours.read("previous", channel).value)
        discarded = a.ieq(self._lanes.read(DISCARDED, "i32"), a.iconst(1))
        if self._is_switched:
            discarded = a.bor(discarded, a.bnot(a.flt(a.fconst(_HALF), self._lanes.constant(DRAW))))
        self._lanes.output(DISCARDED, discarded, "i1")


class _FormulaLighting(LightingUnit):
    """The unit without tables."""

    def _entry(self, table: int, x: Number, low: int, high: int) -> NoReturn:
        self._lanes.fault("the lighting unit reads tables")


class _NormalLighting(_FormulaLighting):
    """The unit, where the register map has the normal, which a vertex shader makes the quaternion of."""

    def _frame(self) -> tuple[Vector, Vector]:
        a = self._a
        normal = a.normalised([self._lanes.input((NORMAL, n)) for n in range(3)])
        # Tables alone ask for a tangent.
        return normal, [a.one, a.zero, a.zero]


def input_of(key: Key) -> Given:
    """Where an input stands: a channel of a colour, or a component."""
    name, part = key
    if name in _SPACES:
        return Slot(_SPACES[name], 0, CHANNELS.index(part))
    return _depth if name == "depth" else Slot(name, 0, part)


def _depth(a: LaneOperations, read: ReadSlot) -> Number:
    """Map a depth as the register map asks for it."""
    return a.fsub(a.fconst(1.0), read(Slot("window", 0, 2)))
