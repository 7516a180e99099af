"""Linked pairs drawn through the kernel's driver and without it: what each finds, and what is read back.

    python -m tests.backends.vc4.host.pairs [--count N] [--seed S] [--variant V] [PATH...]

PATH is a folder with pairs; without it, all of the examples and the real shaders of the shared data.  With --count only
so many, drawn by the seed; with --variant only those that were compiled so.  The last line is "N passed, M failed, K
skipped", over variants of pairs; before it there is one for each variant.  A pair is skipped where the compiler refuses
it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np

import glslc_multi
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.host_code.uniforms import host_uniforms
from glslc_multi.compiler.records import dataclass
from glslc_multi.runtime.program import Program
from glslc_multi.runtime.shader import CompiledProgram
from tests.backends.vc4.host import harness, painter
from tests.backends.vc4.host.harness import Scene, Texels
from tests.backends.vc4.host.lists import Image, Record, record_size
from tests.host_values import drawn, give
from tests.judges.kernel import KernelJudge
from tests.shared_data import PROJECT_ROOT, shared_root

#: Variants of every pair: options of the compiler.
VARIANTS: Mapping[str, Mapping[str, object]] = {
    "": {},
    "threaded": {"options": {"threaded": "true"}},
    "depth": {"options": {"depth": "true"}},
    "preamble": {"preamble": True},
}
_VERTICES = 6
#: Pairs after which a run says how far it is.
_AT_ONCE = 20
_INDICES = (0, 1, 2, 3, 4, 5, 2, 1, 0)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts."""

    name: str
    vertex: str
    fragment: str


def pairs_in(folder: Path) -> Iterator[Pair]:
    """Files of a folder with one name and the suffixes .vert and .frag."""
    for vertex in sorted(folder.rglob("*.vert")):
        fragment = vertex.with_suffix(".frag")
        if fragment.exists():
            yield Pair(str(vertex.relative_to(folder)), vertex.read_text(), fragment.read_text())


def all_pairs() -> list[Pair]:
    folders = (PROJECT_ROOT / "examples/shaders", shared_root() / "corpus/real", shared_root() / "corpus/real3")
    return [pair for folder in folders for pair in pairs_in(folder)]


def link(pair: Pair, variant: str) -> CompiledProgram:
    return glslc_multi.link(pair.vertex, pair.fragment, target="vc4", **VARIANTS[variant])  # type: ignore[arg-type]


def random_scene(stages: Mapping[str, Artifact], random: Random) -> Scene:
    """Values for everything that the pair reads."""
    from glslc_multi.backends.vc4.host.layout import host_shader

    members = host_shader(stages).attributes.members
    kinds = [member.kind for member in members for _ in range(member.count)]
    vertices = [[_number(kind, random) for kind in kinds] for _ in range(_VERTICES)]
    textures = {
        binding.name: [_texels(binding.type, random) for _ in range(binding.length or 1)]
        for artifact in stages.values()
        for binding in artifact.reflection.samplers
    }
    return Scene(vertices, drawn(host_uniforms(stages), random.randrange(1 << 30)), textures, _INDICES)


def _number(kind: str, random: Random) -> float | int:
    return random.randrange(9) if kind != "float" else float(np.float32(random.uniform(-4, 4)))


def _texels(type_name: str, random: Random) -> Texels:
    size, faces = random.choice((4, 16, 64)), 6 if "Cube" in type_name else 1
    levels = random.choice((1, 3))
    count = faces * sum((size >> level) ** 2 for level in range(levels))
    return Texels(size, size, levels, [random.getrandbits(32) for _ in range(count)], faces=faces)


def check_pair(made: CompiledProgram, folder: Path, driver: Sequence[str], random: Random) -> None:
    """The kernel takes the job; what it leaves in memory is what was given; without it the same comes out."""
    stages = _artifacts(made)
    scene = random_scene(stages, random)
    image = harness.draw_with_kernel(folder / "drm", stages, scene, driver)
    ((state, _),) = painter.draw_calls(image)
    assert state.record is not None
    painter.check_renderer(image)
    check_uniforms(made, image, state.record, scene)
    check_attributes(stages, image, state.record, scene)
    bare = harness.draw_bare(folder / "bare", stages, scene, bare_addresses(image, state.record))
    compare(image, bare, state.record)


def _artifacts(made: CompiledProgram) -> dict[str, Artifact]:
    return {name: shader.artifact for name, shader in made.stages.items()}


def bare_addresses(image: Image, record: Record) -> tuple[int, ...]:
    """Where the driver has put the lists, and the memory of the binner."""
    packets = {packet.name: packet for packet in image.packets(image.binner)}
    place = packets["gl shader state"].word() & ~15
    lists, size, state = (packets["tile binning mode"].word(number) for number in range(3))
    return image.binner[0], place, record.fragment.stream_address, image.renderer[0], state, lists, size


def compare(kernel: Image, bare: Image, record: Record) -> None:
    """Word by word: both lists, the record, and the streams."""
    assert kernel.binner == bare.binner
    assert kernel.renderer == bare.renderer
    spans = [(start, end - start) for start, end in (kernel.binner, kernel.renderer)]
    packets = {packet.name: packet for packet in kernel.packets(kernel.binner)}
    spans.append((packets["gl shader state"].word() & ~15, record_size(record)))
    programs = [program for program in (record.fragment, record.vertex, record.coordinate) if program is not None]
    spans += [(program.stream_address, 4 * len(program.stream)) for program in programs]
    for start, size in spans:
        assert kernel.bytes(start, size) == bare.bytes(start, size)


def check_uniforms(made: CompiledProgram, image: Image, record: Record, scene: Scene) -> int:
    """All words of uniforms against those of `glslc_multi.runtime.program`; how many there are."""
    program = Program.of(made)
    values = program.new_values()
    # Sizes of textures are uniforms of the code alone.
    known = [u for u in host_uniforms(_artifacts(made)) if u.name in program.names.leaves]
    give(values, known, scene.uniforms)
    names = {uniform.name for uniform in known}
    found = 0
    for stage, shader in made.stages.items():
        memory = {"fragment": record.fragment, "vertex": record.vertex, "coordinate": record.coordinate}[stage]
        assert memory is not None
        arrays = _arrays(image, shader.artifact, memory.stream)
        words = {"stream": values.words(stage, "stream"), "buffer": values.words(stage, "buffer")}
        for binding in (b for b in shader.reflection.uniforms if b.name in names):
            for place in binding.locations:
                there = memory.stream[place.index] if place.space == "stream" else arrays[place.index]
                assert there == words[place.space][place.index, 0], (stage, binding.name, place)
                found += 1
        for number, (kind, source) in enumerate(shader.reflection.stream):
            if kind == "constant":
                assert memory.stream[number] == int(source, 16)
    return found


def _arrays(image: Image, artifact: Artifact, stream: Sequence[int]) -> Sequence[int]:
    """The words of the arrays, from where the lowest slice must begin."""
    for number, (kind, source) in enumerate(artifact.reflection.stream):
        if kind == "buffer":
            return image.words_from(stream[number] - 4 * int(source))
    return ()


def check_attributes(stages: Mapping[str, Artifact], image: Image, record: Record, scene: Scene) -> None:
    """The rows that programs find are the numbers of the vertices, by the register map."""
    from glslc_multi.backends.vc4.host.layout import host_shader

    starts, at = {}, 0
    for member in host_shader(stages).attributes.members:
        starts[member.name] = at
        at += member.count
    for stage in ("vertex", "coordinate"):
        rows = painter.vertex_rows(image, record, _VERTICES, stage)
        for binding in stages[stage].reflection.attributes:
            height = int(binding.type[-1]) if binding.type[-1].isdigit() else 1
            columns = int(binding.type[3]) if binding.type.startswith("mat") else 1
            for place in binding.locations:
                number = starts[binding.name] + (place.element * columns + place.column) * height + place.first
                expected = [harness.word_of(vertex[number]) for vertex in scene.vertices]
                assert rows[place.index].tolist() == expected, (stage, binding.name, place)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.backends.vc4.host.pairs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, help="pairs, drawn by the seed; else all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--variant", action="append", choices=VARIANTS, help="one of: " + ", ".join(filter(None, VARIANTS))
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    given = parser.parse_args(arguments)
    pairs = [pair for path in given.paths for pair in pairs_in(path)] or all_pairs()
    if given.count is not None:
        pairs = Random(given.seed).sample(pairs, min(given.count, len(pairs)))
    judge = KernelJudge()
    judge.prepare(fetch=True)
    counts: Counter[str] = Counter()
    for variant in given.variant or VARIANTS:
        mine: Counter[str] = Counter()
        for number, pair in enumerate(pairs, start=1):
            mine[_verdict(pair, variant, judge.driver, Random(given.seed))] += 1
            if number % _AT_ONCE == 0 or number == len(pairs):
                print(f"{variant or 'as it is'}: {_summary(mine)}", flush=True)
        counts += mine
    print(_summary(counts))
    return 1 if counts["failed"] else 0


def _summary(counts: Mapping[str, int]) -> str:
    return f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped"


def _verdict(pair: Pair, variant: str, driver: Sequence[str], random: Random) -> str:
    try:
        made = link(pair, variant)
    except CompileError:
        return "skipped"
    folder = Path(tempfile.mkdtemp())
    try:
        check_pair(made, folder, driver, random)
    except AssertionError as failure:
        print(f"{pair.name} {variant}: {str(failure).splitlines()[:4]}", flush=True)
        return "failed"
    finally:
        shutil.rmtree(folder)
    return "passed"


if __name__ == "__main__":
    sys.exit(main())
