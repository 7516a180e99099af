"""What happens to a pixel, unit by unit, over lanes; both engines run it.

In this order: texture units, lighting, six stages, alpha test, fog, output.  Bytes are variables under the names of the
sources: `texture0.r`, `lighting1.a`, `previous.g`.  Sources of which no unit is set up are inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS, STAGES
from glslc_multi.backends.pica200.machine.fragment.colours import ByteColours, Colours
from glslc_multi.backends.pica200.machine.fragment.combiners import CombinerUnit, sources_of
from glslc_multi.backends.pica200.machine.fragment.fog import FogUnit
from glslc_multi.backends.pica200.machine.fragment.lighting import LightingUnit, Texel
from glslc_multi.backends.pica200.machine.fragment.lights import Lighting
from glslc_multi.backends.pica200.machine.fragment.output import OutputUnit, passes
from glslc_multi.backends.pica200.machine.fragment.set_up import SetUp
from glslc_multi.backends.pica200.machine.fragment.texture_units import TextureUnit
from glslc_multi.compiler.execution.program import Edge, LaneProgram, Lanes

_LIGHTING = ("lighting0", "lighting1")
DISCARDED = "discarded"


class PixelProgram(LaneProgram[int]):
    """A set-up; places are the units that it has, one after the other.

    Inputs are bytes by (source, channel), ("destination", channel), and floats by (name, component): texcoord0,
    texcoord0w, texcoord1, texcoord2, normalquat, view, depth.  Outputs are ("colour", channel), `DISCARDED`; with a
    trace ("stage 0", channel) and ("buffer 0", channel) as well.
    """

    lanes_part = False
    #: Make the units that read tables.
    lighting_unit: Callable[[Colours, Lighting, Texel], LightingUnit] = LightingUnit
    fog_unit: Callable[[Colours, bool], FogUnit] = FogUnit

    def __init__(self, set_up: SetUp, lanes: Lanes, colours: Colours | None = None) -> None:
        """Colours are bytes, unless others are given."""
        self._lanes, self._set_up = lanes, set_up
        self._colours = colours or ByteColours(lanes, set_up.rounding)
        self._combiners = CombinerUnit(self._colours, set_up.stages, set_up.rounding, self._read)
        self._steps: list[Callable[[], None]] = []
        #: Sources that units have made.
        self._made: set[str] = set()
        self._plan()

    @property
    def start(self) -> int:
        return 0

    def step(self, place: int) -> Sequence[Edge[int]]:
        self._steps[place]()
        return ((place + 1, None),) if place + 1 < len(self._steps) else ()

    def finish(self) -> None:
        for channel in CHANNELS:
            self._lanes.output(("colour", channel), self._colours.read("previous", channel), "i32")
        self._lanes.output(DISCARDED, self._lanes.read(DISCARDED, "i32"), "i32")

    # --- Units --------------------------------------------------------------------------------------------------------

    def _plan(self) -> None:
        """The units that are needed, in their order."""
        set_up = self._set_up
        needed = set(sources_of(set_up.stages))
        lighting = set_up.lighting if needed & set(_LIGHTING) else None
        if lighting is not None:
            needed |= {f"texture{part.unit}" for part in (lighting.bump, lighting.shadow) if part is not None}
            self._made.update(_LIGHTING)
        for source in sorted(needed & set_up.samplers.keys()):
            self._made.add(source)
            self._steps.append(partial(self._sample, source, TextureUnit(self._colours, set_up.samplers[source])))
        if lighting is not None:
            self._steps.append(partial(self._light, self.lighting_unit(self._colours, lighting, self._texel)))
        self._steps += [partial(self._combine, number) for number in range(STAGES)]
        if set_up.alpha_test is not None:
            self._steps.append(partial(self._test_alpha, set_up.alpha_test))
        if set_up.fog_is_flipped is not None:
            self._steps.append(partial(self._fog, self.fog_unit(self._colours, set_up.fog_is_flipped)))
        if set_up.output is not None:
            self._steps.append(partial(self._write_out, OutputUnit(self._lanes, set_up.output)))

    def _sample(self, source: str, unit: TextureUnit) -> None:
        self._write(source, unit.texel())

    def _light(self, unit: LightingUnit) -> None:
        for source, colour in zip(_LIGHTING, unit.colours(), strict=True):
            self._write(source, colour)

    def _combine(self, number: int) -> None:
        if number == 0:
            self._combiners.start()
        if self._set_up.is_traced:
            self._trace(f"buffer {number}", "buffer")
        self._combiners.run(number)
        if self._set_up.is_traced:
            self._trace(f"stage {number}", "previous")

    def _trace(self, key: str, name: str) -> None:
        for channel in CHANNELS:
            self._lanes.output((key, channel), self._colours.read(name, channel), "i32")

    def _test_alpha(self, comparison: str) -> None:
        a = self._lanes.operations
        is_drawn = passes(self._colours, comparison)
        self._lanes.write(DISCARDED, a.select(is_drawn, a.iconst(0), a.iconst(1)))

    def _fog(self, unit: FogUnit) -> None:
        colour = [self._colours.read("previous", channel) for channel in CHANNELS]
        self._write("previous", [*unit.mixed(colour[:3], self._lanes.input(("depth", 0))), colour[3]])

    def _write_out(self, unit: OutputUnit) -> None:
        destination = {channel: self._lanes.input(("destination", channel), "i32") for channel in CHANNELS}
        source = {channel: self._colours.read("previous", channel) for channel in CHANNELS}
        self._write("previous", list(unit.mixed(source, destination).values()))

    # --- Colours ------------------------------------------------------------------------------------------------------

    def _write(self, source: str, colour: Sequence[Any]) -> None:
        for channel, value in zip(CHANNELS, colour, strict=True):
            self._colours.write(source, channel, value)

    def _read(self, source: str, channel: str) -> Any:
        read = self._colours.read if source in self._made else self._colours.input
        return read(source, channel)

    def _texel(self, unit: int) -> list[Any]:
        return [self._read(f"texture{unit}", channel) for channel in CHANNELS]
