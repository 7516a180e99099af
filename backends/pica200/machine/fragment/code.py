"""A configuration on lanes, and the registers of the register map that its keys mean: what a proof and a lifter read.

For a proof everything is bytes, and the compiler states by how many steps of 1/255 a result may differ from the
shader's meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.artifact import (
    COLOURS,
    DRAW_SPACE,
    IMAGE_SPACE,
    configuration_of,
    set_up_of_artifact,
)
from glslc_multi.backends.pica200.machine.fragment.execute import DISCARDED, PixelProgram
from glslc_multi.backends.pica200.machine.fragment.formulas import DRAW, FormulaProgram, input_of
from glslc_multi.backends.pica200.machine.fragment.lights import light_words
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp, integers_of
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.artifact import Artifact, Location
from glslc_multi.compiler.execution.machine_code import Computed, Given, MachineCode, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key, Lanes
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.proof.numbers import PROMISED, Redraw, Unsupported
from glslc_multi.compiler.proof.words import byte_of, share_of
from glslc_multi.compiler.records import replace

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module

_Number = TypeVar("_Number", int, float)
#: Key of the output that says whether the host draws at all.
_DRAWN = "drawn"
#: By how much a vertex shader's rounding may bring a colour beyond 0 or 1.
_TOLERANCE = 2.0**-12


def machine_code(artifact: Artifact, options: Mapping[str, Any]) -> MachineCode:
    """The program of an artifact."""
    configuration, set_up = configuration_of(artifact.binary), set_up_of_artifact(artifact, options)
    places = [location for binding in artifact.reflection.uniforms for location in binding.locations]
    slots = dict(_slots(places))
    numbers = {word: number for word, number in _rows(integers_of(configuration)) if word not in slots}
    floats = dict(_rows(light_words(RegisterFile(configuration.unit_writes))))
    code = MachineCode(
        make=lambda lanes: _program(set_up, places, lanes),
        input=_input,
        constant=lambda word: _word(word, slots[word]) if word in slots else numbers.get(word, int(word == DRAW)),
        output=lambda slot, outputs: share_of(outputs["colour", CHANNELS[slot.component]], 0),
        discarded=lambda outputs: bool(outputs[DISCARDED]) or not outputs[_DRAWN],
        wire=lambda slot: (slot.space, slot.component),
        at_corner=_at_corner,
        grain=0.5 / WHOLE,
        # Sums of bytes are exact.
        rounding=2.0**-24,
        bound=(artifact.stats.error_steps or 0.0) / WHOLE,
    )
    return replace(
        code,
        real=replace(
            code,
            make=lambda lanes: FormulaProgram(set_up, numbers, artifact.reflection, lanes),
            input=input_of,
            constant=lambda word: slots.get(word, floats.get(word, 0.0)),
            output=lambda slot, outputs: outputs["colour", CHANNELS[slot.component]],
            discarded=lambda outputs: outputs[DISCARDED],
            refine=_refine,
            is_exact=False,
        ),
    )


def _refine(module: Module, _interface: object) -> None:
    """Find the dot products of lighting, which the unit computes component by component."""
    from glslc_multi.compiler.lifting.joining import join_sums

    join_sums(module.main)


def _rows(rows: Iterable[tuple[int, Sequence[_Number]]]) -> Iterator[tuple[int, _Number]]:
    """Numbers of the file by their words."""
    for first, row in rows:
        yield from enumerate(row, first)


def _slots(places: Iterable[Location]) -> Iterator[tuple[int, Slot]]:
    """The words that the host computes of uniforms."""
    for place in places:
        if place.space in (IMAGE_SPACE, "lut", "fog"):
            continue
        for component in map(COMPONENTS.index, place.components):
            word = DRAW if place.space == DRAW_SPACE else words.first_word(place.space, place.index) + component
            yield word, Slot(place.space, place.index, component)


# --- Bytes ------------------------------------------------------------------------------------------------------------


class _Program(PixelProgram):
    """A pixel that the host may not draw."""

    def finish(self) -> None:
        super().finish()
        self._lanes.output(_DRAWN, self._lanes.constant(DRAW, "i32"), "i32")


def _program(set_up: SetUp, places: list[Location], lanes: Lanes) -> _Program:
    if set_up.lighting is not None:
        raise Unsupported("the lighting unit")
    if set_up.output is not None:
        raise Unsupported("blending")
    if any(place.transform == "table" for place in places):
        raise Unsupported("tables and images that the host computes")
    return _Program(set_up, lanes)


def _at_corner(a: LaneOperations, slot: Slot, x: Any) -> Any:
    """Give what is interpolated of colours that the chip limits at vertices: the compiler has warned of others."""
    if slot.space in COLOURS and not -_TOLERANCE <= x.value <= 1.0 + _TOLERANCE:
        raise Redraw(PROMISED)
    return x


def _input(key: Key) -> Given:
    given = input_of(key)
    if isinstance(given, Slot) and given.space in COLOURS:
        return _made(given, lambda a, x: byte_of(a.fabs(x)))
    return given


def _word(word: int, slot: Slot) -> Computed:
    """Make a word of what the host has: a byte, or whether it draws."""
    if word == DRAW:
        return _made(slot, lambda a, x: int(a.flt(a.fconst(0.5), x)))
    return _made(slot, lambda a, x: byte_of(x))


def _made(slot: Slot, make: Callable[[LaneOperations, Any], int]) -> Computed:
    """An int of what stands in a slot; 0 of nothing."""

    def made(a: LaneOperations, read: ReadSlot) -> int:
        value = read(slot)
        return 0 if value is None else make(a, value)

    return made
