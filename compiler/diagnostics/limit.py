"""What a machine has too little of: one message for registers, words and everything else, from rows of data."""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from glslc_multi.compiler.diagnostics.model import Label
from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """How many a machine has of something, and what to do where that is too little."""

    target: str
    #: As the message says it: "needs 9 samplers".
    what: str
    most: int
    help: str | None = None

    def report(
        self,
        need: int | str,
        span: Span | None,
        sink: DiagnosticSink,
        *,
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
    ) -> None:
        """Report that more are needed."""
        sink.report(
            RESOURCE_EXCEEDED,
            span,
            labels=labels,
            notes=notes,
            help=self.help,
            target=self.target,
            need=need,
            what=self.what,
            limit=self.most,
        )
