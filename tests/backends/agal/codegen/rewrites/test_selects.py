"""Choices become arithmetic: of chains of conditions, those that imply each other and those that do not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from glslc_multi.backends.agal.codegen.rewrites.selects import LowerSelects
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.base import PassContext

_SHADER = """shader vertex
attribute @x: float
attribute @y: float
output @o: float
func @main {{
^entry:
  %0:float = load @x
  %1:float = load @y
{}
  store @o, %9
  ret
}}
"""
_CHAIN = """  %2:bool = {inner}
  %3:float = select %2, 2.0, 5.0
  %4:bool = {outer}
  %9:float = select %4, 16.0, %3"""
#: Bounds of either input by constants, with both of them strict and not.
_BOUNDS = [
    text.format(op=op, number=number)
    for op, number, text in product(
        ("flt", "fle"),
        ("%0", "%1"),
        ("{op} 1.0, {number}", "{op} 2.0, {number}", "{op} {number}, 1.0", "{op} {number}, 2.0"),
    )
] + ["flt %0, %1", "flt %1, %0", "feq %0, 1.0", "fne %0, 1.0"]
_VALUES = np.array([0.0, 1.0, 1.5, 2.0, 3.0])
_X, _Y = (part.ravel() for part in np.meshgrid(_VALUES, _VALUES))


def _module(body: str) -> Module:
    module = parse_module(_SHADER.format(body), "a.sir", DiagnosticSink())
    assert module is not None
    return module


def _lowered(body: str) -> Module:
    module = _module(body)
    LowerSelects().run(module.main, PassContext())
    assert not any(each.op is ops.SELECT for each in module.main.instructions())
    return module


def _holds(condition: str, x: float, y: float) -> bool:
    name, _, operands = condition.partition(" ")
    left, right = ({"%0": x, "%1": y}.get(operand) for operand in operands.split(", "))
    a, b = (float(t) if v is None else v for t, v in zip(operands.split(", "), (left, right), strict=True))
    return {"flt": a < b, "fle": a <= b, "feq": a == b, "fne": a != b}[name]


@pytest.mark.parametrize("outer", _BOUNDS)
def test_a_chain_of_choices_is_what_it_says(outer: str) -> None:
    for inner in _BOUNDS:
        module = _lowered(_CHAIN.format(inner=inner, outer=outer))
        found = evaluate(module, {"x": _X, "y": _Y}, {}, lanes=_X.size).outputs["o"]
        meant = [
            16.0 if _holds(outer, x, y) else 2.0 if _holds(inner, x, y) else 5.0 for x, y in zip(_X, _Y, strict=True)
        ]
        assert found.tolist() == meant, f"{outer} after {inner}"


@pytest.mark.parametrize(
    ("inner", "outer", "is_short"),
    [
        ("flt 1.0, %0", "flt 2.0, %0", True),
        ("flt 2.0, %0", "flt 2.0, %0", True),
        ("fle %0, 2.0", "fle %0, 1.0", True),
        ("flt 2.0, %0", "flt 1.0, %0", False),
        ("fle %0, 1.0", "fle %0, 2.0", False),
        ("flt 1.0, %1", "flt 2.0, %0", False),
        ("flt %0, 1.0", "flt 2.0, %0", False),
    ],
)
def test_a_condition_that_implies_the_one_before_adds_a_step(inner: str, outer: str, is_short: bool) -> None:
    """r + m * (a - b): one product and one sum, where two products and the opposite mask are needed elsewhere."""
    used = [each.op for each in _lowered(_CHAIN.format(inner=inner, outer=outer)).main.instructions()]
    products = used.count(ops.FMUL)
    assert (products, used.count(ops.BTOF)) == ((2, 2) if is_short else (3, 3))


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ("  %2:bool = flt %0, %1\n  %9:float = select %2, %0, 0.0", (1, 0)),
        ("  %2:bool = flt %0, %1\n  %9:float = select %2, 0.0, %0", (1, 0)),
        ("  %2:bool = flt %0, %1\n  %9:float = select %2, 1.0, 0.0", (0, 0)),
        ("  %2:bool = flt %0, %1\n  %9:float = select %2, 0.75, 0.25", (1, 1)),
        # 2^30 + (1/3 - 2^30) is not 1/3 in 32 bits.
        ("  %2:bool = flt %0, %1\n  %9:float = select %2, 0.3333333, 1073741824.0", (2, 1)),
        ("  %2:bool = flt %0, %1\n  %3:float = fadd %0, %1\n  %9:float = select %2, %3, %0", (1, 2)),
        ("  %2:bool = flt %0, %1\n  %3:float = fmul %0, 4.0\n  %9:float = select %2, %3, %0", (3, 1)),
        ("  %2:bool = flt %0, %1\n  %3:float = fadd %0, %1\n  %9:float = select %2, %0, %3", (1, 2)),
        ("  %2:bool = flt %0, %1\n  %3:float = fsub %0, %1\n  %9:float = select %2, %3, %0", (1, 2)),
        ("  %2:bool = flt %0, %1\n  %3:float = fsub %0, %1\n  %9:float = select %2, %0, %3", (1, 2)),
        ("  %2:bool = flt %0, %1\n  %3:float = fmul %0, 4.0\n  %9:float = select %2, %0, %3", (3, 1)),
        ("  %2:bool = flt %0, %1\n  %9:float = select %2, %0, %1", (2, 1)),
    ],
)
def test_each_form_is_as_short_as_it_can_be(body: str, counts: tuple[int, int]) -> None:
    """Products and sums; and the values are those of the choice."""
    module = _lowered(body)
    used = [each.op for each in module.main.instructions()]
    assert (used.count(ops.FMUL), used.count(ops.FADD) + used.count(ops.FSUB)) == counts
    found, meant = (
        evaluate(each, {"x": _X, "y": _Y}, {}, lanes=_X.size).outputs["o"] for each in (module, _module(body))
    )
    assert found.tolist() == meant.tolist()
