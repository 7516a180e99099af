"""The file of a program: a header of 7 bytes, then its tokens; everything little-endian.

A0  version (4 bytes)  A1  stage (0 vertex, 1 fragment)  tokens (24 bytes each)
"""

from __future__ import annotations

from glslc_multi.backends.agal.isa.instructions import TOKEN_SIZE
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import STAGES, VERSIONS
from glslc_multi.compiler.isa.container import BadContainer

MAGIC, TAG = 0xA0, 0xA1
HEADER_BYTES = 7
TOKEN_BYTES = TOKEN_SIZE // 8


class BadProgram(BadContainer):
    """The bytes are no program; `number` is the runtime's error."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


def pack(program: Program) -> bytes:
    """The file of `program`."""
    header = bytes([MAGIC]) + program.version.to_bytes(4, "little") + bytes([TAG, STAGES.index(program.stage)])
    return header + b"".join(word.to_bytes(TOKEN_BYTES, "little") for word in program.words)


def unpack(data: bytes) -> Program:
    """The program in a file; raises `BadProgram`."""
    if not data:
        raise BadProgram(3615, "the file is empty")
    if data[0] != MAGIC:
        raise BadProgram(3612, f"it begins with byte 0x{data[0]:02x}, not with 0x{MAGIC:02x}")
    if len(data) < HEADER_BYTES:
        # Runtimes report a stream of two bytes like one of another byte order.
        raise BadProgram(3612, f"it ends inside the header, after {len(data)} bytes")
    version = int.from_bytes(data[1:5], "little")
    if version not in VERSIONS:
        raise BadProgram(3617, f"version {version} is none of 1, 2 and 3")
    if data[5] != TAG:
        raise BadProgram(3618, f"byte 5 is 0x{data[5]:02x}, not 0x{TAG:02x}")
    if data[6] >= len(STAGES):
        raise BadProgram(3619, f"stage {data[6]} is neither 0 (vertex) nor 1 (fragment)")
    body = data[HEADER_BYTES:]
    if not body or len(body) % TOKEN_BYTES:
        raise BadProgram(3615, f"{len(body)} bytes after the header are not one or more tokens of {TOKEN_BYTES}")
    words = [int.from_bytes(body[at : at + TOKEN_BYTES], "little") for at in range(0, len(body), TOKEN_BYTES)]
    return Program(STAGES[data[6]], version, tuple(words))
