"""What one machine of the family has of its own: its clauses, fetches, limits and rules, as data.

ALU words are the same on all of them (`instructions.py`); what handles clauses and fetches takes an `InstructionSet`,
or a program, which names its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.options import Option
from glslc_multi.backends.xenos_family.isa.registers import (
    FIRST_MEMORY,
    MEMORY_BUFFER,
    PARAMETER_BUFFER,
    POSITION,
    POSITION_BUFFER,
)
from glslc_multi.backends.xenos_family.isa.vertex_formats import Layout
from glslc_multi.compiler.isa.fields import Encoding, EncodingTable, Format
from glslc_multi.compiler.records import dataclass, field

#: Words whose fields are kept: loops come to the same ones again.
_DECODED = 4096
#: What a clause or fetch is, whatever its machine.
Kind = Literal["none", "exec", "loop", "jump", "alloc", "vertex", "texture"]


@dataclass(frozen=True, slots=True)
class Opcode:
    """One row: the opcode of a fetch, or of a clause of the control-flow program."""

    name: str
    code: int
    kind: Kind
    format: Format
    doc: str
    #: What an exec clause tests before it runs.
    condition: Literal["", "bool", "predicate"] = ""
    #: The program ends after this exec clause if it ran.
    ends: bool = False


class Formats(NamedTuple):
    """Layouts of a machine's clauses and fetches; exec clauses and ends of loops may have several."""

    exec: Format
    exec_if_bool: Format
    exec_if_predicate: Format
    loop_start: Format
    loop_end: Format
    jump: Format
    alloc: Format
    vertex: Format
    texture: Format

    @property
    def all(self) -> tuple[Format, ...]:
        """Each once, fetches first."""
        clauses = self[: self.index(self.vertex)]
        return tuple({layout.name: layout for layout in (self.vertex, self.texture, *clauses, formats.NONE)}.values())

    def fetches(self) -> tuple[Opcode, ...]:
        """The rows of fetches."""
        sample = Opcode("SAMPLE", 1, "texture", self.texture, "colour of a texture")
        others = (Opcode(name, code, "texture", self.texture, doc) for name, code, doc in _TEXTURE_FETCHES)
        return Opcode("VERTEX", 0, "vertex", self.vertex, "element floor(index) of a vertex buffer"), sample, *others

    def clauses(self) -> tuple[Opcode, ...]:
        """The rows of clauses."""
        run, bool_, predicate = self.exec, self.exec_if_bool, self.exec_if_predicate
        ends = "and end the program if it ran"
        return (
            Opcode("NOP", 0, "none", formats.NONE, "nothing"),
            Opcode("EXEC", 1, "exec", run, "run the instructions"),
            Opcode("EXEC_END", 2, "exec", run, "and end the program", ends=True),
            Opcode("COND_EXEC", 3, "exec", bool_, "run if the bool constant is as wanted", "bool"),
            Opcode("COND_EXEC_END", 4, "exec", bool_, ends, "bool", ends=True),
            Opcode(
                "COND_PRED_EXEC", 5, "exec", predicate, "run if the predicate of any lane is as wanted", "predicate"
            ),
            Opcode("COND_PRED_EXEC_END", 6, "exec", predicate, ends, "predicate", ends=True),
            Opcode(
                "LOOP_START", 7, "loop", self.loop_start, "begin a counted loop; go to the address if the count is 0"
            ),
            Opcode("LOOP_END", 8, "loop", self.loop_end, "go to the address, the body's start, while the count lasts"),
            Opcode("COND_CALL", 9, "jump", self.jump, "call"),
            Opcode("RETURN", 10, "jump", self.jump, "return; nothing outside of a call"),
            Opcode("COND_JMP", 11, "jump", self.jump, "jump"),
            Opcode("ALLOC", 12, "alloc", self.alloc, "reserve space for exports"),
            Opcode("COND_EXEC_PRED_CLEAN", 13, "exec", bool_, "as COND_EXEC; the predicate does not change", "bool"),
            Opcode("COND_EXEC_PRED_CLEAN_END", 14, "exec", bool_, ends, "bool", ends=True),
            Opcode("MARK_VS_FETCH_DONE", 15, "none", formats.NONE, "no vertex fetches follow"),
        )


_TEXTURE_FETCHES = (
    ("GET_BORDER_FRAC", 16, "fraction of the border colour"),
    ("GET_COMP_LOD", 17, "level of detail that SAMPLE would compute"),
    ("GET_GRADIENTS", 18, "derivatives: along x in xz, along y in yw"),
    ("GET_WEIGHTS", 19, "weights of the filter"),
    ("SET_TEX_LOD", 24, "level of detail that fetches with REG_LOD add"),
    ("SET_GRADIENTS_H", 25, "horizontal derivatives of fetches with USE_REG_GRADIENTS"),
    ("SET_GRADIENTS_V", 26, "vertical derivatives"),
)


@dataclass(frozen=True, eq=False)
class InstructionSet:
    """A machine of the family."""

    #: The target's name.
    name: str
    formats: Formats
    #: Name of a format -> its options in text, in order.
    options: Mapping[str, Mapping[str, Option]]
    #: The rules of the hardware, by the names in which `validate.py` reports them.
    rules: Mapping[str, str]
    slot_limit: int
    #: The slots in a file; raises `BadContainer`.
    read_slots: Callable[[bytes], Sequence[int]]
    #: Formats of vertex data, by the number in a fetch.
    layouts: Mapping[int, Layout]
    #: Exports with numbers of memory that go to the buffer of colours.
    beside_colours: frozenset[int] = frozenset()
    #: What a half of an ALU instruction has that does nothing, where its fields are not 0.
    idle: Mapping[str, int] = field(default_factory=dict)
    #: Slots of zeros at the end of a program, which nothing runs.
    trailing_slots: int = 0
    #: Whether the scalar half names an export, too.
    both_name_exports: bool = True
    #: Fields of a vertex fetch that no text says, of the first instruction of a program and of others.
    vertex_reserved: Callable[[bool], Mapping[str, int]] = lambda first: {}
    #: Bytes that one step of a stride or an offset is.
    vertex_unit: int = 1
    #: How far a pixel's centre is from the position that the parameter register brings.
    to_pixel_centre: float = 0.0
    #: Whether that register's coordinates of points have signs that say something else.
    has_point_signs: bool = False
    #: Whether half floats have infinities, NaN and denormal numbers.
    has_ieee_halves: bool = True

    @cached_property
    def clauses(self) -> tuple[Opcode, ...]:
        return self.formats.clauses()

    @cached_property
    def fetches(self) -> tuple[Opcode, ...]:
        return self.formats.fetches()

    @cached_property
    def clause_by_name(self) -> Mapping[str, Opcode]:
        return {row.name: row for row in self.clauses}

    @cached_property
    def clause_by_code(self) -> Mapping[int, Opcode]:
        return {row.code: row for row in self.clauses}

    @cached_property
    def fetch_by_name(self) -> Mapping[str, Opcode]:
        return {row.name: row for row in self.fetches}

    @cached_property
    def clause_encodings(self) -> EncodingTable:
        return EncodingTable(Encoding(row.name, row.format, {"op": row.code}) for row in self.clauses)

    @cached_property
    def fetch_encodings(self) -> EncodingTable:
        return EncodingTable(Encoding(row.name, row.format, {"opcode": row.code}) for row in self.fetches)

    def encode_alu(self, **fields: int) -> int:
        """The word of an ALU instruction; absent halves do nothing; raises `FieldError` for values that do not fit."""
        return formats.ALU.encode({**self.idle, **fields})

    def encode_fetch(self, name: str, **fields: int) -> int:
        """The word of a fetch; absent fields have their defaults."""
        return self.fetch_encodings[name].encode(fields)

    def encode_clause(self, name: str, **fields: int) -> int:
        """The word of a clause; absent fields are 0."""
        return self.clause_encodings[name].encode(fields)

    def decode_fetch(self, word: int) -> tuple[Opcode | None, Mapping[str, int]]:
        """The row of a fetch (None for an undefined opcode) and its fields, those of a texture fetch when undefined."""
        return _decode_fetch(self, word)

    def decode_clause(self, word: int) -> tuple[Opcode, Mapping[str, int]]:
        """The row of a clause and its fields; every opcode is one."""
        return _decode_clause(self, word)

    def buffer_of(self, export: int) -> int:
        """The buffer that an export goes to."""
        if export < FIRST_MEMORY or export in self.beside_colours:
            return PARAMETER_BUFFER
        return POSITION_BUFFER if export >= POSITION else MEMORY_BUFFER


@lru_cache(maxsize=_DECODED)
def _decode_fetch(isa: InstructionSet, word: int) -> tuple[Opcode | None, Mapping[str, int]]:
    encoding = isa.fetch_encodings.find(word)
    if encoding is None:
        return None, isa.formats.texture.decode(word)
    return isa.fetch_by_name[encoding.name], encoding.format.decode(word)


@lru_cache(maxsize=_DECODED)
def _decode_clause(isa: InstructionSet, word: int) -> tuple[Opcode, Mapping[str, int]]:
    row = isa.clause_by_code[word >> formats.OP.low]
    return row, row.format.decode(word)
