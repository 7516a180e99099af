"""Definitions and references, at places that the tests mark by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.glslc_multi.lsp.marked import URI, analyse, marked

pytest.importorskip("lsprotocol", reason="the extra 'lsp' is not installed")

from glslc_multi.lsp.diagnose import uri_of
from glslc_multi.lsp.navigate import definition, highlights, references

H = "precision mediump float;\n"


def shader(outside: str, inside: str, after: str = "") -> str:
    """A fragment shader of global declarations, what its main does, and what stands behind it."""
    return f"{H}{outside}\nvoid main() {{\n{inside}\n}}\n{after}"


#: What is declared once, with all its places marked; the cursor is at one of them.
NAMES = {
    "uniform": shader("uniform float «u»;", "gl_FragColor = vec4(«u¦», (0.0), 0, («u»));"),
    "local": shader("", "float «a» = 1.0; { float a = 2.0; a += 1.0; } gl_FragColor = vec4(«a¦»);"),
    "inner": shader("", "float a = 1.0; { float «a» = 2.0; «¦a» += 1.0; } gl_FragColor = vec4(a);"),
    "own initializer": shader("float «a»;", "float a = «a¦»; gl_FragColor = vec4(a);"),
    "parameter": shader("float f(float «x») { return («x») * «¦x»; }", "float x = f(1.0); gl_FragColor = vec4(x);"),
    "overload": shader(
        "float f(float a) { return a; }\nvec2 «f»(vec2 a) { return a; }",
        "gl_FragColor = vec4(f(1.0), «f»(vec2(1.0)), «¦f»(vec2(0.0)).x);",
    ),
    "prototype": shader("float «f»(float a);", "gl_FragColor = vec4(«f¦»(1.0));", "float «f»(float b) { return b; }"),
    "structure": shader("struct «S» { float a; };\nuniform «S» s;", "gl_FragColor = vec4(«S¦»(1.0).a + s.a);"),
    "member": shader(
        "struct S { float «a»; };\nstruct T { float a; };\nuniform S s;\nuniform T t;",
        "gl_FragColor = vec4(s.«a¦» + t.a);",
    ),
    "loop": shader("", "float s = 0.0; for (int «i» = 0; «i» < 3; «¦i»++) s += float(«i»); gl_FragColor = vec4(s);"),
    "in a macro": shader("uniform float «k»;\n#define TWICE (2.0 * «k»)", "gl_FragColor = vec4(TWICE, «k¦», 0, 0);"),
    "argument": shader("#define SQ(x) ((x) * (x))\nuniform float «k»;", "gl_FragColor = vec4(SQ(«¦k»));"),
    "array": shader("uniform float «w»[3];", "gl_FragColor = vec4(«w¦»[1]);"),
    "invariant": shader("varying float «v»;\ninvariant «v»;", "gl_FragColor = vec4(«¦v»);"),
}
BLOCK = """#version 300 es
precision highp float;
uniform B { float «m»; } b;
uniform C { float free; };
out vec4 o;
void main() { o = vec4(b.«m¦», free, 0, 0); }
"""


@pytest.mark.parametrize("name", NAMES)
def test_references_are_the_marked_places(name: str) -> None:
    text = marked(NAMES[name])
    assert not text.analysis.has_errors, text.analysis.diagnostics
    found = references(text.analysis, *text.place, URI, True)
    assert sorted({text.offsets(each.range) for each in found}) == text.marks
    assert len(highlights(text.analysis, *text.place)) == len(text.marks)


@pytest.mark.parametrize("name", NAMES)
def test_the_definition_is_the_first_marked_place(name: str) -> None:
    text = marked(NAMES[name])
    found = [text.offsets(each.range) for each in definition(text.analysis, *text.place, URI)]
    assert text.marks[0] in found
    assert set(found) <= set(text.marks)
    without = references(text.analysis, *text.place, URI, False)
    assert {text.offsets(each.range) for each in without} == set(text.marks) - set(found)


def test_members_of_a_block() -> None:
    text = marked(BLOCK)
    assert sorted(text.offsets(each.range) for each in references(text.analysis, *text.place, URI, True)) == text.marks


def test_a_macro_and_its_uses() -> None:
    text = marked(H + "#define «K» 2.0\n// K\nvoid main() {\n#ifdef «K»\n gl_FragColor = vec4(«K¦»);\n#endif\n}")
    assert sorted(text.offsets(each.range) for each in references(text.analysis, *text.place, URI, True)) == text.marks
    assert [text.offsets(each.range) for each in definition(text.analysis, *text.place, URI)] == text.marks[:1]


def test_built_in_names_are_declared_nowhere() -> None:
    text = marked(H + "void main() { gl_FragColor = vec4(¦«sin»(1.0) + «sin»(2.0)); }")
    assert definition(text.analysis, *text.place, URI) == []
    assert [text.offsets(each.range) for each in references(text.analysis, *text.place, URI, True)] == text.marks


def test_into_included_files(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "light.glsl").write_text("float shade(float n) { return n * n; }\n#define DIM 0.5\n")
    shader = tmp_path / "a.frag"
    head = "#extension GL_GOOGLE_include_directive : require\n"
    text = head + H + '#include "parts/light.glsl"\n' + "void main() { gl_FragColor = vec4(shade(DIM)); }\n"
    shader.write_text(text)
    analysis = analyse(text, str(shader))
    assert not analysis.has_errors, analysis.diagnostics
    included = uri_of(str(tmp_path / "parts" / "light.glsl"))
    line = text.splitlines()[3]
    (call,) = definition(analysis, 4, line.index("shade") + 2, URI)
    assert (call.uri, call.range.start.line, call.range.start.character) == (included, 0, 6)
    (macro,) = definition(analysis, 4, line.index("DIM") + 2, URI)
    assert (macro.uri, macro.range.start.line, macro.range.start.character) == (included, 1, 8)
    (file,) = definition(analysis, 3, 14, URI)
    assert (file.uri, file.range.start.line) == (included, 0)
    uses = references(analysis, 4, line.index("shade") + 2, URI, True)
    assert sorted(each.uri for each in uses) == sorted([included, URI])


def test_a_damaged_function_is_known_all_the_same() -> None:
    text = marked(H + "uniform float «u»;\nvoid main() { float a = ; gl_FragColor = vec4(«¦u»); }")
    assert text.analysis.has_errors
    assert sorted(text.offsets(each.range) for each in references(text.analysis, *text.place, URI, True)) == text.marks
