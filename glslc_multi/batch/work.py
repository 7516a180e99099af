"""Compiling one variant, with as little work as what is known allows.

In: a variant and the results so far.  Out: its result, and how it was obtained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from glslc_multi.backends.registry import TARGETS, find_target
from glslc_multi.batch.results import Found, Result, Results
from glslc_multi.batch.variants import Variant
from glslc_multi.cache.footprint import Footprint
from glslc_multi.compiler import __version__
from glslc_multi.compiler.artifact import Program
from glslc_multi.compiler.collector import collector_paused
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, exit_status
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.driver import (
    checked_code,
    checked_options,
    compile_source,
    lower_prepared,
    optimise_source,
    prepare,
)
from glslc_multi.compiler.files import watching
from glslc_multi.compiler.generate import generate_code
from glslc_multi.compiler.options import NO_PROOF
from glslc_multi.compiler.programs import compile_modules, compile_program
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.failure import internal_error
from glslc_multi.files import read_source
from glslc_multi.frontends.registry import FRONT_ENDS
from glslc_multi.report.kinds import files_of_program, files_of_stage

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.options import TargetOptions
    from glslc_multi.compiler.target import Target

#: How a result was obtained, from cheap to expensive.
How = Literal["cache", "text", "code", "compiled"]
#: Statuses of results that follow from the sources alone; others may depend on the machine.
_LASTING = (0, 1, 3)


@dataclass(frozen=True, slots=True)
class Settings:
    """What all variants of a run have in common; it is sent to other processes."""

    #: The folder of results, and the identity of the compiler that they are of.
    folder: str
    identity: bytes
    #: How to treat warnings; an empty sink.
    sink: DiagnosticSink
    version: str = __version__

    def results(self) -> Results:
        return Results(self.folder, self.identity)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the variant of this number."""

    number: int
    how: How
    result: Result


def work(numbered: Sequence[tuple[int, Variant]], settings: Settings) -> list[Outcome]:
    """Compile some variants, one after the other."""
    if settings.version != __version__:
        raise RuntimeError(f"the worker has glslc-multi {__version__}, the batch needs {settings.version}")
    results = settings.results()
    return [Outcome(number, *compile_variant(variant, results, settings.sink)) for number, variant in numbered]


def worker_died(number: int, reason: str) -> Outcome:
    """The outcome of a variant whose compilation ends its process."""
    sink = DiagnosticSink()
    sink.report(usage.WORKER_DIED, reason=reason)
    return Outcome(number, "compiled", Result(exit_status(sink.diagnostics), (), render(sink.diagnostics)))


@collector_paused()
def compile_variant(variant: Variant, results: Results, settings: DiagnosticSink) -> tuple[How, Result]:
    """The result of a variant, which is kept."""
    footprint = Footprint()
    with watching(footprint):
        how, found = _Job(variant, results, settings.renewed()).run()
    if found.result.status in _LASTING and footprint.is_repeatable:
        results.keep(variant, footprint.states, found)
    return how, replace(found.result, inputs=tuple(footprint.states))


class _Job:
    """The compilation of one variant."""

    __slots__ = ("_results", "_sink", "_variant")

    def __init__(self, variant: Variant, results: Results, sink: DiagnosticSink) -> None:
        self._variant = variant
        self._results = results
        self._sink = sink

    def run(self) -> tuple[How, Found]:
        try:
            return self._compile()
        except CompileError as error:
            diagnostics = error.diagnostics
        except Exception as error:
            diagnostics = (*self._sink.diagnostics, internal_error(error))
        return "compiled", self._put_alone(Result(exit_status(diagnostics), (), render(diagnostics)))

    def _compile(self) -> tuple[How, Found]:
        variant, sink, results = self._variant, self._sink, self._results
        sources = [read_source(file, stage, sink) for stage, file in variant.sources.items()]
        target = find_target(variant.target, sink)
        if variant.target not in TARGETS.own or any(source.front_end.name not in FRONT_ENDS.own for source in sources):
            # Changes of other distributions' code go unnoticed, so what it makes is not kept.
            compiled = (
                compile_program(sources[0], sources[1], target, variant.request, sink)
                if len(sources) == 2
                else compile_source(sources[0], target, variant.request, sink)
            )
            return "compiled", self._put_alone(self._result(target, compiled))
        options = [checked_options(target, stage, variant.request, sink) for stage in variant.stages]
        prepared = [prepare(source, variant.request.front_end, sink) for source in sources]
        text_key = self._key("text", [each.source.front_end.identity(each) for each in prepared])
        found = None if sink.diagnostics else results.shared(text_key, variant)
        if found is not None:
            return "text", found
        modules = [lower_prepared(each, sink) for each in prepared]
        code, generate = (
            self._linked(modules, target) if len(modules) == 2 else self._optimised(modules[0], target, options[0])
        )
        code_key = self._key("code", code)
        with results.alone(code_key):
            found = None if sink.diagnostics else results.shared(code_key, variant)
            if found is not None:
                results.share([text_key], found)
                return "code", found
            result = self._result(target, generate())
            if result.messages:
                return "compiled", self._put_alone(result)
            found = results.put(results.key("result", code_key), result)
            results.share([text_key, code_key], found)
            return "compiled", found

    def _optimised(
        self, module: Module, target: Target, options: TargetOptions
    ) -> tuple[object, Callable[[], Artifact | Program]]:
        """Run the passes on a shader; return the code that decides about the result, and what makes the artifact."""
        request, sink = self._variant.request, self._sink
        # A proof is of the source: another one that the passes turn into the same code has its own.
        proven = None if request.proof == NO_PROOF else _spelling_of_code(module)
        meaning = optimise_source(module, target, options, request, sink)

        def generate() -> Artifact:
            artifact = generate_code(target, module, options, sink)
            return checked_code(artifact, meaning, target, options, request, sink)

        return proven or _spelling_of_code(module), generate

    def _linked(self, modules: Sequence[Module], target: Target) -> tuple[object, Callable[[], Artifact | Program]]:
        """Do the same for a pair, whose code before linking decides: the passes see one shader by the other."""
        vertex, second = modules
        code = [_spelling_of_code(module) for module in modules]
        return code, lambda: compile_modules(vertex, second, target, self._variant.request, self._sink)

    def _key(self, kind: str, spelling: object) -> bytes:
        """The key of the same text or code for the same target."""
        request = self._variant.request
        switches = (request.precise, request.preamble, request.small, request.inexact_integers)
        emissions = [(one.kind, one.prefix, one.host_form) for one in self._variant.emissions]
        asked = (self._variant.target, request.optimisation, request.proof, switches, emissions)
        options = sorted(request.target_options.items())
        return self._results.key(kind, list(self._variant.sources), asked, options, spelling)

    def _result(self, target: Target, compiled: Artifact | Program) -> Result:
        files: dict[str, bytes] = {}
        for emission in self._variant.emissions:
            if isinstance(compiled, Program):
                files |= files_of_program(emission, compiled, target, self._sink)
            else:
                files |= files_of_stage(emission, compiled, target, self._sink)
        return Result(0, tuple(files.items()), render(compiled.diagnostics))

    def _put_alone(self, result: Result) -> Found:
        """Keep what is for this variant only, under its content."""
        return self._results.put(self._results.key("result", result), result)


def _spelling_of_code(module: Module) -> str:
    from glslc_multi.compiler.ir.text import print_module

    # The first line holds the name of the source.
    return print_module(module).partition("\n")[2]
