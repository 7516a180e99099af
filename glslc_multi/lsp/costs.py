"""What a shader costs on a target, as plain data that goes from one process to another.

In: a text and how to compile it.  Out: whether it fits, by how much, and the words of its code with the places in the
source that they come from.  Nothing raises: a mistake of the compiler is a refusal with its message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink, Span
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.isa.listing import without_gaps
from glslc_multi.compiler.options import NO_PROOF, Request
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.target import Target
from glslc_multi.failure import internal_error
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.cycles import estimated_cycles
from glslc_multi.report.fit import closest_limit, shortfall

#: File, first line and column, last line and column.
Place = tuple[str, int, int, int, int]
_LAST_COLUMN = 1 << 30
_BINDINGS = ("attributes", "uniforms", "samplers", "varyings", "inputs", "outputs")


@dataclass(frozen=True, slots=True)
class Job:
    """What to compile, and for what."""

    text: str
    filename: str
    stage: str
    target: str
    defines: Mapping[str, str]
    include_dirs: Sequence[str]
    std: str
    compat: bool
    #: Whether the code is compared with its source, which takes longer.
    proof: str = NO_PROOF


@dataclass(frozen=True, slots=True)
class Refusal:
    """One diagnostic of a target, at a place that may be in another file."""

    code: str
    message: str
    help: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the code."""

    text: str
    #: The place that it comes from, innermost first, then the macros and calls around; one such chain for each source.
    chains: tuple[tuple[Place, ...], ...]

    def comes_from(self, where: Place) -> bool:
        """Whether the word belongs to what stands at a place, in it or called by it.

        A word of several sources counts for the first, as in `explain`.
        """
        return any(_is_within(chain, where) for chain in self.chains[0]) if self.chains else False


@dataclass(frozen=True, slots=True)
class Cost:
    """What one target says."""

    target: str
    fits: bool
    #: What comes closest to its limit, or by how much it is missed.
    remark: str
    instructions: int = 0
    #: Estimated; None where it does not fit.
    cycles: int | None = None
    words: tuple[Word, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    #: Name of a variable -> its registers.
    registers: Mapping[str, str] | None = None

    def words_of(self, where: Place) -> list[Word]:
        return [word for word in self.words if word.comes_from(where)]

    def words_of_line(self, filename: str, line: int) -> list[Word]:
        """The words of a line, and of what it calls."""
        return self.words_of((filename, line, 1, line, _LAST_COLUMN))

    def words_by_line(self, filename: str) -> dict[int, int]:
        """Line of a file -> its words; a word of several sources counts for the first."""
        counts: dict[int, int] = {}
        for word in self.words:
            chain = word.chains[0][0] if word.chains else None
            if chain is not None and chain[0] == filename:
                counts[chain[1]] = counts.get(chain[1], 0) + 1
        return counts


def cost_of(job: Job) -> Cost:
    """Compile, and say how it went."""
    target = load_target(job.target)
    if job.stage not in target.stages:
        return Cost(job.target, False, f"no {job.stage} stage")
    options = FrontEndOptions(job.defines, (), job.include_dirs, job.std, job.compat)
    try:
        source = make_source(job.text, job.filename, job.stage)
        artifact = compile_source(source, target, Request(front_end=options, proof=job.proof), DiagnosticSink())
        return _cost_of_code(target, artifact)
    except CompileError as error:
        errors = [diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error"]
        return Cost(job.target, False, shortfall(error.diagnostics), refusals=tuple(map(_refusal, errors)))
    except Exception as error:
        diagnostic = internal_error(error)
        return Cost(job.target, False, diagnostic.message, refusals=(_refusal(diagnostic),))


def _cost_of_code(target: Target, artifact: Artifact) -> Cost:
    listed = target.list_words(artifact.binary, {})
    words = tuple(
        Word(word.text, tuple((_place(span), *(_place(origin.span) for origin in span.origins())) for span in spans))
        for word, spans in zip(listed, without_gaps(artifact.origins), strict=True)
    )
    closest = closest_limit(artifact.reflection.limits or {})
    bindings = [binding for kind in _BINDINGS for binding in getattr(artifact.reflection, kind)]
    return Cost(
        target.name,
        True,
        "" if closest is None else str(closest),
        artifact.stats.instructions,
        estimated_cycles(listed, artifact.origins, artifact.loops),
        words,
        registers={binding.name: _registers(binding) for binding in bindings if binding.locations},
    )


def _registers(binding: Binding) -> str:
    return ", ".join(
        dict.fromkeys(f"{location.space}{location.index}.{location.components}" for location in binding.locations)
    )


def _refusal(diagnostic: Diagnostic) -> Refusal:
    span_data = None if diagnostic.span is None else _place(diagnostic.span)
    return Refusal(diagnostic.code, diagnostic.message, diagnostic.help or "", span_data)


def _place(span: Span) -> Place:
    return (span.file.name, span.line, span.column, span.end_line, span.end_column)


def _is_within(inner: Place, outer: Place) -> bool:
    return inner[0] == outer[0] and outer[1:3] <= inner[1:3] and inner[3:5] <= outer[3:5]


# --------------------------------------------------------------------------------------- as JSON
def cost_from(data: Mapping[str, Any]) -> Cost:
    """A cost that was sent as JSON."""
    words = tuple(
        Word(text, tuple(_places(chain) for chain in chains))
        for text, chains in ((word["text"], word["chains"]) for word in data["words"])
    )
    refusals = tuple(
        Refusal(each["code"], each["message"], each["help"], _places([each["place"]])[0] if each["place"] else None)
        for each in data["refusals"]
    )
    return Cost(**{**data, "words": words, "refusals": refusals})


def _places(chain: Iterable[Sequence[Any]]) -> tuple[Place, ...]:
    return tuple((str(name), *map(int, numbers)) for name, *numbers in chain)  # type: ignore[misc]
