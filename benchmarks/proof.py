"""What the quick proof of a compilation costs: by target over real shaders, and of one cold compilation.

    python -m benchmarks.proof [--target vc4] [--share 4] [--rounds 3] [PATH...]

Both take turns, in CPU time.  A row has the median over the shaders of (with proof / without) - 1, the largest, and
which shader that is.  By default the shaders are the examples and, where the shared data are, the real ones.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import glslc_multi
from benchmarks.cold_start import child_cpu
from benchmarks.harness import compare
from benchmarks.shaders import small
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.options import NO_PROOF, QUICK_PROOF
from tests.bytes.programs import Shader, shaders_in
from tests.shared_data import PROJECT_ROOT, shared_root

_ROUNDS, _COLD_ROUNDS = 3, 15


def cost_of(shader: Shader, target: str, rounds: int) -> float | None:
    """The part of a compilation that its proof takes on top; None where there is no code."""
    make = partial(glslc_multi.compile, shader.text, target=target, stage=shader.stage)
    try:
        make(proof=NO_PROOF)
    except CompileError:
        return None
    candidates = {proof: partial(make, proof=proof) for proof in (NO_PROOF, QUICK_PROOF)}
    return compare(candidates, rounds=rounds, clock=process_time)[1].ratio - 1.0


def cold_cost(rounds: int) -> float:
    """The same of a process that compiles one small shader."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "small.vert").write_text(small("vertex"), encoding="utf-8")

        def run(proof: str) -> None:
            environment = {**os.environ, "GLSLC_MULTI_CACHE": "off", "PYTHONPATH": str(PROJECT_ROOT)}
            words = ["small.vert", "--target", "pica200", "-o", "small.bin", f"--proof={proof}"]
            program = "from glslc_multi.entry import main; main()"
            subprocess.run([sys.executable, "-c", program, *words], cwd=folder, env=environment, check=True)

        candidates = {proof: partial(run, proof) for proof in (NO_PROOF, QUICK_PROOF)}
        return compare(candidates, rounds=rounds, clock=child_cpu)[1].ratio - 1.0


def main() -> None:
    """Print a row for each target, and one for the cold compilation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--target", action="append", choices=target_names())
    parser.add_argument("--share", type=int, default=1, help="take one shader in so many")
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    found = parser.parse_args()
    paths = found.paths or [PROJECT_ROOT / "examples", shared_root() / "corpus/real"]
    shaders = [shader for path in paths for shader in shaders_in(path)][:: found.share]
    for target in found.target or target_names():
        stages = load_target(target).stages
        costs = {s.name: cost_of(s, target, found.rounds) for s in shaders if s.stage in stages}
        known = {name: cost for name, cost in costs.items() if cost is not None}
        if known:
            worst = max(known, key=lambda name: known[name])
            print(f"{target:8} {len(known):4} shaders  median {median(known.values()):5.1%}  ", end="")
            print(f"largest {known[worst]:5.0%} ({worst})", flush=True)
    print(f"cold, pica200, small.vert: {cold_cost(_COLD_ROUNDS):.1%}")


if __name__ == "__main__":
    main()
