"""Programs for tests."""

from __future__ import annotations

from glslc_multi.backends.xenos.isa.asm import assemble
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.diagnostics import DiagnosticSink


def program_of(text: str) -> Program:
    return assemble(text, "test", DiagnosticSink())
