"""Shaders in another version: what changes, what stays, and that the meaning is the same."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.frontends.glsl.frontend import check_tokens
from glslc_multi.frontends.glsl.porting import mend, port
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import compile_shader
from tests.shared_data import shared_path

OLD = """\
// Comment before.
#version 100  // ES
#extension GL_OES_standard_derivatives : enable // for fwidth
#ifdef GL_OES_standard_derivatives
#define EDGE(x) fwidth(x) /* width */
#endif
precision mediump float;
uniform sampler2D s, t;\tuniform samplerCube c;
varying vec2 uv;   // where
#define LOOK(p) \\
    texture2D(s, p)
void main() {
    gl_FragColor = LOOK(uv) * EDGE(uv.x) + textureCube(c, vec3(uv, 1.0)) + texture2DProj(t, vec3(uv, 1.0));
}
"""
NEW = """\
#version 300 es  // ES
// Comment before.
 // for fwidth
#if 1
#define EDGE(x) fwidth(x) /* width */
#endif
precision mediump float;
out mediump vec4 fragColor;
uniform sampler2D s, t;\tuniform samplerCube c;
in vec2 uv;   // where
#define LOOK(p) \\
    texture(s, p)
void main() {
    fragColor = LOOK(uv) * EDGE(uv.x) + texture(c, vec3(uv, 1.0)) + textureProj(t, vec3(uv, 1.0));
}
"""


def ported(source: str, to: str, stage: Stage = "fragment", std: str = "") -> str:
    sink = DiagnosticSink()
    file = SourceFile("a.glsl", source)
    shader = preprocess(file, stage=stage, std=std, sink=sink)
    result = port(file, shader, check_tokens(shader, stage=stage, sink=sink), to, sink)
    sink = DiagnosticSink()
    check_tokens(preprocess(SourceFile("b.glsl", result), stage=stage, sink=sink), stage=stage, sink=sink)
    return result


def test_everything_between_the_words_stays() -> None:
    assert ported(OLD, "300es") == NEW
    assert ported(OLD.replace("\n", "\r\n"), "300es") == NEW.replace("\n", "\r\n")


def test_the_way_back() -> None:
    back = ported(NEW, "100")
    assert "varying vec2 uv;   // where" in back
    assert "gl_FragColor = LOOK(uv)" in back
    assert back.startswith(
        "#version 100  // ES\n#extension GL_OES_standard_derivatives : require\n// Comment before.\n"
    )
    assert "texture2D(s, p)" in back
    assert "textureCube(c, vec3(uv, 1.0)) + texture2DProj(t, vec3(uv, 1.0))" in back


def test_vertex_shaders() -> None:
    old = "attribute vec4 p;\ninvariant varying vec2 t;\nvoid main() { t = p.xy; gl_Position = p; }\n"
    new = "#version 300 es\nin vec4 p;\ninvariant out vec2 t;\nvoid main() { t = p.xy; gl_Position = p; }\n"
    assert ported(old, "300es", "vertex") == new
    assert ported(new, "100", "vertex") == f"#version 100\n{old}"


def test_locations_go() -> None:
    main = "void main() { t = p.xy; gl_Position = p; }\n"
    new = f"#version 300 es\nlayout(location = 2) in vec4 p;\nsmooth out vec2 t;\n{main}"
    old = f"#version 100\nattribute vec4 p;\nvarying vec2 t;\n{main}"
    assert ported(new, "100", "vertex") == old


def test_several_outputs() -> None:
    head = "precision mediump float;\n"
    new = (
        f"#version 300 es\n{head}layout(location = 1) out vec4 b;\nlayout(location = 0) out vec4 a;\n"
        "void main() { a = vec4(0.0); b = vec4(1.0); }\n"
    )
    old = (
        f"#version 100\n#extension GL_EXT_draw_buffers : require\n{head}"
        "void main() { gl_FragData[0] = vec4(0.0); gl_FragData[1] = vec4(1.0); }\n"
    )
    assert ported(new, "100") == old
    again = ported(old, "300es")
    assert "layout(location = 0) out mediump vec4 fragData[2];\n" in again
    assert "fragData[0] = vec4(0.0); fragData[1] = vec4(1.0);" in again


def test_names_that_the_version_keeps_for_itself() -> None:
    old = (
        "precision mediump float;\nuniform sampler2D texture;\nvarying vec2 sample;\n"
        "float round(float x) { return x; }\n"
        "void main() { vec4 fragColor = texture2D(texture, sample); gl_FragColor = fragColor * round(1.0); }\n"
    )
    sink = DiagnosticSink()
    file = SourceFile("a.frag", old)
    shader = preprocess(file, sink=sink)
    result = port(file, shader, check_tokens(shader, stage="fragment", sink=sink), "300es", sink)
    assert "vec4 fragColor = texture(texture0, sample0); fragColor0 = fragColor * round0(1.0);" in result
    assert [d.message.split(", ")[0] for d in sink.diagnostics] == [
        "'round' is 'round0' in the result",
        "'sample' is 'sample0' in the result",
        "'texture' is 'texture0' in the result",
    ]
    assert [(d.span.line, d.span.column) for d in sink.diagnostics if d.span is not None] == [(4, 7), (3, 14), (2, 19)]


def test_desktop_shaders_get_full_precision() -> None:
    source = "#version 330\nin vec2 uv;\nout vec4 colour;\nvoid main() { colour = vec4(uv, 0.0f, 1.0); }\n"
    assert ported(source, "300es").startswith(
        "#version 300 es\nprecision highp float;\nprecision highp int;\nin vec2 uv;"
    )
    assert "vec4(uv, 0.0, 1.0)" in ported(source, "100")
    lookup = "uniform sampler2D s;\nout vec4 c;\nvoid main() { c = texture(s, vec2(0.0)); }\n"
    assert ported(f"#version 330\n{lookup}", "300es").endswith(lookup)


def test_what_messages_propose_is_done() -> None:
    text = (
        "#version 300 es\nprecision mediump float;\n#define N 3\n#define TWICE(x) (2 * x)\nuniform int n;\n"
        "out vec4 c;\nvoid main() { float x = 2; x += n * x + N * 1.5 + sqrt(2) + float(TWICE(n)); "
        "if (x > 1) x = n; c = vec4(x); }\n"
    )

    def fixes(file: SourceFile) -> list:  # type: ignore[type-arg]
        sink = DiagnosticSink(max_errors=0)
        try:
            check_tokens(preprocess(file, sink=sink), stage="fragment", sink=sink)
        except CompileError:
            return [fix for diagnostic in sink.diagnostics for fix in diagnostic.fixes]
        return []

    result = mend(SourceFile("a.frag", text), fixes)
    assert "x += float(n) * x + float(N) * 1.5 + sqrt(2.0) + float(TWICE(n)); if (x > 1.0) x = float(n);" in result.text
    assert fixes(result) == []


def test_a_version_stays_what_it_is() -> None:
    assert ported(NEW, "300es") == NEW
    assert ported(OLD, "100") == OLD


@pytest.mark.parametrize("to", ["300es", "100"])
def test_an_output_whose_name_is_taken_is_left_alone(to: str) -> None:
    head = "#version 300 es\nprecision mediump float;\nout vec4 c;\n"
    source = f"{head}vec4 f(vec4 c) {{ return c; }}\nvoid main() {{ c = f(c); }}\n"
    if to == "300es":
        assert ported(source, to) == source
        return
    with pytest.raises(CompileError, match="'out'"):
        ported(source, to)


def _real_shaders() -> list[Path]:
    folder = shared_path("corpus/real")
    return sorted([*folder.glob("*.frag"), *folder.glob("*.vert")])[::6]


def test_shaders_of_real_projects_mean_the_same() -> None:
    """The module of the result is that of the source: to GLSL ES 3.00 and back."""
    for path in _real_shaders():
        stage: Stage = "fragment" if path.suffix == ".frag" else "vertex"
        source = path.read_text(encoding="utf-8")
        back = ported(ported(source, "300es", stage), "100", stage)
        # Names that GLSL ES 3.00 keeps for itself have a digit now.
        module = _module(back, stage)
        for name in set(re.findall(r"\b[A-Za-z_]\w*0\b", back)):
            if not re.search(rf"\b{name}\b", source):
                module = re.sub(rf"\b{name}\b", name[:-1], module)
        assert module == _module(source, stage), path.name


def _module(source: str, stage: Stage) -> str:
    return print_module(compile_shader(source, filename="a", stage=stage, sink=DiagnosticSink()))


_JUNK = """
    in out layout ( ) precision texture sampler2D , ; [ gl_FragData invariant varying define #define #extension
""".split()


@pytest.mark.parametrize(
    ("to", "head", "main"),
    [
        ("300es", "", "void main() { gl_FragColor = vec4(1.0); }"),
        ("100", "#version 300 es\n", "out vec4 c; void main() { c = vec4(1.0); }"),
    ],
)
def test_groups_that_are_skipped_may_hold_any_text(to: str, head: str, main: str) -> None:
    """Whatever stands where no compiler looks, nothing of it ends in a traceback."""
    for seed in range(200):
        random = Random(seed)
        junk = " ".join(random.choices([*_JUNK, "\n"], k=random.randrange(9)))
        group = f"#if 0\n{junk}\n#endif"
        assert ported(f"{head}{group}\nprecision mediump float;\n{main}\n{group}", to).startswith("#version")
