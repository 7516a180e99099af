"""From register writes to the configuration that they leave; what they do not set is as after citro3d's start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS_BY_CODE,
    SCALES,
    SOURCES,
    STAGES,
)
from glslc_multi.backends.pica200.isa.fragment.encode import FOG_BYTES, alpha_test_word, stage_words
from glslc_multi.backends.pica200.isa.fragment.program import (
    INERT,
    AlphaTest,
    Bytes,
    Combiner,
    Configuration,
    Operand,
    Stage,
    Write,
)
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import (
    BUFFER_COLOR,
    COMBINER,
    CONSTANT,
    OPERAND,
    OPERANDS,
    SCALE,
    SOURCE,
    STAGE_BASES,
    UPDATE_BUFFER,
)
from glslc_multi.backends.pica200.isa.fragment.registers.layout import byte_mask_bits
from glslc_multi.backends.pica200.isa.fragment.registers.output import ALPHA_TEST, COMPARISONS
from glslc_multi.backends.pica200.isa.fragment.tables import DATA_REGISTER_INDEX, INDEX_REGISTERS, TABLES, entries_of
from glslc_multi.compiler.isa.container import BadContainer

_SOURCES = {source.code: name for name, source in SOURCES.items()}
_FUNCTIONS = {code: function.name for code, function in FUNCTIONS_BY_CODE.items()}
_SELECTIONS = {
    channel: {selection.code: selection.name for selection in selections.values()}
    for channel, selections in (("rgb", COLOUR_SELECTIONS), ("a", ALPHA_SELECTIONS))
}


class UnknownCode(BadContainer):
    """Registers hold what has no known meaning; the text says which."""


#: Registers that a configuration has members of its own for, after citro3d's start.
INITIAL: Mapping[int, int] = {
    **{base + index: word for base in STAGE_BASES for index, word in enumerate(stage_words(INERT))},
    UPDATE_BUFFER.address: 0,
    BUFFER_COLOR.address: 0xFFFFFFFF,
    ALPHA_TEST.address: alpha_test_word(None),
}


def registers_after(writes: Iterable[Write], before: Mapping[int, int] = INITIAL) -> dict[int, int]:
    """What writes leave in the registers."""
    registers = dict(before)
    for write in writes:
        bits = byte_mask_bits(write.mask)
        registers[write.register] = registers.get(write.register, 0) & ~bits | write.value & bits
    return registers


def decode(writes: Iterable[Write]) -> Configuration:
    """The configuration; raises `UnknownCode` where there is none."""
    writes = tuple(writes)
    registers = registers_after(writes)
    updates = UPDATE_BUFFER.format.decode(registers[UPDATE_BUFFER.address])
    stages = tuple(
        stage_of(tuple(registers[base + index] for index in range(5)), number, updates)
        for number, base in zip(range(STAGES), STAGE_BASES, strict=True)
    )
    fields = ALPHA_TEST.format.decode(registers[ALPHA_TEST.address])
    tables = {}
    for name, entries in entries_of(writes).items():
        if len(entries) < TABLES[name].size:
            raise UnknownCode(f"table {name} has {len(entries)} of its {TABLES[name].size} entries")
        tables[name] = tuple(entry for _, entry in sorted(entries.items()))
    # Writes to what has no member of its own: the mode of fog if there is one, then the others in their order.
    mode = registers[UPDATE_BUFFER.address] & byte_mask_bits(FOG_BYTES)
    fog = (Write(UPDATE_BUFFER.address, mode, FOG_BYTES),) if mode else ()
    own_registers = INITIAL.keys() | INDEX_REGISTERS | DATA_REGISTER_INDEX.keys()
    return Configuration(
        stages,
        colour_of(registers[BUFFER_COLOR.address]),
        AlphaTest(COMPARISONS[fields["function"]], fields["reference"]) if fields["enable"] else None,
        (*fog, *(write for write in writes if write.register not in own_registers)),
        tables,
    )


def stage_of(words: tuple[int, ...], number: int, updates: Mapping[str, int]) -> Stage:
    """The stage that five registers describe, with the fields of the register that says what the buffer takes."""
    source, operand, function, constant, scale = words
    halves = {
        channel: _combiner(channel, source, operand, function, scale, f"stage {number}") for channel in ("rgb", "a")
    }
    return Stage(
        halves["rgb"],
        halves["a"],
        colour_of(constant),
        bool(updates["rgb"] >> number & 1),
        bool(updates["a"] >> number & 1),
    )


def _combiner(channel: str, source: int, operand: int, function: int, scale: int, where: str) -> Combiner:
    sources, selections = SOURCE.format.decode(source), OPERAND.format.decode(operand)
    fields = [f"{channel}{index}" for index in range(1, OPERANDS + 1)]
    code = SCALE.format.decode(scale)[channel]
    if code >= len(SCALES):
        raise UnknownCode(f"{where}: {channel} has scale {code}")
    return Combiner(
        _named(_FUNCTIONS, COMBINER.format.decode(function)[channel], f"{where}: function of {channel}"),
        tuple(_operand(sources[field], selections[field], channel, f"{where}: {field}") for field in fields),
        SCALES[code],
    )


def _operand(source: int, selection: int, channel: str, where: str) -> Operand:
    return Operand(
        _named(_SOURCES, source, f"source of {where}"),
        _named(_SELECTIONS[channel], selection, f"channels of {where}"),
    )


def _named(names: Mapping[int, str], code: int, what: str) -> str:
    if code not in names:
        raise UnknownCode(f"{what} is {code}, which has no known meaning")
    return names[code]


def colour_of(word: int) -> Bytes:
    """The bytes of a colour."""
    return tuple(CONSTANT.format.decode(word).values())
