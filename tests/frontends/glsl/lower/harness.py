"""Running GLSL text through the front end and the evaluator, for tests that compare with numpy.

Values are given as Python numbers or numpy arrays and become uniforms of the matching GLSL type, so that
nothing is folded.  A two-dimensional float array is a matrix written as in mathematics.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import Result, evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Stage
from glslc_multi.compiler.ir.verify import verify_module
from tests.frontends.glsl.shaders import compile_shader

_PREFIX = {"f": "", "i": "i", "u": "u", "b": "b"}
_SCALAR = {"f": "float", "i": "int", "u": "uint", "b": "bool"}


def lower_text(source: str, stage: Stage = "fragment") -> Module:
    """The module of a correct shader, found sound by the verifier."""
    module = compile_shader(source, filename="test.glsl", stage=stage, sink=DiagnosticSink())
    assert [fault.text for fault in verify_module(module, final=True)] == []
    return module


Textures = dict[str, Texture | list[Texture]]


def run(
    body: str,
    result: str = "vec4",
    *,
    head: str = "",
    functions: str = "",
    textures: Textures | None = None,
    version: int = 100,
    **values: Any,
) -> Array:
    """The value that `body` gives `result`, a varying of type `result`, in a vertex shader."""
    lanes = run_lanes(body, result, head=head, functions=functions, textures=textures, version=version, **values)
    value: Array = lanes[0]
    return value


def run_lanes(
    body: str,
    result: str = "vec4",
    *,
    head: str = "",
    functions: str = "",
    x: Any = None,
    textures: Textures | None = None,
    version: int = 100,
    **values: Any,
) -> Array:
    """As `run`, for several vertices; `x` is a float attribute with one value for each."""
    declarations = [f"uniform {_declared(name, value)};" for name, value in values.items()]
    declarations += ["attribute float x;"] if x is not None else []
    head = head or f"#version {version}\n"
    source = head + "\n".join([*declarations, f"varying {result} result;", functions, "void main() {", body, "}"])
    module = lower_text(source, "vertex")
    inputs = {"x": np.asarray(x, np.float32)} if x is not None and "x" in module.variables else {}
    uniforms = {name: _columns(value) for name, value in values.items() if name in module.variables}
    lanes = 1 if x is None else len(x)
    return evaluate(module, inputs, uniforms, textures, lanes=lanes).outputs["result"]


def run_fragment(
    source: str,
    inputs: dict[str, Any] | None = None,
    uniforms: dict[str, Any] | None = None,
    textures: Textures | None = None,
    *,
    head: str = "",
) -> Result:
    """A whole fragment shader, after `head` and a precision, over one 2x2 quad."""
    module = lower_text(f"{head}precision highp float;\n{source}")
    return evaluate(module, inputs or {}, uniforms or {}, textures, lanes=4, quads=True)


def _declared(name: str, value: Any) -> str:
    """The declaration `value` fits; a list is an array of its first element."""
    if isinstance(value, list):
        return f"{_type(value[0])} {name}[{len(value)}]"
    return f"{_type(value)} {name}"


def _type(value: Any) -> str:
    array = np.asarray(value)
    kind = array.dtype.kind
    if array.ndim == 0:
        return _SCALAR[kind]
    if array.ndim == 1:
        return f"{_PREFIX[kind]}vec{len(array)}"
    rows, columns = array.shape
    return f"mat{rows}" if rows == columns else f"mat{columns}x{rows}"


def _columns(value: Any) -> Array:
    """In the evaluator's layout: a matrix is a list of its columns."""
    if isinstance(value, list):
        return np.array([_columns(element) for element in value])
    array = np.asarray(value)
    return array.T if array.ndim == 2 else array
