"""Assembly text to a program, and to a file."""

from __future__ import annotations

from glslc_multi.backends.xenos.isa.container import File
from glslc_multi.backends.xenos.isa.directives import read_directives, without_directives
from glslc_multi.backends.xenos.isa.files import assembled_file
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa import asm
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.diagnostics import DiagnosticSink


def assemble(text: str, filename: str, sink: DiagnosticSink) -> Program:
    """The program of a text, whose directives are left out."""
    return asm.assemble(XENOS, without_directives(text), filename, sink)


def assemble_file(text: str, filename: str, sink: DiagnosticSink) -> File:
    """The file of a text: what its directives say, and else what the words tell."""
    return read_directives(text, filename, assembled_file(assemble(text, filename, sink)), sink)
