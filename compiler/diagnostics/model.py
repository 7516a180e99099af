"""What a diagnostic is, and the sink that phases report to.

A phase names a catalogue entry and passes the values its template needs; wording, code and severity
live in the catalogue (`compiler/diagnostics/catalogue`), so codes stay stable and texts testable.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from compiler.diagnostics.span import Span

Severity = Literal["error", "warning", "note"]
#: Exit status a diagnostic leads to: 1 shader error, 2 usage, 3 does not fit the target, 70 internal.
ExitStatus = Literal[1, 2, 3, 70]


@dataclass(frozen=True, slots=True)
class Entry:
    """One catalogue row: a stable code, its severity, a message template and a longer explanation."""

    code: str
    severity: Severity
    template: str
    explain: str
    exit_status: ExitStatus = 1
    #: Name of the `-W` group a warning belongs to ("" for errors).
    group: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that helps to understand a message, with a few words about it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement that would mend the error: put `text` in place of `span`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message about one mistake."""

    entry: Entry
    message: str
    span: Span | None = None
    labels: tuple[Label, ...] = ()
    help: str | None = None
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    severity: Severity = "error"
    target: str | None = None
    pass_name: str | None = None

    @property
    def code(self) -> str:
        return self.entry.code


class CompileError(Exception):
    """Compilation stopped; `diagnostics` holds every message, warnings included."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        errors = [d for d in self.diagnostics if d.severity == "error"]
        shown = errors[0] if errors else (self.diagnostics[0] if self.diagnostics else None)
        text = "compilation failed" if shown is None else f"{shown.message} [{shown.code}]"
        where = f"{shown.span.location}: " if shown is not None and shown.span is not None else ""
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{where}{text}{more}")


class TooManyErrors(CompileError):
    """Raised by a sink that reached its limit, to stop the phase that keeps failing."""


@dataclass(slots=True)
class DiagnosticSink:
    """Collects the diagnostics of one compilation.

    `report` never raises for an ordinary error (so that several are found in one run) until
    `max_errors` is reached; a phase boundary calls `raise_if_errors`.
    """

    max_errors: int = 20
    warnings_as_errors: bool = False
    #: Warning groups that are switched off.
    disabled_groups: frozenset[str] = frozenset()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    error_count: int = 0

    def report(
        self,
        entry: Entry,
        span: Span | None = None,
        *,
        labels: Iterable[Label] = (),
        help: str | None = None,
        notes: Iterable[str] = (),
        fixes: Iterable[Fix] = (),
        target: str | None = None,
        pass_name: str | None = None,
        **values: object,
    ) -> None:
        """Add the diagnostic of `entry`, its template filled with `values`."""
        severity = entry.severity
        if severity == "warning":
            if entry.group in self.disabled_groups:
                return
            if self.warnings_as_errors:
                severity = "error"
        message = entry.template.format(**values)
        self.diagnostics.append(
            Diagnostic(
                entry, message, span, tuple(labels), help, tuple(notes), tuple(fixes), severity, target, pass_name
            )
        )
        if severity != "error":
            return
        self.error_count += 1
        if self.error_count >= self.max_errors:
            raise TooManyErrors(self.diagnostics)

    def raise_if_errors(self) -> None:
        """Stop here when any error was reported."""
        if self.error_count:
            raise CompileError(self.diagnostics)
