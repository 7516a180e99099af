"""Signs go where they cost nothing: a negative takes an instruction, a difference none more than a sum."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.agal.codegen.rewrites.signs import FoldSigns
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.scalar.dce import DeadCode

_SHADER = """shader vertex
attribute @x: vec2
attribute @y: vec2
output @o: vec2
output @p: vec2
func @main {{
^entry:
  %0:vec2 = load @x
  %1:vec2 = load @y
{}
  store @o, %9
  ret
}}
"""
_PRODUCT = "  %2:vec2 = fneg %0\n  %3:vec2 = fmul %1, vec2(2.0, 3.0)\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("  %2:vec2 = fneg %0\n  %9:vec2 = fadd %2, %1", "fsub"),
        ("  %2:vec2 = fneg %0\n  %9:vec2 = fadd %1, %2", "fsub"),
        ("  %2:vec2 = fneg %0\n  %9:vec2 = fsub %1, %2", "fadd"),
        ("  %2:vec2 = fneg %0\n  %9:vec2 = normalize %2", "fneg normalize"),
        # -x - 2 y is (-2) y - x, in any order and depth, by swizzles too.
        (f"{_PRODUCT}  %9:vec2 = fsub %2, %3", "fmul fsub"),
        ("  %2:vec2 = fneg %0\n  %3:vec2 = fmul vec2(2.0, 3.0), %1\n  %9:vec2 = fsub %2, %3", "fmul fsub"),
        (f"{_PRODUCT}  %4:vec2 = fmul %0, %3\n  %9:vec2 = fsub %2, %4", "fmul fmul fsub"),
        (f"{_PRODUCT}  %4:vec2 = swizzle.yx %3\n  %9:vec2 = fsub %2, %4", "fmul fsub swizzle"),
        # A number is the negative of another one.
        ("  %2:vec2 = fneg %0\n  %9:vec2 = fsub %2, vec2(1.0, -4.0)", "fsub"),
        # The product is read elsewhere, or has no constant.
        (f"{_PRODUCT}  %9:vec2 = fsub %2, %3\n  store @p, %3", None),
        ("  %2:vec2 = fneg %0\n  %3:vec2 = fmul %1, %0\n  %9:vec2 = fsub %2, %3", None),
        ("  %2:vec2 = fneg %0\n  %9:vec2 = fsub %2, %1", None),
        ("  %9:vec2 = fsub %0, %1", None),
    ],
)
def test_each_way_to_do_without_a_negative(body: str, expected: str | None) -> None:
    module = _module(body)
    before = _values(module)
    assert FoldSigns().run(module.main, PassContext()) is (expected is not None)
    assert _values(module) == before
    if expected is not None:
        DeadCode().run(module.main, PassContext())
        names = [each.op.name for each in module.main.instructions()]
        assert sorted(name for name in names if name not in ("load", "store", "ret")) == expected.split()


def _module(body: str) -> Module:
    sink = DiagnosticSink()
    module = parse_module(_SHADER.format(body), "a.sir", sink)
    assert module is not None, sink.diagnostics
    return module


def _values(module: Module) -> list[list[float]]:
    inputs = {"x": np.array([[1.0, -2.0], [0.5, 8.0]]), "y": np.array([[-4.0, 0.25], [3.0, -1.0]])}
    found: list[list[float]] = evaluate(module, inputs, {}, lanes=2).outputs["o"].tolist()
    return found
