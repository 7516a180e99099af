"""Loops that the machine counts run each of their instructions as often as the others.

Expected values are computed here, in numbers of this computer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.records import dataclass

LEVELS = (0, 1, 2, 3, "s")
_VALUES = np.array([[0.1, 0.2, 0.3, 0.4], [2.0, -1.0, 0.5, 3.0]], np.float32)
_Vector = list[float]


@dataclass(frozen=True, slots=True)
class Case:
    body: str
    #: Of the input of a lane.
    expected: Callable[[_Vector], _Vector]
    #: How often loops run that the machine counts.
    counts: tuple[int, ...]


def _exchanged(q: _Vector) -> _Vector:
    (x, y, z, w), (r, s) = q, q[2:]
    for _ in range(100):
        x, y, z, w = y * 0.5, s, r, x
    return [x + r, y + s, z + r, w + s]


def _turned(q: _Vector) -> _Vector:
    a, b, c = q[0], q[1], q[2]
    for _ in range(70):
        a, b, c = b, c, a * 0.5
    return [a, b, c, q[3]]


def _running(q: _Vector) -> _Vector:
    total, length = 0.0, q[0]
    for number in range(40):
        total += length * number / (number * number + 2.0) ** 0.5
        length *= 1.05
    return [total, length, q[1], q[2]]


def _last_but_one(q: _Vector) -> _Vector:
    """What the last round began with, and what it left."""
    before, now = 0.0, q[0]
    for _ in range(50):
        before, now = now, now * 0.5 + q[1]
    return [before, now, before - now, 1.0]


def _tested_at_the_end(q: _Vector) -> _Vector:
    a, b, number = q[0], q[1], 3
    while True:
        a, b = b, a * 0.5
        number += 4
        if number >= 250:
            return [a, b, float(number), 1.0]


def _nested(q: _Vector) -> _Vector:
    a, b, c = q[0], q[1], q[2]
    for _ in range(60):
        a, b = b, a
        for _ in range(71):
            b, c = c, b * 0.5
    return [a, b, c, 1.0]


def _guarded(q: _Vector) -> _Vector:
    a, b = q[0], q[1]
    if q[0] > 1.0:
        for _ in range(99):
            a, b = b * 0.5, a
    return [a, b, b, a]


CASES = {
    "exchange": Case(
        "vec4 c = q; vec2 d = q.zw; for (int i = 0; i < 100; i++) { c = vec4(c.y * 0.5, d.y, d.x, c.x); }"
        " result = c + d.xyxy;",
        _exchanged,
        (100,),
    ),
    "turn": Case(
        "vec3 c = q.xyz; for (int i = 7; i < 77; i++) c = vec3(c.yz, c.x * 0.5); result = vec4(c, q.w);", _turned, (70,)
    ),
    "running": Case(
        "float l = q.x, a = 0.0;"
        " for (int i = 0; i < 40; i++) { vec3 f = normalize(vec3(i, 1, 1)) * l; l *= 1.05; a += f.x; }"
        " result = vec4(a, l, q.yz);",
        _running,
        (40,),
    ),
    "last but one": Case(
        "float b, n = q.x; for (int i = 250; i > 0; i -= 5) { b = n; n = n * 0.5 + q.y; }"
        " result = vec4(b, n, b - n, 1.0);",
        _last_but_one,
        (50,),
    ),
    "end": Case(
        "vec2 c = q.xy; int i = 3; do { c = vec2(c.y, c.x * 0.5); i += 4; } while (i < 250);"
        " result = vec4(c, float(i), 1.0);",
        _tested_at_the_end,
        (62,),
    ),
    "nested": Case(
        "vec3 c = q.xyz; for (int i = 0; i < 60; i++) { c = c.yxz;"
        " for (int j = 0; j < 71; j++) c.yz = vec2(c.z, c.y * 0.5); } result = vec4(c, 1.0);",
        _nested,
        (60, 71),
    ),
    "guarded": Case(
        "vec2 c = q.xy; if (q.x > 1.0) { for (int i = 0; i < 99; i++) c = vec2(c.y * 0.5, c.x); } result = c.xyyx;",
        _guarded,
        (99,),
    ),
}
_STAGES = {"vertex": ("attribute", "gl_Position"), "fragment": ("varying", "gl_FragColor")}


@pytest.mark.parametrize("opt", LEVELS)
@pytest.mark.parametrize("stage", _STAGES)
@pytest.mark.parametrize("target", ["adreno", "xenos"])
@pytest.mark.parametrize("name", CASES)
def test_what_is_carried_arrives(name: str, target: str, stage: str, opt: int | str) -> None:
    case, (qualifier, output) = CASES[name], _STAGES[stage]
    body = case.body.replace("result", output)
    source = f"precision highp float;\n{qualifier} vec4 q;\nvoid main() {{ {body} }}\n"
    shader = glslc_multi.compile(source, target=target, stage=stage, opt=opt)
    counts = [row.words[0] for row in shader.reflection.literals if row.location.space == "loop"]
    assert sorted(counts) == sorted(case.counts)
    found: Array = shader.run({"q": _VALUES}, {})[output]
    np.testing.assert_allclose(found, [case.expected(lane.tolist()) for lane in _VALUES], rtol=1e-5, atol=1e-6)
