"""Ints where the machine has none: what the table of docs/numbers.md promises, and code that keeps it."""

from __future__ import annotations

import re

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import CompiledShader, compile_shader
from tests.shared_data import PROJECT_ROOT

WITHOUT_INTS = [name for name in target_names() if load_target(name).whole_numbers is not None]
VERTEX = [name for name in WITHOUT_INTS if "vertex" in load_target(name).stages]
HEAD = "#version 300 es\nuniform int n; uniform uint u; uniform float f; uniform int k[4];\n"


def compiled(body: str, target: str, *, inexact: bool = False, level: int = 2) -> CompiledShader:
    text = f"{HEAD}void main() {{ int r = 0; {body} gl_Position = vec4(float(r)); }}"
    request = Request(level, inexact_integers=inexact, verify_each=True)
    return compile_shader(make_source(text, "a", "vertex"), load_target(target), request)


def result(shader: CompiledShader, **uniforms: object) -> float:
    given = {"n": 0, "u": 0, "f": 0.0, "k": [0, 0, 0, 0]} | uniforms
    return float(shader.run({}, given, engine="simulator")["gl_Position"][0][0])


def codes(body: str, target: str) -> list[str]:
    with pytest.raises(CompileError) as caught:
        compiled(body, target)
    return [diagnostic.code for diagnostic in caught.value.diagnostics if diagnostic.severity == "error"]


def test_the_page_has_the_numbers_of_the_targets() -> None:
    text = (PROJECT_ROOT / "docs" / "numbers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (AGAL|Adreno|PICA200|THEIA|Xenos) \| (\d+) \| up to (\d+) \|$", text, re.MULTILINE)
    found = {name.lower(): (int(exact), int(outside)) for name, exact, outside in rows}
    limits = {name: load_target(name).whole_numbers for name in WITHOUT_INTS}
    assert found == {name: (limit.exact, limit.outside) for name, limit in limits.items() if limit is not None}


#: Statements that set r -> its value by n = 1000, u = 1000, f = 3.7.
PROVEN = {
    "r = n * 3 + 1;": 3001,
    "r = (n & 255) * 16;": (1000 & 255) * 16,
    "r = int(u % 7u) + (n >> 3);": 1000 % 7 + 125,
    "r = (n & 15) << 4 | (n & 3);": (1000 & 15) << 4 | 1000 & 3,
    "r = int(clamp(f, 0.0, 10.0)) * 1000;": 3000,
    "for (int i = 0; i < n; i++) { if (i > 20) break; r += i; }": 210,
    "for (int i = 0; i < 8; i++) r += (n >> i) & 1;": bin(1000 & 255).count("1"),
    "if (n > 0 && n < 10) r = n * n * n * n; else r = 7;": 7,
    "r = n ^ 255;": 1000 ^ 255,
    "r = ~n;": ~1000,
    "r = k[n & 3] + 5;": 5,
    "r = k[int(f) * 3 - 9];": 0,
    "r = (n < 200 ? n : 200) * 10;": 2000,
    "uint h = u & 0xffu; r = int((h * 5u) >> 2);": (1000 & 255) * 5 >> 2,
    "r = -n % 7;": -(1000 % 7),
    "for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++) { r += x + 4; r++; }": 125,
    "for (int y = 0; y < 4; y++) { for (int x = 0; x < y; x++) r++; r += 2; }": 14,
}


@pytest.mark.parametrize("body", PROVEN)
@pytest.mark.parametrize("target", VERTEX)
def test_what_is_proven_is_exact(target: str, body: str) -> None:
    assert result(compiled(body, target), n=1000, u=1000, f=3.7) == PROVEN[body]


#: Statements that set r and are exact only once they are simplified -> its value by n = -5, in ints of 32 bits.
SIMPLIFIED = {
    "r = int(uint(n) % 4u);": (2**32 - 5) % 4,
    "uint four = 4u; r = int(uint(n) % four) + int(uint(n - 1) % (four + four));": 3 + (2**32 - 6) % 8,
    "r = int(0u < uint(n)) + 2 * int(uint(n) < 0u);": 1,
    "r = int(uint(n) <= 0u) + 2 * int(uint(n) >= 0u);": 2,
    "r = ((n << 20) << 20) + 3;": 3,
    "r = int((uint(n) << 28) >> 28);": 11,
    "r = (n * n * n * n * n * n * n * n * n * n * n) * 0 + 1;": 1,
}


@pytest.mark.parametrize("body", SIMPLIFIED)
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("target", VERTEX)
def test_what_is_exact_once_it_is_simplified_is_exact_at_every_level(target: str, level: int, body: str) -> None:
    assert result(compiled(body, target, level=level), n=-5) == SIMPLIFIED[body]


REFUSED = [
    "r = n * n * n;",
    "r = n * 1103515245 + 12345;",
    "r = int(f) + 1;",
    "for (int i = 0; i < n; i++) r += i;",
    "for (int i = 0; i < 40; i++) r = r * 2 + 1;",
    "r = int(u - 5u < 3u);",
    "r = int(uint(n) >> 2);",
    "r = 1 << n;",
    "if (n > 0) r = n * n * n;",
    # By n = 4 the index is 0, since it wraps around.
    "r = k[n << 30];",
    "r = k[n * 1073741824 + 1];",
    "r = k[(n << 20) * 4096 + 2];",
]


@pytest.mark.parametrize("body", REFUSED)
@pytest.mark.parametrize("target", VERTEX)
def test_what_is_not_is_refused(target: str, body: str) -> None:
    assert set(codes(body, target)) == {"E0715"}


def test_what_follows_from_a_refused_value_is_not_told() -> None:
    assert codes("int h = n * n * n; r = h + 1; r = r * 2 + h;", "agal") == ["E0715"]


@pytest.mark.parametrize(
    ("body", "n", "wanted"),
    [("r = n * n * n;", 100, 1_000_000), ("r = n << 31;", 3, 3 * 2**31), ("r = n & 0x7fffffff;", -4096, 2**31 - 4096)],
)
def test_refused_code_can_be_had_with_a_warning(body: str, n: int, wanted: int) -> None:
    """Beyond what is exact it computes with floats; every step keeps to the rules of the IR."""
    shader = compiled(body, "agal", inexact=True)
    assert [d.code for d in shader.diagnostics] == ["W0715"]
    assert result(shader, n=n) == wanted


@pytest.mark.parametrize("target", VERTEX)
def test_values_that_break_the_promise_are_refused(target: str) -> None:
    shader, limits = compiled("r = n;", target), load_target(target).whole_numbers
    assert limits is not None and result(shader, n=-limits.outside) == -limits.outside
    with pytest.raises(CompileError, match="E0664"):
        result(shader, n=limits.outside + 1)


def test_older_texts_promise_nothing() -> None:
    """GLSL ES 1.00 section 4.1.3: an int may be a float."""
    text = "uniform int n; void main() { gl_Position = vec4(float(n * n * n)); }"
    assert compile_shader(make_source(text, "a", "vertex"), load_target("agal"), Request()).diagnostics == ()


@pytest.mark.parametrize(
    ("body", "help", "bounded"),
    [
        ("int m = int(ceil(f)); r = -m + 1;", "int(clamp(x, 0.0, 16.0))", ("ceil(f)", "clamp(ceil(f), 0.0, 16.0)")),
        ("r = int(f) * 2 + 1;", "int(clamp(x, 0.0, 16.0))", ("f)", "clamp(f, 0.0, 16.0))")),
        ("r = n * n * n;", "clamp(n, 0, 255)", ("n * n * n", "clamp(n, 0, 255) * 2")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("target", VERTEX)
def test_a_refusal_names_a_way_out_that_is_one(target: str, body: str, help: str, bounded: tuple[str, str]) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(body, target)
    assert all(help in (each.help or "") for each in caught.value.diagnostics if each.code == "E0715")
    compiled(body.replace(*bounded), target)


@pytest.mark.parametrize("target", ["adreno", "xenos"])
def test_nested_loops_with_bounds_from_outside_count_exactly(target: str) -> None:
    text = "int m = int(clamp(ceil(f), 0.0, 6.0)); for (int y = -m; y <= m; y++) for (int x = 0; x < m; x++) r++;"
    assert result(compiled(text, target), f=3.7) == 9 * 4


def _on_theia(expression: str, n: int, m: int) -> float:
    """What its fixed point makes of an expression, whose numbers end below 16384."""
    head = "#version 300 es\nprecision highp float; uniform highp int n, m; out vec4 c;"
    source = make_source(f"{head} void main() {{ c = vec4({expression}); }}", "a", "fragment")
    theia = load_target("theia")
    shader = compile_shader(source, theia, Request(verify_each=True, target_options=theia.exact_outputs))
    return float(shader.run({}, {"n": n, "m": m}, engine="simulator")["c"][0][0])


@pytest.mark.parametrize("n", [-1000, -1, 0, 999])
def test_shifts_of_fixed_point_round_down(n: int) -> None:
    """2^-18 and 2^14 are no numbers of the machine."""
    for count in (13, 14, 17, 18, 20, 31):
        assert _on_theia(f"(n >> {count}) + m", n, 0) == n >> count
    for m in (0, 5, 13):
        assert _on_theia("n >> clamp(m, 0, 13)", n, m) == n >> m


@pytest.mark.parametrize("expression", ["n >> clamp(m, 0, 14)", "n * 16", "clamp(n, 0, 500) << clamp(m, 0, 5) << 1"])
def test_what_fixed_point_does_not_hold_is_refused(expression: str) -> None:
    with pytest.raises(CompileError, match="E0715"):
        _on_theia(expression, 1, 1)
