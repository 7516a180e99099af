"""The nesting of `#if` … `#endif` in one file (GLSL ES 1.00 section 3.4)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.compiler.records import dataclass, field


@dataclass(slots=True)
class _Group:
    directive: str
    span: Span
    #: Whether text around the whole group counts.
    outside: bool
    active: bool
    #: Some branch was chosen already.
    taken: bool
    otherwise: Span | None = None
    #: Stands in for a missing `#if`, so that the `#endif` is no second mistake.
    is_repair: bool = False


@dataclass(slots=True)
class Conditionals:
    """The open groups, innermost last."""

    sink: DiagnosticSink
    _groups: list[_Group] = field(default_factory=list)

    @property
    def active(self) -> bool:
        """Whether the text here counts."""
        return not self._groups or self._groups[-1].active

    def encloses_active_text(self) -> bool:
        """Whether the innermost group, chosen or not, stands in text that counts."""
        return bool(self._groups) and self._groups[-1].outside

    def wants_condition(self) -> bool:
        """Whether the condition of an `#elif` here decides anything; a skipped one is not even read."""
        return self.encloses_active_text() and not self._groups[-1].taken

    def open(self, directive: str, span: Span, condition: bool) -> None:
        """`#if`, `#ifdef` or `#ifndef`."""
        self._groups.append(_Group(directive, span, self.active, self.active and condition, condition))

    def branch(self, directive: str, span: Span, condition: bool) -> None:
        """`#elif`, or `#else` with the condition true."""
        if not self._groups:
            self.sink.report(messages.NO_OPEN_IF, span, directive=directive)
            self._groups.append(_Group(directive, span, outside=True, active=True, taken=True, is_repair=True))
            return
        group = self._groups[-1]
        if group.otherwise is not None:
            where = Label(group.otherwise, "'#else' is here")
            self.sink.report(messages.AFTER_ELSE, span, labels=[where], directive=directive)
        group.active = group.outside and condition and not group.taken
        group.taken |= condition
        if directive == "else":
            group.otherwise = span

    def close(self, span: Span) -> None:
        """`#endif`."""
        if self._groups:
            self._groups.pop()
        else:
            self.sink.report(messages.NO_OPEN_IF, span, directive="endif")

    def finish(self) -> None:
        """The file ends."""
        for group in self._groups:
            if not group.is_repair:
                self.sink.report(messages.IF_NOT_CLOSED, group.span, directive=group.directive)
