"""Calls: parameter passing, overloads, samplers as arguments, discard inside functions."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.sampling import Texture
from tests.frontends.glsl.lower.harness import Textures, lower_text, run, run_fragment


def test_in_parameters_are_copies() -> None:
    functions = "float f(float a, const in vec2 v) { a += 1.0; return a + v.x; }"
    body = "float a = s; float r = f(a, vec2(a)); result = vec4(a, r, 0.0, 0.0);"
    assert run(body, functions=functions, s=2.0).tolist() == [2.0, 5.0, 0.0, 0.0]


def test_out_and_inout_are_copied_back_in_order() -> None:
    functions = "float f(out float a, inout float b, float c) { a = c; b += a; c = 50.0; return b * 2.0; }"
    body = "float p = 1.0, q = s; float r = f(p, q, 10.0); result = vec4(p, q, r, 0.0);"
    assert run(body, functions=functions, s=3.0).tolist() == [10.0, 13.0, 26.0, 0.0]
    functions = "void f(out float a, out float b) { a = 1.0; b = 2.0; }"
    assert run("float p = s; f(p, p); result = vec4(p);", functions=functions, s=3.0)[0] == 2.0


def test_a_parameter_is_no_alias_of_the_global_it_came_from() -> None:
    functions = "float g; float f(inout float a) { a = 5.0; float seen = g; g = 7.0; return seen; }"
    body = "g = s; float seen = f(g); result = vec4(seen, g, 0.0, 0.0);"
    assert run(body, functions=functions, s=1.0).tolist() == [1.0, 5.0, 0.0, 0.0]


def test_places_of_arguments_are_evaluated_once_and_before_the_call() -> None:
    functions = "void f(inout float a, int b) { a += float(b); }"
    body = """
        vec4 v = vec4(0.0); mat2 m = mat2(0.0); int i = k;
        f(v[i++], i); f(v.wz[i - 1], 10); f(m[i][i - 1], 3);
        result = v + vec4(m[0], m[1]) * 100.0;
    """
    assert run(body, functions=functions, k=0).tolist() == [1.0, 0.0, 300.0, 10.0]


def test_arguments_are_evaluated_from_left_to_right() -> None:
    functions = "vec4 f(float a, float b, float c) { return vec4(a, b, c, 0.0); }"
    assert run(
        "float a = s; result = f(a, a = 5.0, a++) + vec4(0.0, 0.0, 0.0, a);", functions=functions, s=1.0
    ).tolist() == [
        1.0,
        5.0,
        5.0,
        6.0,
    ]


def test_calls_of_one_function_inside_each_other() -> None:
    functions = "float f(float a, float b) { return a * 10.0 + b; }"
    value = run("result = vec4(f(f(s, 2.0), f(3.0, f(s, 5.0))));", functions=functions, s=1.0)
    assert value[0] == ((1.0 * 10.0 + 2.0) * 10.0) + (3.0 * 10.0 + (1.0 * 10.0 + 5.0))


def test_overloads_and_locals_of_one_name() -> None:
    functions = """
        float f(float a) { float t = a; return t; }
        float f(vec2 a) { vec2 t = a; return t.y; }
        float f(int a) { int t = a; return float(t) * 100.0; }
    """
    value = run("float t = 1.0; result = vec4(f(s), f(vec2(0.0, s)), f(3), t);", functions=functions, s=2.0)
    assert value.tolist() == [2.0, 2.0, 300.0, 1.0]
    names = list(
        lower_text(f"{functions} void main() {{ gl_Position = vec4(f(1), f(1.0), 0, 0); }}", "vertex").functions
    )
    assert len(set(names)) == 3 and names[0] == "main"


def test_aggregates_are_passed_and_returned_by_value() -> None:
    functions = """
        struct S { vec2 v; float w[3]; };
        float total(S s) {
            s.w[0] = 100.0;
            float sum = 0.0;
            for (int i = 0; i < 3; i++) sum += s.w[i];
            return sum + s.v.x;
        }
        void fill(out float a[3], inout mat2 m, vec2 columns[2]) {
            for (int i = 0; i < 3; i++) a[i] = m[1][0] + float(i);
            m = mat2(columns[0], columns[1]);
        }
        struct T { mat2 m; float f; };
        T make(mat2 m, float f) { return T(m, f); }
    """
    body = """
        S s; mat2 m = given; vec2 columns[2]; columns[0] = vec2(7.0, 8.0); columns[1] = vec2(9.0);
        s.v = vec2(1.0); fill(s.w, m, columns); T t = make(m, 3.0);
        result = vec4(total(s), s.w[0], t.m[0].y, make(m, 4.0).f + t.f);
    """
    value = run(body, functions=functions, given=np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert value.tolist() == [100.0 + 3.0 + 4.0 + 1.0, 2.0, 8.0, 7.0]


def test_unreachable_functions_are_left_out() -> None:
    module = lower_text(
        "float f() { return 1.0; } float g() { return f(); } void main() { gl_Position = vec4(0.0); }", "vertex"
    )
    assert list(module.functions) == ["main"]


# ---------------------------------------------------------------------------------------- samplers
TEXTURES = [Texture(np.full((1, 1, 4), [n, 0.0, 0.0, 1.0])) for n in (1.0, 2.0, 3.0, 4.0)]


def test_sampler_parameters_name_the_argument() -> None:
    source = """
        uniform sampler2D one, maps[3];
        uniform struct Material { sampler2D map; float gain; } material;
        uniform int k;
        float red(sampler2D s) { return texture2D(s, vec2(0.5)).r; }
        float scaled(sampler2D s, float f) { return red(s) * f; }
        float element(sampler2D all[3], int i) { return red(all[i]) + red(all[0]); }
        float lit(Material m) { return scaled(m.map, m.gain + 1.0); }
        void main() {
            gl_FragColor = vec4(scaled(one, 10.0), scaled(maps[k], 100.0), element(maps, k + 1), lit(material));
        }
    """
    uniforms = {"k": 1, "material.gain": 5.0}
    textures: Textures = {"one": TEXTURES[0], "maps": TEXTURES[1:], "material.map": TEXTURES[3]}
    color = run_fragment(source, uniforms=uniforms, textures=textures).outputs["gl_FragColor"][0]
    assert color.tolist() == [10.0, 300.0, 4.0 + 2.0, 24.0]


def test_a_function_is_lowered_once_for_each_set_of_samplers() -> None:
    module = lower_text("""
        precision mediump float;
        uniform sampler2D a, b;
        vec4 f(sampler2D s, vec2 p) { return texture2D(s, p); }
        void main() { gl_FragColor = f(a, vec2(0.0)) + f(b, vec2(0.0)) + f(a, vec2(1.0)); }
    """)
    assert len(module.functions) == 3


# ----------------------------------------------------------------------------------------- discard
def test_discard_marks_the_pixel_and_leaves_main() -> None:
    source = (
        "varying float x; void main() { gl_FragColor = vec4(1.0); if (x > 1.0) discard; gl_FragColor = vec4(2.0); }"
    )
    result = run_fragment(source, {"x": np.array([0.0, 1.0, 2.0, 3.0])})
    assert result.discarded.tolist() == [False, False, True, True]
    assert result.outputs["gl_FragColor"][:2, 0].tolist() == [2.0, 2.0]


@pytest.mark.parametrize("through", ["f(x);", "g(x);", "float y = (x > 0.5 && h(x)) ? 1.0 : 0.0;"])
def test_discard_in_a_function_ends_the_callers_loop(through: str) -> None:
    """Only the discard ends this loop for some pixels; the others leave it by its condition."""
    source = f"""
        varying float x;
        void f(float a) {{ if (a > 1.5) discard; }}
        void g(float a) {{ f(a); }}
        bool h(float a) {{ g(a); return true; }}
        void main() {{
            float turns = 0.0;
            while (x > 1.5 || turns < 3.0) {{ {through} turns++; }}
            gl_FragColor = vec4(turns);
        }}
    """
    result = run_fragment(source, {"x": np.array([0.0, 1.0, 2.0, 3.0])})
    assert result.discarded.tolist() == [False, False, True, True]
    assert result.outputs["gl_FragColor"][:2, 0].tolist() == [3.0, 3.0]


def test_discard_in_the_middle_of_an_expression_skips_its_effects() -> None:
    source = """
        varying float x;
        float count = 0.0;
        float f(float a) { if (a > 1.5) discard; return a; }
        void main() { float r = f(x) + (count += 1.0); gl_FragColor = vec4(r, count, 0.0, 0.0); }
    """
    result = run_fragment(source, {"x": np.array([0.0, 1.0, 2.0, 3.0])})
    assert result.discarded.tolist() == [False, False, True, True]
    assert result.outputs["gl_FragColor"][:2, :2].tolist() == [[1.0, 1.0], [2.0, 1.0]]
