"""The sink that phases report to, and the exception that ends a compilation.

A phase names a catalogue entry and passes the values its template needs; wording, code and severity
live in the catalogue (`compiler/diagnostics/catalogue`), so codes stay stable and texts testable.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.diagnostics.model import Diagnostic, Entry, Fix, Label
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.records import dataclass, field, replace

#: Values longer than this are shortened in a message: a name may be as long as the whole input.
LONGEST_VALUE = 200
_NOT_SHOWN = "more warnings, which --max-warnings shows: "


class CompileError(Exception):
    """Compilation stopped; `diagnostics` holds every message, warnings included.

    Its text is what the command prints; `summary` is one line.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        errors = [d for d in self.diagnostics if d.severity == "error"]
        shown = errors[0] if errors else (self.diagnostics[0] if self.diagnostics else None)
        text = "compilation failed" if shown is None else f"{shown.message} [{shown.code}]"
        where = f"{shown.span.location}: " if shown is not None and shown.span is not None else ""
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        self.summary = f"{where}{text}{more}"
        super().__init__(self.summary)

    def __str__(self) -> str:
        from glslc_multi.compiler.diagnostics.render import render

        return render(self.diagnostics).rstrip("\n") or self.summary

    def __reduce__(self) -> tuple[type[CompileError], tuple[tuple[Diagnostic, ...]]]:
        # Exceptions are rebuilt from `args`, which here is the text; worker processes send diagnostics.
        return type(self), (self.diagnostics,)


class TooManyErrors(CompileError):
    """Raised by a sink that reached its limit, to stop the phase that keeps failing."""


@dataclass(slots=True)
class DiagnosticSink:
    """Collects the diagnostics of one compilation.

    `report` never raises for an ordinary error (so that several are found in one run) until
    `max_errors` is reached; a phase boundary calls `raise_if_errors`.
    """

    #: 0 means no limit.
    max_errors: int = 20
    #: A note at the last of these says how many more there are; 0 means no limit.
    max_warnings: int = 100
    warnings_as_errors: bool = False
    #: Warning groups whose messages are errors.
    error_groups: frozenset[str] = frozenset()
    #: Warning groups that are switched off.
    disabled_groups: frozenset[str] = frozenset()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    error_count: int = 0
    warning_count: int = 0

    def renewed(self) -> DiagnosticSink:
        """An empty sink with the same settings."""
        return DiagnosticSink(
            self.max_errors, self.max_warnings, self.warnings_as_errors, self.error_groups, self.disabled_groups
        )

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
        """Add the diagnostic of `entry`, its template filled with `values` (and with `target`)."""
        severity = entry.severity
        if severity == "warning":
            if entry.group in self.disabled_groups:
                return
            if self.warnings_as_errors or entry.group in self.error_groups:
                severity = "error"
            elif self._leave_out():
                return
        shown = {key: _shorten(value) for key, value in values.items()}
        message = entry.template.format(target=target, **shown)
        at_limit = severity == "error" and 0 < self.max_errors <= self.error_count + 1
        if at_limit and self.max_errors > 1:
            notes = (*notes, f"stopped after {self.max_errors} errors")
        self.diagnostics.append(
            Diagnostic(
                entry,
                message,
                span,
                tuple(labels),
                help,
                tuple(notes),
                tuple(fixes),
                severity,
                target,
                pass_name,
                shown,
            )
        )
        if severity != "error":
            return
        self.error_count += 1
        if at_limit:
            raise TooManyErrors(self.diagnostics)

    def _leave_out(self) -> bool:
        """Whether a warning is one too many: the last that is shown says how many those are."""
        self.warning_count += 1
        count = self.warning_count - self.max_warnings
        if self.max_warnings == 0 or count <= 0:
            return False
        last = max(
            (i for i, diagnostic in enumerate(self.diagnostics) if diagnostic.severity == "warning"), default=None
        )
        if last is not None:
            notes = [note for note in self.diagnostics[last].notes if not note.startswith(_NOT_SHOWN)]
            self.diagnostics[last] = replace(self.diagnostics[last], notes=(*notes, f"{_NOT_SHOWN}{count}"))
        return True

    def absorb(self, other: DiagnosticSink) -> None:
        """Take over what another sink has collected, as after a trial compilation that succeeded."""
        self.diagnostics += other.diagnostics
        self.error_count += other.error_count
        self.warning_count += other.warning_count

    def keep(self, count: int) -> None:
        """Forget all diagnostics but the first `count`, where one of another phase says it better."""
        del self.diagnostics[count:]
        self.error_count = sum(diagnostic.severity == "error" for diagnostic in self.diagnostics)
        self.warning_count = sum(each.severity == "warning" for each in self.diagnostics)

    def raise_if_errors(self) -> None:
        """Stop here when any error was reported."""
        if self.error_count:
            raise CompileError(self.diagnostics)


def _shorten(value: object) -> str:
    text = str(value)
    if len(text) <= LONGEST_VALUE:
        return text
    half = LONGEST_VALUE // 2
    return f"{text[:half]}…{text[-half:]}"
