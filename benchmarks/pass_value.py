"""What passes are worth: instructions of real shaders at each -O level, and without each pass of -O2.

    python -m benchmarks.pass_value [FOLDER] [--write]

FOLDER holds `.vert` and `.frag` files (default: the shared corpus of real shaders).  `--write` puts the
tables into `compiler/passes/README.md`, between its markers.  Counts, not times: they repeat exactly.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler.diagnostics import DiagnosticSink
from compiler.ir.module import Module
from compiler.passes.base import Pass
from compiler.passes.pipeline import LEVELS, Pipeline, Repeat, level
from compiler.passes.runner import run_pipeline
from frontends.glsl.frontend import compile_shader
from frontends.glsl.symbols import Stage
from tests.shared_data import shared_root

README = Path(__file__).parents[1] / "compiler" / "passes" / "README.md"
_TABLE = re.compile(r"(<!-- table: value -->\n).*?(<!-- end -->)", re.DOTALL)
_STAGES: dict[str, Stage] = {".vert": "vertex", ".frag": "fragment"}

Source = tuple[str, Stage, str]


def sources(folder: Path) -> list[Source]:
    """Name, stage and text of every shader in `folder`."""
    files = sorted(file for file in folder.iterdir() if file.suffix in _STAGES)
    return [(file.name, _STAGES[file.suffix], file.read_text(encoding="utf-8")) for file in files]


def total(shaders: Sequence[Source], pipeline: Pipeline) -> tuple[int, int]:
    """Instructions and blocks of all shaders together after `pipeline`."""
    instructions = blocks = 0
    for name, stage, text in shaders:
        module = compile_shader(text, filename=name, stage=stage, sink=DiagnosticSink())
        run_pipeline(module, pipeline)
        instructions += count(module)
        blocks += sum(len(function.blocks) for function in module.functions.values())
    return instructions, blocks


def count(module: Module) -> int:
    return sum(1 for function in module.functions.values() for _ in function.instructions())


def names(pipeline: Pipeline) -> Iterator[str]:
    """The passes of a pipeline, in order."""
    for step in pipeline:
        yield from names(step.steps) if isinstance(step, Repeat) else [step.name]


def without(pipeline: Pipeline, name: str) -> Pipeline:
    """The pipeline with every step called `name` left out."""
    kept: list[Pass | Repeat] = []
    for step in pipeline:
        if isinstance(step, Repeat):
            kept.append(Repeat(without(step.steps, name), step.rounds))
        elif step.name != name:
            kept.append(step)
    return tuple(kept)


def tables(shaders: Sequence[Source]) -> str:
    """Both tables as Markdown."""
    lines = [f"{len(shaders)} real shaders, all functions together:", ""]
    lines += ["| level | instructions | blocks |", "| --- | --- | --- |"]
    for number in LEVELS:
        instructions, blocks = total(shaders, level(number))
        lines.append(f"| -O{number} | {instructions} | {blocks} |")
    best, _ = total(shaders, level(2))
    lines += ["", "| left out of -O2 | instructions | more by |", "| --- | --- | --- |"]
    for name in dict.fromkeys(names(level(2))):
        instructions, _ = total(shaders, without(level(2), name))
        lines.append(f"| `{name}` | {instructions} | {instructions / best - 1:.1%} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Instruction counts by level, and without each pass.")
    parser.add_argument("folder", nargs="?", type=Path, default=shared_root() / "corpus" / "real")
    parser.add_argument("--write", action="store_true", help="renew the tables of compiler/passes/README.md")
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        print(f"no folder of shaders: {options.folder} (set GLSLC_MULTI_SHARED, or name one)", file=sys.stderr)
        return 2
    text = tables(sources(options.folder))
    if options.write:
        readme = README.read_text(encoding="utf-8")
        README.write_text(_TABLE.sub(lambda found: found[1] + text + found[2], readme), encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
