"""Code of shaders by way of SPIR-V against that of our own GLSL front end, at -O2.

python -m tests.codesize.front_ends --target T [--way W]... [--every N] FILE.vert FILE.frag FOLDER...

The ways are those of the conformance runner (`tests/conformance/spirv/compilers.py`).  Stages that a way or the target
does not take are counted; the last line of each way has the ratio of the sums and the geometric mean of the ratios.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import exp, log
from pathlib import Path

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.glsl.symbols import Stage
from tests.conformance.engines.reference import check_source, lower_checked
from tests.conformance.model import Language
from tests.conformance.spirv.compilers import COMMANDS
from tests.conformance.spirv.rewriter import NotTaken
from tests.conformance.spirv.route import module_of

_STAGES: dict[str, Stage] = {".vert": "vertex", ".frag": "fragment"}
_LEVEL = 2
_WAYS = ("spirv", "spirv-optimised")


def main(arguments: Sequence[str] | None = None) -> int:
    found = _parser().parse_args(arguments)
    target = load_target(found.target)
    sizes: dict[str, list[tuple[int, int]]] = {way: [] for way in found.way}
    losses = dict.fromkeys(found.way, 0)
    for file in list(_files(found.paths))[:: found.every]:
        text, stage = file.read_text(encoding="utf-8"), _STAGES[file.suffix]
        own = _size(target, partial(_own_module, text, stage))
        if isinstance(own, str):
            continue
        for way in found.way:
            theirs = _size(target, partial(module_of, text, stage, Language(), way))
            print(f"{way} {file.name}: {own} -> {theirs}", flush=True)
            if isinstance(theirs, int):
                sizes[way].append((own, theirs))
            else:
                losses[way] += 1
    for way in found.way:
        print(f"{way}: {losses[way]} not taken, {_summary(sizes[way])}")
    return 0


def _own_module(text: str, stage: Stage) -> Module:
    return lower_checked(check_source(text, stage, "essl100", Language()))


def _size(target: Target, lower: Callable[[], Module]) -> int | str:
    """The size of the code, or why there is none."""
    try:
        module = lower()
        request, sink = Request(_LEVEL), DiagnosticSink()
        options = checked_options(target, module.stage, request, sink)
        return target.size(compile_module(module, target, options, request, sink).stats)
    except CompileError as error:
        return error.summary
    except NotTaken as error:
        return f"not taken: {error}"


def _summary(sizes: Sequence[tuple[int, int]]) -> str:
    if not sizes:
        return "nothing to compare"
    own, theirs = (sum(column) for column in zip(*sizes, strict=True))
    mean = exp(sum(log(new / old) for old, new in sizes) / len(sizes))
    return f"{len(sizes)} stages, {own} -> {theirs} ({theirs / own - 1:+.1%}), mean {mean - 1:+.1%}"


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(each for each in path.iterdir() if each.suffix in _STAGES) if path.is_dir() else (path,)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.codesize.front_ends", description=__doc__)
    parser.add_argument("--target", required=True)
    parser.add_argument("--way", nargs="+", choices=tuple(COMMANDS), default=_WAYS, help=f"{' and '.join(_WAYS)}")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one file of N")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    return parser


if __name__ == "__main__":
    sys.exit(main())
