"""Both front ends on the same shaders: generated ones, and real ones where the shared data are there.

A sample by default; all of it with GLSLC_MULTI_ALL=1.
"""

from __future__ import annotations

import os
from random import Random
from typing import get_args

import pytest

from glslc_multi.frontends.glsl.symbols import Stage
from tests.bytes.programs import Shader, shaders_in
from tests.conformance.spirv.compilers import is_there
from tests.conformance.spirv.rewriter import NotTaken
from tests.conformance.spirv.route import module_of
from tests.generated.trial import KINDS
from tests.generators.glsl import Stage as Generated
from tests.generators.glsl import generate
from tests.proof import front_ends
from tests.proof.front_ends import as_stage, difference_of
from tests.shared_data import shared_parameters, shared_root

pytestmark = pytest.mark.skipif(not is_there("spirv"), reason="glslangValidator is not installed")

_SEED, _DRAWS = 30_000, 2
_EVERYTHING = bool(os.environ.get("GLSLC_MULTI_ALL"))
_GENERATED = 2000 if _EVERYTHING else 12
#: Of shaders in GLSL ES 3.00.
_STATEMENTS = 3
#: Of the real shaders, one in so many by default.
_SHARE = 1 if _EVERYTHING else 8


def _real() -> list[Shader]:
    found = shaders_in(shared_root() / "corpus/real")
    return [shader for shader in found if shader.stage in ("vertex", "fragment")]


@pytest.mark.parametrize("shader", shared_parameters("corpus/real", _real()[::_SHARE]), ids=lambda shader: shader.name)
def test_real_shaders_mean_the_same(shader: Shader) -> None:
    _require_same(shader.text, as_stage(shader.stage))


@pytest.mark.parametrize("seed", range(_GENERATED))
def test_generated_shaders_mean_the_same(seed: int) -> None:
    random = Random(_SEED + seed)
    program = generate(random, random.choice(get_args(Generated)))
    _require_same(program.source, program.stage)


@pytest.mark.parametrize("seed", range(_GENERATED // 4))
@pytest.mark.parametrize("kind", ["integers", "flow", "aggregates", "wild"])
def test_generated_shaders_of_newer_versions_mean_the_same(kind: str, seed: int) -> None:
    random = Random(_SEED + seed)
    program = KINDS[kind](random, random.choice(get_args(Generated)), _STATEMENTS)
    _require_same(program.source, program.stage)


def _require_same(text: str, stage: Stage) -> None:
    try:
        assert difference_of(text, stage, draws=_DRAWS) == ""
    except NotTaken as reason:
        pytest.skip(str(reason))


def test_another_meaning_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults of one front end alone: the columns of a matrix as its rows, a function's operands in another order."""
    text = "attribute vec4 a; uniform mat2 m; void main() { gl_Position = vec4(m * a.xy, step(a.z, a.w), 1.0); }"
    assert difference_of(text, "vertex") == ""
    for old, new in (("m * a.xy", "a.xy * m"), ("step(a.z, a.w)", "step(a.w, a.z)")):
        theirs = text.replace(old, new)
        monkeypatch.setattr(front_ends, "module_of", lambda _, *rest, other=theirs: module_of(other, *rest))
        assert difference_of(text, "vertex").startswith("draw ")
