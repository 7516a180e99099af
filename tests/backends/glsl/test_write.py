"""Modules as GLSL: each operation means the same in the text, which is what a person would write."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from glslc_multi.backends.glsl.dialects import DIALECTS
from glslc_multi.backends.glsl.write import COSTS, write_module
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module
from tests.backends.operations import OPERATIONS, check_operation


def _written(source: str, version: str, stage: str = "fragment", level: int = 2) -> str:
    module = lower_source(make_source(source, f"a.{stage[:4]}", stage), FrontEndOptions(), DiagnosticSink())
    return write_module(optimise(module, level, costs=COSTS), DIALECTS[version], DiagnosticSink()).text


def _body(text: str) -> list[str]:
    return [line.strip() for line in text.partition("void main() {\n")[2].splitlines()[:-1]]


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("opcode", OPERATIONS, ids=str)
def test_operations_mean_the_same(opcode: Opcode, width: int) -> None:
    def write(module: Module) -> Source:
        return make_source(write_module(module, DIALECTS["330"], DiagnosticSink()).text, "a.vert", "vertex")

    check_operation(opcode, width, write)


_HEAD = "#version 300 es\nprecision highp float;\nprecision highp int;\n"


@pytest.mark.parametrize(
    ("declarations", "statement", "body"),
    [
        # Values that are read once stay where they are; others get a variable.
        ("in vec3 v; uniform float k;", "c = vec4(v * k + v, 1.0);", ["c = vec4(v * k + v, 1.0);"]),
        ("in vec3 v;", "vec3 s = sin(v); c = vec4(s * s, 1.0);", ["vec3 t0 = sin(v);", "c = vec4(t0 * t0, 1.0);"]),
        # Components in a row are one operand, equal ones a scalar.
        ("in vec4 v;", "c = vec4(v.z, v.w, v.x, 1.0);", ["c = vec4(v.zwx, 1.0);"]),
        ("in float v;", "c = vec4(v, v, v, v);", ["c = vec4(v);"]),
        # Groups stay: float sums are not associative.
        ("in vec4 v; in vec4 w;", "c = v - (w - v.wzyx);", ["c = v - (w - v.wzyx);"]),
        # Matrices are whole again.
        ("in vec4 v; uniform mat4 m[2];", "c = m[1] * v;", ["c = m[1] * v;"]),
        (
            "in vec3 v; uniform mat4 m;",
            "c = vec4(mat3(m) * v, 1.0);",
            ["c = vec4(mat3(m) * v, 1.0);"],
        ),
        # Loops count to what they do not change.
        (
            "uniform int n; in vec4 v;",
            "c = v; for (int i = 0; i < n; i++) c += sin(c);",
            ["vec4 p0 = v;", "for (int i0 = 0; i0 < n; i0++) {", "p0 = p0 + sin(p0);", "}", "c = p0;"],
        ),
        (
            "uniform vec3 k[2]; in vec4 v;",
            "c = v; for (float f = v.x; k[1].y > f; f += k[0].z) c *= f;",
            [
                *("vec4 p0 = v;", "for (float i0 = v.x; i0 < k[1].y; i0 += k[0].z) {", "p0 = p0 * i0;", "}"),
                "c = p0;",
            ],
        ),
        # Zeros do not take them apart.
        ("in vec3 v; uniform mat4 m;", "c = m * vec4(v.xy, 0.0, 1.0);", ["c = m * vec4(v.xy, 0.0, 1.0);"]),
        ("in vec3 v; uniform mat4 m;", "c = m * vec4(v, 0.0);", ["c = m * vec4(v, 0.0);"]),
        # What readers look through is computed once.
        (
            "in vec4 v; in float x;",
            "c = vec4(vec3(exp(x)), sin(x));",
            ["float t0 = exp(x);", "c = vec4(t0, t0, t0, sin(x));"],
        ),
        # Lookups stay in the arms that want them.
        (
            "in vec2 v; uniform sampler2D t;",
            "c = vec4(v, v); if (v.x > 0.5) { c = texture(t, v); }",
            ["vec4 p0 = v.xyxy;", "if (v.x > 0.5) {", "p0 = texture(t, v);", "}", "c = p0;"],
        ),
        ("in vec4 v;", "if (v.x > 0.5) discard; c = v;", ["if (v.x > 0.5) discard;", "c = v;"]),
        ("flat in uint v;", "c = vec4(float(v / 3u));", ["c = vec4(float(int(v / 3u)));"]),
        ("struct L { vec4 a[2]; }; uniform L l[3];", "c = l[2].a[1];", ["c = l[2].a[1];"]),
        ("uniform B { vec4 a; } b;", "c = b.a;", ["c = b_.a;"]),
    ],
)
def test_what_a_person_would_write(declarations: str, statement: str, body: list[str]) -> None:
    source = f"{_HEAD}{declarations} out vec4 c; void main() {{ {statement} }}"
    assert _body(_written(source, "300es")) == body


_LOOP = """precision highp float; varying vec4 v; uniform int n;
void main() {
    vec4 s = v;
    for (int i = 0; i < 50; i++) { if (i >= n) break; s = s.yzwx * v; }
    gl_FragColor = s;
}"""


def test_loops_that_count_are_those_of_appendix_a() -> None:
    body = _body(_written(_LOOP, "100"))
    assert body[-5:] == [
        "for (int i0 = 0; i0 < 50; i0++) {",
        "if (n <= i0) break;",
        "p0 = p0.yzwx * v;",
        "}",
        "gl_FragColor = p0;",
    ]


_SWAPS = """precision highp float; varying vec4 v; uniform int n;
void main() {
    vec4 s = v, t = v.wzyx;
    for (int i = 0; i < 50; i++) { if (i >= n) break; vec4 o = s; s = t; t = o + 0.5; }
    gl_FragColor = s + t * 0.5;
}"""


def test_values_that_change_places_keep_their_old_ones() -> None:
    """Phis get their values as if all at once."""
    text = _written(_SWAPS, "100")
    assert "old0" in text
    module, again = (
        lower_source(make_source(source, "a.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
        for source in (_SWAPS, text)
    )
    inputs = {"v": np.random.default_rng(1).uniform(0, 1, (4, 4)).astype("f4")}
    for count in (0, 1, 2, 7):
        wanted, left = (
            run_module(clone_module(each), inputs, {"n": count}, {}, lanes=4)["gl_FragColor"]
            for each in (module, again)
        )
        np.testing.assert_array_equal(left, wanted)


@pytest.mark.parametrize(
    ("version", "declarations", "lookup"),
    [
        ("100", "varying highp vec2 v;", "texture2D(s, v)"),
        ("300es", "in highp vec2 v;", "texture(s, v)"),
        ("120", "varying vec2 v;", "texture2D(s, v)"),
        ("330", "in vec2 v;", "texture(s, v)"),
    ],
)
def test_versions_have_their_own_words(version: str, declarations: str, lookup: str) -> None:
    source = (
        "precision highp float; uniform sampler2D s; varying vec2 v; void main() { gl_FragColor = texture2D(s, v); }"
    )
    text = _written(source, version)
    assert text.startswith(f"#version {DIALECTS[version].version}\n")
    assert declarations in text and lookup in text
    assert ("gl_FragColor" in text) == (version in ("100", "120"))
    assert ("precision" in text) == DIALECTS[version].is_es


@pytest.mark.parametrize(
    ("version", "source", "construct"),
    [
        ("100", f"{_HEAD}flat in int v; out vec4 c; void main() {{ c = vec4(float(v & 6)); }}", "'iand'"),
        ("120", f"{_HEAD}uniform B {{ vec4 a; }}; out vec4 c; void main() {{ c = a; }}", "a uniform block"),
        ("100", f"{_HEAD}uniform sampler2D s; out vec4 c; void main() {{ c = texelFetch(s, ivec2(0), 0); }}", "lookup"),
        ("100", f"{_HEAD}flat in float v; out vec4 c; void main() {{ c = vec4(v); }}", "'flat'"),
    ],
)
def test_what_a_version_cannot_say_is_refused(version: str, source: str, construct: str) -> None:
    with pytest.raises(CompileError) as caught:
        _written(source, version)
    assert {d.code for d in caught.value.diagnostics} == {"E0702"}
    assert any(construct in d.message and d.span is not None for d in caught.value.diagnostics)


def test_deep_nests_need_no_recursion() -> None:
    depth = 120
    nest = "if (v.x > s.x) { s = sin(s) * v + v.x;" * depth + "}" * depth
    source = f"precision highp float; varying vec4 v; void main() {{ vec4 s = v; {nest} gl_FragColor = s; }}"
    module = lower_source(make_source(source, "a.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(len(inspect.stack()) + 100)
        text = write_module(module, DIALECTS["100"], DiagnosticSink()).text
    finally:
        sys.setrecursionlimit(limit)
    assert text.count("if (") == depth


@pytest.mark.parametrize("version", DIALECTS)
def test_a_reference_compiler_accepts_the_text(version: str, tmp_path: Path) -> None:
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        pytest.skip("glslangValidator is not installed")
    (tmp_path / "a.frag").write_text(_written(_LOOP, version))
    subprocess.run([compiler, str(tmp_path / "a.frag")], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("loop", "heads"),
    [
        ("int k = n; for (int i = 0; i < k; i++) { c += sin(c); k -= int(c.x); }", ["while"]),
        ("int k = n; for (int i = 0; i < 9; i += k) { c += sin(c); k -= int(c.x); }", ["while"]),
        ("for (int k = n; k > 0; k--) for (int i = k; i < k + n; i += k) c += sin(c);", ["for", "for"]),
    ],
)
def test_loops_count_where_nothing_changes_their_ends(loop: str, heads: list[str]) -> None:
    source = f"{_HEAD}uniform int n; in vec4 v; out vec4 c; void main() {{ c = v; {loop} }}"
    words = [line.split()[0] for line in _body(_written(source, "300es"))]
    assert [word for word in words if word in ("for", "while")] == heads
    # GLSL ES 1.00 promises constant ones alone.
    words = [line.split()[0] for line in _body(_written(source, "100"))]
    assert "for" not in words and "while" in words


def test_centroids() -> None:
    source = f"{_HEAD}centroid in vec4 v; in vec4 w; out vec4 c; void main() {{ c = v + w; }}"
    assert "centroid in highp vec4 v;" in _written(source, "300es")
    assert "centroid in vec4 v;" in _written(source, "330")
    assert "centroid varying vec4 v;" in _written(source, "120")
    with pytest.raises(CompileError, match="GLSL 100 cannot express 'centroid' of 'v'"):
        _written(source, "100")


def test_structures_have_no_precision() -> None:
    structures = "struct I { mediump vec4 c; }; struct S { mediump vec4 a; I b[2]; }; struct V { mediump vec3 a; };"
    body = "void main() { c = val.a + val.b[1].c + vec4(v.a, w[1].a.x); }"
    text = _written(f"{_HEAD}{structures} uniform S val; in V v; uniform V w[2]; out vec4 c; {body}", "300es")
    for line in ("    mediump vec4 a;", "    I b[2];", "uniform S val;", "in V v;", "uniform V w[2];"):
        assert line in text.splitlines()


def test_no_name_is_taken_twice() -> None:
    """Variables of the shader may have the names that are given to values."""
    body = "void main() { vec4 s = sin(t0); gl_FragColor = s * s + p0; }"
    source = f"precision highp float; varying vec4 t0; uniform vec4 p0; {body}"
    names = re.findall(r"vec4 (\w+)", _written(source, "100"))
    assert len(names) == len(set(names)) == 3


def test_invariance_is_kept() -> None:
    source = "#version 120\ninvariant gl_Position; invariant varying vec4 c; attribute vec4 p;"
    text = _written(f"{source} void main() {{ gl_Position = p; c = p; }}", "120", "vertex")
    assert "invariant gl_Position;" in text and "invariant varying vec4 c;" in text
    assert "invariant" not in _written(_LOOP, "100")


def test_initial_values_of_uniforms() -> None:
    array = "uniform vec2 a[2] = vec2[2](vec2(1.0, 0.0), vec2(2.0, 3.0));"
    uniforms = f"uniform float k = 2.0; {array} uniform mat2 m = mat2(1.0);"
    source = f"#version 120\n{uniforms} void main() {{ gl_FragColor = vec4(a[1] * k, m[0]); }}"
    text = _written(source, "330")
    assert "uniform float k = 2.0;" in text
    assert "uniform vec2 a[2] = vec2[2](vec2(1.0, 0.0), vec2(2.0, 3.0));" in text
    assert "uniform mat2 m = mat2(1.0, 0.0, 0.0, 1.0);" in text
    with pytest.raises(CompileError, match="the initial value of 'k'"):
        _written(source, "100")


def test_depths_have_the_name_of_the_version() -> None:
    source = "#extension GL_EXT_frag_depth : require\nprecision mediump float; varying vec4 c;"
    body = "void main() { gl_FragDepthEXT = c.x; gl_FragColor = c; }"
    assert "gl_FragDepthEXT = c.x;" in _written(f"{source} {body}", "100")
    assert "gl_FragDepth = c.x;" in _written(f"{source} {body}", "300es")


def test_several_colours() -> None:
    outputs = "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;"
    source = f"{_HEAD}{outputs} in vec4 v; void main() {{ a = v; b = v * v; }}"
    assert _body(_written(source, "100")) == ["gl_FragData[0] = v;", "gl_FragData[1] = v * v;"]
    draw_buffers = "#extension GL_EXT_draw_buffers : require"
    assert draw_buffers in _written(source, "100")
    body = "void main() { gl_FragData[0] = v; gl_FragData[1] = v * v; }"
    old = f"{draw_buffers}\nprecision highp float; varying vec4 v; {body}"
    assert _body(_written(old, "300es")) == ["fragColors[0] = v;", "fragColors[1] = v * v;"]
    taken = _written("precision highp float; varying vec4 fragColor; void main() { gl_FragColor = fragColor; }", "330")
    assert _body(taken) == ["fragColor_ = fragColor;"]


def test_global_arrays_are_declared_in_main() -> None:
    source = f"{_HEAD}float a[3] = float[](1.0, 2.0, 4.0); flat in int i; out vec4 c; void main() {{ c = vec4(a[i]); }}"
    assert re.fullmatch(r"float (\w+)\[3\];", _body(_written(source, "300es"))[0])


def test_unsigned_elements_that_are_read_twice() -> None:
    body = "void main() { c = vec4(float(a[i] / 3u), float(a[i]), 0.0, 1.0); }"
    source = f"{_HEAD}uniform uint a[3]; flat in int i; out vec4 c; {body}"
    assert "a[i] / 3u" in _written(source, "300es")


def test_parts_of_matrices_are_columns_in_es_100() -> None:
    source = "precision highp float; varying vec3 v; uniform mat4 m; void main() { gl_FragColor = vec4(M * v, 1.0); }"
    part = source.replace("M", "mat3(m[0].xyz, m[1].xyz, m[2].xyz)")
    assert _body(_written(part, "100")) == ["gl_FragColor = vec4(mat3(m[0].xyz, m[1].xyz, m[2].xyz) * v, 1.0);"]
    # In another order, it is no part.
    turned = source.replace("M", "mat3(m[1].xyz, m[0].xyz, m[2].xyz)")
    assert _body(_written(turned, "330")) == ["fragColor = vec4(mat3(m[1].xyz, m[0].xyz, m[2].xyz) * v, 1.0);"]
