"""One shader for one target: what the kinds of output have in common, computed when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from compiler.records import dataclass

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.codegen.target import Target
    from compiler.diagnostics import DiagnosticSink
    from compiler.driver import Request, Source
    from compiler.ir.module import Module


@dataclass(frozen=True)
class Compilation:
    """A source and what is made of it."""

    source: Source
    #: The target is None where the output does not depend on one.
    target: Target | None
    request: Request
    sink: DiagnosticSink
    #: In front of the names in C text.
    prefix: str

    @cached_property
    def artifact(self) -> Artifact:
        from compiler.driver import compile_source

        return compile_source(self.source, self.request, self.sink)

    @cached_property
    def module(self) -> Module:
        """The IR after the passes, which reckon with the prices of the target where there is one."""
        from compiler.driver import lower_source, optimise, settle_options
        from compiler.options import resolve_stage

        request, costs = self.request, None
        if self.target is not None:
            stage = resolve_stage(self.source.stage, self.source.filename, self.sink)
            self.sink.raise_if_errors()
            assert stage is not None
            costs = self.target.costs(settle_options(self.target, stage, request, self.sink))
        module = lower_source(self.source, request.front_end, self.sink)
        return optimise(module, request.optimisation, precise=request.precise, preamble=request.preamble, costs=costs)

    @cached_property
    def preprocessed(self) -> str:
        from compiler.driver import preprocess_source

        return preprocess_source(self.source, self.request.front_end, self.sink)
