"""Expressions that mean what others do."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import compile_shader

FIXED = {"gl_ModelViewProjectionMatrix", "gl_Vertex"}


def read(declarations: str, call: str, version: int = 120, compat: bool = True, stage: Stage = "vertex") -> set[str]:
    """The variables that a shader reads of the fixed functions."""
    place = "gl_Position" if stage == "vertex" else "gl_FragColor"
    text = f"#version {version}\n{declarations} void main() {{ {place} = {call}; }}"
    module = compile_shader(text, filename="a", stage=stage, compat=compat, sink=DiagnosticSink())
    return {variable.name for variable in module.interface()} & FIXED


def test_ftransform_is_the_product_of_the_matrix_and_the_vertex() -> None:
    assert read("", "ftransform()") == FIXED
    assert read("vec4 ftransform() { return vec4(1.0); }", "ftransform()") == set()
    assert read("vec4 ftransform(float x) { return vec4(x); }", "ftransform(2.0)") == set()


@pytest.mark.parametrize(("call", "version", "compat"), [("ftransform(1.0)", 120, True), ("ftransform()", 120, False)])
def test_where_there_is_no_ftransform(call: str, version: int, compat: bool) -> None:
    with pytest.raises(CompileError, match="ftransform"):
        read("", call, version, compat)
