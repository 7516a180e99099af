"""Generated shaders: a proof never calls right code different."""

from __future__ import annotations

import os
from random import Random

import pytest

from glslc_multi.compiler.diagnostics import CompileError
from tests.generators.glsl import Stage, generate
from tests.proof.prove import prove_text

FIRST, COUNT = map(int, os.environ.get("GLSLC_MULTI_SEEDS", "0:12").split(":"))
_STAGES: dict[str, tuple[Stage, ...]] = {
    "agal": ("vertex", "fragment"),
    "pica200": ("vertex",),
    "adreno": ("vertex", "fragment"),
    "xenos": ("vertex", "fragment"),
    "vc4": ("vertex", "fragment"),
    "theia": ("fragment",),
}


@pytest.mark.parametrize("target", _STAGES)
def test_no_generated_shader_differs(target: str) -> None:
    outcomes = []
    for seed in range(FIRST, FIRST + COUNT):
        random = Random(seed)
        program = generate(random, random.choice(_STAGES[target]), random.randint(2, 12))
        options = {"agal_version": "3"} if target == "agal" else {}
        try:
            verdict = prove_text(program.source, target, program.stage, optimisation=seed % 4, options=options)
        except CompileError:
            continue
        assert verdict.outcome != "differs", f"seed {seed}: {verdict.reason}\n{program.source}"
        outcomes.append(verdict.outcome)
    assert sum(outcome != "unknown" for outcome in outcomes) >= len(outcomes) // 2
