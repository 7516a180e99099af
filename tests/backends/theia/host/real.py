"""Uniforms and inputs of real shaders, set by name through generated programs and read back from the bench's files.

    python -m tests.backends.theia.host.real [--count N] [--seed S]

Takes the fragment shaders of the shared data that fit THEIA, each plain and with -fpreamble.  Varyings are bound to
values of the scene, for the chip has no others.  The last line says how many values were read back.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from glslc_multi.backends.theia.codegen.rewrites.scene_inputs import SOURCES
from glslc_multi.backends.theia.isa.conventions import CODE_SPACE, SCENE_SPACE, SCENE_VALUES
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.host_code.uniforms import HostUniform, host_uniforms
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.program import Program
from glslc_multi.runtime.shader import CompiledShader
from tests.backends.theia.host.memory_files import Given, given
from tests.backends.theia.host.programs import compiled, written
from tests.host_values import Flat, drawn, give
from tests.shared_data import shared_path

_FOLDERS = ("corpus/real", "corpus/real3")
#: What varyings can be bound to: all that the bench feeds.
_BOUND = [name for name in SOURCES if not name.startswith("Light")]
_ONE = 1 << 17


def real_shaders() -> list[Path]:
    return [path for folder in _FOLDERS for path in sorted(shared_path(folder).rglob("*.frag"))]


def on_the_chip(path: Path, *, preamble: bool) -> CompiledShader | None:
    """The shader with all varyings bound; None where it does not fit."""
    text = path.read_text(encoding="utf-8")
    turns: Counter[str] = Counter()
    bound = []
    try:
        module = lower_source(make_source(text, path.name), FrontEndOptions(), DiagnosticSink())
        for variable in module.variables.values():
            known = [name for name in _BOUND if SOURCES[name].type is variable.type]
            if variable.storage == "varying" and not variable.is_array and known:
                bound.append(f"{variable.name}={known[turns[known[0]] % len(known)]}")
                turns[known[0]] += 1
        return compiled(text, preamble=preamble, bind=",".join(bound))
    except CompileError:
        return None


def check(shader: CompiledShader, module: ModuleType, random: Random) -> Counter[str]:
    """What was read back, by kind."""
    scene = random_scene(random)
    uniforms = [u for u in host_uniforms({"fragment": shader.artifact}) if not _is_of_scene(u)]
    values = drawn(uniforms, random.randrange(1 << 30))
    bench = module.bench(scene)
    for uniform in uniforms:
        bench.set(uniform.name, values[uniform.name])
    found = given(bench.files())
    counts = Counter({"uniforms": len(uniforms), "words": check_code(shader, found, uniforms, values)})
    counts["inputs"] = check_inputs(shader, module)
    check_scene(found, scene)
    return counts


def check_code(
    shader: CompiledShader, found: Given, uniforms: Sequence[HostUniform], values: Mapping[str, Flat]
) -> int:
    """Each instruction: those of uniforms have the words that the runtime computes, all others are the compiler's."""
    program = Program.of(shader)
    uploaded = program.new_values()
    give(uploaded, [uniform for uniform in uniforms if uniform.name in program.names.leaves], values)
    known = {
        update.first + number: int(word)
        for update in uploaded.take_updates("fragment")
        if update.space == CODE_SPACE
        for number, word in enumerate(update.words[:, 0].tolist())
    }
    lines = shader.binary.decode("ascii").split()[25:]
    original = [int(high + low, 16) for high, low in zip(lines[::2], lines[1::2], strict=True)]
    assert len(original) == len(found.words)
    for address, word in found.words.items():
        expected = original[address - 0x800C]
        assert word >> 32 == expected >> 32, f"{address:04x}: another instruction"
        number = known.get(address, expected & 0xFFFFFFFF)
        assert word & 0xFFFFFFFF == number, f"{address:04x}: {word & 0xFFFFFFFF:08x}, not {number:08x}"
    return len(known)


def check_inputs(shader: CompiledShader, module: ModuleType) -> int:
    """Every input has the name of its value of the scene."""
    reflection = shader.reflection
    for binding in (*reflection.varyings, *reflection.inputs):
        sources = {SCENE_VALUES[place.index] for place in binding.locations if place.space == SCENE_SPACE}
        assert {module.INPUTS[binding.name]} == sources or not binding.locations, binding.name
    return len(module.INPUTS)


def check_scene(found: Given, scene: Mapping[str, Any]) -> None:
    """Camera, window, triangles and texels are where the bench looks for them."""
    texture, size = scene["texture"], scene["size"]
    rows = [scene["camera"], *scene["window"], (size, size, 0), (texture["size"], texture["size"], 0)]
    for register, row in enumerate(rows, start=1):
        assert _signed(found.registers[register]) == [_ONE * lane for lane in row], register
    assert found.scene.width == found.scene.height == size
    assert len(found.triangles) == len(scene["triangles"])
    for there, triangle in zip(found.triangles, scene["triangles"], strict=True):
        for number, (corner, uv) in enumerate(zip(triangle["corners"], triangle["uvs"], strict=True)):
            assert _signed(there[f"V{number}"]) == [_ONE * lane for lane in corner]
            assert _signed(there[f"UV{number}"])[:2] == [_ONE * lane for lane in uv]
        assert _signed(there["TRI_DIFFUSE"]) == [_ONE * lane for lane in triangle["diffuse"]]
    width = texture["size"]
    for number, texel in enumerate(texture["texels"]):
        v, u = divmod(number, width)
        assert [found.texture[3 * (u + v * width) + channel] for channel in range(3)] == [_ONE * c for c in texel]


def random_scene(random: Random) -> dict[str, Any]:
    """Eighths, which fixed point holds exactly."""

    def row(count: int) -> list[float]:
        return [random.randrange(-80, 81) / 8 for _ in range(count)]

    def triangle() -> dict[str, Any]:
        return {"corners": [row(3) for _ in "012"], "uvs": [row(2) for _ in "012"], "diffuse": row(3)}

    size = random.choice((2, 4, 8))
    texels = [[random.randrange(9) / 8 for _ in "rgb"] for _ in range(size * size)]
    return {
        "size": 4 * random.randrange(1, 20),
        "camera": row(3),
        "window": [row(3), row(3)],
        "triangles": [triangle() for _ in range(random.randrange(1, 5))],
        "texture": {"size": size, "texels": texels},
    }


def _signed(row: Sequence[int]) -> list[int]:
    return [word - (word >> 31 << 32) for word in row]


def _is_of_scene(uniform: HostUniform) -> bool:
    return any(place.space == SCENE_SPACE for binding in uniform.places.values() for place in binding.locations)


def results(paths: Sequence[Path], seed: int) -> Iterator[tuple[str, Counter[str]]]:
    """Name and counts of each that fits, of each way to compile it."""
    for path in paths:
        for preamble in (False, True):
            shader = on_the_chip(path, preamble=preamble)
            if shader is None:
                continue
            name = f"{path.name}{' -fpreamble' if preamble else ''}"
            with tempfile.TemporaryDirectory() as folder:
                try:
                    module = written(shader, Path(folder))
                except CompileError as error:
                    yield f"{name}: {error.diagnostics[-1].message}", Counter(refused=1)
                else:
                    yield name, check(shader, module, Random(f"{seed} {name}"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.backends.theia.host.real",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, help="shaders, drawn by the seed; else all")
    parser.add_argument("--seed", type=int, default=26)
    parsed = parser.parse_args(arguments)
    paths = real_shaders()
    if parsed.count is not None:
        paths = Random(parsed.seed).sample(paths, parsed.count)
    total: Counter[str] = Counter(shaders=len(paths))
    for name, counts in results(paths, parsed.seed):
        total += counts
        total["programs"] += 1
        if counts["refused"]:
            print("refused:", name, flush=True)
    print(", ".join(f"{number} {what}" for what, number in total.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
