"""Directives: what of a file its words do not tell, as lines of text before those of the program.

    .element 3 0 0 0                slot, usage, index, group of an element of the vertices
    .interpolator 5 0 0 15 0        usage, index, register, components, first export of an interpolator
    .float 256 0x3f800000 0 0 0     dwords of literals from a constant on
    .integer 0x2330 60              words for bools and loop constants
    .program_control 0x10000100     the register words, numbers and flags by their names

Where there is none of a kind, the words of the program tell (`files.py`); so only what differs from that is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from glslc_multi.backends.xenos.isa.container import Element, File, Interpolator
from glslc_multi.backends.xenos.isa.files import assembled_file
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.mistakes import Word, unexpected, unknown
from glslc_multi.compiler.isa.numbers import in_range
from glslc_multi.compiler.records import replace

_LINES = re.compile(r"^[ \t]*\.[^\n]*", re.MULTILINE)
_LANGUAGE = Language("xenos", comment=re.compile(";.*"))
_NAME = re.compile(r"\s*\.(?P<name>\w+)")
_PIECE = re.compile(r"\s*(?P<piece>\S+)")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+")

_Numbers = tuple[int, ...]
#: Most that each number of a row can be.
_SLOT, _NIBBLE, _BYTE_PAIR, _DWORD = (1 << bits for bits in (12, 4, 16, 32))
#: Directives of which a file has one: fields of `File`.
_WORDS = ("program_control", "context_misc", "interpolators_word", "interpolator_control", "outputs")
#: Directives of which it may have many: field of `File`, the numbers of a row, and what it is made of them; a row of
#: literals goes on with dwords.
_ROWS: Mapping[str, tuple[str, _Numbers, Callable[..., Any]]] = {
    "element": ("elements", (_SLOT, _NIBBLE, _NIBBLE, _SLOT), Element),
    "interpolator": ("interpolators", (_NIBBLE,) * 4 + (_BYTE_PAIR,), Interpolator),
    "export": ("exports", (_DWORD,), lambda word: word),
    "float": ("floats", (_BYTE_PAIR, _DWORD), lambda register, *words: (register, words)),
    "integer": ("integers", (_BYTE_PAIR, _DWORD), lambda register, *words: (register, words)),
}
_LITERALS = ("float", "integer")

# --- Writing ----------------------------------------------------------------------------------------------------------


def write_directives(file: File, program: Program) -> Iterator[str]:
    """The lines for what the words of `program` do not tell."""
    told = assembled_file(program)
    for name in _WORDS:
        if getattr(file, name) != getattr(told, name):
            yield f".{name} 0x{getattr(file, name):x}"
    for name, (field, _, _) in _ROWS.items():
        if getattr(file, field) != getattr(told, field):
            yield from (f".{name} {_spelled(name, row)}" for row in getattr(file, field))


def _spelled(name: str, row: Any) -> str:
    if name in _LITERALS:
        register, words = row
        return " ".join([str(register), *(f"0x{word:x}" for word in words)])
    return " ".join(map(str, row)) if isinstance(row, tuple) else f"0x{row:x}"


# --- Reading ----------------------------------------------------------------------------------------------------------


def without_directives(text: str) -> str:
    """The text with empty lines in their place."""
    return _LINES.sub("", text)


def read_directives(text: str, filename: str, file: File, sink: DiagnosticSink) -> File:
    """The file as the directives of a text say; mistakes are reported to `sink`, then raised together."""
    fields: dict[str, Any] = {}
    for line in _LANGUAGE.lines(SourceFile(filename, text), sink):
        if line.text.lstrip().startswith("."):
            line.attempt(lambda line: _read(line, fields))
    sink.raise_if_errors()
    changes: dict[str, Any] = {name: tuple(row) if isinstance(row, list) else row for name, row in fields.items()}
    return replace(file, **changes)


def _read(line: Line, fields: dict[str, Any]) -> None:
    head = _NAME.match(line.text)
    if head is None:
        raise line.unexpected("a directive", line.indent)
    name, numbers = head["name"], list(_pieces(line, head.end()))
    if name in _WORDS:
        fields[name] = _row(line, numbers, (_DWORD,), goes_on=False)[0]
        return
    if name not in _ROWS:
        raise unknown("directive", head.span("name"), name, (*_WORDS, *_ROWS))
    field, most, make = _ROWS[name]
    fields.setdefault(field, []).append(make(*_row(line, numbers, most, goes_on=name in _LITERALS)))


def _pieces(line: Line, start: int) -> Iterator[Word]:
    while (found := _PIECE.match(line.text, start)) is not None:
        number = _NUMBER.fullmatch(line.text, *found.span("piece"))
        if number is None:
            raise unexpected(found.span("piece"), "a number", f"'{found['piece']}'")
        yield number
        start = found.end()


def _row(line: Line, numbers: list[Word], most: _Numbers, *, goes_on: bool) -> _Numbers:
    """The numbers of a directive; the last kind of them may be there several times."""
    if len(numbers) < len(most) or (len(numbers) > len(most) and not goes_on):
        raise unexpected(line.place, f"{len(most)} numbers", str(len(numbers)))
    limits = (*most, *most[-1:] * (len(numbers) - len(most)))
    return tuple(in_range(word, "a number", 0, limit - 1) for word, limit in zip(numbers, limits, strict=True))
