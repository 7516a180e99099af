"""Operators and assignment: which operand types they take (GLSL ES 1.00 sections 5.1 and 5.8 to 5.9)."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.check.support import check_body

GLOBALS = """
struct S { float x; vec2 y; };
struct A { float e[2]; };
uniform sampler2D t;
uniform float f; uniform int i; uniform bool b;
uniform vec2 v2; uniform vec3 v3; uniform ivec2 i2; uniform bvec2 b2;
uniform mat2 m2; uniform mat3 m3; uniform S s; uniform A a; uniform float arr[3];
"""

#: Expression -> the type it has.
RESULTS = {
    "f + f": "float",
    "i - i": "int",
    "f * v3": "vec3",
    "v3 / f": "vec3",
    "v3 * v3": "vec3",
    "i2 + i": "ivec2",
    "m3 * v3": "vec3",
    "v3 * m3": "vec3",
    "m3 * m3": "mat3",
    "m3 + m3": "mat3",
    "m3 / m3": "mat3",
    "m3 - f": "mat3",
    "f / m2": "mat2",
    "-m3": "mat3",
    "+i2": "ivec2",
    "!b": "bool",
    "f < f": "bool",
    "i >= i": "bool",
    "v3 == v3": "bool",
    "b2 != b2": "bool",
    "m2 == m2": "bool",
    "s == s": "bool",
    "b && b || b ^^ b": "bool",
    "b ? v2 : v2": "vec2",
    "b ? s : s": "S",
    "f, i": "int",
    "v3.zy": "vec2",
    "v3.rgbr": "vec4",
    "v2.s": "float",
    "m3[1]": "vec3",
    "m3[1][2]": "float",
    "m3[1].xy": "vec2",
    "arr[i]": "float",
    "s.y": "vec2",
    "s.y.x": "float",
    "a.e[1]": "float",
}


@pytest.mark.parametrize(("expression", "type_"), RESULTS.items())
def test_result_type(expression: str, type_: str) -> None:
    assert check_body(f"{type_} r = ({expression});", globals_=GLOBALS).errors == []


@pytest.mark.parametrize(
    "expression",
    [
        *(
            "f + i",
            "i * f",
            "v2 + v3",
            "v2 * i2",
            "i * v2",
            "m2 * m3",
            "m2 * v3",
            "v3 * m2",
            "b + b",
            "b2 * b2",
            "m2 + v2",
        ),
        *("v2 < v2", "b < b", "f < i", "f == i", "v2 == v3", "i2 == v2", "s == f"),
        *("i && b", "b2 && b2", "b || f", "f ^^ f", "s + s", "arr + arr", "t + t", "(t, f)", "(f, t)", "(arr, f)"),
    ],
)
def test_operands_do_not_fit(expression: str) -> None:
    assert check_body(f"{expression};", globals_=GLOBALS).error_codes == ["E0402"]


@pytest.mark.parametrize("expression", ["!i", "!b2", "-b", "+s", "-arr", "-t", "!f"])
def test_unary_operand_does_not_fit(expression: str) -> None:
    assert check_body(f"{expression};", globals_=GLOBALS).error_codes == ["E0403"]


@pytest.mark.parametrize("expression", ["arr == arr", "a == a", "a != a", "t == t"])
def test_not_comparable(expression: str) -> None:
    assert check_body(f"{expression};", globals_=GLOBALS).error_codes == ["E0404"]


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("b ? f : i", "E0405"),
        ("b ? v2 : v3", "E0405"),
        ("i ? f : f", "E0401"),
        ("b2 ? f : f", "E0401"),
        ("b ? arr : arr", "E0406"),
        ("b ? a : a", "E0406"),
        ("b ? t : t", "E0406"),
    ],
)
def test_selection(expression: str, code: str) -> None:
    assert check_body(f"{expression};", globals_=GLOBALS).error_codes == [code]


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("f.x", "E0420"),
        ("m2.x", "E0420"),
        ("arr.length", "E0420"),
        ("s.z", "E0421"),
        ("v2.z", "E0422"),
        ("v3.xg", "E0422"),
        ("v2.xyxyx", "E0422"),
        ("v2.foo", "E0422"),
        ("f[0]", "E0423"),
        ("s[0]", "E0423"),
        ("v2[f]", "E0424"),
        ("v2[b]", "E0424"),
        ("v2[2]", "E0425"),
        ("v2[-1]", "E0425"),
        ("m3[3]", "E0425"),
        ("m3[0][3]", "E0425"),
        ("arr[3]", "E0425"),
        ("arr[1 + 2]", "E0425"),
    ],
)
def test_fields_and_indices(expression: str, code: str) -> None:
    assert check_body(f"{expression};", globals_=GLOBALS).error_codes == [code]


@pytest.mark.parametrize(
    "statement",
    [
        *("l += l;", "l *= 2.0;", "w *= 2.0;", "w += w;", "w *= n;", "n *= n;", "k -= 1;", "c.x = 1.0;", "c.y.x = l;"),
        *("w.xz = v2;", "w[1] = l;", "n[1][2] = l;", "n[0].xy = v2;", "l++;", "--w;", "n++;", "k++;", "e[i] = l;"),
        *("w.x++;", "l = k2 = 2.0;", "c = s;", "gl_FragColor.rgb = w;", "gl_FragData[0] = vec4(0.0);"),
    ],
)
def test_assignable(statement: str) -> None:
    locals_ = "float l, k2; vec3 w; mat3 n; int k; S c; float e[2];"
    assert check_body(locals_ + statement, globals_=GLOBALS).errors == []


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("f = 1.0;", "E0410"),
        ("s.x = 1.0;", "E0410"),
        ("v3.x = 1.0;", "E0410"),
        ("v3[1]++;", "E0410"),
        ("varied = 1.0;", "E0410"),
        ("constant = 1.0;", "E0410"),
        ("gl_FragCoord.x = 1.0;", "E0410"),
        ("gl_FrontFacing = true;", "E0410"),
        ("gl_MaxDrawBuffers = 3;", "E0410"),
        ("1.0 = 2.0;", "E0410"),
        ("l + l = 2.0;", "E0410"),
        ("sin(l)++;", "E0410"),
        ("l++ = 1.0;", "E0410"),
        ("(b ? l : l) = 1.0;", "E0410"),
        ("w.xx = v2;", "E0411"),
        ("w.xyx += v3;", "E0411"),
        ("l = 1;", "E0401"),
        ("l = v2;", "E0401"),
        ("k = 1.0;", "E0401"),
        ("w.xy = v3;", "E0401"),
        ("e = e;", "E0412"),
        ("ca = a;", "E0412"),
        ("t = t;", "E0412"),
        ("l *= v3;", "E0402"),
        ("n *= v3;", "E0402"),
        ("k += 1.0;", "E0402"),
        ("b ++;", "E0403"),
        ("gl_FragColor = vec4(0.0); gl_FragData[0] = vec4(0.0);", "E0413"),
    ],
)
def test_not_assignable(statement: str, code: str) -> None:
    locals_ = "float l; vec3 w; mat3 n; int k; A ca; float e[2];"
    globals_ = GLOBALS + "varying float varied; const float constant = 1.0;"
    assert check_body(locals_ + statement, globals_=globals_).error_codes == [code]


#: Swizzles of a vec4, and swizzles or an index of these that are long enough for them.
TARGETS = [
    (first, second)
    for first in ("zy", "xx", "zyx", "xyx", "wzyx", "xyzx")
    for second in ("", ".x", ".xy", ".xx", ".yx", ".xyx", ".zyx", "[0]", "[1]")
    if "z" not in second or len(first) > 2
]


@pytest.mark.parametrize(("first", "second"), TARGETS)
@pytest.mark.parametrize("change", ["{0}++;", "--{0};", "{0} = {0};", "{0} += {0};", "set({0});"])
def test_no_swizzle_of_a_target_repeats_a_component(first: str, second: str, change: str) -> None:
    components = [first, second[1:]] if second.startswith(".") else [first]
    type_ = "float" if second.startswith("[") else ("", "float", "vec2", "vec3", "vec4")[len(components[-1])]
    repeats = any(len(set(each)) < len(each) for each in components)
    body = f"vec4 v = vec4(1.0); {change.format(f'v.{first}{second}')}"
    assert check_body(body, globals_=f"void set(inout {type_} x) {{ }}\n").error_codes == ["E0411"] * repeats


def test_parentheses_do_not_matter_for_assignment() -> None:
    assert check_body("float l; (l) = 1.0;").errors == []


def test_swizzle_of_a_repeated_component_can_be_read() -> None:
    assert check_body("vec3 v = vec2(1.0).xyx;").errors == []
