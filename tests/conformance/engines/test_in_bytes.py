"""What a compiled fragment shader of a machine with bytes is held to."""

from __future__ import annotations

import math

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from tests.conformance.engines.in_bytes import beyond_promises, steps_of

_TINTED = """
precision mediump float;
uniform vec4 u_tint;
uniform vec4 u_unused;
varying vec4 v_color;
void main() { gl_FragColor = v_color * (u_tint * 0.5); }
"""


def compiled(target: str) -> Artifact:
    return compile_source(make_source(_TINTED, "a.frag"), load_target(target), Request(), DiagnosticSink())


def test_results_are_within_the_bound_and_the_rounding_of_inputs() -> None:
    artifact = compiled("pica200")
    assert artifact.stats.error_steps is not None
    assert steps_of(artifact) == artifact.stats.error_steps + 2
    assert steps_of(compiled("vc4")) is None


def test_numbers_beyond_what_was_promised() -> None:
    artifact = compiled("pica200")
    colours = [[0.0, 1.0, 0.5, 0.2], [0.0, 1.01, 0.5, 0.2], [-0.1, 0.0, 0.0, 0.0], [math.nan, 0.0, 0.0, 0.0]]
    given, tint = {"v_color": colours}, {"u_tint": [0.0, 1.0, 0.5, 1.0], "u_unused": [9.0] * 4}
    assert beyond_promises(artifact, given, tint, 4).tolist() == [False, True, True, True]
    assert beyond_promises(artifact, given, {"u_tint": [0.0, 2.0, 0.5, 1.0]}, 4).all()
