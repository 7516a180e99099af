"""What a condition guards: where it says no, an operation's pole does not reach the result, on any machine.

By default every pole in one form, and every form with a pole or two, for each code generator; GLSLC_MULTI_ALL=1 takes
all poles in all forms, with all other values, at all levels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from backends.registry import load_target
from compiler.diagnostics import CompileError
from compiler.options import Request, split_level
from frontends.registry import make_source
from runtime.shader import Engine, compile_shader
from tests.code_generators import CODE_GENERATORS, CodeGenerator
from tests.conformance.engines.machine import slack_of
from tests.properties.guards import FORMS, OTHERS, POLES, Pole, shader

_ALL = bool(os.environ.get("GLSLC_MULTI_ALL"))
_LEVELS = ("0", "1", "2", "3", "s")
#: What machines' own functions differ by.
_ABSOLUTE, _RELATIVE = 2e-3, 1e-3
_OUTPUTS = {"vertex": "gl_Position", "fragment": "gl_FragColor"}
_UNIFORMS = {"k": [0.0, 1.25, 0.0, 0.0]}

_ENGINES: tuple[Engine, Engine] = "reference", "simulator"

Case = tuple[Pole, str, str, str]


def cases(generator: CodeGenerator) -> Iterator[Case]:
    if _ALL:
        yield from ((p, f, o, level) for p in POLES for f in FORMS for o in OTHERS for level in _LEVELS)
        return
    random = Random(generator.name)
    forms = list(FORMS)
    random.shuffle(forms)
    for number in range(len(POLES)):
        pole, form = POLES[number % len(POLES)], forms[number % len(forms)]
        yield pole, form, random.choice(OTHERS), random.choice(_LEVELS)


def complaint(generator: CodeGenerator, text: str, stage: str, level: str, pole: Pole) -> str:
    """What the machine's code computes otherwise than the evaluator; nothing where a limit refuses the shader."""
    target = load_target(generator.target)
    optimisation, small = split_level(level)
    request = Request(optimisation, small=small, target_options={**target.exact_outputs, **generator.options})
    try:
        compiled = compile_shader(make_source(text, "guards", stage), target, request)
    except CompileError as error:
        codes = {each.code for each in error.diagnostics if each.severity == "error"}
        return "" if all(code.startswith("E07") for code in codes) else error.summary
    given = {"u": [[x, 0.5, 0.375, 1.0] for x in pole.lanes]}
    wanted, found = (_first(compiled.run(given, _UNIFORMS, engine=each), stage) for each in _ENGINES)
    assert np.isfinite(wanted).all(), "the guard is one"
    slack = slack_of(target)
    allowed = _ABSOLUTE + 4 * slack.absolute + (_RELATIVE + 4 * slack.relative) * np.abs(wanted)
    is_right = (np.abs(found - wanted) <= allowed) | (np.abs(wanted) > slack.largest)
    return "" if is_right.all() else f"-O{level} {text}\nis {found.tolist()}, expected {wanted.tolist()}"


def _first(outputs: dict[str, Any], stage: str) -> NDArray[np.float64]:
    return np.asarray(outputs[_OUTPUTS[stage]], np.float64)[:, 0]


@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda each: each.name)
def test_a_pole_stays_behind_its_guard(generator: CodeGenerator) -> None:
    # A fragment of PICA200 is no program.
    offered = ("vertex",) if generator.target == "pica200" else load_target(generator.target).stages
    stages = [stage for stage in _OUTPUTS if stage in offered]
    random = Random(generator.name)
    for pole, form, other, level in cases(generator):
        stage = random.choice(stages)
        assert complaint(generator, shader(pole, form, other, stage), stage, level, pole) == "", (pole.name, form)
