"""The file of a program: its words, 8 bytes each, lowest byte first; and the same as text of C."""

from __future__ import annotations

from glslc_multi.backends.vc4.isa.formats import WORD_BYTES
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.compiler.isa.container import BadContainer


def pack(program: Program) -> bytes:
    """The file of `program`."""
    return b"".join(word.to_bytes(WORD_BYTES, "little") for word in program.words)


def unpack(data: bytes) -> Program:
    """The program in a file; raises `BadContainer`."""
    if not data or len(data) % WORD_BYTES:
        raise BadContainer(f"{len(data)} bytes are not one or more words of {WORD_BYTES}")
    starts = range(0, len(data), WORD_BYTES)
    return Program(tuple(int.from_bytes(data[start : start + WORD_BYTES], "little") for start in starts))
