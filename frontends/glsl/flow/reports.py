"""The warnings about variables that are read before they are written: one for each variable, at its first read."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.frontends.glsl.symbols import VariableSymbol


class Reports:
    """Collects what is found, so that a variable is reported once."""

    def __init__(self, sink: DiagnosticSink) -> None:
        self._sink = sink
        self._reported: set[VariableSymbol] = set()

    def read(self, symbol: VariableSymbol, span: Span, *, is_certain: bool, is_whole: bool) -> None:
        """A read at `span` of what has no value, on every path there or on some."""
        if symbol in self._reported:
            return
        self._reported.add(symbol)
        entry = messages.UNINITIALIZED if is_certain else messages.MAYBE_UNINITIALIZED
        what = f"'{symbol.name}'" if is_whole else f"a part of '{symbol.name}'"
        labels = () if symbol.span is None else (Label(symbol.span, "declared here, without a value"),)
        is_output = symbol.storage == "out"
        help_ = "'inout' gives it the argument's value" if is_output else "give it a value where it is declared"
        self._sink.report(entry, span, labels=labels, help=help_, what=what)
