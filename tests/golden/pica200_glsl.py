"""Runs the GLSL of a recorded PICA200 program in the evaluator, on the recorded values.

A record's bindings say which register holds which attribute, uniform and output (rule 4 of the data's README).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.runtime.reference import run_module
from tests.frontends.glsl.shaders import compile_shader

#: |found - recorded| may be this times the larger of 1 and |recorded|.
_TOLERANCE = 1e-5
_BITS = np.uint32

Record = Mapping[str, Any]


def compare_with_glsl(case: Record) -> str:
    """What differs between the recorded results and the GLSL, "" when nothing does."""
    module = compile_shader(case["glsl"], filename="recorded.glsl", stage="vertex", sink=DiagnosticSink(max_errors=0))
    bindings = case["bindings"]
    variables = module.variables.values()
    inputs = {v.name: _attribute(v, bindings["attributes"], case) for v in variables if v.storage == "attribute"}
    uniforms = {v.name: _uniform(v, bindings["uniforms"], case) for v in variables if v.storage == "uniform"}
    found = run_module(module, inputs, uniforms)
    for name, place in bindings["outputs"].items():
        register, _, letters = place.partition(".")
        components = ["xyzw".index(letter) for letter in letters or "xyzw"]
        recorded = np.stack([floats(result["out"][register])[components] for result in case["results"]])
        ours = np.asarray(found[name], np.float64).reshape(recorded.shape)
        if not (np.abs(ours - recorded) <= _TOLERANCE * np.maximum(1.0, np.abs(recorded))).all():
            return f"the GLSL gives another {name}"
    return ""


def floats(values: Sequence[str]) -> Array:
    """Numbers from recorded bit patterns."""
    quiet_nan = "0x7fc00000"
    bits = [int(quiet_nan if value == "nan" else value, 16) for value in values]
    return np.array(bits, _BITS).view(np.float32)


def _attribute(variable: Variable, bindings: Mapping[str, str], case: Record) -> Array:
    """The components that the attribute has of its register, for every vertex."""
    register = bindings[variable.name]
    zero = ["0x00000000"] * 4
    vertices = [floats(vertex.get(register, zero)) for vertex in case["vertices"]]
    values = np.stack(vertices)[:, : variable.type.width]
    return values[:, 0] if variable.type.is_scalar else values


def _uniform(variable: Variable, bindings: Mapping[str, Sequence[Any]], case: Record) -> Any:
    place, *more = bindings[variable.name]
    first = int(place[1:])
    if place[0] == "b":
        return case["bool_uniforms"].get(str(first), False)
    count = more[0]
    zero = ["0x00000000"] * 4
    rows = np.stack([floats(case["float_uniforms"].get(str(first + index), zero)) for index in range(count)])
    if "rows" in more:
        return rows
    if variable.dims:
        return rows[:, : variable.type.width]
    return rows[0, : variable.type.width] if variable.type.width > 1 else rows[0, 0]
