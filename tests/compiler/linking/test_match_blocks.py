"""Linking by the rules of GLSL ES 3.00 and desktop GLSL: interpolation, uniform blocks, blocks between stages."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError
from tests.compiler.linking.test_match import errors_of, link

ES = "#version 300 es\nprecision highp float;\n"
DESKTOP = "#version 150\n"


def _pair(head: str, of_vertex: str, of_fragment: str, value: str = "1.0") -> tuple[str, str]:
    vertex = f"{head}{of_vertex}\nvoid main() {{ gl_Position = vec4(1.0); }}\n"
    return vertex, f"{head}{of_fragment}\nout vec4 colour;\nvoid main() {{ colour = vec4({value}); }}\n"


@pytest.mark.parametrize(("of_vertex", "of_fragment"), [("es3", "es1"), ("es1", "es3"), ("es3", "es3"), ("es1", "es1")])
def test_shaders_of_es_3_link_with_each_other_alone(of_vertex: str, of_fragment: str) -> None:
    """GLSL ES 3.00 section 3.4."""
    vertex = "void main() { gl_Position = vec4(1.0); }"
    fragments = {
        "es1": "void main() { gl_FragColor = vec4(1.0); }",
        "es3": f"{ES}out vec4 c; void main() {{ c = vec4(1.0); }}",
    }
    pair = (ES if of_vertex == "es3" else "") + vertex, fragments[of_fragment]
    if of_vertex == of_fragment:
        link(*pair)
    else:
        with pytest.raises(CompileError) as caught:
            link(*pair)
        assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0524"]


@pytest.mark.parametrize(
    ("head", "of_vertex", "of_fragment", "value"),
    [
        (ES, "smooth out float a;", "in float a;", "a"),
        (ES, "centroid out float a;", "in float a;", "a"),
        (ES, "invariant out float a;", "in float a;", "a"),
        (ES, "uniform B { float a; };", "uniform B { float a; };", "a"),
        (ES, "uniform B { float a; } b;", "uniform B { float a; } other;", "other.a"),
        (ES, "layout(std140) uniform B { mat2 a; };", "layout(std140, column_major) uniform B { mat2 a; };", "a[0].x"),
        (DESKTOP, "out B { float a; flat int c; };", "in B { float a; flat int c; } b;", "b.a"),
    ],
)
def test_stages_that_agree(head: str, of_vertex: str, of_fragment: str, value: str) -> None:
    link(*_pair(head, of_vertex, of_fragment, value))


@pytest.mark.parametrize(
    ("head", "of_vertex", "of_fragment", "code"),
    [
        (ES, "flat out float a;", "in float a;", "E0520"),
        (DESKTOP, "centroid out float a;", "in float a;", "E0520"),
        (DESKTOP, "noperspective out float a;", "in float a;", "E0520"),
        (DESKTOP, "out B { flat float a; };", "in B { float a; };", "E0520"),
        (DESKTOP, "out B { float a; };", "in B { vec2 a; };", "E0502"),
        (DESKTOP, "out B { float a; } b[2];", "in B { float a; } b[3];", "E0502"),
        (ES, "uniform B { float a; };", "uniform B { vec2 a; };", "E0521"),
        (ES, "uniform B { float a; };", "uniform B { float a; float b; };", "E0521"),
        (ES, "uniform B { float a; } b;", "uniform B { float a; };", "E0521"),
        (ES, "uniform B { float a; } b[2];", "uniform B { float a; } b[3];", "E0521"),
        (ES, "layout(std140) uniform B { float a; };", "uniform B { float a; };", "E0521"),
        (ES, "layout(row_major) uniform B { vec4 a; };", "uniform B { vec4 a; };", "E0521"),
        (ES, "uniform B { float a; };", "uniform C { float a; };", "E0522"),
        (ES, "uniform float a;", "uniform B { float a; };", "E0522"),
        (ES, "uniform float a;", "uniform mediump float a;", "E0506"),
    ],
)
def test_stages_that_do_not_agree(head: str, of_vertex: str, of_fragment: str, code: str) -> None:
    assert any(f"[{code}]" in text for text in errors_of(*_pair(head, of_vertex, of_fragment)))


@pytest.mark.parametrize(
    ("of_vertex", "of_fragment", "message"),
    [
        ("out B { float a; };", "in B { vec2 a; };", "'B.a' is vec2 here but float in the vertex stage"),
        ("out B { float a[2]; };", "in B { float a[3]; };", "'B.a' is float[3] here but float[2] in the vertex stage"),
        ("out B { float a; };", "in B { float b; };", "'B' is B with 'b' here but B with 'a' in the vertex stage"),
        ("out B { float a; float b; };", "in B { float a; };", "'B' is B here but B with 'b' in the vertex stage"),
        ("uniform float a;", "uniform vec2 a;", "'a' is vec2 here but float in the vertex stage"),
    ],
)
def test_the_member_that_differs_is_named(of_vertex: str, of_fragment: str, message: str) -> None:
    use = " = vec4(a)" if "uniform" in of_vertex else ""
    vertex, fragment = _pair(DESKTOP, of_vertex, of_fragment, "a.x" if use else "1.0")
    assert message in errors_of(vertex.replace(" = vec4(1.0)", use or " = vec4(1.0)"), fragment)[0]


_LIT = "struct L { %s vec4 c; };"
_DIFFERENT = {
    "members": ("uniform B { highp float a; };", "uniform B { mediump float a; };", "a"),
    "a default": ("precision mediump float; uniform B { float a; };", "uniform B { float a; };", "a"),
    "an instance": ("uniform B { highp float a; } b;", "uniform B { lowp float a; } other;", "{}.a"),
    "instances": ("uniform B { highp float a; } b[2];", "uniform B { lowp float a; } b[2];", "b[1].a"),
    "ints": ("uniform B { highp int a; };", "uniform B { lowp int a; };", "a"),
    "matrices": ("uniform B { highp mat2 a[2]; };", "uniform B { mediump mat2 a[2]; };", "a[1][0].x"),
    "structures": (
        f"{_LIT % 'highp'} uniform B {{ L l[2]; }};",
        f"{_LIT % 'mediump'} uniform B {{ L l[2]; }};",
        "l[1].c.x",
    ),
}


@pytest.mark.parametrize("case", _DIFFERENT)
def test_precisions_of_members_of_blocks_may_differ(case: str) -> None:
    """GLSL ES 3.20 section 9.2.1: "no" for uniform blocks, "yes" for default uniforms."""
    of_vertex, of_fragment, value = _DIFFERENT[case]
    vertex, fragment = _pair(ES, of_vertex, of_fragment, f"float({value.format('other')})")
    link(vertex.replace("vec4(1.0)", f"vec4(float({value.format('b')}))"), fragment)


@pytest.mark.parametrize("declaration", ["%s float a;", f"{_LIT} uniform L l;"])
def test_precisions_of_plain_uniforms_must_agree_beside_a_block(declaration: str) -> None:
    head = "uniform B { highp float a0; };\n" + declaration.replace("%s float", "uniform %s float")
    value = "l.c.x" if "L" in declaration else "a"
    vertex, fragment = _pair(ES, head % "highp", head % "mediump", f"{value} + a0")
    message = errors_of(vertex.replace("vec4(1.0)", f"vec4({value} + a0)"), fragment)[0]
    assert message.endswith("has precision mediump here but highp in the vertex stage [E0506]")


def test_members_without_a_size_have_as_many_elements_as_their_stage_names() -> None:
    """GLSL 1.50 section 4.1.9; the sizes agree as written ones do."""
    vertex, fragment = _pair(DESKTOP, "out B { float a[]; } b;", "in B { float a[]; };", "a[1]")
    link(vertex.replace("{ gl_P", "{ b.a[0] = b.a[1] = 1.0; gl_P"), fragment)
    message = errors_of(vertex.replace("{ gl_P", "{ b.a[2] = 1.0; gl_P"), fragment)[0]
    assert "'B.a' is float[2] here but float[3] in the vertex stage" in message


def test_what_is_missing_is_spelled_in_the_words_of_the_version() -> None:
    assert errors_of(*_pair(ES, "", "in vec2 uv;", "uv.x"))[1] == "help: declare 'out vec2 uv;' in the vertex shader"
