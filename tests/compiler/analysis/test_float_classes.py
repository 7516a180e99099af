"""Classes of floats: what operations compute is of a class that the analysis names, and some that it must not name."""

from __future__ import annotations

import math
from itertools import product
from random import Random

import pytest

from glslc_multi.compiler.analysis.float_classes import (
    INFINITIES,
    INFINITY,
    NAN,
    NUMBER,
    ClassArithmetic,
    Classes,
    FloatClasses,
    Format,
    class_of,
    float_classes,
    zero_times_infinity_is_zero,
)
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import OPCODES, Opcode, evaluate
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.frontends.registry import make_source

ON_FLOATS = [
    row for row in OPCODES.values() if row.component and row.signature in ("F -> F", "F, F -> F", "F, F, F -> F")
]
_IEEE = Format()
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.75, 3.0, -2.5, 1e-30, 2e5, -3e5, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("opcode", ON_FLOATS, ids=lambda each: each.name)
def test_results_are_of_a_class_that_is_named(opcode: Opcode) -> None:
    combinations = list(product(NUMBERS, repeat=opcode.signature.count("F") - 1))
    arithmetic = ClassArithmetic(_IEEE)
    for numbers in Random(opcode.name).sample(combinations, min(len(combinations), 300)):
        (found,) = evaluate(opcode, PYTHON, None, [[number] for number in numbers])
        (named,) = evaluate(opcode, arithmetic, None, [[class_of(number)] for number in numbers])
        assert named & class_of(found), (numbers, found)


def classes_of(expression: str, format: Format = _IEEE) -> tuple[Classes, FloatClasses, Value]:
    """What is stored, of v and w that come in."""
    text = f"precision highp float; varying vec4 v, w; void main() {{ gl_FragColor = vec4({expression}); }}"
    module = lower_source(make_source(text, "a.frag"), FrontEndOptions(), DiagnosticSink())
    optimise(module, 2)
    (store,) = [each for each in module.main.instructions() if each.op is ops.STORE]
    known = float_classes(module.main, AnalysisManager(module.main), format)
    return known.of(store.operands[0])[0], known, store.operands[0]


@pytest.mark.parametrize(
    ("expression", "never"),
    [
        ("1.0 / (1.0 + v.x * v.x)", INFINITIES | NAN),
        ("sqrt(v.x * v.x)", NAN),
        ("sqrt(dot(v, v) + 1.0)", INFINITIES | NAN),
        ("pow(max(v.x, 0.0), 2.5)", INFINITIES | NAN),
        ("exp2(-abs(v.x))", INFINITIES | NAN),
        ("exp2(v.x)", NAN),
        ("log2(abs(v.x))", INFINITY | NAN),
        ("v * w + v", INFINITIES | NAN),
        ("clamp(1.0 / v.x, -2.0, 2.0)", INFINITIES),
        ("v.x > 0.0 ? 1.0 : v.y", INFINITIES | NAN),
    ],
)
def test_what_it_never_is(expression: str, never: Classes) -> None:
    assert not classes_of(expression)[0] & never


@pytest.mark.parametrize(
    ("expression", "sometimes"),
    [
        ("1.0 / v.x", INFINITY),
        ("v.x / v.y", NAN),
        ("sqrt(v.x)", NAN),
        ("inversesqrt(abs(v.x))", INFINITY),
        ("log2(v.x)", NAN),
        ("pow(v.x, 2.5)", NAN),
        ("1.0 / v.x - 1.0 / v.y", NAN),
        ("exp2(v.x)", INFINITY),
        ("sin(1.0 / v.x)", NAN),
        ("normalize(v)", NAN),
    ],
)
def test_what_it_may_be(expression: str, sometimes: Classes) -> None:
    assert classes_of(expression)[0] & sometimes


def test_the_format_decides() -> None:
    no_nan = Format(zero_times_infinity_is_zero)
    assert classes_of("v.x * inversesqrt(abs(v.y))")[0] & NAN
    assert not classes_of("v.x * inversesqrt(abs(v.y))", no_nan)[0] & NAN
    assert classes_of("v.x * v.y")[0] == NUMBER
    assert classes_of("v.x * v.y", Format(largest=2.0**127))[0] == NUMBER | INFINITIES


def test_a_choice_is_spoilt_by_what_the_other_value_lacks() -> None:
    _, known, value = classes_of("(v.x > 0.5 ? 1.0 - sqrt(v.y) : sqrt(v.y)) + (v.x > 0.25 ? sqrt(v.z) : v.w)")
    assert isinstance(value, Instruction) and value.block is not None
    choices = [each for each in value.block if each.op is ops.SELECT]
    spoilt = [known.spoils(each.operands[1], each.operands[2], NAN) for each in choices]
    assert sorted(spoilt) == [False, True]


def test_a_value_is_looked_at_once_however_many_paths_lead_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^12 paths lead through the sums, each of which has the one before twice."""
    looked_at: list[Instruction] = []

    def makes(_: FloatClasses, instruction: Instruction, __: Classes) -> bool:
        looked_at.append(instruction)
        return False

    monkeypatch.setattr(FloatClasses, "makes", makes)
    sums = "".join("x = x * 0.5 + abs(x);" for _ in range(12))
    text = (
        f"precision highp float; varying vec4 v; void main() {{ float x = 1.0 / v.x; {sums} gl_FragColor = vec4(x); }}"
    )
    module = lower_source(make_source(text, "a.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
    optimise(module, 1)
    known = float_classes(module.main, AnalysisManager(module.main), _IEEE)
    value = next(each for each in reversed(list(module.main.instructions())) if each.type.kind == "float")
    known.spoils(value, Constant.splat(FLOAT, 0.0), NAN | INFINITIES)
    assert len(looked_at) == len(set(looked_at)) > 12
