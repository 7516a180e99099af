"""Machine code as text and back, by any target's assembler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.disassembly import report_no_text

if TYPE_CHECKING:
    from glslc_multi.compiler.target import Target


def assemble_text(text: str, *, target: Target, filename: str, sink: DiagnosticSink) -> bytes:
    """Assemble text of `target` to its binary form."""
    data = target.assemble(text, filename, sink)
    sink.raise_if_errors()
    return data


def disassemble_data(data: bytes, *, target: Target, filename: str, sink: DiagnosticSink) -> str:
    """Disassemble a binary of `target` to text, of which the assembler makes the same binary."""
    text = target.disassemble(data, filename, sink)
    sink.raise_if_errors()
    if target.is_assembled(data):
        _check_text(text, data, target, filename, sink)
    return text


def _check_text(text: str, data: bytes, target: Target, filename: str, sink: DiagnosticSink) -> None:
    """Refuse a file of which the text makes another one: damage that the text does not show."""
    own = DiagnosticSink()
    try:
        if assemble_text(text, target=target, filename=filename, sink=own) == data:
            return
    except CompileError:
        pass
    mistakes = [diagnostic.message for diagnostic in own.diagnostics if diagnostic.severity == "error"]
    reason = mistakes[0] if mistakes else "the assembler makes another file of its instructions"
    report_no_text(sink, filename, "the file", reason)
    sink.raise_if_errors()
