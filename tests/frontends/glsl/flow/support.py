"""Warnings of small fragment shaders in tests."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Diagnostic, DiagnosticSink
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import compile_shader

_GLOBALS = """precision mediump float;
varying vec4 v; uniform int n; uniform float a0;
struct S { float a; vec2 b; float c[2]; };
void use(float x) { gl_FragColor.x += x; } void use4(vec4 x) { gl_FragColor += x; }
void set(out float x) { x = 1.0; } void change(inout float x) { x += 1.0; }
void fill(out S s) { s.a = 1.0; }
"""


def warnings_of(text: str, *codes: str, stage: Stage = "fragment", globals_: str = _GLOBALS) -> list[Diagnostic]:
    """The diagnostics with these codes of a correct shader, in order."""
    sink = DiagnosticSink()
    compile_shader(globals_ + text, filename="test.frag", stage=stage, sink=sink)
    return [each for each in sink.diagnostics if each.code in codes]
