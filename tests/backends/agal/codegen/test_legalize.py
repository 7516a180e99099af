"""Indices, conditions, discards and depth as the operations that the machine has."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.agal.compiled import LANES, build, compiled, dyadic, mnemonics, run
from tests.work import count_calls

INDEXED = """
attribute vec4 a_position;
attribute vec2 a_bones;
uniform mat4 u_bones[8];
uniform vec4 u_table[4];
void main() {
    mat4 bone = u_bones[int(a_bones.x) + 1];
    gl_Position = bone * a_position + u_table[int(a_bones.y)];
}
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_indices_lose_their_fraction(opt: int) -> None:
    position, table = dyadic(1, LANES, 4), dyadic(2, 4, 4)
    bones = dyadic(3, 8, 4, 4)
    at = np.random.default_rng(4).integers(0, 4, (LANES, 2))
    found = run(
        build(INDEXED, "vertex", opt=opt),
        {"a_position": position, "a_bones": at + 0.75},
        {"u_bones": bones, "u_table": table},
    )
    expected = np.einsum("nrc,nc->nr", bones[at[:, 0] + 1], position) + table[at[:, 1]]
    assert np.array_equal(found["gl_Position"], expected)


SKIN = """
attribute vec4 a_position, a_bones, a_weights;
uniform mat4 u_bones[20];
void main() {
    mat4 skin = u_bones[int(a_bones.x)] * a_weights.x + u_bones[int(a_bones.w)] * a_weights.y
        + u_bones[int(a_bones.y)] * a_weights.z;
    gl_Position = skin * a_position;
}
"""


@pytest.mark.parametrize("version", [1, 2, 3])
def test_indices_of_one_vector_are_computed_together(version: int) -> None:
    """By hand: max, frc, sub and mul for all indices; three times m44 and mul, two add."""
    shader = build(SKIN, "vertex", agal_version=version)
    assert shader.artifact.stats.instructions == 4 + 3 * 2 + 2
    position, weights = dyadic(1, LANES, 4), dyadic(2, LANES, 4)
    bones, at = dyadic(3, 20, 4, 4), np.random.default_rng(4).integers(0, 20, (LANES, 4))
    found = run(
        shader,
        # An index between -1 and 0 is 0.
        {"a_position": position, "a_weights": weights, "a_bones": np.where(at == 0, -0.75, at + 0.75)},
        {"u_bones": bones},
    )
    skin = sum(bones[at[:, bone]] * weights[:, n, None, None] for n, bone in enumerate((0, 3, 1)))
    np.testing.assert_allclose(found["gl_Position"], np.einsum("nrc,nc->nr", skin, position))


def test_indices_of_different_kinds_stay_apart() -> None:
    source = """
    attribute vec2 a; uniform vec4 u[9]; uniform mat2 m[4];
    void main() { gl_Position = u[int(a.x) * 3] + vec4(m[int(a.y)][1], 0.0, 0.0); }
    """
    at = np.random.default_rng(4).integers(0, 3, (LANES, 2))
    rows, matrices = dyadic(1, 9, 4), dyadic(2, 4, 2, 2)
    found = run(build(source, "vertex"), {"a": at + 0.5}, {"u": rows, "m": matrices})["gl_Position"]
    expected = rows[at[:, 0] * 3]
    expected[:, :2] += matrices[at[:, 1]][:, :, 1]
    np.testing.assert_allclose(found, expected)


def test_an_index_of_many_sums_is_looked_at_once() -> None:
    """Each sum reads the one before twice: without care the work would double with every line."""
    lines = "".join(f"int n{k + 2} = n{k} + n{k + 1};" for k in range(24))
    text = f"attribute vec2 a; uniform vec4 u[8]; void main() {{ int n0 = int(a.x); int n1 = int(a.y); {lines} "
    calls = count_calls(lambda: compiled(text + "gl_Position = u[n25 + n24]; }", "vertex"))
    assert calls < 300_000


def test_an_indexed_matrix_is_one_token() -> None:
    assert mnemonics(compiled(INDEXED, "vertex")).count("m44") == 1


CHOICE = """
precision highp float;
varying vec2 v;
uniform float u_far;
void main() {
    float quotient = v.x == 0.0 ? 4.0 : 1.0 / v.x;
    float root = v.y < 0.0 ? -1.0 : sqrt(v.y);
    float other = v.x < 0.5 ? 1.0 : u_far;
    gl_FragColor = vec4(quotient, root, other, 1.0);
}
"""


def test_what_a_condition_guards_stays_out_of_the_result() -> None:
    place = dyadic(1, LANES, 2)
    place[:4, 0] = 0
    with np.errstate(all="ignore"):
        quotient = np.where(place[:, 0] == 0, 4, 1 / place[:, 0])
        root = np.where(place[:, 1] < 0, -1, np.sqrt(place[:, 1]))
    found = run(build(CHOICE, "fragment"), {"v": place}, {"u_far": 1e20})["gl_FragColor"]
    # The one taken is exact, although the other is far larger.
    other = np.where(place[:, 0] < 0.5, 1, np.float32(1e20))
    assert np.allclose(found, np.stack([quotient, root, other, np.ones(LANES)], axis=1), rtol=1e-6)


def test_a_chain_of_thresholds_compares_once() -> None:
    source = """
    precision highp float;
    varying float v;
    void main() {
        vec4 c = vec4(0.25);
        if (v > 1.0) c = vec4(1.0, 0.5, 0.5, 1.0);
        else if (v > 0.5) c = vec4(0.75, 0.25, 0.5, 1.0);
        else if (v > -0.5) c = vec4(0.5, 0.125, 0.0, 1.0);
        gl_FragColor = c;
    }
    """
    shader = build(source, "fragment")
    value = dyadic(1, LANES)
    colours = np.array([[0.25] * 4, [0.5, 0.125, 0, 1], [0.75, 0.25, 0.5, 1], [1, 0.5, 0.5, 1]])
    step = (value > 1).astype(int) + (value > 0.5) + (value > -0.5)
    assert np.array_equal(run(shader, {"v": value}, {})["gl_FragColor"], colours[step])
    assert mnemonics(shader.artifact).count("slt") == 1


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("v.x < 0.5", lambda v: v[:, 0] < 0.5),
        ("v.x <= 0.5", lambda v: v[:, 0] <= 0.5),
        ("v.x < 0.0", lambda v: v[:, 0] < 0),
        ("v.x > 0.0", lambda v: v[:, 0] > 0),
        ("v.x == v.y", lambda v: v[:, 0] == v[:, 1]),
        ("v.x < 0.0 || v.y > 1.0", lambda v: (v[:, 0] < 0) | (v[:, 1] > 1)),
        ("any(lessThan(v, vec2(0.25)))", lambda v: (v < 0.25).any(axis=1)),
        ("true", lambda v: np.ones(len(v), np.bool_)),
    ],
)
def test_discards(condition: str, expected: object) -> None:
    source = (
        f"precision highp float; varying vec2 v; void main() {{ if ({condition}) discard; gl_FragColor = v.xyxy; }}"
    )
    place = dyadic(1, LANES, 2)
    found = run(build(source, "fragment"), {"v": place}, {})
    assert callable(expected)
    lost = expected(place)
    assert np.array_equal(found["discarded"], lost)
    assert np.array_equal(found["gl_FragColor"][~lost], place[~lost][:, [0, 1, 0, 1]])


def test_depth_of_clip_space() -> None:
    source = "attribute vec4 a; void main() { gl_Position = a; }"
    position = dyadic(1, LANES, 4)
    found = run(build(source, "vertex", agal_clip_z=True), {"a": position}, {})["gl_Position"]
    position[:, 2] = (position[:, 2] + position[:, 3]) / 2
    assert np.array_equal(found, position)


def test_half_of_a_test_may_count_iterations() -> None:
    source = """
    precision highp float;
    varying vec2 v;
    void main() {
        float x = v.x;
        int n = 0;
        while (n < 4 && x < v.y) { x += 0.5; n++; }
        int m = 0;
        do { x += 0.25; m++; } while (x < v.y && m < 6);
        gl_FragColor = vec4(x, float(n), float(m), 1.0);
    }
    """
    place = dyadic(1, LANES, 2)
    expected = []
    for x, limit in place:
        n, m = 0, 1
        while n < 4 and x < limit:
            x, n = x + 0.5, n + 1
        x += 0.25
        while x < limit and m < 6:
            x, m = x + 0.25, m + 1
        expected.append([x, n, m, 1])
    assert np.array_equal(run(build(source, "fragment"), {"v": place}, {})["gl_FragColor"], np.array(expected))


def test_columns_by_index() -> None:
    source = """
    attribute vec2 a_column;
    uniform mat4 u;
    void main() { gl_Position = u[int(a_column.x)]; }
    """
    matrix, at = dyadic(1, 4, 4), np.random.default_rng(2).integers(0, 4, LANES)
    found = run(build(source, "vertex"), {"a_column": np.stack([at, at], axis=1)}, {"u": matrix})
    assert np.array_equal(found["gl_Position"], matrix.T[at])


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_constant_matrix_is_taken_by_rows(size: int) -> None:
    """By hand: a dot product for each component (of two, mul and add of both), and the colour is written at once."""
    numbers = dyadic(7, size, size)
    matrix = f"mat{size}({', '.join(map(str, numbers.T.ravel()))})"
    colour = f"vec4({', '.join([f'{matrix} * v', *['1.0'] * (4 - size)])})"
    source = f"precision highp float; varying vec{size} v; void main() {{ gl_FragColor = {colour}; }}"
    shader = build(source, "fragment")
    values = dyadic(8, LANES, size)
    found = run(shader, {"v": values}, {})["gl_FragColor"]
    np.testing.assert_allclose(found[:, :size], values @ numbers.T)
    assert shader.artifact.stats.instructions == (4 if size == 2 else 5)
