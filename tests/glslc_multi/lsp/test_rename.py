"""Renaming: the same machine-independent code comes out, or there is a reason why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.glslc_multi.lsp.marked import applied, marked

pytest.importorskip("lsprotocol", reason="the extra 'lsp' is not installed")

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.lsp.rename import Refused, rename
from tests.frontends.glsl.shaders import compile_shader
from tests.glslc_multi.lsp.test_navigate import NAMES, shader

_USE_BOTH = "gl_FragColor = vec4(a, b, 0, 0);"
_USE = "gl_FragColor = vec4(a);"
REFUSED = {
    "collision in the scope": (shader("", f"float ¦a = 1.0; float b = 2.0; {_USE_BOTH}"), "b"),
    "captured by an inner name": (shader("float ¦a;", f"float b = 2.0; {_USE_BOTH}"), "b"),
    "captures an outer name": (shader("float b;", f"float ¦a = 2.0; {_USE_BOTH}"), "b"),
    "parameter hides a global": (
        shader("float b;\nfloat f(float ¦a) { return a + b; }", "gl_FragColor = vec4(f(1.0));"),
        "b",
    ),
    "only the meaning changes": (
        shader("uniform float b;\nfloat f(float ¦a) { return a + b; }", "gl_FragColor = vec4(f(1.0), b, 0, 0);"),
        "b",
    ),
    "overloads become one": (
        shader(
            "float ¦f(float a) { return a; }\nfloat g(float a) { return 2.0 * a; }",
            "gl_FragColor = vec4(f(1.0), g(1.0), 0, 0);",
        ),
        "g",
    ),
    "overloads compete": (
        shader(
            "float ¦f(float a) { return a; }\nvec2 g(vec2 a) { return a; }",
            "gl_FragColor = vec4(f(1.0), g(vec2(1.0)), 0);",
            "#ifdef X\nfloat h() { return f(1.0); }\n#endif\nfloat g(float a) { return a; }",
        ),
        "g",
    ),
    "hides a built-in function": (
        shader("float ¦f(float a) { return a; }", "gl_FragColor = vec4(f(sin(1.0)));"),
        "sin",
    ),
    "member twice": (shader("struct S { float ¦a; float b; };\nuniform S s;", "gl_FragColor = vec4(s.a + s.b);"), "b"),
    "keyword": (shader("uniform float ¦a;", _USE), "while"),
    "reserved": (shader("uniform float ¦a;", _USE), "gl_x"),
    "no name": (shader("uniform float ¦a;", _USE), "1a"),
    "a macro of that name": (shader("#define M 1.0\nuniform float ¦a;", "gl_FragColor = vec4(a * M);"), "M"),
    "built-in function": (shader("", "gl_FragColor = vec4(¦sin(1.0));"), "x"),
    "built-in variable": (shader("", "¦gl_FragColor = vec4(1.0);"), "x"),
    "main": (shader("", _USE, "").replace("main", "ma¦in"), "x"),
    "comment": (shader("// w¦ord", "gl_FragColor = vec4(1.0);"), "x"),
    "put together by a macro": (
        "#version 130\n#define GLUE(a, b) a##b\nuniform float ¦ab;\nvoid main() { gl_FragColor = vec4(GLUE(a, b)); }",
        "x",
    ),
    "unknown in skipped text": (
        shader("float a;", f"float ¦a = 1.0;\n#ifdef X\n a += 1.0;\n#endif\n {_USE}", "float other() {{ return a; }}"),
        "x",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_what_was_renamed_is_the_same_shader(name: str) -> None:
    text = marked(NAMES[name])
    edits = rename(text.analysis, *text.place, "renamed_to", text.analyse)
    new = applied(text.analysis.text, edits, text.analysis)
    assert sorted(text.offsets(edit.range) for edit in edits) == text.marks
    assert _code(new) == _code(text.analysis.text)


def _code(text: str) -> str:
    """The intermediate code, its names by the order in which they appear."""
    code = print_module(compile_shader(text, filename="a.frag", stage="fragment", sink=DiagnosticSink()))
    numbers: dict[str, int] = {}
    # Names decide nothing; those of members follow a dot.
    code = re.sub(r"\.[A-Za-z_]\w*", ".m", code)
    return re.sub(r"@[A-Za-z_][\w$]*", lambda found: f"@{numbers.setdefault(found[0], len(numbers))}", code)


@pytest.mark.parametrize("why", REFUSED)
def test_refused(why: str) -> None:
    source, new = REFUSED[why]
    text = marked(source)
    with pytest.raises(Refused):
        rename(text.analysis, *text.place, new, text.analyse)


def test_text_that_is_left_out_is_renamed_where_the_name_means_one_thing() -> None:
    text = marked(shader("uniform float «¦u»;", "#ifdef X\n float y = «u»;\n#endif\n gl_FragColor = vec4(«u»);"))
    edits = rename(text.analysis, *text.place, "v", text.analyse)
    assert sorted(text.offsets(edit.range) for edit in edits) == text.marks


def test_a_macro_is_renamed_everywhere() -> None:
    text = marked(shader("#define «K» 2.0", "#ifdef «K»\n gl_FragColor = vec4(«K¦»);\n#endif"))
    edits = rename(text.analysis, *text.place, "L", text.analyse)
    assert sorted(text.offsets(edit.range) for edit in edits) == text.marks


#: What an included file says; whether that keeps `r` from being renamed.
INCLUDED = {
    "float scale(float v) { return v * 2.0; }": False,
    "// r is not the name of anything, nor is /* r */ this": False,
    "uniform float radius; #define FIRST 1.0": False,
    "#define TWICE(x) ((x) + (x))": False,
    "#define FROM_HERE r": True,
    "#if 0\nfloat r;\n#endif": True,
}


@pytest.mark.parametrize("included", INCLUDED)
def test_a_name_is_a_word_of_an_included_file_or_not(included: str, tmp_path: Path) -> None:
    (tmp_path / "part.glsl").write_text(included.replace("; #", ";\n#") + "\n")
    directives = '#extension GL_GOOGLE_include_directive : require\n#include "part.glsl"'
    text = marked(shader(f"{directives}\nuniform float «¦r»;", "gl_FragColor = vec4(«r»);"), str(tmp_path / "a.frag"))
    if INCLUDED[included]:
        with pytest.raises(Refused, match="also stands in a file that is included"):
            rename(text.analysis, *text.place, "q", text.analyse)
    else:
        edits = rename(text.analysis, *text.place, "q", text.analyse)
        assert [text.offsets(edit.range) for edit in edits] == text.marks
