"""Shaders in Slang by way of slangc: matrices are as in HLSL."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.frontends.spirv.foreign import HLSL, SLANG, Foreign

#: Three rows and two columns, in the order in which a host hands them over.
ROWS = ((1.0, 2.0), (3.0, -5.0), (0.5, 8.0))
_TEXT = "uniform float3x2 m; uniform float3 a; float4 main() : SV_Target {{ return {}; }}\n"


@pytest.mark.parametrize(("front_end", "tool"), [(HLSL, "glslangValidator"), (SLANG, "slangc")], ids=("hlsl", "slang"))
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("mul(m, a.xy).xyzz", [1 * 2 + 2 * 3, 3 * 2 - 5 * 3, 0.5 * 2 + 8 * 3, 0.5 * 2 + 8 * 3]),
        ("mul(a, m).xyxy", [2 * 1 + 3 * 3 - 4 * 0.5, 2 * 2 - 3 * 5 - 4 * 8] * 2),
        ("float4(m[1], m[2][0], m._m21)", [3.0, -5.0, 0.5, 8.0]),
    ],
)
def test_rows_are_rows(front_end: Foreign, tool: str, expression: str, expected: Sequence[float]) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    sink = DiagnosticSink()
    source = Source(_TEXT.format(expression), f"test.frag.{front_end.name}", front_end)
    module = front_end.lower(front_end.prepare(source, "fragment", FrontEndOptions(), sink), "fragment", sink)
    uniforms = {"m": np.array(ROWS, np.float32), "a": np.array([2, 3, -4], np.float32)}
    known = {name: value for name, value in uniforms.items() if name in module.variables}
    (name,) = [variable.name for variable in module.variables.values() if variable.storage == "output"]
    assert evaluate(module, {}, known, {}, lanes=1).outputs[name][0].tolist() == expected
