"""`--explain CODE`: the catalogue's longer explanation of one diagnostic."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import all_entries, usage
from glslc_multi.compiler.diagnostics.explain import explain
from glslc_multi.compiler.diagnostics.suggest import did_you_mean


def explain_code(code: str, sink: DiagnosticSink) -> str:
    """The explanation of `code`."""
    text = explain(code)
    if text is None:
        sink.report(usage.UNKNOWN_CODE, help=did_you_mean(code.upper(), all_entries()), code=code)
        sink.raise_if_errors()
    return text or ""
