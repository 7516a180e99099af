"""The two kinds of programs that the machine has: code of vertex and geometry shaders, registers of the fragment stage.

A file is known by how it begins, a text by its first directive.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.fragment.container import MAGIC
from glslc_multi.backends.pica200.isa.fragment.files import holds_writes, read_writes
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.listing import CodeWord

_CODE = b"DVLB"


def assemble(text: str, filename: str, sink: DiagnosticSink) -> bytes:
    """The file of a text."""
    from glslc_multi.backends.pica200.isa import asm, container
    from glslc_multi.backends.pica200.isa.fragment import container as registers
    from glslc_multi.backends.pica200.isa.fragment.text.assemble import assemble as assemble_registers
    from glslc_multi.backends.pica200.isa.fragment.text.assemble import begins_registers

    if begins_registers(text):
        return registers.write(assemble_registers(text, filename, sink))
    return container.write(asm.assemble(text, filename, sink))


def disassemble(data: bytes, filename: str, sink: DiagnosticSink) -> str:
    """The text of a file, of a command list or of a dump of registers."""
    from glslc_multi.backends.pica200.isa import disasm
    from glslc_multi.backends.pica200.isa.fragment.text.disassemble import disassemble as disassemble_registers

    if is_of_registers(data):
        return disassemble_registers(read_writes(data, filename, sink))
    return disasm.disassemble(data, filename, sink)


def is_assembled(data: bytes) -> bool:
    """Whether this is a file, no dump and no command list."""
    return data.startswith((_CODE, MAGIC))


def is_of_registers(data: bytes) -> bool:
    return not data.startswith(_CODE) and holds_writes(data)


def list_words(data: bytes) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    from glslc_multi.backends.pica200.isa import listing

    return list_registers(data, "<program>", DiagnosticSink()) if is_of_registers(data) else listing.list_words(data)


def list_registers(data: bytes, filename: str, sink: DiagnosticSink) -> list[CodeWord]:
    """The words of a file or dump of registers."""
    from glslc_multi.backends.pica200.isa.fragment.listing import list_writes

    return list_writes(read_writes(data, filename, sink))
