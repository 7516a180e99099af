"""Compiled vertex shaders: what they compute, by numpy; what the words are; what is refused, and how."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.pica200.codegen import build
from glslc_multi.backends.pica200.codegen.procedures import calls
from glslc_multi.backends.pica200.isa.asm import assemble
from glslc_multi.backends.pica200.isa.container import read, write
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import compile_shader
from tests.backends.pica200.compiled import TOLERANCE, check, compiled, dyadic, mnemonics, refusal, words
from tests.shared_data import PROJECT_ROOT

LANES = 16

TRANSFORM = """
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_model;
varying vec4 v_color;
void main() {
    gl_Position = u_model * vec4(a_position, 1.0);
    v_color = vec4(mat3(u_model) * a_normal, 0.5);
}
"""


def test_matrices_are_read_by_rows() -> None:
    position, normal, model = dyadic(1, LANES, 3), dyadic(2, LANES, 3), dyadic(3, 4, 4)
    homogeneous = np.concatenate([position, np.ones((LANES, 1))], axis=1)
    turned = normal @ model[:3, :3].T
    check(
        TRANSFORM,
        {"a_position": position, "a_normal": normal},
        {"u_model": model},
        {"gl_Position": homogeneous @ model.T, "v_color": np.concatenate([turned, np.full((LANES, 1), 0.5)], axis=1)},
    )
    (matrix,) = compiled(TRANSFORM).reflection.uniforms
    assert [(place.index, place.column, place.transform) for place in matrix.locations] == [
        (row, row, "transpose") for row in range(4)
    ]


def test_a_factor_of_one_is_dph_and_a_part_of_a_matrix_dp3() -> None:
    assert mnemonics(TRANSFORM) == ["dphi"] * 4 + ["dp3"] * 3 + ["mov", "end"]


INDEXED = """
attribute vec4 a_value;
attribute vec2 a_index;
uniform vec4 u_table[24];
void main() {
    int i = int(a_index.x) * 2;
    int j = int(a_index.y) * 2;
    gl_Position = u_table[i] * a_value + u_table[i + 1] + u_table[j] * u_table[j + 1];
}
"""


def test_two_indices_are_set_by_one_mova() -> None:
    text = words(INDEXED)
    assert [line for line in text if line.startswith("mova")] == ["mova a0.xy, r0"]
    assert any("[a0.x]" in line for line in text) and any("[a0.y]" in line for line in text)


def test_indices_are_truncated() -> None:
    value, table = dyadic(4, LANES, 4), dyadic(5, 24, 4)
    index = np.random.default_rng(6).uniform(-0.9, 11.9, (LANES, 2)).round(2)
    i, j = (np.trunc(index).astype(int) * 2).T
    wanted = table[i] * value + table[i + 1] + table[j] * table[j + 1]
    check(INDEXED, {"a_value": value, "a_index": index}, {"u_table": table}, {"gl_Position": wanted})


COUNTED = """
attribute vec4 a_value;
uniform vec4 u_table[8];
uniform int u_count;
void main() {
    vec4 sum = a_value;
    for (int i = 0; i < 6; i++) sum += u_table[i] * a_value.x;
    for (int i = 0; i < u_count; i++) { sum.y += u_table[i].z; if (sum.y > 9.0) break; }
    gl_Position = sum;
}
"""


@pytest.mark.parametrize("count", [0, 1, 5, 8])
def test_loops_are_counted_by_the_hardware(count: int) -> None:
    value, table = dyadic(7, LANES, 4), dyadic(8, 8, 4)
    wanted = value + value[:, :1] * table[:6].sum(axis=0)
    for lane in wanted:
        for row in table[:count]:
            lane[1] += row[2]
            if lane[1] > 9:
                break
    check(COUNTED, {"a_value": value}, {"u_table": table, "u_count": count}, {"gl_Position": wanted})


CHOOSING = """#version 130
in vec4 a_value;
uniform int u_count;
void main() {
    vec4 sum = a_value;
    int i = 0;
    while (true) {
        if (i < u_count) sum.x += 1.0; else sum.y += 1.0;
        if (sum.z < 0.0 || i >= 5) break;
        i++;
    }
    gl_Position = sum;
}
"""


@pytest.mark.parametrize("count", [0, 4])
def test_a_uniform_that_is_compared_inside_of_a_loop_does_not_bound_it(count: int) -> None:
    value = np.abs(dyadic(9, LANES, 4))
    check(CHOOSING, {"a_value": value}, {"u_count": count}, {"gl_Position": np.add(value, [count, 6 - count, 0, 0])})


def test_counted_loops_index_by_their_counter() -> None:
    text = words(COUNTED)
    assert sum(line.startswith("for i") for line in text) == 2
    assert any(line.startswith("breakc") for line in text)
    assert sum("[aL]" in line for line in text) == 2 and not any(line.startswith("mova") for line in text)


def test_a_count_is_an_i_register_and_a_number() -> None:
    count = next(b for b in compiled(COUNTED).reflection.uniforms if b.name == "u_count")
    assert [(p.space, p.transform) for p in count.locations] == [("i", "count"), ("c", "int-to-float")]


ENDLESS = """
attribute float a_value;
varying float v_steps;
void main() {
    float x = a_value, n = 0.0;
    while (x < 50.0) { x = x * 2.0 + 3.0; n += 1.0; }
    v_steps = n;
    gl_Position = vec4(x);
}
"""


def test_other_loops_are_jumps() -> None:
    value = np.abs(dyadic(9, LANES))
    x, steps = value.copy(), np.zeros(LANES)
    for _ in range(10):
        goes_on = x < 50
        x = np.where(goes_on, x * 2 + 3, x)
        steps += goes_on
    wanted = {"gl_Position": np.repeat(x[:, None], 4, 1), "v_steps": steps}
    check(ENDLESS, {"a_value": value}, {}, wanted)
    assert "for" not in mnemonics(ENDLESS) and "jmpc" in mnemonics(ENDLESS)


CHANGING_PLACES = """
attribute vec4 a_value;
varying vec4 v_before;
varying float v_last;
void main() {
    vec4 one = a_value, next = a_value.wzyx;
    int last = 0;
    for (int i = 2; i < 11; i += 2) { vec4 sum = one + next; one = next; next = sum; last = i; }
    gl_Position = next;
    v_before = one;
    v_last = float(last);
}
"""


def test_what_the_last_round_left_is_used_behind_a_counted_loop() -> None:
    """The next number becomes the one before it, as in Fibonacci's sequence."""
    value = dyadic(12, LANES, 4)
    reverse = value[:, ::-1]
    wanted = {
        "gl_Position": 5 * value + 8 * reverse,
        "v_before": 3 * value + 5 * reverse,
        "v_last": np.full(LANES, 10.0),
    }
    check(CHANGING_PLACES, {"a_value": value}, {}, wanted)
    assert "for" in mnemonics(CHANGING_PLACES)


BRANCHES = """
attribute vec4 a_value;
uniform bool u_flip;
varying vec4 v_color;
void main() {
    vec4 c = a_value.x < a_value.y ? a_value * 2.0 : a_value.wzyx - 1.0;
    if (u_flip) c = -c;
    v_color = c;
    gl_Position = u_flip ? vec4(1.0) : a_value;
}
"""


@pytest.mark.parametrize("flip", [False, True])
def test_branches_and_bool_uniforms(flip: bool) -> None:
    value = dyadic(10, LANES, 4)
    color = np.where(value[:, :1] < value[:, 1:2], value * 2, value[:, ::-1] - 1) * (-1 if flip else 1)
    position = np.ones((LANES, 4)) if flip else value
    check(BRANCHES, {"a_value": value}, {"u_flip": flip}, {"v_color": color, "gl_Position": position})
    assert "ifu" in mnemonics(BRANCHES)


POLES = """
attribute vec4 a_value;
uniform bool u_flip;
varying vec4 v_color;
void main() {
    float is_positive = float(a_value.x > 0.0);
    gl_Position = u_flip ? a_value : 1.0 / a_value.wzyx;
    v_color = is_positive != 0.0 ? a_value.yxwz : log2(abs(a_value));
}
"""


@pytest.mark.parametrize("flip", [False, True])
def test_what_is_not_chosen_may_be_infinite(flip: bool) -> None:
    """Whether the condition is a comparison, or the number that a bool is."""
    value = dyadic(13, 4 * LANES, 4)
    assert np.any(value == 0.0)
    with np.errstate(divide="ignore"):
        position = value if flip else 1.0 / value[:, ::-1]
        color = np.where(value[:, :1] > 0.0, value[:, [1, 0, 3, 2]], np.log2(np.abs(value)))
    for opt in (0, 2):
        found = compiled(POLES, opt).run({"a_value": value}, {"u_flip": flip})
        for name, wanted in (("gl_Position", position), ("v_color", color)):
            known = np.isfinite(wanted)
            assert np.allclose(found[name][known], wanted[known], TOLERANCE, TOLERANCE), f"{name} at -O{opt}"


FOUR_TIMES = """
attribute vec4 a0, a1, a2;
uniform vec4 u;
vec4 f(vec4 x) {
    vec4 y = x * x + u;
    y = max(y, x.wzyx) * y.yzwx;
    y = floor(y) + min(x, u.wzyx);
    return y * y.x + x;
}
void main() {
    vec4 p = f(a0) * 0.125, q = f(a1) * 0.125, r = f(a2) * 0.125;
    gl_Position = p + q * r + f(floor(p));
}
"""


def _four_times(values: Sequence[Array], u: Array) -> Array:
    def f(x: Array) -> Array:
        y: Array = x * x + u
        y = np.maximum(y, x[:, ::-1]) * y[:, [1, 2, 3, 0]]
        y = np.floor(y) + np.minimum(x, u[::-1])
        return y * y[:, :1] + x

    p, q, r = (f(a) * 0.125 for a in values)
    return p + q * r + f(np.floor(p))


def test_a_function_that_several_places_need_is_called() -> None:
    values = [dyadic(seed, LANES, 4) / 8.0 for seed in range(3)]
    u = dyadic(3, 4) / 4.0
    inputs = dict(zip(("a0", "a1", "a2"), values, strict=True))
    check(FOUR_TIMES, inputs, {"u": u}, {"gl_Position": _four_times(values, u)})
    # What is called stands in `main`, in place of a call.
    assert mnemonics(FOUR_TIMES).count("call") == 3
    assert re.findall(r"^\.proc (\w+)", compiled(FOUR_TIMES).assembly, re.MULTILINE) == ["main"]
    # Eight words for the function, four times.
    assert compiled(FOUR_TIMES).stats.code_words < 4 * 7


def test_what_finds_no_registers_as_a_procedure_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise CompileError(())

    monkeypatch.setattr(calls, "allocate", full)
    monkeypatch.setattr(build, "call_equal_runs", lambda *_: None)
    assert "call" not in mnemonics(FOUR_TIMES)


def test_short_functions_are_not_called() -> None:
    source = """
    attribute vec4 a0, a1; uniform vec4 u;
    vec4 f(vec4 x) { return max(x * u + x.wzyx, u); }
    void main() { gl_Position = f(a0) * f(a1); }
    """
    # A call and its parameter are two words, as the function is.
    assert "call" not in mnemonics(source)


def test_both_arms_run_where_that_is_shorter() -> None:
    source = """
    attribute vec4 a;
    void main() {
        float f = 0.0;
        if (a.x > a.y) f = a.z * a.w;
        gl_Position = a + f;
    }
    """
    # A branch is mov, cmp, ifc, mul, add.
    assert sorted(mnemonics(source)) == ["add", "end", "mul", "mul", "slt"]
    values = dyadic(8, LANES, 4)
    wanted = values + np.where(values[:, 0] > values[:, 1], values[:, 2] * values[:, 3], 0.0)[:, None]
    check(source, {"a": values}, {}, {"gl_Position": wanted})


def test_branches_stay_where_they_are_shorter() -> None:
    source = """
    attribute vec4 a;
    void main() {
        vec4 p = a, q = a.wzyx;
        if (a.x > a.y) { p = a * a.z; q = max(a, p.yzwx); }
        gl_Position = p * q.x + q;
    }
    """
    found = mnemonics(source)
    assert "ifc" in found and "slt" not in found
    values = dyadic(9, LANES, 4)
    product = values * values[:, 2:3]
    taken = values[:, :1] > values[:, 1:2]
    p = np.where(taken, product, values)
    q = np.where(taken, np.maximum(values, product[:, [1, 2, 3, 0]]), values[:, ::-1])
    check(source, {"a": values}, {}, {"gl_Position": p * q[:, :1] + q})


def test_operations_of_one_kind_share_a_word() -> None:
    source = """
    attribute vec3 a; uniform vec3 u; uniform vec3 w;
    void main() { gl_Position = vec4(max(dot(a, u), 0.0)) + a.xyzz * max(dot(a, w), 0.0); }
    """
    assert mnemonics(source).count("max") == 1


def test_multiply_adds_of_two_constants() -> None:
    """Alone, one is a product and a sum; several of them share a copy of what they add."""
    inputs = "attribute vec4 a, b; uniform vec4 k, m; varying vec4 v;"
    alone = inputs + "void main() { gl_Position = a * k + m; }"
    assert mnemonics(alone) == ["mul", "add", "end"]
    sharing = inputs + "void main() { gl_Position = a * k + m; v = b * k + m.yzwx; }"
    assert mnemonics(sharing) == ["mov", "mad", "mad", "end"]
    values = {name: dyadic(seed, 4, 4) for seed, name in enumerate("ab")}
    k, m = dyadic(2, 4), dyadic(3, 4)
    wanted = {"gl_Position": values["a"] * k + m, "v": values["b"] * k + m[[1, 2, 3, 0]]}
    check(sharing, values, {"k": k, "m": m}, wanted)
    check(alone, values, {"k": k, "m": m}, {"gl_Position": wanted["gl_Position"]})


def test_names_choose_what_the_rasteriser_takes() -> None:
    source = """
    #pragma pica200 output v_glow color
    varying vec2 v_texcoord1; varying vec4 v_glow; varying vec3 v_other; varying vec2 vUv0;
    void main() { gl_Position = vec4(0.0); v_glow = gl_Position; v_other = v_glow.xyz; vUv0 = v_texcoord1 = vec2(1.0); }
    """
    program = read(compiled(source).binary, "test", DiagnosticSink())
    assert program is not None
    found = [(output.semantic, output.register, output.mask) for output in program.executables[0].outputs]
    assert sorted(found, key=lambda entry: entry[1]) == [(0, 0, 15), (5, 1, 3), (2, 2, 15), (3, 3, 3), (9, 4, 15)]


def test_a_shader_without_a_position_writes_one() -> None:
    assert words("void main() {}") == ["mov o0, c95.x", "end"]


def test_the_text_assembles_to_the_same_program() -> None:
    for source in (TRANSFORM, INDEXED, COUNTED, ENDLESS, BRANCHES):
        shader = compiled(source)
        assert write(assemble(shader.assembly, "test", DiagnosticSink())) == shader.binary


@pytest.mark.parametrize(
    ("source", "code", "part"),
    [
        ("uniform sampler2D s; void main() { gl_Position = texture2D(s, vec2(0.5)); }", "E0702", "texture"),
        ("uniform vec4 u[97]; void main() { gl_Position = u[int(u[0].x)]; }", "E0701", "97 constant registers"),
        (
            "".join(f"attribute vec4 a{n};" for n in range(17))
            + f"void main() {{ gl_Position = {' + '.join(f'a{n}' for n in range(17))}; }}",
            "E0701",
            "17 input registers",
        ),
        (
            "attribute vec4 a; uniform int c; void main() {"
            " int t[100]; t[c] = c; gl_Position = a * float(t[1] + t[c + 2]); }",
            "E0702",
            "a variable index of so large an array",
        ),
    ],
)
def test_limits_are_named(source: str, code: str, part: str) -> None:
    found, message = refusal(source)
    assert found == code and part in message


def test_many_multiply_adds_share_their_descriptors() -> None:
    """60 of them, more than 32 with descriptors of their own, in a program of hundreds of words."""
    letters = "xyzw"
    lines = []
    for n in range(60):
        a, b, c = (letters[(n // k) % 4] for k in (1, 4, 16))
        lines.append(f"r{n % 4} = r{(n + 1) % 4}.{a}{b}{c}{a} * r{(n + 2) % 4} + r{(n + 3) % 4}.wxyz;")
    lines += [f"r{n % 4} = fract(r{(n + 1) % 4} * 0.25 + r{n % 4});" for n in range(100)]
    body = "\n".join(lines)
    source = (
        f"attribute vec4 a; void main() {{ vec4 r0=a, r1=a.wzyx, r2=a+a, r3=a.xxyy; {body} gl_Position=r0+r1+r2+r3; }}"
    )
    # -O1 makes no procedures of what repeats.
    shaders = [compiled(source, opt) for opt in (1, 2)]
    assert shaders[0].stats.code_words > 350 > shaders[1].stats.code_words
    for shader in shaders:
        program = read(shader.binary, "test", DiagnosticSink())
        assert program is not None and validate(program) == []


def test_a_compile_needs_no_numpy() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None; import glslc_multi as g;"
        "print(len(g.compile('void main() { gl_Position = vec4(1.0); }', target='pica200', stage='vertex').binary))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=PROJECT_ROOT, check=False
    )
    assert done.returncode == 0, done.stderr


JOINED = """
attribute vec4 a_value;
varying vec4 v_color;
void main() {
    vec4 c = a_value;
    if (a_value.x > 0.5 && a_value.y < 1.0) c = a_value * a_value.w + a_value.wzyx * a_value.x;
    if (c.x < a_value.x || c.y < a_value.z) c = c * c.x + a_value * 0.5;
    v_color = c;
    gl_Position = a_value;
}
"""


def test_branches_on_joined_comparisons() -> None:
    value = dyadic(11, 4 * LANES, 4)
    both = (value[:, :1] > 0.5) & (value[:, 1:2] < 1)
    c = np.where(both, value * value[:, 3:] + value[:, ::-1] * value[:, :1], value)
    either = (c[:, :1] < value[:, :1]) | (c[:, 1:2] < value[:, 2:3])
    c = np.where(either, c * c[:, :1] + value * 0.5, c)
    check(JOINED, {"a_value": value}, {}, {"v_color": c})


@pytest.mark.parametrize("opt", [0, 2])
def test_an_array_too_large_to_be_chosen_from_fits_where_its_loop_is_unrolled(opt: int) -> None:
    source = """attribute vec4 a; uniform int c;
    void main() { int t[100]; for (int i = 0; i < 4; i++) t[i] = c * i; gl_Position = a * float(t[1] + t[3]); }
    """
    values = dyadic(5, LANES, 4)
    found = compiled(source, opt).run({"a": values}, {"c": 3})
    assert np.allclose(found["gl_Position"], values * 12.0, 1e-4, 1e-4)


def test_words_come_from_lines_of_the_source() -> None:
    source = """attribute vec4 a; varying vec4 v;
void main() {
    vec4 p = a * a.x;
    if (p.x < a.y) {
        p = max(p, a.wzyx) * p.y;
        p = p * p.yxwz - a;
        v = p * p.x;
    }
    for (int i = 0; i < 9; i++) {
        p = p * 0.5 + a;
        if (p.x > 2.0) break;
        p = p.wxyz;
    }
    gl_Position = p;
}
"""
    shader = compiled(source, 1)
    lines = {"ifc": 4, "cmp": {4, 11}, "breakc": 11, "max": 5}
    origins = [places[0].line if places else None for places in shader.artifact.origins]
    names = [line.split()[0] for line in shader.assembly.partition(".proc main")[2].splitlines() if line.strip()]
    found = [name for name in names if not name.startswith(".")]
    assert len(origins) == shader.stats.code_words
    # `for` is LOOP; a nop is padding.
    for name, line in zip(found, origins, strict=False):
        if name in lines:
            wanted = lines[name]
            assert line in wanted if isinstance(wanted, set) else line == wanted, name


def test_components_that_nobody_writes_may_be_anything() -> None:
    source = """
    attribute vec4 a; uniform vec4 u; varying vec4 v; varying vec3 w;
    void main() { v.yw = a.xz; w.x = u.z * a.y; gl_Position.wx = a.yz; }
    """
    values, u = dyadic(14, LANES, 4), dyadic(15, 4)
    for opt in (0, 2):
        found = compiled(source, opt).run({"a": values}, {"u": u})
        assert np.allclose(found["v"][:, [1, 3]], values[:, [0, 2]], TOLERANCE, TOLERANCE)
        assert np.allclose(found["w"][:, 0], u[2] * values[:, 1], TOLERANCE, TOLERANCE)
        assert np.allclose(found["gl_Position"][:, [3, 0]], values[:, [1, 2]], TOLERANCE, TOLERANCE)


@pytest.mark.parametrize("opt", [0, 1, 2, 3, "s"])
@pytest.mark.parametrize(
    "body",
    [
        # Vectors of which a component is undefined, read by something, or different on two paths.
        "w = vec4(a.x, a.y * 2.0, max(x, a.z), x); if (t) n = 2; else z = w; gl_Position = w; v = z * x;",
        "w = vec4(a.x, sqrt(a.y), floor(z.x), x); if (a.x > z.x) w.x = a.y; gl_Position = w; v = z * x;",
        "w *= m; m[1] = vec4(a.y); gl_Position = w; v = m[1] * m;",
        "for (int i = 0; i < 3; i++) { w += z * a.x; if (t) break; x = a.y; } gl_Position = w; v = vec4(x);",
        "gl_Position = vec4(x * x); v = vec4(float(n), dot(z, a), t ? x : a.x, x);",
    ],
)
def test_undefined_values_anywhere(body: str, opt: Any) -> None:
    """Whatever they are, every component of an output is written, which the validator checks."""
    declared = "attribute vec4 a; varying vec4 v; void main() { float x; vec4 z, w; int n; bool t; mat4 m; "
    assert compiled(f"{declared}{body} }}", opt).stats.code_words > 0


def test_what_leaves_a_loop_by_bool_uniforms_is_no_counted_loop() -> None:
    """BREAKC tests flags, and the bools become one b register only later."""
    body = "for (int i = 0; i < 9; i++) { if (true == all(bvec4(bvec3(bvec2(u, u), u), u))) break; s = s * a + 1.0; }"
    text = f"uniform bool u; attribute vec4 a; void main() {{ vec4 s = a; {body} gl_Position = s; }}"
    shader = compile_shader(make_source(text, "a", "vertex"), load_target("pica200"), Request())
    point = [0.5, 0.25, 0.0, 1.0]
    expected = point
    for _ in range(9):
        expected = [s * a + 1.0 for s, a in zip(expected, point, strict=True)]
    for u, wanted in ((True, point), (False, expected)):
        found = shader.run({"a": [point]}, {"u": u}, engine="simulator")["gl_Position"][0]
        assert [float(x) for x in found] == pytest.approx(wanted, rel=1e-3)
