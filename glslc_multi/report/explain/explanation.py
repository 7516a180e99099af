"""All that a page or a listing shows of one compilation, as plain data.

In: a source and a request, as for a compilation.  Out: the artifact, its words with the lines of the source they come
from, the steps of the compilation, flow graphs, and the pressure on registers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from compiler.artifact import Artifact
from compiler.diagnostics import DiagnosticSink, SourceFile
from compiler.driver import compile_source
from compiler.frontend import Source
from compiler.isa.listing import CodeWord, estimated_cycles, without_gaps
from compiler.options import Request
from compiler.records import dataclass
from compiler.target import Target
from compiler.trace import watching
from glslc_multi.report.explain.places import Key, Places
from glslc_multi.report.explain.pressure import Pressure, pressure_of
from glslc_multi.report.explain.steps import Node, Recorder, Step
from glslc_multi.report.statistics import cost_line, level_lines, quality_lines


@dataclass(frozen=True, slots=True)
class ListedWord:
    """A word of the program, and the lines of the source that it comes from, the innermost first."""

    word: CodeWord
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One shader on one target."""

    artifact: Artifact
    #: The shader first, then the files that it includes, as far as code comes from them.
    files: tuple[SourceFile, ...]
    words: tuple[ListedWord, ...]
    steps: tuple[Step, ...]
    #: Title -> blocks.
    graphs: Mapping[str, tuple[Node, ...]]
    pressure: Pressure | None
    #: Keys of the moments of the pressure.
    pressure_keys: tuple[tuple[Key, ...], ...]

    @property
    def frame(self) -> dict[int, str]:
        """Numbers of the words that come from no line because they begin or end the program: which of both they do."""
        placed = [number for number, listed in enumerate(self.words) if listed.keys]
        first, last = (placed[0], placed[-1]) if placed else (len(self.words), len(self.words))
        before, after = range(first), range(last + 1, len(self.words))
        return {**dict.fromkeys(before, "prologue"), **dict.fromkeys(after, "epilogue")}

    @property
    def title(self) -> str:
        reflection = self.artifact.reflection
        return f"{self.files[0].name}: {reflection.stage} shader for {reflection.target}"

    @property
    def numbers(self) -> str:
        """What it costs, and at which levels it was made, in a line."""
        cycles = estimated_cycles(listed.word for listed in self.words)
        about = "cycles depend on loops" if cycles is None else f"about {cycles} cycles"
        line = "; ".join((cost_line(self.artifact), about, *quality_lines(self.artifact), *level_lines(self.artifact)))
        return f"{self.artifact.reflection.stage}: {line}"

    @property
    def words_by_line(self) -> Counter[Key]:
        """How many words each line costs; a word of several lines counts for the first."""
        return Counter(listed.keys[0] for listed in self.words if listed.keys)


def shown_lines(file: SourceFile) -> list[str]:
    """The lines of a file; a line break at the end begins none."""
    return file.lines[:-1] if file.lines[-1] == "" else file.lines


def explain(source: Source, target: Target, request: Request, sink: DiagnosticSink) -> Explanation:
    """Compile, and describe how it went."""
    places = Places()
    places.number_of(SourceFile(source.filename, source.text))
    recorder = Recorder(places)
    with watching(recorder):
        artifact = compile_source(source, target, request, sink)
    graphs = {"intermediate representation": recorder.source_graph, "machine code": recorder.machine_graph}
    pressure = None if recorder.machine is None else pressure_of(recorder.machine)
    moments = () if pressure is None else pressure.moments
    return Explanation(
        artifact,
        tuple(places.files),
        _listed_words(artifact, target, request, places),
        tuple(recorder.steps),
        {title: tuple(graph) for title, graph in graphs.items() if len(graph) > 1},
        pressure,
        tuple(places.keys([moment.instruction.span]) for moment in moments),
    )


def explain_words(source: Source, target: Target, request: Request, sink: DiagnosticSink) -> Explanation:
    """Compile, and describe the words alone, in half the time: there are no steps, graphs and pressure."""
    places = Places()
    places.number_of(SourceFile(source.filename, source.text))
    artifact = compile_source(source, target, request, sink)
    words = _listed_words(artifact, target, request, places)
    return Explanation(artifact, tuple(places.files), words, (), {}, None, ())


def _listed_words(artifact: Artifact, target: Target, request: Request, places: Places) -> tuple[ListedWord, ...]:
    listed = target.list_words(artifact.binary, request.target_options)
    origins = without_gaps(artifact.origins)
    return tuple(ListedWord(word, places.keys(spans)) for word, spans in zip(listed, origins, strict=True))
