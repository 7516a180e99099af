"""The meter: it tells code that computes something else in a few places."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from tests.codesize.meter import wrong_values

_TEXT = "precision highp float; varying vec4 v; void main() { gl_FragColor = vec4(%s); }"


@pytest.mark.parametrize("target_name", ["agal", "vc4", "xenos"])
@pytest.mark.parametrize(("meant", "made"), [("v.x == 0.0 ? 1.0 : 0.5", "0.5"), ("v.x < 1.0 ? 0.25 : 0.5", "0.25")])
def test_code_that_is_wrong_at_edges_is_wrong(target_name: str, meant: str, made: str) -> None:
    target = load_target(target_name)
    sources = [make_source(_TEXT % text, "a.frag", "fragment") for text in (meant, made)]
    right, wrong = (compile_source(source, target, Request(), DiagnosticSink()) for source in sources)
    module = lower_source(sources[0], FrontEndOptions(), DiagnosticSink())
    assert wrong_values(target, right, module) == ""
    assert wrong_values(target, wrong, module) == "gl_FragColor differs"
