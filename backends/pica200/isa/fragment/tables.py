"""Look-up tables behind registers: an index register chooses table and entry, data registers take the entries.

A write to any of eight data registers stores at the place of the index register, which moves on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from glslc_multi.backends.pica200.isa.fragment.program import Write

#: Data registers of a group, one like the other.
DATA_REGISTERS = 8
_TABLE_SHIFT = 8
LIGHTS = 8


@dataclass(frozen=True, slots=True)
class Table:
    """One table."""

    name: str
    index_register: int
    data_register: int
    #: Which of the tables of these registers.
    number: int
    size: int
    doc: str

    @property
    def first(self) -> int:
        """The index register's value for the first entry."""
        return self.number << _TABLE_SHIFT

    @property
    def data_registers(self) -> range:
        return range(self.data_register, self.data_register + DATA_REGISTERS)


def _lighting(name: str, number: int, doc: str) -> Table:
    return Table(name, 0x1C5, 0x1C8, number, 256, doc)


TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        Table("fog", 0x0E6, 0x0E8, 0, 128, "fog by depth"),
        _lighting("d0", 0, "distribution 0"),
        _lighting("d1", 1, "distribution 1"),
        _lighting("fr", 3, "Fresnel factor"),
        _lighting("rb", 4, "reflection, blue"),
        _lighting("rg", 5, "reflection, green"),
        _lighting("rr", 6, "reflection, red"),
        *(_lighting(f"spot{light}", 8 + light, f"spot of light {light}") for light in range(LIGHTS)),
        *(_lighting(f"distance{light}", 16 + light, f"distance of light {light}") for light in range(LIGHTS)),
        Table("noise", 0x0AF, 0x0B0, 0, 128, "noise of the procedural texture"),
        Table("rgb_map", 0x0AF, 0x0B0, 2, 128, "colour map of the procedural texture"),
        Table("alpha_map", 0x0AF, 0x0B0, 3, 128, "alpha map of the procedural texture"),
        Table("colours", 0x0AF, 0x0B0, 4, 256, "colours of the procedural texture"),
        Table("colour_differences", 0x0AF, 0x0B0, 5, 256, "differences of these colours"),
    )
}
INDEX_REGISTERS = frozenset(table.index_register for table in TABLES.values())
#: Data register -> the index register that it belongs to.
DATA_REGISTER_INDEX: Mapping[int, int] = {
    register: table.index_register for table in TABLES.values() for register in table.data_registers
}
_BY_FIRST: Mapping[tuple[int, int], Table] = {(table.index_register, table.first): table for table in TABLES.values()}


def table_starting_at(write: Write) -> Table | None:
    """The table that a write to an index register goes to the beginning of."""
    return _BY_FIRST.get((write.register, write.value)) if write.mask == 0xF else None


def whole_table(writes: Sequence[Write], start: int) -> tuple[Table, tuple[int, ...]] | None:
    """The table that writes fill from `start` on, index register first, entry by entry to its first data register."""
    table = table_starting_at(writes[start])
    if table is None:
        return None
    entries = writes[start + 1 : start + 1 + table.size]
    if len(entries) < table.size or any(w.register != table.data_register or w.mask != 0xF for w in entries):
        return None
    return table, tuple(write.value for write in entries)


def entries_of(writes: Iterable[Write]) -> dict[str, dict[int, int]]:
    """What writes leave in the tables, by name and entry."""
    places: dict[int, int] = {}
    entries: dict[str, dict[int, int]] = {}
    for write in writes:
        if write.register in INDEX_REGISTERS:
            places[write.register] = write.value
            continue
        index = DATA_REGISTER_INDEX.get(write.register)
        if index is None:
            continue
        index_in_table = places.get(index, 0)
        places[index] = index_in_table & ~0xFF | index_in_table + 1 & 0xFF
        table = _BY_FIRST.get((index, index_in_table & ~0xFF))
        if table is not None:
            entries.setdefault(table.name, {})[(index_in_table & 0xFF) % table.size] = write.value
    return entries
