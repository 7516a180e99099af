"""Inputs that few machines have are refused by the others, at their place."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source

SOURCE = """#extension GL_EXT_draw_instanced : require
attribute vec4 p;
void main() { gl_Position = p * float(gl_InstanceIDEXT); }
"""
LACKING = [name for name in target_names() if "vertex" in load_target(name).stages and name != "agal"]


@pytest.mark.parametrize("target", LACKING)
def test_the_number_of_the_instance(target: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_source(make_source(SOURCE, "test", "vertex"), load_target(target), Request(), DiagnosticSink())
    (refused,) = caught.value.diagnostics
    assert (refused.code, refused.span is not None and refused.span.line) == ("E0702", 3)
