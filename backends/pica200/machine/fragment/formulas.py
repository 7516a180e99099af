"""A configuration as formulas: what a lifter reads of it, in numbers of 0 to 1 in place of bytes.

What bytes cut off is not said.  How pixels are mixed with those that are there is no part of a shader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.registers.fog import ENTRY as FOG_ENTRY
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import ENTRY as LIGHT_ENTRY
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.artifact import COLOURS, DRAW_SPACE
from glslc_multi.backends.pica200.machine.fragment.colours import Colours
from glslc_multi.backends.pica200.machine.fragment.execute import DISCARDED, PixelProgram
from glslc_multi.backends.pica200.machine.fragment.fog import FogUnit
from glslc_multi.backends.pica200.machine.fragment.lighting import LightingUnit, Texel
from glslc_multi.backends.pica200.machine.fragment.lights import Lighting
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp
from glslc_multi.backends.pica200.machine.fragment.shares import ShareColours
from glslc_multi.backends.pica200.machine.fragment.vectors import Vector
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.execution.machine_code import NORMAL, Given, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key, Lanes, Named
from glslc_multi.compiler.isa.fields import Field
from glslc_multi.compiler.records import replace

#: How far a line may be from the entries of a table.
_NEARNESS = 1 / 1024
#: Number of the constant that is above a half where the host draws.
DRAW = words.COUNT
_HALF = 0.5
#: Source -> the space that its colour is in.
_SPACES = {source: space for space, source in COLOURS.items()}


class FormulaProgram(PixelProgram):
    """A pixel, in shares."""

    def __init__(self, set_up: SetUp, numbers: Mapping[int, int], reflection: Reflection, lanes: Lanes) -> None:
        """`numbers` are the words that no host sets."""
        has_normal = any(at.transform == "quaternion" for each in reflection.varyings for at in each.locations)
        if has_normal and set_up.lighting is not None and set_up.lighting.bump is not None:
            lanes.fault("a texture bends the normal of a quaternion")
        tables = _Tables(reflection, numbers, lanes)
        self.lighting_unit = partial(_NormalLighting if has_normal else _FormulaLighting, tables)
        self.fog_unit = partial(_FormulaFog, tables)
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


class _Tables:
    """What is known of tables: names of functions by spaces and numbers, or the entries in the file."""

    def __init__(self, reflection: Reflection, numbers: Mapping[int, int], lanes: Lanes) -> None:
        locations = [(at, each.name) for each in reflection.uniforms for at in each.locations]
        self._names = {(at.space, at.index): name for at, name in locations if at.transform == "table"}
        self._numbers, self._lanes = numbers, lanes

    def light(self, number: int, index: Number, low: int) -> Number:
        """What a table of the lighting unit has at a number from `low` on."""
        entries = [(low + each) % words.ENTRIES + words.table(number) for each in range(words.ENTRIES)]
        value = LIGHT_ENTRY.format.by_name["value"]
        return self._at("lut", number, index, [self._value(word, value) for word in entries])

    def fog(self, index: Number) -> Number:
        """What the table of fog has."""
        value = FOG_ENTRY.format.by_name["value"]
        entries = range(words.FOG_TABLE, words.FOG_TABLE + words.FOG_ENTRIES)
        return self._at("fog", 0, index, [self._value(word, value) for word in entries])

    def _value(self, word: int, field: Field) -> float:
        """The value of an entry of the file."""
        return field.extract(self._numbers.get(word, 0)) / field.range[1]

    def _at(self, space: str, number: int, index: Number, entries: Sequence[float]) -> Number:
        """What the function of a table is at a number; the host makes lines of it between whole ones."""
        a, name = self._lanes.operations, self._names.get((space, number))
        if name is not None:
            return self._lanes.load(Named(name), index, "float")
        line = _line_through(entries)
        if line is None:
            self._lanes.fault(f"the table {space} {number} is no line, and no function in the register map")
        start, slope = line
        return a.fadd(a.fmul(index, a.fconst(slope)), a.fconst(start))


def _line_through(entries: Sequence[float]) -> tuple[float, float] | None:
    """The start and the slope of a line through all entries, of the least digits that are near enough."""
    rise = (entries[-1] - entries[0]) / (len(entries) - 1) * len(entries)
    for digits in range(2, 6):
        start, slope = round(entries[0], digits), round(rise, digits) / len(entries)
        if all(abs(start + slope * number - entry) <= _NEARNESS for number, entry in enumerate(entries)):
            return start, slope
    return None


class _FormulaLighting(LightingUnit):
    """The unit, by the functions of its tables."""

    def __init__(self, tables: _Tables, colours: Colours, lighting: Lighting, texel: Texel) -> None:
        super().__init__(colours, lighting, texel)
        self._tables = tables

    def _entry(self, table: int, x: Number, low: int, high: int) -> Number:
        a = self._a
        index = a.fsub(a.fmul(x, a.fconst(float(high + 1))), a.fconst(float(low)))
        return self._tables.light(table, index, low)


class _NormalLighting(_FormulaLighting):
    """The unit, where the register map has the normal, which a vertex shader makes the quaternion of."""

    def _frame(self) -> tuple[Vector, Vector]:
        a = self._a
        normal = a.normalised([self._lanes.input((NORMAL, n)) for n in range(3)])
        # Tables alone ask for a tangent.
        return normal, [a.one, a.zero, a.zero]


class _FormulaFog(FogUnit):
    """Fog, by the function of its table."""

    def __init__(self, tables: _Tables, colours: Colours, is_flipped: bool) -> None:
        super().__init__(colours, is_flipped)
        self._tables = tables

    def _factor(self, depth: Number) -> Number:
        a = self._a
        # The depth is 1 - z.
        z = self._lanes.input(("window", 2))
        index = a.fmul(z if self._is_flipped else a.fsub(a.one, z), a.fconst(float(words.FOG_ENTRIES)))
        return a.clamped(self._tables.fog(index))


def input_of(key: Key) -> Given:
    """Where an input stands: a channel of a colour, or a component."""
    name, part = key
    if name in _SPACES:
        return Slot(_SPACES[name], 0, CHANNELS.index(part))
    return _depth if name == "depth" else Slot(name, 0, part)


def _depth(a: LaneOperations, read: ReadSlot) -> Number:
    """Map a depth as the register map asks for it."""
    z = read(Slot("window", 0, 2))
    return a.fconst(1.0) if z is None else a.fsub(a.fconst(1.0), z)
