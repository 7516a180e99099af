"""Ranges of values: the ends of the machine's range, from both sides and in both orders."""

from __future__ import annotations

from contextlib import suppress

import pytest

from glslc_multi.backends.theia.codegen.value_ranges import Ranges, assumed, ranges_of
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.frontends.registry import make_source
from tests.backends.theia.compiled import compiled

_INF = float("inf")


def lowered(text: str) -> Module:
    module = lower_source(make_source("precision highp float;\n" + text, "t.frag"), FrontEndOptions(), DiagnosticSink())
    run_pipeline(module, parse_pipeline("mem2reg", DiagnosticSink()), PassContext())
    return module


def known(expression: str, x: Interval, y: Interval) -> tuple[Ranges, Instruction]:
    """The ranges of a shader of two inputs, and its last operation."""
    module = lowered(f"varying vec2 x; varying vec2 y; void main() {{ gl_FragColor = vec4({expression}, 0.0, 1.0); }}")
    inputs = {module.variables["x"]: x, module.variables["y"]: y}
    (found,) = [i for i in module.main.instructions() if i.op in (ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FMIN)]
    return Ranges(module.main, inputs), found


HERE = Interval(0.0, 1.0)
#: Ranges of x and y, and whether x - y stays within the machine's.
DIFFERENCES = [
    (HERE, HERE, True),
    (Interval(0.0, 16000.0), Interval(-16000.0, 0.0), False),
    (Interval(-16000.0, 0.0), Interval(0.0, 16000.0), False),
    (Interval(0.0, 8191.0), Interval(-8192.0, 0.0), True),
    (Interval(0.0, 8192.0), Interval(-8192.0, 0.0), False),
    (Interval(-8192.0, 0.0), Interval(0.0, 8191.0), True),
    (Interval(-8192.0, 0.0), Interval(0.0, 8192.0), False),
    (Interval(9000.0, 16000.0), Interval(9000.0, 16000.0), True),
    (Interval(-_INF, _INF), HERE, False),
]


@pytest.mark.parametrize(("x", "y", "is_safe"), DIFFERENCES)
def test_differences(x: Interval, y: Interval, is_safe: bool) -> None:
    ranges, difference = known("x - y", x, y)
    assert ranges.is_safe_difference(*difference.operands) is is_safe


#: An operation on x and y, their ranges, and whether the result may be none of the machine's numbers.
RESULTS = [
    ("x + y", Interval(0.0, 8192.0), Interval(0.0, 8192.0), False),
    ("x + y", Interval(0.0, 8193.0), Interval(0.0, 8192.0), True),
    ("x + y", Interval(-8192.0, 0.0), Interval(-8192.0, 0.0), False),
    ("x + y", Interval(-8193.0, 0.0), Interval(-8192.0, 0.0), True),
    ("x - y", Interval(0.0, 16000.0), Interval(-16000.0, 0.0), True),
    ("x - y", Interval(-16000.0, 0.0), Interval(0.0, 16000.0), True),
    ("x * y", Interval(0.0, 200.0), Interval(0.0, 100.0), True),
    ("x * y", Interval(0.0, 200.0), Interval(-100.0, 0.0), True),
    ("x * y", Interval(0.0, 100.0), Interval(-100.0, 100.0), False),
    ("x / y", Interval(0.0, 200.0), Interval(0.001, 1.0), True),
    ("x / y", Interval(0.0, 200.0), Interval(1.0, 2.0), False),
    # Nothing is known of the quotient: a warning would be noise.
    ("x / y", HERE, HERE, False),
    # What is wrong with an operand is said where that is computed.
    ("x + y", Interval(0.0, 20000.0), HERE, False),
    ("x + y", Interval(-20000.0, 0.0), HERE, False),
    ("x + y", HERE, Interval(0.0, 20000.0), False),
    ("min(x, y)", Interval(-20000.0, 20000.0), Interval(-20000.0, 20000.0), False),
]


@pytest.mark.parametrize(("expression", "x", "y", "leaves"), RESULTS)
def test_results(expression: str, x: Interval, y: Interval, leaves: bool) -> None:
    ranges, result = known(expression, x, y)
    assert ranges.leaves_range(result) is leaves


def test_ranges_end_where_the_machines_numbers_do() -> None:
    ranges, total = known("x + y", Interval(-20000.0, 1.0), Interval(-2.0, 20000.0))
    x, y = total.operands
    assert ranges.unbounded(x) == Interval(-20000.0, 1.0)
    assert ranges.interval(x) == Interval(-16384.0, 1.0)
    assert ranges.interval(y) == Interval(-2.0, 16384.0)


@pytest.mark.parametrize(("low", "is_positive"), [(0.0, True), (0.5, True), (-0.001, False), (-20000.0, False)])
def test_what_is_not_negative(low: float, is_positive: bool) -> None:
    ranges, total = known("x + y", Interval(low, 1.0), HERE)
    assert ranges.is_not_negative(total.operands[0]) is is_positive


def test_the_range_of_a_vector_holds_all_components() -> None:
    module = lowered(
        "varying float x; varying float y; void main() { gl_FragColor = vec4(vec2(x, y) * 2.0, 0.0, 1.0); }"
    )
    (product,) = [i for i in module.main.instructions() if i.op is ops.FMUL]
    ranges = {"x": Interval(-3.0, 1.0), "y": Interval(-2.0, 5.0)}
    (found,) = ranges_of(module, ranges).values()
    assert found.unbounded(product) == Interval(-6.0, 10.0)


def test_inputs_have_the_ranges_of_their_precision() -> None:
    module = lowered(
        "varying highp float a; varying mediump float b; varying lowp float c; uniform bool d; uniform int e;"
        "void main() { gl_FragColor = vec4(a, b, c, d ? 1.0 : float(e)); }"
    )
    reach = {name: assumed(variable) for name, variable in module.variables.items() if len(name) == 1}
    assert reach == {
        "a": Interval(-32.0, 32.0),
        "b": Interval(-32.0, 32.0),
        "c": Interval(-2.0, 2.0),
        "d": Interval(0.0, 1.0),
        "e": Interval(-32.0, 32.0),
    }


@pytest.mark.parametrize(("ends", "is_said"), [("-1:1", False), ("0:200", True), ("-200:0", True)])
def test_what_uniforms_make_has_their_range(ends: str, is_said: bool) -> None:
    """The block of constants computes a square, which the shader multiplies by up to 2."""
    sink = DiagnosticSink()
    text = "uniform vec2 u; varying lowp vec2 x; void main() { gl_FragColor = vec4(u * u.yx * x, 0.0, 1.0); }"
    compiled(text, sink, {"range": f"u={ends}"})
    assert ("W0712" in {diagnostic.code for diagnostic in sink.diagnostics}) is is_said


@pytest.mark.parametrize(
    ("x", "expression", "code"),
    [
        ("0:20", "x * 1000.0", "W0712"),
        ("-20:0", "x * 1000.0", "W0712"),
        ("10:16", "x * 2000.0", "E0712"),
        ("-16:-10", "x * 2000.0", "E0712"),
        ("8:16", "x * 2048.0", "E0712"),
        ("7:16", "x * 2048.0", "W0712"),
        ("-16:-8", "x * 2048.0", "W0712"),
        ("0:16", "x * 1024.0", ""),
        ("-16:0", "x * 1024.0", ""),
    ],
)
def test_what_is_said_of_values_out_of_range(x: str, expression: str, code: str) -> None:
    sink = DiagnosticSink()
    with suppress(CompileError):
        compiled(f"varying float x; void main() {{ gl_FragColor = vec4({expression}); }}", sink, {"range": f"x={x}"})
    assert {diagnostic.code for diagnostic in sink.diagnostics} - {"W0711"} == ({code} if code else set())
