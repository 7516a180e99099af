"""Mutated fragment shaders, none of which may end in anything but registers or a message, nor take long.

    python -m tests.backends.pica200.codegen.fragment.mutated --count 20000 --seed 1

Generated shaders and those of the tests of lighting, fog and images are edited one to three times: mostly so that
their grammar stays, sometimes as by a typing mistake.  What compiles of the generated ones is run and compared with its
meaning.
The last line is "N compiled, M refused, K failed".
"""

from __future__ import annotations

import argparse
import re
import signal
import traceback
from collections import Counter
from random import Random
from types import FrameType

import glslc_multi
from glslc_multi.compiler.arithmetic.evaluation_error import EvaluationError
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.codegen.fragment.pixels import bound_of, difference
from tests.backends.pica200.codegen.fragment.units.fog import shaders as fog
from tests.backends.pica200.codegen.fragment.units.images import shaders as images
from tests.backends.pica200.codegen.fragment.units.lighting import shaders as lighting
from tests.fuzz.edits import edit
from tests.fuzz.mutate import mutate
from tests.generators.combiners import fitting_shader, random_uniforms

#: Of the texts that are edited so many in a hundred are not of the grammar any more.
_TYPING_MISTAKES = 15
_ROUNDING = 0.01
_TEXTS = (
    *map(lighting.shader, lighting.BODIES),
    *map(fog.shader, fog.BODIES),
    *(images.DECLARED % body for body, *_ in (*images.BODIES.values(), *images.JUMPS.values())),
)


class _TooLong(Exception):
    """The time is up."""


def mutant(random: Random) -> tuple[str, bool]:
    """A text, and whether it was made of a generated one."""
    is_generated = random.random() < 0.5
    text = fitting_shader(random) if is_generated else random.choice(_TEXTS)
    for _ in range(random.randint(1, 3)):
        text = edit(text, random)
    if random.randrange(100) < _TYPING_MISTAKES:
        text = mutate(text, random, random.choice(_TEXTS))
    return text, is_generated


def outcome(seed: int) -> str:
    """ "compiled", "refused", or what is wrong."""
    random = Random(seed)
    text, is_generated = mutant(random)
    options = {"images": not is_generated and random.random() < 0.5}
    try:
        shader = glslc_multi.compile(text, filename="a.frag", target="pica200", stage="fragment", options=options)
    except CompileError as failure:
        is_internal = any(diagnostic.code == "E9999" for diagnostic in failure.diagnostics)
        return f"internal error\n{failure}\n{text}" if is_internal else "refused"
    except _TooLong:
        return f"takes long\n{text}"
    except Exception:
        return f"{traceback.format_exc()}\n{text}"
    # An edited branch or loop may leave the colour open.
    is_whole = is_generated and not re.search(r"gl_Max|for|while|switch", text)
    return _compared(shader, random, text) if is_whole else "compiled"


def _compared(shader: glslc_multi.CompiledShader, random: Random, text: str) -> str:
    try:
        found = difference(shader, random_uniforms(random))
    except (EvaluationError, AssertionError, KeyError):
        return "compiled"  # It wants other uniforms, has another output, or discards where its meaning is no number.
    bound = bound_of(shader)
    # Where the meaning is no number, there is nothing to compare.
    return "compiled" if not found > bound + _ROUNDING else f"differs by {found:.2f}, the bound is {bound:.2f}\n{text}"


def _out_of_time(_number: int, _frame: FrameType | None) -> None:
    raise _TooLong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0, help="processor time that a text may take")
    found = parser.parse_args()
    counts: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, _out_of_time)
    for seed in range(found.seed, found.seed + found.count):
        signal.setitimer(signal.ITIMER_PROF, found.seconds)
        verdict = outcome(seed)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if verdict not in ("compiled", "refused"):
            print(f"seed {seed}: {verdict}", flush=True)
            verdict = "failed"
        counts[verdict] += 1
    print(f"{counts['compiled']} compiled, {counts['refused']} refused, {counts['failed']} failed")
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
