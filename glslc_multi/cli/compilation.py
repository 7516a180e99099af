"""One shader for one target: what the kinds of output have in common, computed on first use."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.frontend import Prepared, Source
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.options import Request
    from glslc_multi.compiler.target import Target


@dataclass(frozen=True)
class Compilation:
    """A source and what is made of it."""

    source: Source
    #: The target is None where the output does not depend on one.
    target: Target | None
    request: Request
    sink: DiagnosticSink
    #: Prefix of the names in C text.
    prefix: str

    @cached_property
    def prepared(self) -> Prepared:
        from glslc_multi.compiler.driver import prepare

        return prepare(self.source, self.request.front_end, self.sink)

    @cached_property
    def artifact(self) -> Artifact:
        from glslc_multi.compiler.driver import compile_source

        assert self.target is not None, "machine code is for a target"
        return compile_source(self.source, self.target, self.request, self.sink, lambda: self.prepared)

    def check(self) -> None:
        """Report what is wrong with the source, and with a target what does not fit it."""
        from glslc_multi.compiler.driver import lower_prepared

        if self.target is None:
            lower_prepared(self.prepared, self.sink)
        else:
            _ = self.artifact

    @cached_property
    def module(self) -> Module:
        """The IR after the passes, with the costs of the target where there is one."""
        from glslc_multi.compiler.driver import checked_options, lower_prepared, optimise, require_stage

        request, costs = self.request, None
        if self.target is not None:
            stage = require_stage(self.source, self.sink)
            costs = self.target.costs(checked_options(self.target, stage, request, self.sink))
        module = lower_prepared(self.prepared, self.sink)
        return optimise(
            module,
            request.optimisation,
            precise=request.precise,
            preamble=request.preamble,
            costs=costs,
            verify_each=request.verify_each,
        )

    @cached_property
    def preprocessed(self) -> str:
        prepared = self.prepared
        self.sink.raise_if_errors()
        return self.source.front_end.print_prepared(prepared)
