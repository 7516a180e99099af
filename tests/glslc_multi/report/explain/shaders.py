"""Shaders that the tests of explanations look at, a row for each target."""

from __future__ import annotations

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.explain.explanation import Explanation, explain

#: Line 6 is the position, line 7 a varying; a function, a macro and a loop in between.
VERTEX = """\
attribute vec4 a_position;
uniform mat4 u_matrix;
uniform vec4 u_tint;
varying vec4 v_color;
void main() {
    gl_Position = u_matrix * a_position;
    v_color = a_position * u_tint;
}
"""
FRAGMENT = """\
precision mediump float;
varying vec4 v_color;
uniform float u_share;
vec3 faded(vec3 color) {
    return color * u_share;
}
void main() {
    gl_FragColor = vec4(faded(v_color.rgb), 1.0);
}
"""
LOOP = """\
precision highp float;
uniform vec4 u_steps;
attribute vec4 a_position;
void main() {
    float sum = 0.0;
    for (int i = 0; i < 200; i++) {
        if (sum > u_steps.x) break;
        sum += u_steps.y + a_position.x;
    }
    gl_Position = vec4(sum);
}
"""
#: Target -> a shader that it takes.
SHADERS = {**dict.fromkeys(("agal", "pica200", "adreno", "vc4", "xenos"), "a.vert"), "theia": "a.frag"}
TEXTS = {"a.vert": VERTEX, "a.frag": FRAGMENT, "loop.vert": LOOP}


def explained(target: str, name: str = "") -> Explanation:
    name = name or SHADERS[target]
    return explain(make_source(TEXTS[name], name), load_target(target), Request(), DiagnosticSink())
