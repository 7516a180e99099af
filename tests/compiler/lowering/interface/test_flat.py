"""Flat varyings where all are interpolated: ints are what is near, and who cannot keep the promise says so."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.lowering.interface.flat import interpolate_flat
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import compile_shader as compile_for
from tests.frontends.glsl.shaders import compile_shader

SOURCE = """#version 300 es
precision highp float;
flat in ivec2 id; flat in uint n; flat in float f; in float g;
out vec4 color;
void main() { color = vec4(id, float(n) + f, g); }
"""


def test_ints_are_rounded_to_the_nearest_and_floats_stay() -> None:
    module = compile_shader(SOURCE, filename="a", stage="fragment", sink=DiagnosticSink())
    sink = DiagnosticSink()
    interpolate_flat(module, "somewhere", sink)
    check(module, final=True)
    assert [(d.code, d.message.split("'")[1]) for d in sink.diagnostics] == [("W0716", n) for n in ("id", "n", "f")]
    for variable in module.variables.values():
        # What stands in the registers, not what a host would give.
        variable.source_kind = None
    near = {"id": [[2.9999998, -4.0000005]], "n": [6.999999], "f": [0.25], "g": [0.125]}
    given = {name: np.array(value, np.float32) for name, value in near.items()}
    assert evaluate(module, given, {}, lanes=1).outputs["color"].tolist() == [[3.0, -4.0, 7.25, 0.125]]


#: Those whose fragment stage computes with ints.
TARGETS = [name for name in target_names() if {"vertex", "fragment"} <= set(load_target(name).stages)]
TARGETS.remove("pica200")


@pytest.mark.parametrize("target", TARGETS)
def test_machines_that_interpolate_all_say_so(target: str) -> None:
    text = SOURCE.replace("ivec2", "int").replace("vec4(id, float(n) + f, g)", "vec4(id, n, g, f)")
    shader = compile_for(make_source(text, "a", "fragment"), load_target(target), Request())
    told = [d.code for d in shader.diagnostics if d.code == "W0716"]
    assert bool(told) is not load_target(target).has_flat_varyings
