"""From a configuration to the register writes that set it.

All six stages are written, inert ones too, and fog and alpha test where there are none: registers keep what an earlier
shader left in them.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    SCALES,
    SOURCES,
)
from glslc_multi.backends.pica200.isa.fragment.program import AlphaTest, Bytes, Configuration, Stage, Write
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import (
    BUFFER_COLOR,
    COMBINER,
    CONSTANT,
    OPERAND,
    SCALE,
    SOURCE,
    STAGE_BASES,
    UPDATE_BUFFER,
)
from glslc_multi.backends.pica200.isa.fragment.registers.output import ALPHA_TEST, COMPARISONS
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES, Table

#: Bytes of TEXENV_UPDATE_BUFFER: one of them is the buffer's, two are those of fog; the last has no meaning.
BUFFER_BYTES, FOG_BYTES = 0b0010, 0b0101
COMPARISON_CODES = {name: code for code, name in COMPARISONS.items()}


def encode(configuration: Configuration) -> tuple[Write, ...]:
    """Everything that a configuration sets, in the order in which citro3d sends it."""
    return tuple(_writes(configuration))


def _writes(configuration: Configuration) -> Iterator[Write]:
    # Which stages write into the buffer, and the mode of fog, which its unit's writes tell.
    fields = {
        "rgb": sum(stage.updates_colour << number for number, stage in enumerate(configuration.stages)),
        "a": sum(stage.updates_alpha << number for number, stage in enumerate(configuration.stages)),
    }
    value = UPDATE_BUFFER.format.encode(fields)
    for write in configuration.unit_writes:
        if write.register == UPDATE_BUFFER.address:
            assert write.mask == FOG_BYTES, "the other bytes are those of the stages"
            value |= write.value
    yield Write(UPDATE_BUFFER.address, value, BUFFER_BYTES | FOG_BYTES)
    yield Write(BUFFER_COLOR.address, colour_word(configuration.buffer_colour))
    for base, stage in zip(STAGE_BASES, configuration.stages, strict=True):
        yield from (Write(base + index, word) for index, word in enumerate(stage_words(stage)))
    yield Write(ALPHA_TEST.address, alpha_test_word(configuration.alpha_test))
    yield from (write for write in configuration.unit_writes if write.register != UPDATE_BUFFER.address)
    for name, entries in configuration.tables.items():
        yield from table_writes(TABLES[name], entries)


def stage_words(stage: Stage) -> tuple[int, int, int, int, int]:
    """The five registers of a stage."""
    combiners = {"rgb": stage.colour, "a": stage.alpha}
    selections = {"rgb": COLOUR_SELECTIONS, "a": ALPHA_SELECTIONS}
    operands = [
        (f"{channel}{index}", selections[channel], operand)
        for channel, combiner in combiners.items()
        for index, operand in enumerate(combiner.operands, start=1)
    ]
    return (
        SOURCE.format.encode({field: SOURCES[operand.source].code for field, _, operand in operands}),
        OPERAND.format.encode({field: codes[operand.selection].code for field, codes, operand in operands}),
        COMBINER.format.encode({channel: FUNCTIONS[half.function].code for channel, half in combiners.items()}),
        colour_word(stage.constant),
        SCALE.format.encode({channel: SCALES.index(half.scale) for channel, half in combiners.items()}),
    )


def colour_word(colour: Bytes) -> int:
    """A colour as registers have it, red lowest."""
    return CONSTANT.format.encode(dict(zip("rgba", colour, strict=True)))


def alpha_test_word(test: AlphaTest | None) -> int:
    """The register of the alpha test; without one, it is off and every alpha would pass."""
    if test is None:
        return ALPHA_TEST.format.encode({"function": COMPARISON_CODES["always"]})
    function = COMPARISON_CODES[test.function]
    return ALPHA_TEST.format.encode({"enable": 1, "function": function, "reference": test.reference})


def table_writes(table: Table, entries: tuple[int, ...]) -> Iterator[Write]:
    """A table from its first entry on."""
    assert len(entries) == table.size, f"{table.name} has {table.size} entries"
    yield Write(table.index_register, table.first)
    for entry in entries:
        yield Write(table.data_register, entry)
