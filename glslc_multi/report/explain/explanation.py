"""All that a page or a listing shows of one compilation, as plain data.

In: a source and a request, as for a compilation; or two sources that are linked.  Out: for every stage the artifact,
its words with the lines of the source they come from, the steps of the compilation, flow graphs, and the pressure on
registers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.isa.listing import CodeWord, without_gaps
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_program
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.target import Target
from glslc_multi.compiler.trace import watching
from glslc_multi.report.cycles import estimated_cycles
from glslc_multi.report.explain.places import Key, Places
from glslc_multi.report.explain.pressure import Pressure, pressure_of
from glslc_multi.report.explain.steps import Node, Recorder, Recorders, Step
from glslc_multi.report.statistics import cost_line, quality_lines, retry_lines, verdict_lines


@dataclass(frozen=True, slots=True)
class ListedWord:
    """A word of the program, and the lines of the source that it comes from, the innermost first."""

    word: CodeWord
    keys: tuple[Key, ...]
    #: The names of the samplers that it looks textures up by.
    samplers: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """One stage on one target."""

    artifact: Artifact
    #: The shaders first, then the files that they include, as far as code comes from them.
    files: tuple[SourceFile, ...]
    words: tuple[ListedWord, ...]
    steps: tuple[Step, ...]
    #: Title -> blocks.
    graphs: Mapping[str, tuple[Node, ...]]
    pressure: Pressure | None
    #: Keys of the moments of the pressure.
    pressure_keys: tuple[tuple[Key, ...], ...]
    #: How many of the files are shaders that were compiled together.
    sources: int = 1

    @property
    def frame(self) -> dict[int, str]:
        """Numbers of the words that come from no line because they begin or end the program: which of both they do."""
        placed = [number for number, listed in enumerate(self.words) if listed.keys]
        first, last = (placed[0], placed[-1]) if placed else (len(self.words), len(self.words))
        before, after = range(first), range(last + 1, len(self.words))
        return {**dict.fromkeys(before, "prologue"), **dict.fromkeys(after, "epilogue")}

    @property
    def stage(self) -> str:
        return self.artifact.reflection.stage

    @property
    def own_file(self) -> int:
        """The number of the shader that the stage is made from."""
        return self.sources - 1 if self.stage in ("fragment", "geometry") else 0

    @property
    def cycles(self) -> int:
        """About how many cycles it takes."""
        return estimated_cycles([listed.word for listed in self.words], self.artifact.origins, self.artifact.loops)

    @property
    def numbers(self) -> str:
        """Say what it costs, and whether it was made again, in a line."""
        remarks = (*verdict_lines(self.artifact), *quality_lines(self.artifact), *retry_lines(self.artifact))
        # Of a file that was not compiled here nobody has counted more.
        costs = cost_line(self.artifact) if self.artifact.stats.code_words else f"{len(self.words)} words"
        line = "; ".join((costs, f"about {self.cycles} cycles", *remarks))
        return f"{self.artifact.reflection.stage}: {line}"

    @property
    def words_by_line(self) -> Counter[Key]:
        """How many words each line costs; a word of several lines counts for the first."""
        return Counter(listed.keys[0] for listed in self.words if listed.keys)


def shown_lines(file: SourceFile) -> list[str]:
    """The lines of a file; a line break at the end begins none."""
    return file.lines[:-1] if file.lines[-1] == "" else file.lines


def title_of(stages: Sequence[Explanation]) -> str:
    """What is explained."""
    first, target = stages[0], stages[0].artifact.reflection.target
    if first.sources > 1:
        return f"{' and '.join(file.name for file in first.files[: first.sources])}, linked for {target}"
    return f"{first.files[0].name}: {first.stage} shader for {target}"


def costs_of(stages: Iterable[Explanation]) -> Counter[Key]:
    """How many words each line costs in all stages together."""
    return sum((stage.words_by_line for stage in stages), Counter())


def explain(source: Source, target: Target, request: Request, sink: DiagnosticSink) -> Explanation:
    """Compile, and describe how it went."""
    places = _places(source)
    recorder = Recorder(places)
    with watching(recorder):
        artifact = compile_source(source, target, request, sink)
    return _explanation(artifact, target, request, places, recorder)


def explain_words(source: Source, target: Target, request: Request, sink: DiagnosticSink) -> Explanation:
    """Compile, and describe the words alone, in half the time: there are no steps, graphs and pressure."""
    places = _places(source)
    artifact = compile_source(source, target, request, sink)
    return _explanation(artifact, target, request, places, Recorder(places))


def explain_program(
    sources: Sequence[Source], target: Target, request: Request, sink: DiagnosticSink, *, only_words: bool = False
) -> tuple[Explanation, ...]:
    """The same of one shader, or of two that are linked: every stage that they become, with the lines of both."""
    if len(sources) == 1:
        return ((explain_words if only_words else explain)(sources[0], target, request, sink),)
    vertex, second = sources
    places = _places(*sources)
    recorders = Recorders(places, (*target.program_stages, "geometry"))
    with nullcontext() if only_words else watching(recorders):
        stages = compile_program(vertex, second, target, request, sink).stages
    explanations = [
        _explanation(artifact, target, request, places, recorders.of_stage[stage], len(sources))
        for stage, artifact in stages.items()
    ]
    # A later stage may bring files that an earlier one has not.
    return tuple(replace(each, files=tuple(places.files)) for each in explanations)


def _places(*sources: Source) -> Places:
    places = Places()
    for source in sources:
        places.number_of(SourceFile(source.filename, source.text))
    return places


def _explanation(
    artifact: Artifact, target: Target, request: Request, places: Places, recorder: Recorder, sources: int = 1
) -> Explanation:
    graphs = {"intermediate representation": recorder.source_graph, "machine code": recorder.machine_graph}
    pressure = None if recorder.machine is None else pressure_of(recorder.machine)
    moments = () if pressure is None else pressure.moments
    listed = target.list_words(artifact.binary, request.target_options)
    samplers = target.lookups(artifact, listed)
    placed = zip(listed, without_gaps(artifact.origins), strict=True)
    words = tuple(
        ListedWord(word, places.keys(spans), samplers.get(number, ())) for number, (word, spans) in enumerate(placed)
    )
    keys = tuple(places.keys([moment.instruction.span]) for moment in moments)
    return Explanation(
        artifact,
        tuple(places.files),
        words,
        tuple(recorder.steps),
        {title: tuple(graph) for title, graph in graphs.items() if len(graph) > 1},
        pressure,
        keys,
        sources,
    )
