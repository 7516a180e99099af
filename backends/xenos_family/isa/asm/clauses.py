"""The line of a clause to the fields of its word."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa import formats, names
from glslc_multi.backends.xenos_family.isa.asm.grammar import grammar_of
from glslc_multi.backends.xenos_family.isa.asm.options import fields_of
from glslc_multi.backends.xenos_family.isa.asm.syntax import Clause, Raw
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet, Opcode
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.mistakes import Word, unknown
from glslc_multi.compiler.isa.numbers import in_range
from glslc_multi.compiler.records import dataclass

_BUFFERS = {
    **{name: code for code, name in enumerate(names.BUFFERS)},
    **{alias: names.BUFFERS.index(name) for alias, name in names.BUFFER_ALIASES.items()},
}


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """A clause as written; absent fields of an exec clause follow from its instructions."""

    row: Opcode
    fields: Mapping[str, int]
    #: All bits, from a line that gives them.
    word: int | None = None


def read_clause(isa: InstructionSet, line: Line) -> ClauseLine:
    """The clause of a line."""
    parsed: Clause | Raw = parse(line, grammar_of(isa).clause_line)
    if isinstance(parsed, Raw):
        word = in_range(parsed.numbers[0], "the clause", 0, (1 << formats.CLAUSE_SIZE) - 1)
        row, fields = isa.decode_clause(word)
        return ClauseLine(row, fields, word)
    row = isa.clause_by_name[parsed.name[0]]
    buffer = {} if parsed.buffer is None else {"buffer": _buffer(parsed.buffer)}
    return ClauseLine(row, {**buffer, **fields_of(isa, parsed.options, row.format)})


def _buffer(name: Word) -> int:
    if name[0] not in _BUFFERS:
        raise unknown("buffer", name, name[0], _BUFFERS)
    return _BUFFERS[name[0]]
