"""Optimised shaders against their sources, by the instructions of the SPIR-V that glslangValidator makes of both.

python -m benchmarks.rewritten FOLDER... [--list]

Counted are the instructions of functions, without labels and variables.  Shaders of ES 1.00 are ported to ES 3.00
first, since glslangValidator makes no SPIR-V of ES 1.00; shaders that it refuses are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from math import exp, log
from pathlib import Path

import glslc_multi
from glslc_multi.cli.commands import port
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.spirv.binary import read_binary

_STAGES = {".vert": "vertex", ".frag": "fragment"}
_VERSION = "#version 310 es\n"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Counts of instructions of one shader."""

    name: str
    source: int
    #: The optimised text.
    text: int
    #: What `spirv-opt -O` makes of source and text.
    source_optimised: int
    text_optimised: int
    #: The optimised module.
    module: int


#: What is compared: name, before, after.
COLUMNS: tuple[tuple[str, Callable[[Sizes], int], Callable[[Sizes], int]], ...] = (
    ("text, source", lambda s: s.source, lambda s: s.text),
    ("both after spirv-opt -O", lambda s: s.source_optimised, lambda s: s.text_optimised),
    ("module, source after spirv-opt -O", lambda s: s.source_optimised, lambda s: s.module),
)


def measure(file: Path, folder: Path) -> Sizes | None:
    """Count the instructions of one shader; None where somebody refuses it."""
    ported, stage = folder / f"ported{file.suffix}", _STAGES[file.suffix]
    try:
        port.run([str(file), "--to", "300es", "-o", str(ported)], DiagnosticSink())
        text = ported.read_text()
        optimised = glslc_multi.optimise(text, stage=stage, version="300es", proof="off")
        module = glslc_multi.optimise_as_spirv(text, stage=stage, environment="opengl4.5", proof="off")
    except glslc_multi.CompileError:
        return None
    before, after = (compiled(each, file.suffix, folder) for each in (text, optimised))
    if before is None or after is None:
        return None
    counts = [count(each) for each in (before, after, shrunk(before, folder), shrunk(after, folder), module)]
    return Sizes(file.name, *counts)


def compiled(text: str, suffix: str, folder: Path) -> bytes | None:
    """Return the module that glslangValidator makes of a text of ES 3.00."""
    source, module = folder / f"source{suffix}", folder / "module.spv"
    source.write_text(_VERSION + text.partition("\n")[2])
    words = ["glslangValidator", "-G", "--aml", "--amb", "-o", str(module), str(source)]
    ran = subprocess.run(words, capture_output=True, check=False)
    return module.read_bytes() if ran.returncode == 0 else None


def shrunk(module: bytes, folder: Path) -> bytes:
    """Return what `spirv-opt -O` makes of a module; glslangValidator's uniforms of bools are invalid, and no matter."""
    before, after = folder / "before.spv", folder / "after.spv"
    before.write_bytes(module)
    subprocess.run(["spirv-opt", "--skip-validation", "-O", str(before), "-o", str(after)], check=True)
    return after.read_bytes()


def count(module: bytes) -> int:
    """Count the instructions of the functions of a module, without labels and variables."""
    names = [instruction.name for instruction in read_binary(module).instructions]
    function = names[names.index("OpFunction") :]
    return len(function) - function.count("OpLabel") - function.count("OpVariable")


def table(sizes: Sequence[Sizes]) -> Iterator[str]:
    """List for each column how many shaders did not grow, and the geometric mean of the ratios."""
    for name, before, after in COLUMNS:
        fits = sum(after(each) <= before(each) for each in sizes)
        mean = exp(sum(log(after(each) / before(each)) for each in sizes) / len(sizes))
        yield f"{name:35} {fits:4} of {len(sizes)} at most as many, mean ratio {mean:.3f}"


def main(arguments: Sequence[str]) -> None:
    """Print the table for the shaders of folders."""
    parser = argparse.ArgumentParser(prog="benchmarks.rewritten")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="name each shader that grows")
    found = parser.parse_args(arguments)
    files = [file for folder in found.folders for file in sorted(folder.iterdir()) if file.suffix in _STAGES]
    with tempfile.TemporaryDirectory() as name:
        sizes = [each for file in files if (each := measure(file, Path(name))) is not None]
    for each in sizes if found.list else ():
        if any(after(each) > before(each) for _, before, after in COLUMNS):
            print(each)
    print(*table(sizes), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
