"""Arrays that are declared without a size, alone and in interface blocks (GLSL 1.50 sections 4.1.9 and 4.3.7)."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.types import FLOAT, ArrayType
from tests.frontends.glsl.check.support import check_text


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("float a[]; a[1] = 1.0; a[0] = a[1];", []),
        ("float a[]; a[1] = 1.0; float a[2]; take(a); a[i] = 2.0;", []),
        ("float a[]; float a[]; a[1] = 1.0; float[2] a; a.length();", []),
        ("float[] a; a[0] = 1.0; take(a);", ["E0428"]),
        ("float a[]; a[i] = 1.0;", ["E0428"]),
        ("float a[]; a.length();", ["E0428"]),
        ("float a[]; float b[] = a;", ["E0428"]),
        ("float a[]; float b[2]; b = a;", ["E0428"]),
        ("float a[]; true ? a : a;", ["E0428"]),
        ("float a[]; a, 1;", ["E0428"]),
        ("float a[]; a[2] = 1.0; float a[2];", ["E0425"]),
        ("float a[]; a[-1] = 1.0;", ["E0355"]),
        ("float a[]; int a[2];", ["E0310"]),
        ("const float a[];", ["E0361"]),
        ("float[];", ["E0353"]),
    ],
)
def test_arrays_without_a_size(body: str, codes: list[str]) -> None:
    globals_ = "uniform int i; void take(float a[2]) { }"
    assert check_text(f"#version 120\n{globals_} void main() {{ {body} }}").error_codes == codes
    in_es = f"#version 300 es\nprecision mediump float; {globals_} void main() {{ {body} }}"
    assert check_text(in_es).error_codes != []


def test_an_index_is_beyond_a_later_size() -> None:
    (error,) = check_text("#version 120\nvoid main() { float a[]; a[2] = 1.0; a[1] = 1.0; float a[2]; }").errors
    assert error.message == "index 2 is outside float[2], whose indices are 0 to 1"


@pytest.mark.parametrize(
    ("block", "body", "codes"),
    [
        ("out B { float a[]; float[] b; } x;", "", []),
        ("out B { float a[]; };", "a[2] = 1.0; a[0] = a[2];", []),
        ("uniform B { float a[]; } x[2];", "p = vec4(x[0].a[3] + x[1].a[1]);", []),
        ("uniform B { float a[]; };", "p = vec4(a[3]);", []),
        ("uniform B { float a[]; } x;", "p = vec4(x.a[i]);", ["E0428"]),
        ("uniform B { float a[]; };", "p = vec4(a[i]);", ["E0428"]),
        ("uniform B { float a[]; } x;", "p = vec4(x.a.length());", ["E0428"]),
        ("uniform B { float a[]; } x;", "float y[2] = x.a;", ["E0428"]),
        ("uniform B { float a[]; } x;", "p = vec4(x.a[-1]);", ["E0355"]),
        ("uniform B { float a[]; float a[]; } x;", "p = vec4(x.a[1]);", ["E0352"]),
        ("uniform B { float a[]; }; uniform float a[2];", "", ["E0310"]),
        ("uniform B { float a[]; float b[]; };", "p = vec4(a[40000] + b[40000]);", ["E0357"]),
        ("uniform B { float a[]; } x[2];", "p = vec4(x[1].a[40000]);", ["E0357"]),
    ],
)
def test_members_without_a_size(block: str, body: str, codes: list[str]) -> None:
    text = f"#version 150\n{block}\nin vec4 p_in; vec4 p; uniform int i; void main() {{ {body} gl_Position = p; }}"
    assert check_text(text, "vertex").error_codes == codes


def test_members_without_a_size_in_es() -> None:
    """GLSL ES 3.00 section 4.1.9 has no such arrays."""
    text = "#version 300 es\nuniform B { float a[]; } x; void main() { gl_Position = vec4(x.a[1]); }"
    assert check_text(text, "vertex").error_codes == ["E0353"]


@pytest.mark.parametrize(("instance", "prefix"), [("", ""), ("x", "x.")])
def test_members_have_as_many_elements_as_are_named(instance: str, prefix: str) -> None:
    body = f"gl_Position = vec4({prefix}a[3] + {prefix}a[1]);"
    text = f"#version 150\nuniform B {{ float a[]; float b; float c[]; }} {instance}; void main() {{ {body} }}"
    shader = check_text(text, "vertex").shader
    assert shader is not None
    types = [field.type for field in shader.blocks[0].type.fields]
    assert types == [ArrayType(FLOAT, 4), FLOAT, ArrayType(FLOAT, 1)]
    named = {symbol.name: symbol.type for symbol in shader.globals}
    assert named == ({"x": shader.blocks[0].type} if instance else dict(zip("abc", types, strict=True)))
