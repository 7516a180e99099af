"""Every operation on ints of every shape and range, on every target, against Python's ints: the bits, or a refusal.

By default a sample by a fixed seed; GLSLC_MULTI_ALL=1 takes all of them, at all levels.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.backends.vc4.codegen.integers import LowerIntegers
from glslc_multi.compiler.arithmetic.lanes import LaneArithmetic
from glslc_multi.compiler.codegen.integers.whole_numbers import check_whole_numbers, simplify_inexact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.options import Request, split_level
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import compile_shader
from tests.backends.vc4.codegen.test_integers import Rough
from tests.code_generators import LEVELS
from tests.compiler.lowering.formats import FIXED17, FLOAT24, FLOAT32
from tests.edges import INTS, Format, edges, literals_of, pairs

_ALL = bool(os.environ.get("GLSLC_MULTI_ALL"))
#: Of cases; and of lanes, each with two ints.
_LOWERED, _COMPILED, _LANES = 1000, 24, 300


def _quotient(x: int, y: int) -> int | None:
    return None if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _shifted(shift: Callable[[int, int], int]) -> Callable[[int, int], int | None]:
    return lambda x, y: shift(x, y) if 0 <= y < 32 else None


def _always(number: int) -> Callable[[int], int]:
    return lambda n: number


def _clamp(least: int, greatest: int) -> Callable[[int], int]:
    return lambda n: min(max(n, least), greatest)


#: Operator -> its value; none where GLSL leaves it open.
OPERATORS: dict[str, Callable[[int, int], int | None]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": _quotient,
    # Open where an operand is negative.
    "%": lambda x, y: None if y <= 0 or x < 0 else x % y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "^": lambda x, y: x ^ y,
    "<<": _shifted(lambda x, y: x << y),
    ">>": _shifted(lambda x, y: x >> y),
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    "==": lambda x, y: x == y,
}
#: Operands without a sign or with one, of the number n -> their values.
_SIGNED: dict[str, Callable[[int], int]] = {
    "n": lambda n: n,
    "clamp(n, -7, 5)": _clamp(-7, 5),
    "(n & 255)": lambda n: n & 255,
    "(n & 31)": lambda n: n & 31,
    "-(n & 2047)": lambda n: -(n & 2047),
    "(n & 16777215)": lambda n: n & 0xFFFFFF,
    "-(n & 2147483647)": lambda n: -(n & 0x7FFFFFFF),
    # Of what is made of a float, nothing is known.
    "int(float(clamp(n, -1000, 1000)) * 32768.0)": lambda n: min(max(n, -1000), 1000) * 32768,
    # As far as floats go on some machine, or nearly.
    "(n * 16)": lambda n: n * 16,
    "(n * 15)": lambda n: n * 15,
    "(n * 255)": lambda n: n * 255,
    "(n * 256)": lambda n: n * 256,
    "(n - 100)": lambda n: n - 100,
    "(n >> 2)": lambda n: n >> 2,
    "(~n)": lambda n: ~n,
    "max(n, 1)": lambda n: max(n, 1),
    **{str(number): _always(number) for number in (0, 1, 2, 3, 7, 10, 63, 64, 255, 256, -1, -2, -16)},
}
_CLAMPED = {
    f"clamp(n, {least}, {greatest})": _clamp(least, greatest) for least in (-64, 0) for greatest in (63, 64, 255, 256)
}
_UNSIGNED: dict[str, Callable[[int], int]] = {
    "uint(n)": lambda n: n,
    "uint(n & 255)": lambda n: n & 255,
    "uint(n & 31)": lambda n: n & 31,
    "uint(max(n, 0))": lambda n: max(n, 0),
    "(uint(max(n, 0)) * 3u)": lambda n: max(n, 0) * 3,
    "uint(float(clamp(n, 0, 1000)) * 32768.0)": lambda n: min(max(n, 0), 1000) * 32768,
    "uint(max(n, 0) * 15)": lambda n: max(n, 0) * 15,
    "uint(max(n, 0) * 255)": lambda n: max(n, 0) * 255,
    "(~uint(n))": lambda n: ~n,
    **{f"{number}u": _always(number) for number in (0, 1, 2, 3, 7, 10, 63, 64, 255, 256)},
}


def _wrapped(x: int, is_signed: bool) -> int:
    return (x + 2**31) % 2**32 - 2**31 if is_signed else x % 2**32


@dataclass(frozen=True, slots=True)
class Case:
    """An operation on two operands of the ints x and y."""

    operator: str
    left: str
    right: str
    is_signed: bool

    @property
    def text(self) -> str:
        left, right = (re.sub(r"\bn\b", n, shape) for shape, n in ((self.left, "x"), (self.right, "y")))
        operation = f"{left} {self.operator} {right}"
        return f"{'int' if self.is_signed else 'uint'}({operation})"

    def value(self, x: int, y: int, largest: float) -> int | None:
        """What it is in 32 bits, of numbers that the machine has."""
        shapes = _SIGNED | _CLAMPED if self.is_signed else _UNSIGNED
        left, right = (_wrapped(shapes[shape](n), self.is_signed) for shape, n in ((self.left, x), (self.right, y)))
        found = OPERATORS[self.operator](left, right)
        if found is None or (max(abs(left), abs(right)) > largest and "float" in self.text):
            return None
        return _wrapped(int(found), self.is_signed)


CASES = [
    Case(operator, left, right, is_signed)
    for shapes, is_signed in ((_SIGNED, True), (_UNSIGNED, False))
    for operator, left, right in product(OPERATORS, shapes, shapes)
    if "n" in left + right
]
#: Numbers and what is known to be up to them, or about.
AT_ENDS = [
    Case(operator, clamped, number, True)
    for operator, clamped, number in product("/%&|^", _CLAMPED, ("63", "64", "255", "256"))
]


def source(cases: Sequence[Case]) -> str:
    """Write a shader of up to four of them."""
    parts = [*(f"int({case.text})" for case in cases), "0", "0", "0"][:4]
    head = "#version 300 es\nin ivec2 a; flat out ivec4 r;\n"
    return f"{head}void main() {{ int x = a.x, y = a.y; r = ivec4({', '.join(parts)}); gl_Position = vec4(1.0); }}\n"


def rows(cases: Sequence[Case], limits: WholeNumbers | None, random: Random) -> list[tuple[int, int]]:
    """Pairs of edges of the cases, and any numbers, as far as the host may give them."""
    format = INTS if limits is None else Format(-limits.outside, limits.outside, step=1)
    numbers = edges(literals_of(" ".join(case.text for case in cases)), format=format)
    chosen = [(int(x), int(y)) for x, y in random.sample(list(pairs(numbers, format)), _LANES)]
    least, greatest = int(format.least), int(format.greatest)
    return chosen + [(random.randint(least, greatest), random.randint(least, greatest)) for _ in range(_LANES // 4)]


def _differences(cases: Sequence[Case], given: Sequence[tuple[int, int]], found: Any, target: Target) -> Iterator[str]:
    for number, case in enumerate(cases):
        for (x, y), ours in zip(given, np.asarray(found)[:, number].astype(np.int64).tolist(), strict=True):
            wanted = case.value(x, y, target.precision.largest)
            if wanted is not None and _wrapped(ours, case.is_signed) != wanted:
                yield f"{case.text} of {x} and {y} is {ours}, expected {wanted}"


# ------------------------------------------------------------------------------------ lowered, on the evaluator
#: Target -> its arithmetic; of those that make floats of ints, one of each format.
_ARITHMETICS: dict[str, LaneArithmetic] = {
    "agal": FLOAT32,
    "pica200": FLOAT24,
    "theia": FIXED17,
    "vc4": Rough(-(2.0**-21)),
}
_VALUES, _SIMPLIFIED = "inline,simplify-cfg,sroa,mem2reg", ",sccp,instcombine,gvn,dce"


def lowered(text: str, name: str, simplified: bool) -> Module:
    """Lower a shader's ints as a target does; raises `CompileError` where it refuses them."""
    module = lower_source(make_source(text, "ints", "vertex"), FrontEndOptions(), DiagnosticSink())
    limits = load_target(name).whole_numbers
    if limits is not None:
        check_whole_numbers(module, name, limits, False, DiagnosticSink())
        simplify_inexact(module, limits)
    _run(module, _VALUES + _SIMPLIFIED * simplified)
    if limits is None:
        LowerIntegers().run(module.main, PassContext())
    else:
        _run(module, f"lower-integer-bits{{outside={limits.outside}}},lower-int-to-float,lower-builtins")
    return module


def _run(module: Module, passes: str) -> None:
    run_pipeline(module, parse_pipeline(passes, DiagnosticSink()), PassContext())


def _complaint(cases: Sequence[Case], name: str, random: Random) -> str:
    """What ints lowered for a target compute otherwise; nothing where it refuses them."""
    try:
        module = lowered(source(cases), name, random.random() < 0.5)
    except CompileError:
        alone = (_complaint([case], name, random) for case in cases if len(cases) > 1)
        return next(filter(None, alone), "")
    given = rows(cases, load_target(name).whole_numbers, random)
    inputs = {"a": np.array(given)}
    found = evaluate(module, inputs, {}, lanes=len(given), arithmetic=_ARITHMETICS[name]).outputs["r"]
    return next(_differences(cases, given, found, load_target(name)), "")


@pytest.mark.parametrize("name", _ARITHMETICS)
def test_lowered_ints_are_right_or_refused(name: str) -> None:
    # Of ints that stay ints, only quotients are lowered.
    listed = CASES if name != "vc4" else [case for case in CASES if case.operator in "/%"]
    for cases, random in _together(name, listed, _LOWERED):
        assert _complaint(cases, name, random) == ""


def _together(name: str, listed: Sequence[Case], count: int) -> Iterator[tuple[list[Case], Random]]:
    """Fours of cases, each with a source of chance: every operator with every left operand, up to a count."""
    random = Random(name)
    chosen = random.sample(listed, len(listed))
    if not _ALL:
        chosen = list({(case.operator, case.left, case.is_signed): case for case in chosen}.values())[:count]
    chosen += AT_ENDS[:count]
    return ((chosen[first : first + 4], Random(random.random())) for first in range(0, len(chosen), 4))


# ------------------------------------------------------------------------------------------------ on machines
def _complaint_of(cases: Sequence[Case], target: Target, random: Random) -> str:
    """What the machine computes otherwise; nothing where it refuses the ints."""
    optimisation, small = split_level(random.choice(LEVELS))
    request = Request(optimisation, small=small, target_options=dict(target.exact_outputs))
    try:
        shader = compile_shader(make_source(source(cases), "ints", "vertex"), target, request)
    except CompileError as error:
        codes = {each.code for each in error.diagnostics if each.severity == "error"}
        assert all(code.startswith("E07") for code in codes), error.summary
        alone = (_complaint_of([case], target, random) for case in cases if len(cases) > 1)
        return next(filter(None, alone), "")
    given = rows(cases, target.whole_numbers, random)
    return next(_differences(cases, given, shader.run({"a": given}, {}, engine="simulator")["r"], target), "")


@pytest.mark.parametrize("name", [name for name in target_names() if "vertex" in load_target(name).stages])
def test_ints_of_machines_are_right_or_refused(name: str) -> None:
    for cases, random in _together(f"{name} machine", CASES, _COMPILED):
        assert _complaint_of(cases, load_target(name), random) == "", cases
