"""Programs for tests."""

from __future__ import annotations

from backends.xenos.isa.asm import assemble
from backends.xenos_family.isa.program import Program
from compiler.diagnostics import DiagnosticSink


def program_of(text: str) -> Program:
    return assemble(text, "test", DiagnosticSink())
