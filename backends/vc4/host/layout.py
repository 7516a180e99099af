"""What the host must know of a compiled program, as plain numbers.

In: the stages of a program.  Out: a `HostShader`: the words that hold its uniforms, the parameters of its lookups in
the order in which the kernel takes buffers, and the arrays of its attributes.

The words are one array: the streams of the stages, in the order of the kernel (fragment, vertex, coordinate), then the
arrays that they read at variable indices, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from glslc_multi.backends.vc4.host.attributes import Attributes, attributes_of
from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.records import dataclass

#: In the order in which the kernel reads what belongs to them.
STAGES = ("fragment", "vertex", "coordinate")
#: Kinds of the words that a draw call fills in, in the order of their numbers in C.
OWN_KINDS = ("viewport_x_scale", "viewport_y_scale", "viewport_z_scale", "viewport_z_offset", "stream_address")
_LOD = "_lod"


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A lookup in texture `source`, or a load from the arrays from word `source` on."""

    is_load: bool
    has_level: bool
    source: int
    #: Where its parameters are in the stream.
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HostStage:
    """A program of the QPUs, and its part of the words."""

    artifact: Artifact
    stream: int
    arrays: int
    array_words: int
    requests: tuple[HostRequest, ...]

    @property
    def code(self) -> tuple[int, ...]:
        return unpack(self.artifact.binary).words

    @property
    def stream_words(self) -> int:
        return len(self.artifact.reflection.stream)

    @property
    def own(self) -> Iterator[tuple[int, int]]:
        """Words that a draw call fills in: number in the stream, and kind."""
        for word, (kind, _) in enumerate(self.artifact.reflection.stream):
            if kind in OWN_KINDS:
                yield word, OWN_KINDS.index(kind)


@dataclass(frozen=True, slots=True)
class HostShader:
    """A program, as its host sees it."""

    stages: Mapping[str, HostStage]
    #: Samplers by name: the first of their textures, and how many they are.
    samplers: Mapping[str, tuple[int, int | None]]
    attributes: Attributes

    @property
    def word_count(self) -> int:
        return max(stage.arrays + stage.array_words for stage in self.stages.values())

    @property
    def textures(self) -> int:
        return sum(1 if length is None else length for _, length in self.samplers.values())

    @property
    def constants(self) -> Iterator[tuple[int, int]]:
        """Numbers of the code: word, and what is there from the start."""
        for stage in self.stages.values():
            for number, (kind, source) in enumerate(stage.artifact.reflection.stream):
                if kind == "constant":
                    yield stage.stream + number, int(source, 16)
            for literal in stage.artifact.reflection.literals:
                yield stage.arrays + literal.location.index, literal.words[0]


def host_shader(artifacts: Mapping[str, Artifact]) -> HostShader:
    """The facts about a program's stages; a stage that is missing is missing in the result."""
    present = {name: artifacts[name] for name in STAGES if name in artifacts}
    samplers = _samplers(present)
    sizes = {name: _array_words(artifact) for name, artifact in present.items()}
    arrays = sum(len(artifact.reflection.stream) for artifact in present.values())
    stream, stages = 0, {}
    for name, artifact in present.items():
        requests = tuple(_requests(artifact, samplers))
        stages[name] = HostStage(artifact, stream, arrays, sizes[name], requests)
        stream += len(artifact.reflection.stream)
        arrays += sizes[name]
    return HostShader(stages, samplers, attributes_of(present))


def _samplers(artifacts: Mapping[str, Artifact]) -> dict[str, tuple[int, int | None]]:
    samplers: dict[str, tuple[int, int | None]] = {}
    count = 0
    for artifact in artifacts.values():
        for binding in artifact.reflection.samplers:
            if binding.name not in samplers:
                samplers[binding.name] = count, binding.length
                count += 1 if binding.length is None else binding.length
    return samplers


def _array_words(artifact: Artifact) -> int:
    """How many words the arrays have that are read at variable indices."""
    reflection = artifact.reflection
    locations = [location for binding in reflection.uniforms for location in binding.locations]
    locations += [literal.location for literal in reflection.literals]
    return max((location.index + 1 for location in locations if location.space == "buffer"), default=0)


def _requests(artifact: Artifact, samplers: Mapping[str, tuple[int, int | None]]) -> Iterator[HostRequest]:
    rows: Any = artifact.map_keys["requests"]
    for row in rows:
        source, words = row["source"], tuple(row["words"])
        if row["kind"] == "buffer":
            yield HostRequest(True, False, int(source), words)
            continue
        kind, _ = artifact.reflection.stream[words[0]]
        name, _, element = source.removesuffix("]").rpartition("[")
        yield HostRequest(False, kind.endswith(_LOD), samplers[name][0] + int(element), words)
