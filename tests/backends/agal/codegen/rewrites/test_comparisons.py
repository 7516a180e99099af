"""Comparisons of one number with several constants are one of vectors; what else is compared stays alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from glslc_multi.backends.agal.codegen.rewrites.comparisons import JoinComparisons
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.base import PassContext

_HEAD = """shader vertex
attribute @x: float
attribute @y: float
output @o: float
func @main {
^entry:
  %0:float = load @x
  %1:float = load @y
"""


def _module(comparisons: Sequence[str]) -> Module:
    """A sum of masks, each with a weight of its own."""
    lines, total = [], "0.0"
    for number, comparison in enumerate(comparisons):
        first = 10 + 5 * number
        lines += [
            f"  %{first}:bool = {comparison}",
            f"  %{first + 1}:float = btof %{first}",
            f"  %{first + 2}:float = fmul %{first + 1}, {2.0**number}",
            f"  %{first + 3}:float = fadd {total}, %{first + 2}",
        ]
        total = f"%{first + 3}"
    sink = DiagnosticSink()
    module = parse_module(_HEAD + "\n".join([*lines, f"  store @o, {total}", "  ret", "}", ""]), "a.sir", sink)
    assert module is not None, sink.diagnostics
    return module


@pytest.mark.parametrize(
    ("comparisons", "widths"),
    [
        (["flt %0, 1.0", "flt %0, 2.0"], [2]),
        (["flt 1.0, %0", "flt 2.0, %0", "flt 3.0, %0"], [3]),
        (["fle %0, 1.0", "fle %0, 2.0", "fle %0, 3.0", "fle %0, 4.0"], [4]),
        # A vector has four components at most, and what is left alone stays so.
        ([f"feq %0, {number}.0" for number in range(1, 6)], [1, 4]),
        ([f"fne %0, {number}.0" for number in range(1, 7)], [2, 4]),
        # Of other numbers, by other operations, or with the constant on the other side.
        (["flt %0, 1.0", "flt %1, 2.0"], [1, 1]),
        (["flt %0, 1.0", "fle %0, 2.0"], [1, 1]),
        (["flt %0, 1.0", "flt 2.0, %0"], [1, 1]),
        (["flt %0, 1.0", "flt %0, %1"], [1, 1]),
        (["flt %0, %1", "flt %0, %1"], [1, 1]),
        (["flt %0, 1.0", "flt %1, 1.0", "flt %0, 3.0", "flt %1, 3.0"], [2, 2]),
    ],
)
def test_what_is_joined(comparisons: list[str], widths: list[int]) -> None:
    module = _module(comparisons)
    x, y = (part.ravel() for part in np.meshgrid(np.arange(0.0, 7.0), np.arange(0.0, 5.0)))
    before = _values(module, x, y)
    JoinComparisons().run(module.main, PassContext())
    assert _values(module, x, y) == before
    masks = [each for each in module.main.instructions() if each.op is ops.BTOF]
    assert sorted(mask.type.width for mask in masks) == widths


def _values(module: Module, x: Array, y: Array) -> list[float]:
    found: list[float] = evaluate(module, {"x": x, "y": y}, {}, lanes=x.size).outputs["o"].tolist()
    return found
