"""Diagnostics: spans, the message catalogue, the sink phases report to, and renderers."""

from glslc_multi.compiler.diagnostics.model import Diagnostic, Entry, Fix, Label, exit_status
from glslc_multi.compiler.diagnostics.sink import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.span import Origin, SourceFile, Span

__all__ = [
    "CompileError",
    "Diagnostic",
    "DiagnosticSink",
    "Entry",
    "Fix",
    "Label",
    "Origin",
    "SourceFile",
    "Span",
    "exit_status",
]
