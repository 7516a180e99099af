"""Generated fragment shaders on the simulator of the combiners against their meaning.

    python -m tests.backends.pica200.codegen.fragment.generated --count 5000 --seed 1

The last line is "N passed, M failed, K refused"; refusals are for stages and ranges alone.  Before it stand the seeds
whose compilation took the most processor time.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from random import Random

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.codegen.fragment.pixels import bound_of, difference
from tests.generators.combiners import fitting_shader, random_uniforms

#: For stages, a range, or an error beyond what is allowed.
_LIMITS = {"E0720", "E0725", "E0727"}
_ROUNDING = 0.01
#: How many of the slowest compilations are printed.
_SLOWEST = 5


def outcome(seed: int) -> tuple[str, float]:
    """ "passed", "refused", or what is wrong; and the seconds of processor time that compiling took."""
    random = Random(seed)
    text = fitting_shader(random)
    start = time.process_time()
    try:
        shader = glslc_multi.compile(text, filename="generated.frag", target="pica200")
    except CompileError as error:
        codes = {diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"}
        return "refused" if codes <= _LIMITS else f"refused by {codes}\n{text}", time.process_time() - start
    except Exception as error:
        return f"{error!r}\n{text}", time.process_time() - start
    seconds = time.process_time() - start
    found, bound = difference(shader, random_uniforms(random)), bound_of(shader)
    if found <= bound + _ROUNDING:
        return "passed", seconds
    return f"differs by {found:.2f} steps, the bound is {bound:.2f}\n{text}", seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    found = parser.parse_args()
    counts: Counter[str] = Counter()
    seconds: dict[int, float] = {}
    for seed in range(found.seed, found.seed + found.count):
        verdict, seconds[seed] = outcome(seed)
        if verdict not in ("passed", "refused"):
            print(f"seed {seed}: {verdict}", flush=True)
            verdict = "failed"
        counts[verdict] += 1
    for seed in sorted(seconds, key=seconds.__getitem__, reverse=True)[:_SLOWEST]:
        print(f"seed {seed}: {seconds[seed]:.2f} s")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} refused")
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
