"""Indices that are computed the same way of components of one vector are computed together."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.agal.codegen.rewrites.joined_indices import JoinIndices
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.scalar.dce import DeadCode

_SHADER = """shader vertex
attribute @a: vec4
attribute @b: vec4
uniform @u: vec4[8]
output @o: vec4
func @main {{
^entry:
  %0:vec4 = load @a
  %1:vec4 = load @b
{}
  %90:int = ftoi %10
  %91:int = ftoi %20
  %92:vec4 = load @u[%90]
  %93:vec4 = load @u[%91]
  %94:vec4 = fmul %93, vec4(2.0, 2.0, 2.0, 2.0)
  %95:vec4 = fadd %92, %94
  store @o, %95
  ret
}}
"""


def _chain(first: int, vector: int, component: str, steps: str) -> str:
    """Steps of the form `op %, constant`, from a component to the value of a number."""
    lines, value = [f"  %{first + 9}:float = swizzle.{component} %{vector}"], f"%{first + 9}"
    for number, step in enumerate(steps.split("; ")):
        made = f"%{first + number + 1}" if number < steps.count("; ") else f"%{first}"
        lines.append(f"  {made}:float = {step.replace('%', value)}")
        value = made
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        ((0, "x", "fmul %, 2.0"), (0, "y", "fmul %, 2.0"), True),
        ((0, "w", "fsub 7.0, %; ffloor %"), (0, "y", "fsub 7.0, %; ffloor %"), True),
        ((0, "x", "fmul %, 2.0"), (0, "y", "fmul %, 3.0"), False),
        ((0, "x", "fsub %, 0.0"), (0, "y", "fsub 0.0, %"), False),
        ((0, "x", "fmul %, 2.0"), (0, "y", "fadd %, 2.0"), False),
        ((0, "x", "fmul %, 2.0"), (1, "y", "fmul %, 2.0"), False),
        ((0, "x", "fmul %, 2.0"), (0, "y", "fmul %, 2.0; ffloor %"), False),
    ],
)
def test_what_is_joined(one: tuple[int, str, str], other: tuple[int, str, str], joined: bool) -> None:
    module = _module("\n".join([_chain(10, *one), _chain(20, *other)]))
    values = _values(module)
    JoinIndices().run(module.main, PassContext())
    assert _values(module) == values
    DeadCode().run(module.main, PassContext())
    widths = {each.type.width for each in module.main.instructions() if each.op.name in ("fmul", "fadd", "fsub")}
    assert (2 in widths) is joined


def _module(body: str) -> Module:
    sink = DiagnosticSink()
    module = parse_module(_SHADER.format(body), "a.sir", sink)
    assert module is not None, sink.diagnostics
    return module


def _values(module: Module) -> list[list[float]]:
    inputs = {"a": np.array([[0.0, 1.0, 2.0, 3.0], [1.0, 0.0, 0.5, 2.0]]), "b": np.array([[1.0] * 4, [0.0] * 4])}
    uniforms = {"u": np.arange(32.0).reshape(8, 4) ** 2}
    found: list[list[float]] = evaluate(module, inputs, uniforms, lanes=2).outputs["o"].tolist()
    return found
