"""Dumps of register writes as text, as emulators and people write them down.

A line is an address, optionally a byte mask, and values that go to this register one after the other, all hexadecimal:

    0C0 F 000F000F          ; address, byte mask, value
    0x0e0/2 0xF00           ; the same with a slash and prefixes
    TEXENV1_SOURCE 00100010 ; names are read, too, with or without GPUREG_
    0E8: 1000 2000 3000     ; three values

A digit between the address and a value is the mask; without one the whole register is written. What follows a semicolon
or a hash is a comment.
"""

from __future__ import annotations

import re

from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.layout import ALL_BYTES, WORD
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.mistakes import unknown
from glslc_multi.compiler.isa.numbers import in_range

LANGUAGE = Language("pica200", comment=re.compile(r"[;#].*"), piece=re.compile(r"\S+"))
_PREFIX = "GPUREG_"
_ADDRESS = r"(?:(?:0[xX])?(?P<address>[0-9A-Fa-f]{3,4})|(?P<name>[A-Z][A-Z0-9_]{4,}))"
_HEAD = re.compile(
    rf"\s*{_ADDRESS}(?!\w)(?:\s*/\s*(?P<slashed>[0-9A-Fa-f])(?!\w)|\s+(?P<mask>[0-9A-Fa-f])(?=\s+\w))?(?:\s*[:=])?",
    re.ASCII,
)
_VALUES = re.compile(r"(?:\s+(?:0[xX])?[0-9A-Fa-f]+(?!\w))+", re.ASCII)
_VALUE = re.compile(r"(?:0[xX])?(?P<digits>[0-9A-Fa-f]+)")


def is_dump(text: str) -> bool:
    """Whether the first line with more than a comment is one of a dump."""
    first = next(LANGUAGE.lines(SourceFile("", text), DiagnosticSink()), None)
    if first is None:
        return False
    head = _HEAD.match(first.text)
    return head is not None and _VALUES.fullmatch(first.text, head.end()) is not None


def read_dump(text: str, filename: str, sink: DiagnosticSink) -> tuple[Write, ...]:
    """The writes of a dump; mistakes are reported to `sink`, and then raised as `CompileError`."""
    found = [line.attempt(_writes) for line in LANGUAGE.lines(SourceFile(filename, text), sink)]
    sink.raise_if_errors()
    return tuple(write for writes in found for write in writes or ())


def _writes(line: Line) -> list[Write]:
    match = _HEAD.match(line.text)
    if match is None:
        raise line.unexpected("an address and a value, such as 0C0 000F000F", 0)
    values = _VALUES.match(line.text, match.end())
    if values is None or values.end() != len(line.text):
        raise line.unexpected("a hexadecimal number", match.end() if values is None else values.end())
    if match["address"] is not None:
        register = int(match["address"], 16)
    else:
        name = match["name"].removeprefix(_PREFIX)
        if name not in BY_NAME:
            raise unknown("register", match.span("name"), name, BY_NAME)
        register = BY_NAME[name].address
    mask = match["slashed"] or match["mask"]
    return [
        Write(
            register,
            in_range(value, "a value", 0, (1 << WORD) - 1, "digits", base=16),
            ALL_BYTES if mask is None else int(mask, 16),
        )
        for value in _VALUE.finditer(line.text, match.end())
    ]
