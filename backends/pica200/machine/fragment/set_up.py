"""A configuration in two parts: what units do, which a program is made for, and the values that they do it with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from glslc_multi.backends.pica200.isa.fragment.program import Configuration, Stage
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import UPDATE_BUFFER
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.lights import Lighting, light_words, lighting_of
from glslc_multi.backends.pica200.machine.fragment.output import Output, output_of
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile, SimulationFault
from glslc_multi.backends.pica200.machine.fragment.texture_units import Sampler, border_words
from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.arithmetic.lanes import Array


@dataclass(frozen=True, slots=True)
class SetUp:
    """What is known of a draw when a program is made: what units do, but not the values that they do it with."""

    stages: Sequence[Stage]
    rounding: Rounding = "azahar"
    #: By the names of the sources that come from textures.
    samplers: Mapping[str, Sampler] = field(default_factory=dict)
    lighting: Lighting | None = None
    #: The comparison of the alpha test; None without one.
    alpha_test: str | None = None
    #: Whether fog counts depth from the other end; None without fog.
    fog_is_flipped: bool | None = None
    output: Output | None = None
    #: Whether what each stage makes, and finds in the buffer, is handed out as well.
    is_traced: bool = False


def set_up_of(
    configuration: Configuration,
    rounding: Rounding = "azahar",
    samplers: Mapping[str, Sampler] | None = None,
    *,
    is_traced: bool = False,
) -> SetUp:
    """What units do in a configuration; `samplers` are those of its sources that come from textures."""
    registers = RegisterFile(configuration.unit_writes)
    test = configuration.alpha_test
    mode = registers.choice(UPDATE_BUFFER.name, "mode")
    if mode == "gas":
        raise SimulationFault("gas is not simulated")
    return SetUp(
        configuration.stages,
        rounding,
        samplers or {},
        lighting_of(registers),
        None if test is None else test.function,
        bool(registers.fields(UPDATE_BUFFER.name)["z_flip"]) if mode == "fog" else None,
        output_of(registers),
        is_traced,
    )


def words_of(configuration: Configuration) -> Array:
    """The values, as `words.py` orders them."""
    import numpy as np

    array = np.zeros(words.COUNT, np.int32)
    for first, numbers in integers_of(configuration):
        array[first : first + len(numbers)] = np.array(numbers, np.int64).astype(np.int32)
    for first, floats in light_words(RegisterFile(configuration.unit_writes)):
        array[first : first + len(floats)].view(np.float32)[:] = floats
    return array


def integers_of(configuration: Configuration) -> Iterator[tuple[int, Sequence[int]]]:
    """First words, and the integers from there on."""
    registers = RegisterFile(configuration.unit_writes)
    yield words.CONSTANTS, [channel for stage in configuration.stages for channel in stage.constant]
    yield words.BUFFER_COLOUR, configuration.buffer_colour
    if configuration.alpha_test is not None:
        yield words.ALPHA_REFERENCE, [configuration.alpha_test.reference]
    yield words.FOG_COLOUR, list(registers.fields("FOG_COLOR").values())
    yield words.BLEND_COLOUR, list(registers.fields("BLEND_COLOR").values())
    yield from border_words(registers)
    for name, entries in configuration.tables.items():
        yield table_word(name), entries


def table_word(name: str) -> int:
    """The word of the first entry of a table."""
    return words.FOG_TABLE if name == "fog" else words.table(TABLES[name].number)
