"""Programs and files to assembly text, which assembles to the same program and file again."""

from __future__ import annotations

from glslc_multi.backends.xenos.isa.container import File, read
from glslc_multi.backends.xenos.isa.directives import write_directives
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa.container import slots_of, split
from glslc_multi.backends.xenos_family.isa.disasm import disassemble_program
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.container import unpacked
from glslc_multi.compiler.isa.disassembly import text_of

__all__ = ["disassemble", "disassemble_file", "disassemble_program"]


def disassemble(data: bytes, filename: str, sink: DiagnosticSink) -> str:
    """The text of a file."""
    file, program = unpacked(_unpack, data, filename, sink, XENOS.name)
    return disassemble_file(file, program, sink, filename)


def disassemble_file(file: File, program: Program, sink: DiagnosticSink, filename: str = "<program>") -> str:
    """The same of a file that was read."""
    text = disassemble_program(program, sink, filename, stage=file.stage)
    return text_of(write_directives(file, program)) + text


def _unpack(data: bytes) -> tuple[File, Program]:
    file = read(data)
    return file, split(XENOS, slots_of(file.code))
