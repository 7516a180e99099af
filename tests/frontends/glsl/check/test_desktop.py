"""The common subset of desktop GLSL 1.10 and 1.20: int becomes float, no precision is needed."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.ast import ImplicitConversion, VariableDeclaration
from tests.frontends.glsl.check.support import check_text

GLOBALS = """#version 120
uniform int i; uniform ivec2 i2; uniform float f; uniform vec2 v2;
float one(float x) { return x; }
float either(float x) { return x; }
float either(vec2 x) { return x.x; }
void put(out float x) { x = 1; }
float zero() { return 0; }
"""


@pytest.mark.parametrize(
    "text",
    [
        "float x = 1;",
        "float x; x = i;",
        "vec2 x = i2;",
        "float x = f + i;",
        "vec2 x = v2 * i;",
        "vec2 x = v2; x *= i2;",
        "float x = f; x += 1;",
        "bool b = f < i;",
        "bool b = v2 == i2;",
        "float x = true ? 1 : 2.0;",
        "one(i);",
        "either(i2);",
        "sin(1);",
        "max(f, 1);",
        "struct S { float x; }; S s = S(1);",
        "float x = dFdx(f);",
        "mat2 m = mat2(mat3(1.0));",
    ],
)
def test_int_converts_to_float(text: str) -> None:
    assert check_text(f"{GLOBALS} void main() {{ {text} }}").errors == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("int x = 1.0;", "E0401"),
        ("float x = true;", "E0401"),
        ("int x; x += 1.5;", "E0402"),
        ("vec2 x = i;", "E0401"),
        ("int x; put(x);", "E0431"),
        ("either(true);", "E0432"),
    ],
)
def test_nothing_else_converts(text: str, code: str) -> None:
    assert check_text(f"{GLOBALS} void main() {{ {text} }}").error_codes == [code]


def test_a_conversion_is_a_node_with_the_converted_constant() -> None:
    shader = check_text("#version 120\nconst float x = 3; void main() {}").shader
    assert shader is not None
    declaration = shader.unit.declarations[0]
    assert isinstance(declaration, VariableDeclaration)
    assert isinstance(declaration.declarators[0].initializer, ImplicitConversion)
    assert shader.globals[0].constant == (3.0,)
    assert isinstance(shader.globals[0].constant[0], float)


def test_globals_may_have_any_initializer() -> None:
    assert check_text("#version 110\nuniform float u; float x = u; void main() {}").diagnostics == []
