"""Signs of values: what is said of an expression holds for every number of its operands."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.analysis.signs import is_at_least_0, is_positive
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Value
from glslc_multi.frontends.registry import make_source


def value_of(expression: str) -> Value:
    """What is stored."""
    text = f"precision highp float; varying vec4 v, w; void main() {{ gl_FragColor = vec4({expression}); }}"
    module = lower_source(make_source(text, "a.frag"), FrontEndOptions(), DiagnosticSink())
    optimise(module, 2)
    (store,) = [each for each in module.main.instructions() if each.op is ops.STORE]
    return store.operands[0]


@pytest.mark.parametrize(
    "expression",
    [
        "v * v",
        "dot(v, v)",
        "abs(v)",
        "exp(v)",
        "exp2(v.x)",
        "sqrt(v)",
        "length(v.xyz)",
        "fract(v)",
        "max(v, 0.0)",
        "min(abs(v), exp2(w))",
        "abs(v) * (w * w)",
        "abs(v) + 2.0",
        "v.x * v.x + v.y * v.y",
        "v * v + abs(w)",
        "step(v, w)",
    ],
)
def test_never_negative(expression: str) -> None:
    assert is_at_least_0(value_of(expression))


@pytest.mark.parametrize(
    "expression",
    ["v", "v * w", "dot(v, w)", "abs(v) - 1.0", "min(v, 1.0)", "abs(v) * w", "abs(v) + w", "sin(v)", "-v * v"],
)
def test_may_be_negative(expression: str) -> None:
    assert not is_at_least_0(value_of(expression))
    assert not is_positive(value_of(expression))


@pytest.mark.parametrize(
    ("expression", "positive"),
    [
        ("1.0 + v * v", True),
        ("0.5 + abs(v)", True),
        ("max(v, 0.5)", True),
        ("v * v", False),
        ("exp2(v)", False),
        ("max(v, 0.0)", False),
    ],
)
def test_positive(expression: str, positive: bool) -> None:
    """Powers of two underflow to 0."""
    assert is_positive(value_of(expression)) == positive
