"""Arrays as values: copies, comparison, results, indices (GLSL ES 3.00 sections 4.1.9 and 5.7)."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.ir import ops
from tests.frontends.glsl.lower.harness import lower_text, run, run_lanes

VERSION = 130


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "float[3] a = float[3](k, 2.0, 3.0); float b[] = a; b[0] = 9.0;result = vec4(a[0], b[0], b[1], a[2]);",
            "1 9 2 3",
        ),
        (
            "float[2] a = float[](k, 2.0); float[2] b = float[](1.0, 2.0); b[1] += k;"
            "result = vec4(a == b, a != b, 0, 0);",
            "0 1 0 0",
        ),
        (
            "float[2] a = float[](k, 2.0);result = vec4(a == float[](1.0, 2.0), (a = float[](5.0, k))[0], a[1], 0);",
            "1 5 1 0",
        ),
        (
            "float[2] a = k > 0.0 ? float[](1.0, k) : float[](3.0, 4.0);result = vec4(a[0], a[1], a.length(), 0);",
            "1 1 2 0",
        ),
        ("float[3] a = twice(float[3](k, 2.0, 3.0)); result = vec4(a[0], a[1], a[2], 0);", "2 4 6 0"),
        ("float[3] a = float[3](k, 2.0, 3.0); change(a); result = vec4(a[0], a[1], a[2], 0);", "1 2 10 0"),
        ("result = vec4(twice(float[3](k, 2.0, 3.0))[n], float[2](k, 7.0)[n], 0, 0);", "4 7 0 0"),
        (
            "S s = S(float[2](k, 2.0), 3.0); S t = s; t.a[n] = 8.0;result = vec4(s.a[1], t.a[1], s == t, s != t);",
            "2 8 0 1",
        ),
        (
            "S[2] s = S[2](S(float[2](k, 2.0), 3.0), S(float[](4.0, 5.0), 6.0)); s[0] = s[n];"
            "result = vec4(s[0].a[0], s[0].a[1], s[0].b, s.length());",
            "4 5 6 2",
        ),
        ("mat2[2] m = mat2[](mat2(k), mat2(2.0)); m[n][n] += 1.0; result = vec4(m[0][0], m[1][1]);", "1 0 1 3"),
        (
            "bool[2] p = bool[](k > 0.0, k > 1.0); ivec2[2] q = ivec2[](ivec2(n), ivec2(2, 3)); q[0]++;"
            "result = vec4(p == bool[](true, false), q[0], q[1].y);",
            "1 2 2 3",
        ),
        ("int count = 0; result = vec4(counted(count).length(), count, 0, 0);", "2 1 0 0"),
        ("result = vec4(TABLE[n], TABLE[2], STRUCTS[n].a[n], TABLE.length());", "20 30 5 4"),
        ("const float local[3] = float[](7.0, 8.0, 9.0); result = vec4(local[n], local[n + 1], 0, 0);", "8 9 0 0"),
    ],
)
def test_arrays(body: str, expected: str) -> None:
    functions = """
    struct S { float a[2]; float b; };
    const float TABLE[] = float[](10.0, 20.0, 30.0, 40.0);
    const S STRUCTS[2] = S[](S(float[](1.0, 2.0), 3.0), S(float[](4.0, 5.0), 6.0));
    float[3] twice(float a[3]) { for (int i = 0; i < 3; i++) a[i] *= 2.0; return a; }
    void change(inout float[3] a) { a[n + 1] = 10.0; }
    int[2] counted(inout int count) { count++; return int[2](1, 2); }
    """
    got = run(body, functions=functions, version=VERSION, k=1.0, n=np.int32(1))
    assert got.tolist() == [float(word) for word in expected.split()]


def test_a_constant_array_by_an_index_of_each_lane() -> None:
    functions = "const vec2 TABLE[3] = vec2[](vec2(1.0, 2.0), vec2(3.0, 4.0), vec2(5.0, 6.0));"
    got = run_lanes("result = TABLE[int(x)];", "vec2", functions=functions, version=VERSION, x=[2.0, 0.0, 1.0])
    assert got.tolist() == [[5.0, 6.0], [1.0, 2.0], [3.0, 4.0]]


def test_a_constant_array_is_stored_once() -> None:
    head = "#version 130\nuniform int n; const float TABLE[3] = float[](1.0, 2.0, 3.0);"
    module = lower_text(f"{head} void main() {{ gl_Position = vec4(TABLE[n], TABLE[n + 1], TABLE[0], n); }}", "vertex")
    stores = [i for i in module.main.instructions() if i.op is ops.STORE and i.address.variable.name == "TABLE"]
    assert len(stores) == 3


def test_an_int_that_comes_out_is_stored_as_a_float() -> None:
    functions = "void put(out int x) { x = n; }"
    assert (
        run("float f; put(f); result = f / 2.0;", "float", functions=functions, version=VERSION, n=np.int32(7)) == 3.5
    )


def test_an_array_that_gets_its_size_later() -> None:
    functions = "float a[]; void f() { a[2] = 3.0; a[0] = 5.0; } float b[];"
    body = "f(); b[1] = a[2] + k; result = vec3(b[1], a[2], a[0]);"
    assert run(body, "vec3", functions=functions, version=VERSION, k=1.0).tolist() == [4.0, 3.0, 5.0]
    body = "float c[]; c[0] = k; c[1] = 7.0; float c[2]; result = c[n];"
    assert run(body, "float", version=VERSION, k=1.0, n=np.int32(1)) == 7.0
