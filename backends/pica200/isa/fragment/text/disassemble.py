"""Register writes to text, which assembles to the same writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.backends.pica200.isa.fragment.combiners import STAGES
from glslc_multi.backends.pica200.isa.fragment.decode import UnknownCode, stage_of
from glslc_multi.backends.pica200.isa.fragment.encode import stage_words
from glslc_multi.backends.pica200.isa.fragment.program import INERT, Stage, Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_ADDRESS
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import STAGE_BASES, STAGE_REGISTERS, UPDATE_BUFFER
from glslc_multi.backends.pica200.isa.fragment.registers.layout import ALL_BYTES, Register
from glslc_multi.backends.pica200.isa.fragment.tables import Table, whole_table
from glslc_multi.backends.pica200.isa.fragment.text.formulas import spell_combiner
from glslc_multi.compiler.isa.disassembly import text_of
from glslc_multi.compiler.records import dataclass

#: The first line, by which the text is known.
DIRECTIVE = ".tev"
_ENTRIES_A_LINE = 8
_NO_UPDATES = {"rgb": 0, "a": 0}
_WHITE = INERT.constant


@dataclass(frozen=True, slots=True)
class Item:
    """Lines of text, and the writes that they stand for: one, those of a stage, or those of a table."""

    lines: list[str]
    writes: Sequence[Write]
    table: Table | None = None


def disassemble(writes: Sequence[Write]) -> str:
    """The text of all writes."""
    return text_of([DIRECTIVE, *(line for item in items(writes) for line in item.lines)])


def items(writes: Sequence[Write]) -> Iterator[Item]:
    """The parts of the text in order."""
    position = 0
    while position < len(writes):
        item = _next(writes, position)
        yield item
        position += len(item.writes)


def _next(writes: Sequence[Write], place: int) -> Item:
    """What begins at a place."""
    stage = _stage_at(writes, place)
    if stage is not None:
        return Item(spell_stage(*stage), writes[place : place + len(STAGE_REGISTERS)])
    found = whole_table(writes, place)
    if found is not None:
        table, entries = found
        return Item([f"table {table.name}", *_rows(entries)], writes[place : place + 1 + table.size], table)
    return Item([spell_write(writes[place])], writes[place : place + 1])


def _stage_at(writes: Sequence[Write], place: int) -> tuple[int, Stage] | None:
    """The stage that five writes set, if it is one."""
    base = writes[place].register
    group = writes[place : place + len(STAGE_REGISTERS)]
    addresses = [write.register for write in group]
    if base not in STAGE_BASES or addresses != [base + n for n in range(len(STAGE_REGISTERS))]:
        return None
    words = tuple(write.value for write in group)
    number = STAGE_BASES.index(base)
    try:
        stage = stage_of(words, number, _NO_UPDATES)
    except UnknownCode:
        return None
    exact = stage_words(stage) == words and all(write.mask == ALL_BYTES for write in group)
    return (number, stage) if exact else None


def spell_stage(number: int, stage: Stage) -> list[str]:
    """The lines of a stage."""
    head = f"stage {number}  "
    lines = [f"rgb = {spell_combiner(stage.colour, 'rgb')}", f"a = {spell_combiner(stage.alpha, 'a')}"]
    if stage.constant != _WHITE:
        lines.append(f"constant = {' '.join(map(str, stage.constant))}")
    return [head + lines[0], *(" " * len(head) + line for line in lines[1:])]


def _rows(entries: Sequence[int]) -> Iterator[str]:
    for start in range(0, len(entries), _ENTRIES_A_LINE):
        yield "    " + " ".join(f"0x{entry:06x}" for entry in entries[start : start + _ENTRIES_A_LINE])


def spell_write(write: Write) -> str:
    """One register, by its fields if they say all that is in it."""
    register = BY_ADDRESS.get(write.register)
    name = f"0x{write.register:03x}" if register is None else register.name
    if write.mask != ALL_BYTES:
        name += "/" + ("".join(str(byte) for byte in range(4) if write.mask >> byte & 1) or "-")
    fields = [] if register is None else _fields(register, write.value)
    return f"set {name} {' '.join(fields) or _number(write.value)}{_remark(write)}"


def _number(value: int) -> str:
    return hex(value) if value else "0"


def _remark(write: Write) -> str:
    """What the buffer takes, as a comment: masks of stages are hard to read."""
    if write.register != UPDATE_BUFFER.address:
        return ""
    fields = UPDATE_BUFFER.format.decode(write.value)
    taken = [
        f"{channel} of stage{'s' * (mask & mask - 1 > 0)} {', '.join(str(n) for n in range(STAGES) if mask >> n & 1)}"
        for channel in _NO_UPDATES
        if (mask := fields[channel])
    ]
    return f"  ; the buffer takes {' and '.join(taken)}" if taken else ""


def _fields(register: Register, value: int) -> list[str]:
    """The fields that are not 0; none where bits are in no field."""
    form = register.format
    values = form.decode(value)
    if form.encode(values) != value:
        return []
    return [f"{name}={spell_field(register, name, code)}" for name, code in values.items() if code]


def spell_field(register: Register, name: str, code: int) -> str:
    """The name of a choice, a float, or a number."""
    choice = register.layout.codes.get(name, {}).get(code)
    if choice is not None:
        return choice
    form = register.layout.floats.get(name)
    if form is not None:
        return repr(form.value_of(code)) if form.is_writable(code) else hex(code)
    return str(code)
