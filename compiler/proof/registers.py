"""What stands in a machine's registers when a shader starts: the values of a draw, where the register map puts them."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.execution.machine_code import Slot
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import WINDOW_HEIGHT_NAME
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.lowering.interface.texture_sizes import SIZE_OF
from glslc_multi.compiler.proof.draw import Draw, Part
from glslc_multi.compiler.proof.numbers import Number, Unsupported, number_of

#: Transforms that leave a number what it is; the format of the machine rounds it.
_PLAIN = frozenset({"identity", "transpose", "int-to-float", "bool-to-float", "f24", "q17", "unorm8"})


def part_of(name: str, location: Location, place: int) -> Part:
    """The part of a value that is in the component number `place` of a location."""
    component = location.first + place
    if location.transform == "transpose":
        return Part(name, location.element, component, location.column)
    return Part(name, location.element, location.column, component)


def parts(bindings: Iterable[Binding]) -> Iterable[tuple[Slot, Part, Binding, Location]]:
    """Every component that bindings place."""
    for binding in bindings:
        for location in binding.locations:
            for place, letter in enumerate(location.components):
                slot = Slot(location.space, location.index, COMPONENTS.index(letter))
                yield slot, part_of(binding.name, location, place), binding, location


class Registers:
    """Registers by slot: a `Number` each, or an int where the machine has ints and bools."""

    def __init__(
        self,
        reflection: Reflection,
        module: Module,
        draw: Draw,
        hosted: Mapping[Part, Number | int],
        wired: Mapping[Slot, Any] = MappingProxyType({}),
        lent: Collection[str] = (),
    ) -> None:
        self._known = {*module.variables, *lent}
        self._draw = draw
        #: What the host computes of uniforms.
        self._hosted = hosted
        fragment = reflection.stage == "fragment"
        given = (*reflection.attributes, *reflection.inputs, *(reflection.varyings if fragment else ()))
        #: Of each register what the map says is in it; of a component that several claim, the last one counts.
        self._places: dict[tuple[str, int], list[tuple[Binding, Location]]] = {}
        for binding in (*given, *reflection.uniforms):
            for location in binding.locations:
                self._places.setdefault((location.space, location.index), []).append((binding, location))
        self._attributes = {(place.space, place.index) for x in reflection.attributes for place in x.locations}
        #: What is in each slot that was read, and in those of literals.
        self._values: dict[Slot, Number | int | None] = {}
        for literal in reflection.literals:
            place = literal.location
            for letter, word in zip(place.components, literal.words, strict=True):
                slot = Slot(place.space, place.index, COMPONENTS.index(letter))
                self._values[slot] = number_of(struct.unpack("<f", struct.pack("<I", word))[0])
        #: What the stage before has left.
        self.wired = wired
        self._values.update(wired)
        #: Names and elements of samplers by unit.
        self.samplers = {
            location.index: (binding.name, location.element)
            for binding in reflection.samplers
            for location in binding.locations
        }

        #: Names of samplers whose texels are depths.
        self.depths = {v.name for v in module.variables.values() if v.type.kind.endswith("Shadow")}

    def read(self, slot: Slot) -> Number | int | None:
        """What is in a slot; None where nothing is."""
        try:
            return self._values[slot]
        except KeyError:
            found = self._values[slot] = self._found(slot)
            return found

    def _found(self, slot: Slot) -> Number | int | None:
        register, letter = (slot.space, slot.number), COMPONENTS[slot.component]
        for binding, location in reversed(self._places.get(register, ())):
            place = location.components.find(letter)
            if place >= 0:
                return self._value(part_of(binding.name, location, place), binding, location)
        # Components that an attribute lacks are 0, 0, 0, 1 (OpenGL ES 2.0 section 2.7).
        return number_of(1.0) if letter == "w" and register in self._attributes else None

    def _value(self, part: Part, binding: Binding, location: Location) -> Number | int:
        value = self._hosted.get(part)
        if value is None:
            is_told = binding.name == WINDOW_HEIGHT_NAME or binding.name.startswith(SIZE_OF)
            if binding.name not in self._known and not is_told:
                raise Unsupported(f"{binding.name}, which is not in the source")
            is_float = binding.kind == "float"
            value = self._draw.number(part) if is_float else self._draw.whole(part, binding.kind)
        if isinstance(value, Number):
            if location.transform not in _PLAIN:
                raise Unsupported(f"values that are {location.transform}")
            return value
        if location.transform in ("int-to-float", "bool-to-float", "q17"):
            return number_of(float(value))
        if location.transform == "count":
            return value - 1
        if location.transform not in _PLAIN:
            raise Unsupported(f"values that are {location.transform}")
        return value
