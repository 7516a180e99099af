"""What the machine cannot do, and what is said about it."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.theia.compiled import compiled


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("varying float x; void main() { gl_FragColor = vec4(x + 20000.0); }", "E0710"),
        ("varying float x; void main() { gl_FragColor = vec4(x * 0.0 + x * 1e-7); }", "W0710"),
        ("varying float x; void main() { gl_FragColor = vec4(x * x * 100.0); }", "W0712"),
        ("varying float x; void main() { gl_FragColor = vec4(x); }", "W0711"),
        ("varying vec4 theia_Normal; void main() { gl_FragColor = theia_Normal; }", "E0711"),
        ("varying vec3 theia_Normal[2]; void main() { gl_FragColor = vec4(theia_Normal[1], 1.0); }", "E0711"),
        ("uniform mat3 theia_Diffuse; void main() { gl_FragColor = vec4(theia_Diffuse[1], 1.0); }", "E0711"),
        ("varying vec2 theia_Hit; void main() { gl_FragColor = vec4(theia_Hit.y); }", "E0711"),
        ("uniform float a[80]; uniform int n; void main() { gl_FragColor = vec4(a[n]); }", "E0702"),
        ("uniform samplerCube s; varying vec3 x; void main() { gl_FragColor = textureCube(s, x); }", "E0702"),
        (
            "uniform sampler2D s, t; varying vec2 x; void main() { gl_FragColor = texture2D(s, x) + texture2D(t, x); }",
            "E0702",
        ),
        (
            "varying vec4 a, b, c, d, e, f, g, h, i, j, k; void main() { gl_FragColor = a+b+c+d+e+f+g+h+i+j+k; }",
            "E0701",
        ),
        (
            "varying vec4 x; void main() { gl_FragColor = sin(x) + cos(x) + exp(x) + log(x) + asin(x) + atan(x); }",
            "E0701",
        ),
    ],
)
def test_what_is_said(text: str, code: str) -> None:
    sink = DiagnosticSink()
    try:
        compiled(text, sink)
    except CompileError as error:
        assert code in [diagnostic.code for diagnostic in error.diagnostics]
        return
    assert code in [diagnostic.code for diagnostic in sink.diagnostics]
    assert code.startswith("W")


def test_a_depth_that_is_undefined_is_left_out() -> None:
    text = """#extension GL_EXT_frag_depth : enable
        precision mediump float; void main() { float d; gl_FragColor = vec4(0.5); gl_FragDepthEXT = %s; }"""
    assert glslc_multi.compile(text % "d", target="theia", stage="fragment").stats.instructions > 0
    with pytest.raises(CompileError, match="a depth that the shader computes"):
        glslc_multi.compile(text % "0.5", target="theia", stage="fragment")


def test_a_refusal_names_the_expensive_lines() -> None:
    with pytest.raises(CompileError) as caught:
        compiled("varying vec4 x; void main() {\n vec4 a = pow(x, x.yzwx);\n gl_FragColor = a + asin(x) + exp(x); }")
    (message,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert message.entry.exit_status == 3
    assert message.span is not None
    assert message.labels
