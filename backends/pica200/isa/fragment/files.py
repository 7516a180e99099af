"""What register writes can be read from: `.tev` files, command lists as the GPU has them in memory, dumps as text."""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.fragment.container import HEADER, MAGIC, read, read_commands
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.text.dumps import is_dump, read_dump
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.container import BadContainer, unpacked

#: Registers of the GPU are below this address.
_REGISTERS = 0x300
_PAIR = 8


def holds_writes(data: bytes) -> bool:
    """Whether a file is one of these."""
    return data.startswith(MAGIC) or _dump_of(data) is not None or _is_command_list(data)


def read_writes(data: bytes, filename: str, sink: DiagnosticSink) -> tuple[Write, ...]:
    """The writes; what is wrong with the file is reported to `sink`, and then raised as `CompileError`."""
    text = None if data.startswith(MAGIC) else _dump_of(data)
    if text is not None:
        return read_dump(text, filename, sink)
    unpack = read if data.startswith(MAGIC) else read_commands
    return unpacked(unpack, data, filename, sink, "pica200")


def _dump_of(data: bytes) -> str | None:
    """The text of a dump."""
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return None
    return text if is_dump(text) else None


def _is_command_list(data: bytes) -> bool:
    """Whether bytes are commands from the first to the last, of registers that exist; the first writes something."""
    if not data or len(data) % _PAIR:
        return False
    header = int.from_bytes(data[4:8], "little")
    if not HEADER.accepts(header) or not HEADER.decode(header)["mask"]:
        return False
    try:
        writes = read_commands(data)
    except BadContainer:
        return False
    return all(write.register < _REGISTERS for write in writes)
