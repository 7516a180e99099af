"""One shader for one target: what the kinds of output have in common, computed when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from compiler.records import dataclass

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.diagnostics import DiagnosticSink
    from compiler.driver import Request, Source
    from compiler.ir.module import Module
    from compiler.target import Target
    from frontends.glsl.tokens import PreprocessedShader


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
    def tokens(self) -> PreprocessedShader:
        from compiler.driver import preprocess_tokens

        return preprocess_tokens(self.source, self.request.front_end, self.sink)

    @cached_property
    def artifact(self) -> Artifact:
        from compiler.driver import compile_source

        return compile_source(self.source, self.request, self.sink, self.tokens)

    @cached_property
    def module(self) -> Module:
        """The IR after the passes, which reckon with the prices of the target where there is one."""
        from compiler.driver import lower_tokens, optimise, settle_options
        from compiler.options import resolve_stage

        request, costs = self.request, None
        if self.target is not None:
            stage = resolve_stage(self.source.stage, self.source.filename, self.sink)
            self.sink.raise_if_errors()
            assert stage is not None
            costs = self.target.costs(settle_options(self.target, stage, request, self.sink))
        module = lower_tokens(self.tokens, self.source, self.sink)
        return optimise(module, request.optimisation, precise=request.precise, preamble=request.preamble, costs=costs)

    @cached_property
    def preprocessed(self) -> str:
        from frontends.glsl.preprocess import print_tokens

        tokens = self.tokens
        self.sink.raise_if_errors()
        return print_tokens(tokens)
