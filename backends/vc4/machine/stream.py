"""The uniform stream of a compiled shader, as its register map lists it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from glslc_multi.backends.vc4.isa.instructions import word_of_float
from glslc_multi.backends.vc4.isa.uniforms import Slot, texture_source_of
from glslc_multi.compiler.artifact import Reflection

#: A viewport of 64 x 64 pixels, in sixteenths; depth from 0 to 1.
VIEWPORT = {
    "viewport_x_scale": 512.0,
    "viewport_y_scale": 512.0,
    "viewport_z_scale": 0.5,
    "viewport_z_offset": 0.5,
}
Given = TypeVar("Given")


def stream_of(
    reflection: Reflection, uniform: Callable[[int], Given], viewport: Mapping[str, float] = VIEWPORT
) -> list[int | Slot | Given]:
    """The words of the stream; what stands in that of a uniform, by its number, `uniform` says."""
    units = {
        f"{binding.name}[{location.element}]": location.index
        for binding in reflection.samplers
        for location in binding.locations
    }
    stream: list[int | Slot | Given] = []
    for number, (kind, source) in enumerate(reflection.stream):
        if kind == "constant":
            stream.append(int(source, 16))
        elif kind == "uniform":
            stream.append(uniform(number))
        elif kind in viewport:
            stream.append(word_of_float(viewport[kind]))
        elif kind == "buffer":
            stream.append(Slot("buffer", int(source)))
        elif kind == "stream_address":
            stream.append(Slot("stream"))
        else:
            stream.append(Slot("texture", texture_source_of(units[source], kind)))
    return stream


def buffer_literals(reflection: Reflection) -> dict[int, int]:
    """The words of tables of constants in memory, by number."""
    literals = (literal for literal in reflection.literals if literal.location.space == "buffer")
    return {literal.location.index: literal.words[0] for literal in literals}
