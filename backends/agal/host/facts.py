"""What a class says of a compiled program, whatever its language is.

In: the stages of a program.  Out: `Stage`s with the constants to upload, as spans of registers with their first
contents; the samplers that the code reads; the streams of the attributes, one after the other in a vertex.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from struct import Struct

from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.program import Program, Sampler, samplers_of
from glslc_multi.backends.agal.isa.registers import COMPONENTS
from glslc_multi.compiler.artifact import Artifact, Binding, Reflection
from glslc_multi.compiler.host_code.places import Run, runs_of
from glslc_multi.compiler.host_code.uniforms import HostUniform
from glslc_multi.compiler.records import dataclass

#: The file of the constants of a stage.
CONSTANT_FILES = {"vertex": "vc", "fragment": "fc"}
#: Where a built-in input is a register that the host fills: gl_FrontFacing.
INPUT_SPACES = frozenset(CONSTANT_FILES.values())
_WORD, _FLOAT = Struct("<I"), Struct("<f")


@dataclass(frozen=True, slots=True)
class Span:
    """Constants that are uploaded at once."""

    space: str
    first: int
    #: Four a register.
    numbers: tuple[float, ...]
    #: What each register holds, for a remark.
    holds: tuple[str, ...]

    @property
    def name(self) -> str:
        """The list of its numbers in the class."""
        return f"{self.space}{self.first}"

    @property
    def count(self) -> int:
        return len(self.holds)


@dataclass(frozen=True, slots=True)
class Texture:
    """A sampler of the source, by its registers: those that the code reads."""

    name: str
    type: str
    length: int | None
    #: Element -> register.
    registers: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Stream:
    """A register of an attribute, and where its numbers are in a vertex, counted in numbers."""

    attribute: str
    register: int
    components: int
    offset: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A compiled stage, taken apart."""

    name: str
    artifact: Artifact
    program: Program
    spans: tuple[Span, ...]
    #: Sampler register -> how the code reads it; those that the host sets are in `host_samplers`.
    samplers: dict[int, Sampler]
    host_samplers: frozenset[int]
    #: Those of the host's that read level 0 alone.
    base_level: frozenset[int]
    textures: tuple[Texture, ...]

    @property
    def reflection(self) -> Reflection:
        return self.artifact.reflection

    def span_of(self, space: str, register: int) -> Span:
        """The span that a constant is in."""
        return next(s for s in self.spans if s.space == space and s.first <= register < s.first + s.count)


def stage_facts(name: str, artifact: Artifact, uniforms: Sequence[HostUniform]) -> Stage:
    program = unpack(artifact.binary)
    samplers = samplers_of(program)
    host_samplers, base_level = (_listed(artifact.reflection, key) for key in ("samplers", "base_level"))
    spans = tuple(_spans(CONSTANT_FILES[name], artifact.reflection, uniforms))
    textures = _textures(artifact.reflection, samplers)
    return Stage(name, artifact, program, spans, samplers, host_samplers, base_level, textures)


def _listed(reflection: Reflection, key: str) -> frozenset[int]:
    """Samplers that the host sees to."""
    listed = str((reflection.host_state or {}).get(key, ""))
    return frozenset(int(sampler.removeprefix("fs")) for sampler in listed.split(",") if sampler)


def vertex_streams(reflection: Reflection) -> tuple[tuple[Stream, ...], int]:
    """Attributes in declared order, and how many numbers a vertex has."""
    streams, offset = [], 0
    for binding in reflection.attributes:
        for location in binding.locations:
            streams.append(Stream(binding.name, location.index, len(location.components), offset))
            offset += len(location.components)
    return tuple(streams), offset


def widths_of(reflection: Reflection) -> dict[int, int]:
    """Components of the streams, by register."""
    return {stream.register: stream.components for stream in vertex_streams(reflection)[0]}


def _textures(reflection: Reflection, read: Iterable[int]) -> tuple[Texture, ...]:
    """A texture that the code does not read must not be set (runtime error 3697)."""
    wanted = frozenset(read)
    return tuple(
        Texture(b.name, b.type, b.length, tuple((p.element, p.index) for p in b.locations if p.index in wanted))
        for b in reflection.samplers
    )


def _spans(space: str, reflection: Reflection, uniforms: Sequence[HostUniform]) -> Iterator[Span]:
    bindings = [
        *reflection.uniforms,
        *(b for b in reflection.inputs if all(location.space == space for location in b.locations)),
    ]
    contents: dict[int, list[float]] = {}
    holds: dict[int, list[str]] = {}
    for binding in bindings:
        _take_in(binding, _default(binding, uniforms), contents, holds)
    for literal in reflection.literals:
        place = literal.location
        row = contents.setdefault(place.index, [0.0] * 4)
        holds.setdefault(place.index, []).append("literals")
        for letter, word in zip(place.components, literal.words, strict=True):
            row[COMPONENTS.index(letter)] = _FLOAT.unpack(_WORD.pack(word))[0]
    for registers in _together(sorted(contents)):
        numbers = tuple(number for register in registers for number in contents[register])
        yield Span(space, registers[0], numbers, tuple(", ".join(holds[register]) for register in registers))


def _default(binding: Binding, uniforms: Sequence[HostUniform]) -> Sequence[float]:
    return next(([float(n) for n in u.default] for u in uniforms if u.name == binding.name and u.default), ())


def _take_in(
    binding: Binding, default: Sequence[float], contents: dict[int, list[float]], holds: dict[int, list[str]]
) -> None:
    """The registers of a uniform, those between them included, with what it begins with."""
    registers = [location.index for location in binding.locations]
    for register in range(min(registers), max(registers) + 1):
        contents.setdefault(register, [0.0] * 4)
        holds.setdefault(register, [])
    for register in dict.fromkeys(registers):
        holds[register].append(binding.name)
    for run in runs_of(binding) if default else ():
        for register, sources in _filled(run):
            for letter, source in zip(run.components, sources, strict=True):
                contents[register][COMPONENTS.index(letter)] = default[source]


def _filled(run: Run) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The registers of a run with the numbers of the value that they hold."""
    runs = [(run.first, run.sources)]
    for step in reversed(run.steps):
        runs = [
            (register + turn * step.register, tuple(source + turn * step.source for source in sources))
            for turn in range(step.count)
            for register, sources in runs
        ]
    yield from runs


def _together(registers: Sequence[int]) -> Iterator[list[int]]:
    """Registers that follow each other."""
    indices: list[int] = []
    for register in registers:
        if indices and register != indices[-1] + 1:
            yield indices
            indices = []
        indices.append(register)
    if indices:
        yield indices
