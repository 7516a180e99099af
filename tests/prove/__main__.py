"""`python -m tests.prove PATH... --target T`: how far blocks at -O2 are from the shortest."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import Target
from tests.codesize.cases import SizeCase, UnknownInput, load_cases
from tests.codesize.meter import prove_case
from tests.prove.summary import Proven, summarise

_DESCRIPTION = """Compile the shaders of PATH (inputs of tests.codesize) with --prove, check what they compute, and sum
up what the solver says of their blocks.  The exit status is 1 when a shader computes wrongly, 2 after wrong usage."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.prove", description=_DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--target", required=True, choices=("adreno", "pica200", "vc4"))
    parser.add_argument("--sample", type=int, metavar="N", help="so many cases of each PATH, chosen by a fixed seed")
    found = parser.parse_args(arguments)
    try:
        cases = [case for path in found.paths for case in _sample(_load(path, found.target), found.sample)]
    except UnknownInput as error:
        print(f"tests.prove: error: {error}", file=sys.stderr)
        return 2
    wrong: list[str] = []
    proven = list(_prove(cases, load_target(found.target), wrong))
    print("\n".join([*summarise(proven), *wrong]))
    return int(bool(wrong))


def _load(path: Path, target: str) -> list[SizeCase]:
    """The cases at `path`; of pairs that have no sizes for PICA200 the vertex stages, since sizes do not count here."""
    if target != "pica200" or path.name != "mesa_counts.json":
        return load_cases(path, target)
    cases = [case for case in load_cases(path, "vc4") if "vertex" in case.sources]
    return [replace(case, sources={"vertex": case.sources["vertex"]}, options={}) for case in cases]


def _sample(cases: list[SizeCase], size: int | None) -> list[SizeCase]:
    return cases if size is None or size >= len(cases) else Random(size).sample(cases, size)


def _prove(cases: Sequence[SizeCase], target: Target, wrong: list[str]) -> Iterator[Proven]:
    for case in cases:
        try:
            made = prove_case(case, target)
        except CompileError:
            continue
        for stage, (artifact, complaint) in made.items():
            if complaint:
                wrong.append(f"{case.name}, {stage}: {complaint}")
            for proof in artifact.stats.proofs:
                yield Proven(case.name, stage, proof)


if __name__ == "__main__":
    sys.exit(main())
