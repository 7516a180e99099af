"""What a condition guards: where it says no, an operation's pole does not reach the result, on any machine.

By default every pole behind a condition that is given, and in two other forms, for each code generator;
GLSLC_MULTI_ALL=1 takes all poles in all forms, with all other values, at all levels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.options import Request, split_level
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import Engine, compile_shader
from tests.code_generators import CODE_GENERATORS, CodeGenerator
from tests.conformance.engines.machine import slack_of
from tests.properties.guards import FORMS, OTHERS, POLES, Case, inputs, shader

_ALL = bool(os.environ.get("GLSLC_MULTI_ALL"))
_LEVELS = ("0", "1", "2", "3", "s")
#: What machines' own functions differ by.
_ABSOLUTE, _RELATIVE = 2e-3, 1e-3
_OUTPUTS = {"vertex": "gl_Position", "fragment": "gl_FragColor"}
_UNIFORMS = {"k": [0.0, 1.25, 0.375, 0.0]}
#: Cases of one shader.
_TOGETHER = 4

_ENGINES: tuple[Engine, Engine] = "reference", "simulator"


def cases(generator: CodeGenerator) -> Iterator[Case]:
    """Every pole in the plain form and behind a condition that is given, and in some others."""
    random = Random(generator.name)
    for number, pole in enumerate(POLES):
        if _ALL:
            yield from (Case(pole, *rest) for rest in product(FORMS, OTHERS, (False, True)))
            continue
        yield Case(pole, "ternary else", OTHERS[number % len(OTHERS)], is_given=True)
        yield from (Case(pole, random.choice([*FORMS]), random.choice(OTHERS), is_given) for is_given in (False, True))


def complaint(generator: CodeGenerator, chosen: Sequence[Case], stage: str, level: str) -> str:
    """What the machine's code computes otherwise than the evaluator; nothing where a limit refuses the shader."""
    target, text = load_target(generator.target), shader(chosen, stage)
    optimisation, small = split_level(level)
    request = Request(optimisation, small=small, target_options={**target.exact_outputs, **generator.options})
    try:
        compiled = compile_shader(make_source(text, "guards", stage), target, request)
    except CompileError as error:
        codes = {each.code for each in error.diagnostics if each.severity == "error"}
        if not all(code.startswith("E07") for code in codes):
            return error.summary
        # One of them may be too much, or all of them together.
        return (
            ""
            if len(chosen) == 1
            else next(filter(None, (complaint(generator, [c], stage, level) for c in chosen)), "")
        )
    given = inputs(chosen)
    wanted, found = (_result(compiled.run(given, _UNIFORMS, engine=each), stage) for each in _ENGINES)
    assert np.isfinite(wanted).all(), "the guards are some"
    slack = slack_of(target)
    allowed = _ABSOLUTE + 4 * slack.absolute + (_RELATIVE + 4 * slack.relative) * np.abs(wanted)
    is_right = (np.abs(found - wanted) <= allowed) | (np.abs(wanted) > slack.largest)
    if is_right.all():
        return ""
    lane, place = np.argwhere(~is_right)[0]
    x, case = given["u"][lane][place], chosen[place]
    return f"{case} at -O{level}, {stage}: x = {x} makes {found[lane, place]}, expected {wanted[lane, place]}\n{text}"


def _result(outputs: dict[str, Any], stage: str) -> NDArray[np.float64]:
    return np.asarray(outputs[_OUTPUTS[stage]], np.float64)


@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda each: each.name)
def test_a_pole_stays_behind_its_guard(generator: CodeGenerator) -> None:
    # A fragment of PICA200 is no program.
    offered = ("vertex",) if generator.target == "pica200" else load_target(generator.target).stages
    stages = [stage for stage in _OUTPUTS if stage in offered]
    random = Random(generator.name)
    listed = list(cases(generator))
    random.shuffle(listed)
    for first in range(0, len(listed), _TOGETHER):
        for level in _LEVELS if _ALL else [random.choice(_LEVELS)]:
            assert complaint(generator, listed[first : first + _TOGETHER], random.choice(stages), level) == ""
