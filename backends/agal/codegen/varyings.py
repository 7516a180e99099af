"""Which register, and which of its components, holds each column of a varying.

Stages that are compiled alone number their varyings by the alphabet, so that two which declare the same ones agree;
what gl_FragCoord is made of comes after those.  Of a linked pair both stages make the same of the same
`LinkedInterface`.  Columns share registers as in GLSL ES 1.00 appendix A section 7: the widest first, each into the
first register with room, none divided.  What the fragment stage reads counts: y and z of a vec4 are two components.
Ints share with nobody.  Where nothing can be shared, the fragment shader gives the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from glslc_multi.backends.agal.codegen.rewrites.built_ins import with_window
from glslc_multi.backends.agal.isa.registers import COMPONENTS
from glslc_multi.backends.agal.isa.window import WINDOW
from glslc_multi.compiler.codegen.interface import all_columns, first_numbers
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import LinkedInterface

#: A variable's name, an element and a column of it.
Element = tuple[str, int, int]

_WIDTH = len(COMPONENTS)


class VaryingPlace(NamedTuple):
    """Where a column of a varying is."""

    register: int
    #: First component of the register, and the component of the column that is there.
    start: int = 0
    first: int = 0
    #: The components that the register has for the column.
    width: int = _WIDTH


def named_places(variables: Iterable[Variable]) -> dict[Element, VaryingPlace]:
    """The places of all varyings of a stage that is compiled alone."""
    in_order = sorted(variables, key=lambda variable: (variable.name == WINDOW, variable.name))
    columns = all_columns(first_numbers(in_order))
    return {(variable.name, element, column): VaryingPlace(n) for (variable, element, column), n in columns.items()}


def linked_places(linked: LinkedInterface) -> dict[Element, VaryingPlace]:
    """The places of all that the fragment stage of a pair reads."""
    read: dict[Element, list[int]] = {}
    for row in with_window(linked).varyings:
        components = range(_WIDTH) if row.is_int else (row.component,)
        read.setdefault((row.name, row.element, row.column), []).extend(components)
    parts = {element: range(min(each), max(each) + 1) for element, each in read.items()}
    shared = packed(parts)
    return shared if are_shared(shared) else {element: VaryingPlace(index) for index, element in enumerate(parts)}


def packed(parts: Mapping[Element, range]) -> dict[Element, VaryingPlace]:
    """Place the components of columns in as few registers as possible (GLSL ES 1.00, appendix A section 7)."""
    places: dict[Element, VaryingPlace] = {}
    #: By register: how many of its components are taken.
    taken: list[int] = []
    for element in sorted(parts, key=lambda element: -len(parts[element])):
        width = len(parts[element])
        register = next((index for index, used in enumerate(taken) if used + width <= _WIDTH), len(taken))
        if register == len(taken):
            taken.append(0)
        places[element] = VaryingPlace(register, taken[register], parts[element].start, width)
        taken[register] += width
    return places


def are_shared(places: Mapping[Element, VaryingPlace]) -> bool:
    """Whether some columns share a register."""
    return len({place.register for place in places.values()}) < len(places)
