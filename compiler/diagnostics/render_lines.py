"""Diagnostics as one line each: `short` for editors and logs, `msvc` for tools that expect that compiler's form."""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.diagnostics.color import Paint
from glslc_multi.compiler.diagnostics.model import Diagnostic
from glslc_multi.compiler.diagnostics.source_line import printable

#: Stands in place of the location in messages that concern no file.
TOOL = "glslc-multi"


def headline(diagnostic: Diagnostic, paint: Paint) -> str:
    """`file:line:column: error: message [code]`, the form that editors recognise."""
    where = TOOL if diagnostic.span is None else printable(diagnostic.span.location)
    message = paint("headline", printable(diagnostic.message))
    severity = paint(diagnostic.severity, f"{diagnostic.severity}:")
    return f"{paint('headline', f'{where}:')} {severity} {message} [{diagnostic.code}]"


def render_short(diagnostics: Iterable[Diagnostic], paint: Paint) -> str:
    return "".join(f"{headline(diagnostic, paint)}\n" for diagnostic in diagnostics)


def render_msvc(diagnostics: Iterable[Diagnostic]) -> str:
    return "".join(f"{_msvc_line(diagnostic)}\n" for diagnostic in diagnostics)


def _msvc_line(diagnostic: Diagnostic) -> str:
    where = TOOL
    if diagnostic.span is not None:
        name, line = diagnostic.span.file.shown_line(diagnostic.span.line)
        where = f"{name}({line},{diagnostic.span.column})"
    return printable(f"{where}: {diagnostic.severity} {diagnostic.code}: {diagnostic.message}")
