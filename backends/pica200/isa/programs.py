"""The two kinds of programs that the machine has: code of vertex and geometry shaders, registers of the fragment stage.

A file is known by how it begins, a text by its first directive.
"""

from __future__ import annotations

from backends.pica200.isa.asm import assemble as assemble_code
from backends.pica200.isa.container import write as write_code
from backends.pica200.isa.disasm import disassemble as disassemble_code
from backends.pica200.isa.fragment.container import write as write_registers
from backends.pica200.isa.fragment.files import holds_writes, read_writes
from backends.pica200.isa.fragment.listing import list_writes
from backends.pica200.isa.fragment.text.assemble import assemble as assemble_registers
from backends.pica200.isa.fragment.text.assemble import begins_registers
from backends.pica200.isa.fragment.text.disassemble import disassemble as disassemble_registers
from backends.pica200.isa.listing import list_words as list_code
from compiler.diagnostics import DiagnosticSink
from compiler.isa.listing import CodeWord

_CODE = b"DVLB"


def assemble(text: str, filename: str, sink: DiagnosticSink) -> bytes:
    """The file of a text."""
    if begins_registers(text):
        return write_registers(assemble_registers(text, filename, sink))
    return write_code(assemble_code(text, filename, sink))


def disassemble(data: bytes, filename: str, sink: DiagnosticSink) -> str:
    """The text of a file, of a command list or of a dump of registers."""
    if is_of_registers(data):
        return disassemble_registers(read_writes(data, filename, sink))
    return disassemble_code(data, filename, sink)


def is_of_registers(data: bytes) -> bool:
    return not data.startswith(_CODE) and holds_writes(data)


def list_words(data: bytes) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    return list_registers(data, "<program>", DiagnosticSink()) if is_of_registers(data) else list_code(data)


def list_registers(data: bytes, filename: str, sink: DiagnosticSink) -> list[CodeWord]:
    """The words of a file or dump of registers."""
    return list_writes(read_writes(data, filename, sink))
