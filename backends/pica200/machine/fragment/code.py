"""A configuration on lanes, and the registers of the register map that its keys mean: what a proof reads.

Everything is bytes, and the compiler states by how many steps of 1/255 a result may differ from the shader's meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.program import Configuration
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.artifact import (
    COLOURS,
    DRAW_SPACE,
    configuration_of,
    set_up_of_artifact,
)
from glslc_multi.backends.pica200.machine.fragment.execute import DISCARDED, PixelProgram
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp, integers_of
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.artifact import Artifact, Location
from glslc_multi.compiler.execution.machine_code import Computed, Given, MachineCode, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Key, Lanes
from glslc_multi.compiler.proof.numbers import PROMISED, Redraw, Unsupported
from glslc_multi.compiler.proof.words import byte_of, share_of

#: Of colours that the host computes: the stages', the buffer's, the alpha test's reference, fog's.
_COLOUR_SPACE = "tev"
#: Source -> the space that its colour is in.
_SPACES = {source: space for space, source in COLOURS.items()}
#: Number of the constant, and key of the output, that says whether the host draws at all.
#: By how much a vertex shader's rounding may bring a colour beyond 0 or 1.
_TOLERANCE = 2.0**-12
_DRAW, _DRAWN = words.COUNT, "drawn"


def machine_code(artifact: Artifact, options: Mapping[str, Any]) -> MachineCode:
    """The program of an artifact."""
    configuration, set_up = configuration_of(artifact.binary), set_up_of_artifact(artifact, options)
    places = [location for binding in artifact.reflection.uniforms for location in binding.locations]
    return MachineCode(
        is_liftable=False,
        make=lambda lanes: _program(set_up, places, lanes),
        input=_input,
        constant=_constants(configuration, places),
        output=lambda slot, outputs: share_of(outputs["colour", CHANNELS[slot.component]], 0),
        discarded=lambda outputs: bool(outputs[DISCARDED]) or not outputs[_DRAWN],
        wire=lambda slot: (slot.space, slot.component),
        at_corner=_at_corner,
        grain=0.5 / WHOLE,
        # Sums of bytes are exact.
        rounding=2.0**-24,
        bound=(artifact.stats.error_steps or 0.0) / WHOLE,
    )


class _Program(PixelProgram):
    """A pixel that the host may not draw."""

    def finish(self) -> None:
        super().finish()
        self._lanes.output(_DRAWN, self._lanes.constant(_DRAW, "i32"), "i32")


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
    name, part = key
    if name in _SPACES:
        return _made(Slot(_SPACES[name], 0, CHANNELS.index(part)), lambda a, x: byte_of(a.fabs(x)))
    return _depth if name == "depth" else Slot(name, 0, part)


def _depth(a: LaneOperations, read: ReadSlot) -> Any:
    """Map a depth as the register map asks for it."""
    return a.fsub(a.fconst(1.0), read(Slot("window", 0, 2)))


def _made(slot: Slot, make: Callable[[LaneOperations, Any], int]) -> Computed:
    """An int of what stands in a slot; 0 of nothing."""

    def made(a: LaneOperations, read: ReadSlot) -> int:
        value = read(slot)
        return 0 if value is None else make(a, value)

    return made


def _constants(configuration: Configuration, places: list[Location]) -> Callable[[int], Given]:
    """The words of the file, and over them those of uniforms."""
    given: dict[int, Given] = {_DRAW: 1}
    for first, numbers in integers_of(configuration):
        given |= dict(enumerate(numbers, first))
    for place in places:
        for letter in place.components:
            component = "xyzw".index(letter)
            slot = Slot(place.space, place.index, component)
            if place.space == DRAW_SPACE:
                given[_DRAW] = _made(slot, lambda a, x: int(a.flt(a.fconst(0.5), x)))
            elif place.space == _COLOUR_SPACE:
                word = words.CONSTANTS + len(CHANNELS) * place.index + component
                given[word] = _made(slot, lambda a, x: byte_of(x))
    return lambda number: given.get(number, 0)
