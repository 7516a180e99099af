"""Every uniform of real shaders, set by name through generated classes, is in its registers, bit for bit.

Haxe runs the classes with a context that prints what is uploaded (`client/recording`).  A sample in CI; all with
`python -m tests.backends.agal.host.test_uniforms`.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from backends.agal.host.classes import class_name
from backends.agal.host.facts import INPUT_SPACES
from backends.agal.host.languages import HAXE
from backends.agal.host.setters import count_of, method_name
from backends.registry import load_target
from compiler.artifact import Artifact, Binding
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.driver import compile_source
from compiler.host_code.places import shape_of
from compiler.host_code.uniforms import HostUniform, host_uniforms
from compiler.host_files import HostProgram
from compiler.options import Request
from frontends.registry import make_source
from tests.backends.agal.host.client import value_text
from tests.backends.agal.host.tools import CLIENT, haxe, need_haxe
from tests.shared_data import shared_path

_SAMPLE, _SEED = 12, 26
_FOLDERS = ("corpus/real", "corpus/real3")
#: Space and register -> bits of its components, None where nothing is said of them.
Registers = dict[tuple[str, int], list[int | None]]


def real_shaders() -> list[Path]:
    files = [path for folder in _FOLDERS for path in sorted(shared_path(folder).rglob("*"))]
    return [path for path in files if path.suffix in (".vert", ".frag")]


def compiled(paths: Iterable[Path]) -> list[Artifact]:
    """Those that have code, in the first version that has it."""
    found = []
    for path in paths:
        source = make_source(path.read_text(encoding="utf-8"), path.name)
        for version in (1, 2, 3):
            try:
                request = Request(target_options={"agal_version": version}, inexact_integers=True)
                found.append(compile_source(source, load_target("agal"), request, DiagnosticSink()))
                break
            except CompileError:
                continue
    return found


def wrong_registers(artifacts: Sequence[Artifact], folder: Path) -> tuple[int, list[str]]:
    """How many uniforms were set, and what is wrong with them."""
    random, count = Random(_SEED), 0
    body, wanted = [], []
    for number, artifact in enumerate(artifacts):
        program = HostProgram({artifact.reflection.stage: artifact}, f"real_{number}")
        for file in load_target("agal").host_code(program, "haxe", DiagnosticSink()):
            (folder / file.name).write_bytes(file.data)
        name, registers = class_name(program.prefix), _literals(artifact)
        body += ["", f"static function run{number}(context:openfl.display3D.Context3D):Void {{"]
        body.append(f"    final shader = new {name}(context);")
        for uniform in host_uniforms(program.stages, INPUT_SPACES):
            if uniform.name.startswith("$"):
                continue
            numbers, count = _numbers(uniform, random), count + 1
            body.append(f"    shader.{method_name(uniform.name)}({value_text(uniform, numbers, HAXE)});")
            for binding in uniform.places.values():
                _expect(binding, numbers, registers)
        body += ["    shader.bind();", "}"]
        wanted.append(registers)
    calls = "\n".join(f'Sys.println("= {n}"); run{n}(context);' for n in range(len(artifacts)))
    main = "static function main() {\nfinal context = new openfl.display3D.Context3D();\n" + calls + "\n}"
    (folder / "Main.hx").write_text(
        "import openfl.Vector;\n\nclass Main {\n" + "\n".join([main, *body]) + "\n}\n", encoding="utf-8"
    )
    printed = haxe(folder, "-cp", str(CLIENT / "recording"), "-D", "openfl", "--main", "Main", "--interp")
    return count, [fault for n, text in enumerate(printed.split("= ")[1:]) for fault in _faults(text, wanted[n], n)]


def _numbers(uniform: HostUniform, random: Random) -> list[float]:
    numbers = [random.randrange(-(2**20), 2**20) / 1024 for _ in range(count_of(uniform))]
    kind = uniform.type.rstrip("234")
    if kind in ("bool", "bvec"):
        return [float(number > 0) for number in numbers]
    return [float(abs(int(number))) for number in numbers] if kind in ("int", "ivec", "uint", "uvec") else numbers


def _literals(artifact: Artifact) -> Registers:
    registers: Registers = {}
    for literal in artifact.reflection.literals:
        place = literal.location
        for letter, word in zip(place.components, literal.words, strict=True):
            registers.setdefault((place.space, place.index), [None] * 4)["xyzw".index(letter)] = word
    return registers


def _expect(binding: Binding, numbers: Sequence[float], registers: Registers) -> None:
    """Straight from the map: element by element, a matrix by [column][row]."""
    columns, rows = shape_of(binding.type)
    for place in binding.locations:
        for part, letter in enumerate(place.components, start=place.first):
            is_row = place.transform == "transpose"
            column, row = (part, place.column) if is_row else (place.column, part)
            number = numbers[(place.element * columns + column) * rows + row]
            (bits,) = struct.unpack("<i", struct.pack("<f", number))
            registers.setdefault((place.space, place.index), [None] * 4)["xyzw".index(letter)] = bits % 2**32


def _faults(printed: str, wanted: Registers, number: int) -> list[str]:
    found: dict[tuple[str, int], list[int]] = {}
    for line in printed.splitlines()[1:]:
        stage, first, *words = line.split()
        for place in range(0, len(words), 4):
            row = [int(word) % 2**32 for word in words[place : place + 4]]
            found[{"vertex": "vc", "fragment": "fc"}[stage], int(first) + place // 4] = row
    return [
        f"shader {number}: {register}: {found.get(register)}, not {row}"
        for register, row in wanted.items()
        if any(w is not None and w != f for w, f in zip(row, found.get(register, [-1] * 4), strict=True))
    ]


def test_real_shaders_have_their_uniforms(tmp_path: Path) -> None:
    need_haxe()
    count, faults = wrong_registers(compiled(Random(_SEED).sample(real_shaders(), _SAMPLE)), tmp_path)
    assert faults == []
    assert count > 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        artifacts = compiled(real_shaders())
        uniforms, wrong = wrong_registers(artifacts, Path(place))
        print(f"{len(artifacts)} shaders, {uniforms} uniforms, {len(wrong)} registers wrong", *wrong[:20], sep="\n")
