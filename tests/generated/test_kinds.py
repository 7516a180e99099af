"""Generated programs of every kind keep their promises: valid, exact where they say so, and what each kind is for."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import LANES, LaneArithmetic
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module
from tests.generated.trial import KINDS
from tests.generators.glsl import Program, Stage
from tests.generators.run_glsl import textures_of
from tests.narrow import Float24

PROGRAMS = 40
_STAGES: tuple[Stage, Stage] = ("vertex", "fragment")
_NEW = ("integers", "flow", "aggregates", "units", "wide", "wild", "sums")
#: Kind -> what at least one text in ten has.
_FORMS = {
    "integers": {
        "a mask": r" & \d",
        "a clamp under a mask": r"clamp\([^;]*\) & \d",
        "a shift by a variable": r"(<<|>>) \(*[a-z]",
        "a divisor that is a variable": r"/ (max\(|\([a-z]|[a-z]\d)",
        "a remainder by a variable": r"% (max\(|\([a-z]|[a-z]\d)",
        "an unsigned comparison": r"(?m)\du\)* (<|<=|>|>=) |uint\([^;]*\) (<|<=|>|>=) ",
    },
    "flow": {
        "a loop up to and with a bound": r"(for|while) [^{\n]*<= ",
        "a loop that goes on for two reasons": r"(for|while) [^{\n]*&& ",
        "several breaks": r"break;[^{}]*(break|continue);",
        "a switch": r"switch \(",
        "a case that falls through": r";\n\}\n(case|default)",
        "a switch in a loop": r"for \([^{\n]*\{\n([^{}]*\n)?switch",
        "a return out of main's blocks": r"if \([^\n]*\) return;",
        "a discard": r"discard;",
        "an assignment that is reached or not": r"(&&|\|\||\?|:) \(\w+ = ",
        "components that change places": r"(\w+) = \1\.[xyzw]{2,}",
    },
    "aggregates": {
        "an array that is returned": r"\n\w+\[\d\] g\d",
        "an array that is passed": r"g\d+\((inout |in )?\w+\[\d\] x",
        "an array that is compared": r"[!=]= \w+\[\d?\]\(",
        "a struct": r"\nS0 |\bS0 o\d",
        "a struct in a struct": r"struct S[12] \{[^}]*S[01]\W",
        "an array in a struct": r"struct S\d \{[^}]*\]",
        "a struct that is compared": r"o\d+ [!=]= (o\d|S\d\()",
        "a parameter that is changed": r"\(inout ",
    },
    "wide": {
        "a large number": r"\b\d{6,}",
        "a quotient of variables": r"/ (max\(|\([a-z]|[a-z]\d)",
    },
    "wild": {
        "a product of variables": r"[a-z]\d?(\.\w+)? \* [a-z(]",
        "a shift out of the number": r"<< \(?(1\d|2\d|3\d)",
    },
    "sums": {
        "a step in a loop": r"(for|while|do) [\s\S]*\n\w+ [+-]= ",
        "a bound of its own": r"(\w+) = (min|max)\(\1",
    },
    "units": {
        "three units": r" c = texture",
        "a projection": r"texture2DProj",
        "a cube": r"textureCube",
        "two coordinates": r"texture2D\(u_\w, (\w+)\)[\s\S]*texture2D\(u_\w, (?!\1)",
    },
}


def _program(kind: str, seed: int) -> Program:
    return KINDS[kind](Random(seed), _STAGES[seed % 2], 2 + seed % 11)


@cache
def _sample(kind: str) -> list[tuple[Program, Module]]:
    return [(program, _lowered(program)) for program in (_program(kind, seed) for seed in range(PROGRAMS))]


def _lowered(program: Program) -> Module:
    return lower_source(make_source(program.source, "generated", program.stage), FrontEndOptions(), DiagnosticSink())


@pytest.mark.parametrize("kind", _NEW)
def test_programs_are_valid(kind: str) -> None:
    for _, module in _sample(kind):
        assert verify_module(module, final=True) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_program(kind: str) -> None:
    assert _program(kind, 1) == _program(kind, 1)


@pytest.mark.parametrize("kind", _NEW)
def test_exact_outputs_do_not_depend_on_rounding(kind: str) -> None:
    for seed, (program, module) in enumerate(_sample(kind)):
        full, narrow = (_outputs(program, module, arithmetic) for arithmetic in (LANES, Float24()))
        for name, is_exact in program.outputs.items():
            assert np.isfinite(full[name]).all(), f"seed {seed}: {name}"
            if is_exact:
                np.testing.assert_array_equal(full[name], narrow[name], f"seed {seed}: {name}")


def _outputs(program: Program, module: Module, arithmetic: LaneArithmetic) -> dict[str, np.ndarray]:
    return run_module(module, program.inputs, program.uniforms, textures_of(program), arithmetic=arithmetic)


@pytest.mark.parametrize("kind", _FORMS)
def test_forms_are_written(kind: str) -> None:
    texts = [program.source for program, _ in _sample(kind)]
    counts = {
        form: sum(re.search(pattern, text) is not None for text in texts) for form, pattern in _FORMS[kind].items()
    }
    assert {form: count for form, count in counts.items() if count < PROGRAMS // 10} == {}
