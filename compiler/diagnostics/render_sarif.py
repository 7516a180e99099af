"""Diagnostics as one SARIF 2.1.0 document (OASIS standard), the form that code-scanning services read.

Regions are physical lines, since viewers open the file itself; `#line` has no part in them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from urllib.parse import quote

from glslc_multi.compiler import __version__
from glslc_multi.compiler.diagnostics.explain import explain_entry
from glslc_multi.compiler.diagnostics.model import Diagnostic, Entry, Fix, exit_status
from glslc_multi.compiler.diagnostics.render_lines import TOOL
from glslc_multi.compiler.diagnostics.span import SourceFile, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    listed = list(diagnostics)
    entries = {diagnostic.code: diagnostic.entry for diagnostic in listed}
    rules = [entries[code] for code in sorted(entries)]
    status = exit_status(listed)
    run = {
        "tool": {"driver": {"name": TOOL, "version": __version__, "rules": [_rule(entry) for entry in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": status == 0, "exitCode": status}],
        "results": [_result(diagnostic, rules.index(diagnostic.entry)) for diagnostic in listed],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.code,
        "shortDescription": {"text": entry.template},
        "fullDescription": {"text": explain_entry(entry)},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(diagnostic: Diagnostic, rule_index: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": diagnostic.severity,
        "message": {"text": _message(diagnostic)},
        "locations": [] if diagnostic.span is None else [{"physicalLocation": _physical_location(diagnostic.span)}],
        "relatedLocations": [
            {"id": number, "physicalLocation": _physical_location(span), "message": {"text": text}}
            for number, (span, text) in enumerate(_related(diagnostic), start=1)
        ],
        "properties": {"target": diagnostic.target, "pass": diagnostic.pass_name},
    }
    if diagnostic.fixes:
        by_file: dict[str, list[Fix]] = {}
        for fix in diagnostic.fixes:
            by_file.setdefault(fix.span.file.name, []).append(fix)
        changes = [
            {
                "artifactLocation": _artifact(fixes[0].span.file),
                "replacements": [
                    {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.text}} for fix in fixes
                ],
            }
            for fixes in by_file.values()
        ]
        result["fixes"] = [{"description": {"text": diagnostic.help or "change it"}, "artifactChanges": changes}]
    return result


def _message(diagnostic: Diagnostic) -> str:
    """The message with its notes and help, which SARIF has no fields for, as further lines."""
    remarks = [f"note: {note}" for note in diagnostic.notes]
    if diagnostic.help:
        remarks.append(f"help: {diagnostic.help}")
    return "\n".join([diagnostic.message, *remarks])


def _related(diagnostic: Diagnostic) -> list[tuple[Span, str]]:
    related = [(label.span, label.text) for label in diagnostic.labels]
    if diagnostic.span is not None:
        related += [(place, "included from here") for place in diagnostic.span.include_stack()]
        related += [(origin.span, origin.text) for origin in diagnostic.span.origins()]
    return related


def _physical_location(span: Span) -> dict[str, object]:
    return {"artifactLocation": _artifact(span.file), "region": _region(span)}


def _artifact(file: SourceFile) -> dict[str, object]:
    """The file as a URI reference (RFC 3986): an absolute path gets the `file` scheme."""
    name, plain = file.name, "/"
    if sys.platform == "win32":
        name = name.replace("\\", "/")
        if name[1:3] == ":/":
            name, plain = f"/{name}", "/:"
    path = quote(name, safe=plain, errors="surrogatepass")
    return {"uri": f"file://{path}" if path.startswith("/") else path}


def _region(span: Span) -> dict[str, object]:
    start = span.file.byte_offset(span.line, span.column)
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "byteOffset": start,
        "byteLength": span.file.byte_offset(span.end_line, span.end_column) - start,
    }
