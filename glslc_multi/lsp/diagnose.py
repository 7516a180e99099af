"""Diagnostics and their fixes as editors have them.

In: what the front end reports about a text, and what targets refuse.  Out: diagnostics of the LSP, and code actions
that are the compiler's own fixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types as lsp

from glslc_multi.compiler.diagnostics import Diagnostic, SourceFile, Span
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.costs import Cost, Place, Refusal

SOURCE = "glslc-multi"
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


def uri_of(filename: str) -> str:
    """The URI of a file of the disk."""
    path = Path(filename)
    return path.as_uri() if path.is_absolute() else filename


def diagnostics(analysis: Analysis, costs: Iterable[Cost], uri: str) -> list[lsp.Diagnostic]:
    """Everything that is to be said of a text; `costs` are those of the targets that the user has chosen."""
    own = [_diagnostic(diagnostic, analysis, uri) for diagnostic in analysis.diagnostics]
    return own + [_of_target(cost, refusal, analysis) for cost in costs for refusal in cost.refusals]


def too_large(size: int, most: int) -> lsp.Diagnostic:
    """What is said of a text that is not analysed."""
    text = f"this text has {size} characters; those of more than {most} get no help here, only from glslc-multi itself"
    start = lsp.Position(0, 0)
    return lsp.Diagnostic(lsp.Range(start, start), text, severity=lsp.DiagnosticSeverity.Information, source=SOURCE)


def actions(analysis: Analysis, uri: str, wanted: lsp.Range) -> list[lsp.CodeAction]:
    """The fixes of the diagnostics that a range touches, and all fixes of the file at once that are no guesses."""
    fixable = [diagnostic for diagnostic in analysis.diagnostics if diagnostic.fixes and _is_here(diagnostic, analysis)]
    touched = [each for each in fixable if _touches(_range(each.span, analysis), wanted)]
    offered = [_action(each, analysis, uri) for each in touched]
    certain = [each for each in fixable if _is_certain(each)]
    if touched and len(certain) > 1:
        edits = without_overlaps(edit for each in certain for edit in _edits(each, analysis))
        change = lsp.WorkspaceEdit(changes={uri: edits})
        kind = lsp.CodeActionKind.SourceFixAll
        offered.append(lsp.CodeAction("Take all fixes of this file", kind=kind, edit=change))
    return offered


# --------------------------------------------------------------------------------- what is shown
def _diagnostic(found: Diagnostic, analysis: Analysis, uri: str) -> lsp.Diagnostic:
    lines = [found.message, *(f"note: {note}" for note in found.notes)]
    if found.help:
        lines.append(f"help: {found.help}")
    if found.span is not None and found.span.file is not analysis.file:
        lines[0] = f"{found.span.location}: {lines[0]}"
    return lsp.Diagnostic(
        _range(found.span, analysis),
        "\n".join(lines),
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source=SOURCE,
        related_information=_related(found, analysis, uri) or None,
    )


def _of_target(cost: Cost, refusal: Refusal, analysis: Analysis) -> lsp.Diagnostic:
    """What a target refuses is no mistake of the language."""
    text = f"{cost.target}: {refusal.message}" + (f"\nhelp: {refusal.help}" if refusal.help else "")
    range_ = _place_range(refusal.place, analysis)
    severity = lsp.DiagnosticSeverity.Warning
    return lsp.Diagnostic(range_, text, severity=severity, code=refusal.code, source=f"{SOURCE} {cost.target}")


def _place_range(place: Place | None, analysis: Analysis) -> lsp.Range:
    if place is None or place[0] != analysis.filename:
        return _range(None, analysis)
    return _range(Span(analysis.file, *place[1:]), analysis)


def _related(found: Diagnostic, analysis: Analysis, uri: str) -> list[lsp.DiagnosticRelatedInformation]:
    """The other places of a message: labels, the macro, the included file."""
    places = [(label.span, label.text) for label in found.labels]
    if found.span is not None:
        places += [(origin.span, origin.text) for origin in found.span.origins()]
        if found.span.file is not analysis.file:
            places.insert(0, (found.span, found.message))
    return [
        lsp.DiagnosticRelatedInformation(location(span, analysis, uri), text)
        for span, text in places
        if is_on_disk(span.file, analysis)
    ]


def is_on_disk(file: SourceFile, analysis: Analysis) -> bool:
    """Whether an editor can open a file: the command line and built-in names are none."""
    return file is analysis.file or file.name in analysis.shader.dependencies


def location(span: Span, analysis: Analysis, uri: str) -> lsp.Location:
    """A place in the text or in a file that it includes."""
    target = uri if span.file is analysis.file else uri_of(span.file.name)
    return lsp.Location(target, analysis.lines_of(span.file).range(span))


def _range(span: Span | None, analysis: Analysis) -> lsp.Range:
    """The place in the text itself: of what an included file has, the line that includes it; of no place, the start."""
    if span is not None and span.file is not analysis.file:
        span = next((place for place in span.include_stack() if place.file is analysis.file), None)
    if span is None:
        return analysis.lines.range_at(0, 0)
    return analysis.lines.range(span)


# ----------------------------------------------------------------------------------------- fixes
def _is_here(found: Diagnostic, analysis: Analysis) -> bool:
    """Whether all edits of a fix are in the text itself, as it is written."""
    return all(fix.span.file is analysis.file and fix.span.origin is None for fix in found.fixes)


def _edits(found: Diagnostic, analysis: Analysis) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(analysis.lines.range(fix.span), fix.text) for fix in found.fixes]


def _action(found: Diagnostic, analysis: Analysis, uri: str) -> lsp.CodeAction:
    change = lsp.WorkspaceEdit(changes={uri: _edits(found, analysis)})
    own = _diagnostic(found, analysis, uri)
    kind = lsp.CodeActionKind.QuickFix
    return lsp.CodeAction(_title(found), kind=kind, diagnostics=[own], edit=change, is_preferred=_is_certain(found))


def _is_certain(found: Diagnostic) -> bool:
    return all(fix.is_certain for fix in found.fixes)


def _title(found: Diagnostic) -> str:
    """The help where there is one, else the edit itself."""
    if found.help and _is_certain(found):
        return f"Fix: {found.help}"
    words = [f"write '{fix.text.strip()}'" if fix.text.strip() else "leave this out" for fix in found.fixes]
    return f"Fix: {' and '.join(dict.fromkeys(words))}"


def without_overlaps(edits: Iterable[lsp.TextEdit]) -> list[lsp.TextEdit]:
    """Edits that an editor takes together: of two in one place the first one, and none twice."""
    return list(_apart(sorted(edits, key=lambda edit: (_start(edit.range), _end(edit.range)))))


def _apart(edits: Sequence[lsp.TextEdit]) -> Iterator[lsp.TextEdit]:
    last: lsp.TextEdit | None = None
    for edit in edits:
        if last is not None and (_start(edit.range) < _end(last.range) or edit == last):
            continue
        last = edit
        yield edit


def _start(place: lsp.Range) -> tuple[int, int]:
    return place.start.line, place.start.character


def _end(place: lsp.Range) -> tuple[int, int]:
    return place.end.line, place.end.character


def _touches(place: lsp.Range, wanted: lsp.Range) -> bool:
    return _start(place) <= _end(wanted) and _start(wanted) <= _end(place)
