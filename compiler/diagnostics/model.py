"""What a diagnostic is: an entry of the catalogue with the values of its template, and its places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.records import dataclass, field

Severity = Literal["error", "warning", "note"]
#: Exit status a diagnostic leads to: 1 shader error, 2 usage, 3 does not fit the target, 70 internal.
ExitStatus = Literal[1, 2, 3, 70]


#: Of a message, in what Python shows of a diagnostic.
_LONGEST_SHOWN = 60
_GRAVEST_FIRST: tuple[ExitStatus, ...] = (70, 2, 1, 3)


@dataclass(frozen=True, slots=True)
class Entry:
    """One catalogue row: a stable code, its severity, a message template and a longer explanation
    (indented as in the catalogue's source; `explain.py` prints it)."""

    code: str
    severity: Severity
    template: str
    explain: str = field(repr=False)
    exit_status: ExitStatus = 1
    #: Name of the `-W` group a warning belongs to ("" for errors).
    group: str = ""
    #: Codes of earlier versions, whose messages are this one now.
    formerly: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that helps to understand a message, with a few words about it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One edit: put `text` in place of `span`.  The fixes of a diagnostic together correct the error."""

    span: Span
    text: str
    #: False of what may have been meant: somebody has to look at it.
    is_certain: bool = True


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
    #: What the template was filled with, as text.
    values: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __repr__(self) -> str:
        where = "" if self.span is None else f" at {self.span.location}"
        message = self.message if len(self.message) <= _LONGEST_SHOWN else f"{self.message[:_LONGEST_SHOWN]}..."
        return f"<{self.severity} {self.code}{where}: {message}>"

    @property
    def code(self) -> str:
        return self.entry.code


def exit_status(diagnostics: Iterable[Diagnostic]) -> int:
    """The exit status of a run that gave these messages: that of the most severe error, 0 without errors."""
    statuses = {diagnostic.entry.exit_status for diagnostic in diagnostics if diagnostic.severity == "error"}
    return next((status for status in _GRAVEST_FIRST if status in statuses), 0)
