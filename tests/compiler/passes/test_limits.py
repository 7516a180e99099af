"""How much passes make where nobody says otherwise."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline


def test_uniforms_that_are_computed_before() -> None:
    """32 of 40 results; a run after that makes no more."""
    module = _with_results(40)
    for _ in range(2):
        run_pipeline(module, parse_pipeline("uniform-hoist", DiagnosticSink()))
        assert sum(variable.role == "preamble" for variable in module.variables.values()) == 32


def _with_results(count: int) -> Module:
    """A shader with so many results that depend on a uniform alone, each stored in a place of its own."""
    lines = [f"%{i + 1}:vec4 = fadd %0, vec4({i}.5)\nstore @v[{i}], %{i + 1}" for i in range(count)]
    head = f"shader vertex\nuniform @u: vec4\nvarying @v: vec4[{count}]\noutput @gl_Position: vec4 role(position)\n"
    body = ["func @main {", "^entry:", "%0:vec4 = load @u", *lines, "store @gl_Position, %0", "ret", "}", ""]
    module = parse_module(head + "\n".join(body), "limit", DiagnosticSink())
    assert module is not None
    return module
