"""`--explain CODE`: the catalogue's longer explanation of one diagnostic."""

from __future__ import annotations

from compiler.cli.files import STANDARD_STREAM, write_text
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import all_entries, usage
from compiler.diagnostics.explain import explain
from compiler.diagnostics.suggest import did_you_mean


def explain_code(code: str, sink: DiagnosticSink) -> None:
    """Print the explanation of `code`."""
    text = explain(code)
    if text is None:
        sink.report(usage.UNKNOWN_CODE, help=did_you_mean(code.upper(), all_entries()), code=code)
        return
    write_text(STANDARD_STREAM, text, sink)
