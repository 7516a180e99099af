"""Diagnostics for programs: one JSON object a line, every field always present.

Lines and columns count from 1, an end is exclusive.  `file`, `line` and `end_line` are what messages show,
so they follow `#line`; `start_byte` and `end_byte` are offsets into the UTF-8 text of `physical_file`, which is
where a tool applies fixes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from glslc_multi.compiler.diagnostics.model import Diagnostic
from glslc_multi.compiler.diagnostics.span import Span

_NOWHERE = dict.fromkeys(
    ("file", "line", "column", "end_line", "end_column", "physical_file", "start_byte", "end_byte")
)


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    return "".join(f"{json.dumps(_record(diagnostic))}\n" for diagnostic in diagnostics)


def _record(diagnostic: Diagnostic) -> dict[str, object]:
    span = diagnostic.span
    include_stack = () if span is None else span.include_stack()
    origins = () if span is None else span.origins()
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **(_NOWHERE if span is None else _location(span)),
        "labels": [{**_location(label.span), "text": label.text} for label in diagnostic.labels],
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "fixes": [{**_location(fix.span), "text": fix.text, "certain": fix.is_certain} for fix in diagnostic.fixes],
        "target": diagnostic.target,
        "pass": diagnostic.pass_name,
        "include_stack": [_location(place) for place in include_stack],
        "origins": [
            {**_location(origin.span), "kind": origin.kind, "name": origin.name, "text": origin.text}
            for origin in origins
        ],
    }


def _location(span: Span) -> dict[str, object]:
    file = span.file
    name, line = file.shown_line(span.line)
    return {
        "file": name,
        "line": line,
        "column": span.column,
        "end_line": file.shown_line(span.end_line)[1],
        "end_column": span.end_column,
        "physical_file": file.name,
        "start_byte": file.byte_offset(span.line, span.column),
        "end_byte": file.byte_offset(span.end_line, span.end_column),
    }
