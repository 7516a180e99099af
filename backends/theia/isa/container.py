"""The file of a program, `Instructions.mem`: text that a loader of hexadecimal memory reads.

In order: a count of 32-bit words (decimal), a row for each of the twelve entry points, a row for each
instruction.  A row is two numbers of eight hexadecimal digits, the high half first; `//` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from glslc_multi.backends.theia.isa.program import ENTRIES, FIRMWARE, USER, Program
from glslc_multi.backends.theia.isa.registers import VARIANTS, Variant
from glslc_multi.compiler.isa.container import BadContainer

_COMMENT = re.compile(r"//[^\n]*")
_HALF = re.compile(r"[0-9A-Fa-f]{1,8}")
_LAST_ADDRESS = 0xFFFF
_MOST_DIGITS = 9


def count_field(program: Program) -> int:
    """The count at the head of a file."""
    return 2 * (len(ENTRIES) + len(program.words))


def pack(program: Program) -> bytes:
    """The file of `program`."""
    table = [program.entries.get(name, default) for name, default in FIRMWARE[program.variant].items()]
    rows = [f"{row >> 32:08x} {row & 0xFFFFFFFF:08x}" for row in (*table, *program.words)]
    return "\n".join([str(count_field(program)), *rows, ""]).encode("ascii")


def unpack(data: bytes, variant: Variant | None = None) -> Program:
    """The program in a file; raises `BadContainer`.  The firmware whose addresses it has tells the variant."""
    try:
        pieces = _COMMENT.sub(" ", data.decode("ascii")).split()
    except UnicodeDecodeError as error:
        raise BadContainer(f"byte {error.start} is no ASCII") from None
    if not pieces:
        raise BadContainer("the file is empty")
    count = pieces[0]
    found = len(pieces) - 1
    if not count.isdigit() or len(count) > _MOST_DIGITS:
        raise BadContainer(f"it begins with {count[:20]!r}, not with a count")
    if int(count) != found:
        raise BadContainer(f"the count is {int(count)}, but {found} words follow")
    if found % 2 or found < 2 * len(ENTRIES):
        raise BadContainer(f"{found} words are not {len(ENTRIES)} or more rows of two")
    halves = pieces[1:]
    for half in halves:
        if _HALF.fullmatch(half) is None:
            raise BadContainer(f"{half[:20]!r} is no number of 32 bits")
    numbers = [int(half, 16) for half in halves]
    rows = [high << 32 | low for high, low in zip(numbers[::2], numbers[1::2], strict=True)]
    table = dict(zip(ENTRIES, rows, strict=False))
    for name, address in table.items():
        if address > _LAST_ADDRESS:
            raise BadContainer(f"the row of entry point {name} is {address:016x}, no address of 16 bits")
    variant = variant or _variant_of(table)
    entries = {name: address for name, address in table.items() if address != FIRMWARE[variant][name]}
    return Program(tuple(rows[len(ENTRIES) :]), variant, entries)


def _variant_of(table: Mapping[str, int]) -> Variant:
    """The first variant whose firmware has all addresses outside of user code; the main line's where none has."""
    outside = {(name, address) for name, address in table.items() if not address & USER}
    return next((variant for variant in VARIANTS if outside <= FIRMWARE[variant].items()), VARIANTS[0])
