"""Varyings of linked pairs that share registers."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.xenos_family.codegen.rewrites.pack_varyings import registers_of
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.options import LinkedInterface, LinkedVarying

TARGETS = ("adreno", "xenos")
VERTEX = """attribute vec4 p, q; uniform vec2 d;
varying vec2 a; varying vec4 b; varying vec3 c; varying float e; varying vec2 m[2]; varying float n;
void main() {
    gl_Position = p;
    a = p.zw + d; b = q.wzyx; c = q.xyz * 2.0; e = p.x - 3.0; m[0] = q.xy; m[1] = q.zw; n = p.y * q.y;
}"""
FRAGMENT = """precision highp float;
varying vec2 a; varying vec4 b; varying vec3 c; varying float e; varying vec2 m[2]; varying float n;
void main() { gl_FragColor = vec4(a, b.zx) * vec4(c.zx, e, n) + vec4(m[0], m[1]); }"""


def _rows(*varyings: tuple[str, str]) -> tuple[LinkedVarying, ...]:
    return tuple(LinkedVarying(name, 0, 0, "xyzw".index(letter)) for name, letters in varyings for letter in letters)


@pytest.mark.parametrize(
    ("varyings", "vectors", "expected"),
    [
        # Wide ones first; a register has the number of its first varying.
        ([("a", "xy"), ("b", "xyzw"), ("c", "zw"), ("d", "x")], "abcd", ["a.xy c.zw", "b.xyzw", "d.x"]),
        ([("a", "x"), ("b", "xy"), ("c", "xyz"), ("d", "yz")], "abcd", ["c.xyz a.x", "b.xy d.yz"]),
        # `b` is no vector, so it shares with nothing.
        ([("a", "xy"), ("b", "x"), ("c", "xy")], "ac", ["a.xy c.xy", "b.x"]),
        ([("a", "x"), ("b", "y")], "", ["a.x", "b.y"]),
    ],
)
def test_what_fits_shares_a_register(varyings: list[tuple[str, str]], vectors: str, expected: list[str]) -> None:
    registers = registers_of(LinkedInterface(_rows(*varyings), vectors=frozenset(vectors)))
    found = [
        " ".join(f"{name}.{''.join('xyzw'[c] for c in components)}" for (name, *_), components in register.items())
        for register in registers
    ]
    assert found == expected


def _map(reflection: Reflection) -> dict[str, str]:
    return {
        varying.name: " ".join(
            f"{location.index}.{location.components}<{location.element}.{location.first}"
            for location in varying.locations
        )
        for varying in reflection.varyings
    }


@pytest.mark.parametrize("target", TARGETS)
def test_both_stages_agree(target: str) -> None:
    """Read are a.xy, b.xz, c.xz, e and n; elements of `m` are where they would be without the others."""
    stages = glslc_multi.link(VERTEX, FRAGMENT, target=target).stages
    expected = {
        "a": "0.x<0.0 0.y<0.1",
        "b": "0.z<0.0 0.w<0.2",
        "c": "1.x<0.0 1.y<0.2",
        "e": "1.z<0.0",
        "n": "1.w<0.0",
        "m": "2.xy<0.0 3.xy<1.0",
    }
    assert _map(stages["vertex"].reflection) == _map(stages["fragment"].reflection) == expected


@pytest.mark.parametrize("target", TARGETS)
def test_each_stage_computes_the_same(target: str) -> None:
    rng = np.random.default_rng(3)
    p, q, d = rng.integers(-8, 8, (5, 4)) / 4.0, rng.integers(-8, 8, (5, 4)) / 4.0, np.array([0.5, -1.25])
    pair = glslc_multi.link(VERTEX, FRAGMENT, target=target)
    left = pair.stages["vertex"].run({"p": p, "q": q}, {"d": d})
    np.testing.assert_array_equal(left["a"], p[:, 2:] + d)
    np.testing.assert_array_equal(left["b"][:, [0, 2]], q[:, [3, 1]])
    np.testing.assert_array_equal(left["c"][:, [0, 2]], q[:, [0, 2]] * 2)
    np.testing.assert_array_equal(left["e"], p[:, 0] - 3)
    np.testing.assert_array_equal(left["n"], p[:, 1] * q[:, 1])
    np.testing.assert_array_equal(left["m"], q.reshape(5, 2, 2))
    varyings = {
        "a": q[:, :2], "b": p, "c": q[:, 1:], "e": p[:, 1], "n": q[:, 3], "m": np.stack([p[:, :2], q[:, 2:]], axis=1),
    }  # fmt: skip
    colour = pair.stages["fragment"].run(varyings, {})["gl_FragColor"]
    factors = np.stack([q[:, 3], q[:, 1], p[:, 1], q[:, 3]], axis=1)
    expected = np.concatenate([q[:, :2], p[:, [2, 0]]], axis=1) * factors + np.concatenate([p[:, :2], q[:, 2:]], axis=1)
    np.testing.assert_array_equal(colour, expected)


@pytest.mark.parametrize("target", TARGETS)
def test_several_are_written_at_once(target: str) -> None:
    """Fetches put both varyings into one register, from which one move exports them."""
    vertex = "attribute vec4 p; attribute vec2 q, r; varying vec2 a, b; void main() { gl_Position = p; a = q; b = r; }"
    fragment = "precision highp float; varying vec2 a, b; void main() { gl_FragColor = vec4(a * b, a - b); }"
    text = glslc_multi.link(vertex, fragment, target=target).stages["vertex"].artifact.assembly
    assert text.count("export0") == text.count("MAXv\texport0 =") == 1
