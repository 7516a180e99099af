"""Generated fragment shaders on the simulator of the combiners against their meaning.

    python -m tests.backends.pica200.fragment.codegen.generated --count 5000 --seed 1

The last line is "N passed, M failed, K refused"; refusals are for stages and ranges alone.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

import glslc_multi
from compiler.diagnostics import CompileError
from tests.backends.pica200.fragment.codegen.pixels import bound_of, difference
from tests.generators.combiners import fitting_shader, random_uniforms

#: For stages, a range, or an error beyond what is allowed.
_LIMITS = {"E0720", "E0725", "E0727"}
_ROUNDING = 0.01


def outcome(seed: int) -> str:
    """ "passed", "refused", or what is wrong."""
    random = Random(seed)
    text = fitting_shader(random)
    try:
        shader = glslc_multi.compile(text, filename="generated.frag", target="pica200")
    except CompileError as error:
        codes = {diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"}
        return "refused" if codes <= _LIMITS else f"refused by {codes}\n{text}"
    found, bound = difference(shader, random_uniforms(random)), bound_of(shader)
    return "passed" if found <= bound + _ROUNDING else f"differs by {found:.2f} steps, the bound is {bound:.2f}\n{text}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    found = parser.parse_args()
    counts: Counter[str] = Counter()
    for seed in range(found.seed, found.seed + found.count):
        verdict = outcome(seed)
        if verdict not in ("passed", "refused"):
            print(f"seed {seed}: {verdict}", flush=True)
            verdict = "failed"
        counts[verdict] += 1
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} refused")
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
