"""The words in which the code generator refuses, and where."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from tests.backends.theia.compiled import compiled

_TEXTURES = "uniform sampler2D s, t[2]; varying vec2 x; uniform int n;"
_DEPTH = "#extension GL_EXT_frag_depth : enable\n"
_SLOPES = "#extension GL_OES_standard_derivatives : enable\n"

CONSTRUCTS = [
    (f"{_TEXTURES} void main() {{ gl_FragColor = texture2D(s, x) + texture2D(t[1], x); }}", "more than one texture"),
    ("uniform samplerCube s; varying vec3 x; void main() { gl_FragColor = textureCube(s, x); }", "cube maps"),
    (
        "varying vec4 x; void main() { if (x.x < 0.0) discard; gl_FragColor = x; }",
        "discard with --variant=v1.2, which writes every pixel",
    ),
    (
        f"{_TEXTURES} void main() {{ gl_FragColor = texture2D(s, x); }}",
        "a texture lookup with --variant=v1.2: theia_TextureColor is what the firmware looked up",
    ),
]


def refusals(text: str, **options: str) -> list[Diagnostic]:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        compiled(text, sink, options)
    return [each for each in sink.diagnostics if each.severity == "error"]


@pytest.mark.parametrize(("text", "construct"), CONSTRUCTS)
def test_constructs(text: str, construct: str) -> None:
    options = {"variant": "v1.2"} if "v1.2" in construct else {}
    said = refusals(text, **options)
    assert [each.values["construct"] for each in said] == [construct]
    assert said[0].span is not None


def test_loops_that_end_are_not_refused() -> None:
    loop = "while (c.x < 1.0) { c += 0.25; if (c.y > 3.0) break; }"
    compiled(f"varying vec4 x; void main() {{ vec4 c = x; {loop} gl_FragColor = c; }}")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("16383.5", ""),
        ("16384.0", "E0710"),
        ("20000.0", "E0710"),
        ("-16384.0", ""),
        ("-16384.5", "E0710"),
        ("0.00001", ""),
        ("0.000001", "W0710"),
    ],
)
def test_numbers(value: str, code: str) -> None:
    sink = DiagnosticSink()
    text = f"varying lowp float x; void main() {{ gl_FragColor = vec4(x < {value} ? 1.0 : 0.5); }}"
    try:
        compiled(text, sink)
    except CompileError:
        assert code.startswith("E")
    assert {each.code for each in sink.diagnostics} - {"W0711", "W0712"} == ({code} if code else set())


def test_a_refusal_for_length_counts_the_instructions_of_each_line() -> None:
    lines = ["vec4 a = pow(x, x.yzwx);", "gl_FragColor = a + asin(x) + exp(x);", "gl_FragColor *= 2.0; }"]
    text = "\n".join(["varying vec4 x; void main() {", *lines])
    (said,) = refusals(text)
    need, limit = int(said.values["need"]), int(said.values["limit"])
    assert (said.values["what"], limit) == ("instructions", 116)
    counts = [int(label.text.split()[0]) for label in said.labels]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) < need
    assert said.span is not None
    named = [said.span.line, *(label.span.line for label in said.labels)]
    assert len(set(named)) == len(named) <= 4
    assert named[0] == 4
