"""Products with rows have as many rows as an instruction reads."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.agal.codegen.rewrites.products import CompleteProducts, TurnConstants
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Constant, Instruction, Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.passes.base import PassContext

_SHADER = """shader vertex
attribute @a: vec4
uniform @m: mat4 rows
uniform @k: vec4
output @o: vec4
output @gl_Position: vec4 role(position)
func @main {{
^entry:
  %0:vec4 = load @a
  %1:vec4 = load @k
  %2:vec4 = load @m.0
  %3:vec4 = load @m.1
  %4:vec4 = load @m.2
{}
  store @gl_Position, %9
  ret
}}
"""
_POSITION = "  %9:vec4 = construct %8, 1.0"


def _module(body: str) -> Module:
    sink = DiagnosticSink()
    module = parse_module(_SHADER.format(body), "a.sir", sink)
    assert module is not None, sink.diagnostics
    return module


def _found(module: Module, name: str) -> list[Instruction]:
    return [each for each in module.main.instructions() if each.op.name == name]


def _position(module: Module) -> Array:
    numbers = np.random.default_rng(7)
    uniforms = {"m": numbers.integers(-9, 9, (4, 4)).astype(float), "k": np.array([2.0, 3.0, 5.0, 7.0])}
    inputs = {"a": numbers.integers(-9, 9, (8, 4)).astype(float)}
    return evaluate(module, inputs, uniforms, lanes=8).outputs["gl_Position"]


def test_a_matrix_of_constants_is_taken_by_rows() -> None:
    columns = "vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0), vec3(7.0, 8.0, 9.0)"
    module = _module(f"  %5:vec3 = swizzle.xyz %0\n  %8:vec3 = mat_vec {columns}, %5\n{_POSITION}")
    TurnConstants().run(module.main, PassContext())
    (product,) = _found(module, "vec_mat")
    rows = [operand.key for operand in product.operands if isinstance(operand, Constant)]
    assert rows == ["vec3(1.0, 4.0, 7.0)", "vec3(2.0, 5.0, 8.0)", "vec3(3.0, 6.0, 9.0)"]


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        (f"  %8:vec3 = vec_mat %0, %2, %3, %4\n{_POSITION}", ["@m.0", "@m.1", "@m.2", "@m.3"]),
        # One row is a dot product, and rows in another order or of something else are no matrix.
        (
            f"  %7:vec2 = vec_mat %0, %2, %3\n  %8:vec3 = construct %7, 0.0\n{_POSITION}",
            ["@m.0", "@m.1", "@m.2", "@m.3"],
        ),
        (f"  %7:vec2 = vec_mat %0, %3, %2\n  %8:vec3 = construct %7, 0.0\n{_POSITION}", ["@m.1", "@m.0"]),
        (f"  %7:vec2 = vec_mat %0, %3, %4\n  %8:vec3 = construct %7, 0.0\n{_POSITION}", ["@m.1", "@m.2"]),
        (f"  %7:vec2 = vec_mat %0, %2, %1\n  %8:vec3 = construct %7, 0.0\n{_POSITION}", ["@m.0", "@k"]),
    ],
)
def test_the_first_rows_of_a_matrix_are_completed(body: str, rows: list[str]) -> None:
    module = _module(body)
    values = _position(module)
    CompleteProducts().run(module.main, PassContext())
    assert _position(module).tolist() == values.tolist()
    (product,) = _found(module, "vec_mat")
    lines = print_module(module).splitlines()
    names = [str(operand).split(":")[0] for operand in product.operands[1:]]
    assert [line.split("load ")[1] for name in names for line in lines if line.strip().startswith(f"{name}:")] == rows
