"""The checker ends on anything the parser accepts: in a tree or in messages, quickly, never in a traceback."""

from __future__ import annotations

import random
import re

import pytest

from tests.frontends.glsl.check.support import HEADER, check_body, check_text
from tests.work import count_calls

SHADER = """
precision mediump float;
struct Light { vec3 position; float power[2]; };
uniform Light lights[2];
uniform sampler2D image;
uniform mat3 turn;
varying vec2 uv;
const int count = 2;
float sum(const float values[2], out int n) { n = count; return values[0] + values[1]; }
void main() {
    int n;
    vec4 colour = texture2D(image, uv) * 2.0;
    for (int i = 0; i < count; i++) {
        colour.rgb += turn * lights[i].position * sum(lights[i].power, n);
        if (n > 1 && colour.a < 0.5 || !gl_FrontFacing) discard;
    }
    gl_FragColor = n == 2 ? colour : vec4(uv, 0.0, 1.0);
}
"""
WORDS = re.findall(r"\w+|[^\w\s]", SHADER)


@pytest.mark.parametrize("seed", range(300))
def test_shuffled_shaders(seed: int) -> None:
    """A word of the shader replaced by another: mostly well-formed, mostly wrong."""
    rng = random.Random(seed)
    places = list(re.finditer(r"\w+|[^\w\s]", SHADER))
    for _ in range(rng.randint(1, 3)):
        place = rng.choice(places)
        source = SHADER[: place.start()] + rng.choice(WORDS) + SHADER[place.end() :]
        result = check_text(source)
        assert all(d.span is not None and d.message for d in result.diagnostics)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("float x = " + "+".join(["u"] * 4000) + ";", ""),
        ("float x = v" + "[0]" * 4000 + ";", "E0423"),
        ("float x = v" + ".xyzw" * 4000 + ".x;", ""),
        ("float x; x" + "++" * 4000 + ";", "E0410"),
        ("float x = " + "sin(" * 200 + "u" + ")" * 200 + ";", ""),
        ("float x = " + "true ? 1.0 : " * 200 + "u;", ""),
        ("{" * 200 + "}" * 200, ""),
        ("if (true);" + "else if (true);" * 4000, ""),
        ("for (int i = 0; i < 2; i++)" * 200 + ";", ""),
    ],
)
def test_long_and_deep_trees(text: str, code: str) -> None:
    result = check_body(text, globals_="uniform float u; uniform vec4 v;")
    assert result.error_codes == ([code] if code else [])


def test_long_chains_of_calls() -> None:
    functions = "".join(f"float f{i}() {{ return f{i - 1}(); }}\n" for i in range(1, 3000))
    result = check_text(f"{HEADER}float f0() {{ return 1.0; }}\n{functions}void main() {{ f2999(); }}")
    assert result.errors == []
    assert result.shader is not None and len(result.shader.functions) == 3001


@pytest.mark.parametrize(
    ("member", "code"),
    [("S{0} a; S{0} b;", "E0357"), ("S{0} a[300];", "E0357"), ("S{0} a;", "E0358")],
)
def test_types_that_explode(member: str, code: str) -> None:
    structs = "".join(f"struct S{i + 1} {{ {member.format(i)} }};\n" for i in range(70))
    result = check_text(f"{HEADER}struct S0 {{ float x; }};\n{structs}void main() {{ S70 s; }}")
    assert result.error_codes[0] == code


def test_work_grows_linearly() -> None:
    def work(lines: int) -> int:
        body = "".join(f"float x{i} = sin(float({i})) * u + x{max(i - 1, 0)};\n" for i in range(1, lines))
        source = f"{HEADER}uniform float u; void main() {{ float x0 = 1.0; {body} }}"
        return count_calls(lambda: check_text(source))

    work(100)
    assert work(2000) < 4.5 * work(500)


def test_the_error_limit_stops_the_check() -> None:
    body = "".join(f"missing{i};" for i in range(100))
    result = check_body(body)
    assert result.shader is None and len(result.errors) == 20


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("void f() { float x = ; }\nvoid main() { int q = 1.0; missing; }", ["E0201", "E0401"]),
        ("varying int v;\nfloat f(float x { return x; }\nvoid main() { f(1.0); }", ["E0333", "E0202"]),
        ("void main() {\n float x = 1.0\n x = 2;\n}", ["E0201"]),
        ("struct S { float x }; uniform S s;\nvoid main() { s.x; }", ["E0201"]),
        ("void f() { missing; }\nfloat g(;\nvoid main() { missing2; g(1.0); }", ["E0301", "E0201"]),
    ],
)
def test_what_could_be_parsed_is_checked_without_follow_up_errors(text: str, codes: list[str]) -> None:
    assert sorted(check_text(HEADER + text).error_codes) == sorted(codes)


@pytest.mark.parametrize(
    "value",
    [
        "vec4(missing, 1.0)",
        "length(missing)",
        "length(1)",
        "dFdx(vec4(1.0))",
        "vec4(1.0)[7]",
        "gl_Position",
        "-missing.x",
    ],
)
def test_an_initializer_with_a_mistake_is_not_called_variable_too(value: str) -> None:
    assert len(check_body(f"const float x = {value};").errors) == 1


@pytest.mark.parametrize("operator", ["%", "<<", ">>", "&", "^", "|"])
@pytest.mark.parametrize("operand", ["1", "1.0", "u"])
def test_reserved_operators_are_reported_once(operator: str, operand: str) -> None:
    result = check_body(f"float x = 2.0 + ({operand} {operator} {operand});", globals_="uniform int u;")
    assert result.error_codes == ["E0205"]


@pytest.mark.parametrize("text", ["int x = ~1;", "int x = 1; x %= 2;", "int x = 1; x <<= 2;"])
def test_other_forms_of_reserved_operators(text: str) -> None:
    assert check_body(text).error_codes == ["E0205"]
