"""Varyings that a fragment stage reads where they come from: what it is sent is less, and its colours are the same."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.linking.match import LinkedPair
from glslc_multi.compiler.linking.origins import read_at_origin
from glslc_multi.compiler.linking.trim import linked_interface
from glslc_multi.compiler.options import KnownVaryings
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.programs import link_sources
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module

_ALL: frozenset[KnownVaryings] = frozenset({"constants", "copies", "uniforms", "components"})
_VECTORS = _ALL - {"components"}
_LANES = 64
_VERTEX = """#version 300 es
in vec4 p; in vec4 q; in float n;
uniform vec4 tint; uniform vec2 step; uniform mat4 m; uniform Block { vec4 shade; };
VARYINGS
void main() { gl_Position = p; BODY }
"""
_FRAGMENT = """#version 300 es
precision highp float;
uniform vec4 tint; uniform int k;
VARYINGS
out vec4 colour;
void main() { colour = COLOUR; }
"""


def _optimised(declarations: str, body: str, colour: str) -> LinkedPair:
    sources = (
        make_source(_VERTEX.replace("VARYINGS", declarations.replace("in ", "out ")).replace("BODY", body), "a.vert"),
        make_source(_FRAGMENT.replace("VARYINGS", declarations).replace("COLOUR", colour), "a.frag"),
    )
    pair = link_sources(*sources, FrontEndOptions(), DiagnosticSink())
    return LinkedPair(optimise(pair.vertex, 2), optimise(pair.fragment, 2))


def _sent(pair: LinkedPair) -> list[str]:
    """The components that the fragment stage reads."""
    places = linked_interface(pair.fragment).varyings
    return sorted(f"{p.name}.{'xyzw'[p.component]}" for p in places)


def _colours(pair: LinkedPair) -> np.ndarray:
    """Run both stages, as fragments that are one vertex each; return their colours."""
    random = np.random.default_rng(2)
    uniforms = {
        "tint": random.uniform(-2, 2, 4),
        "step": random.uniform(-2, 2, 2),
        "m": random.uniform(-2, 2, (4, 4)),
        "shade": random.uniform(-2, 2, 4),
        "k": np.array(1),
    }
    attributes = {
        "p": random.uniform(-2, 2, (_LANES, 4)),
        "q": random.uniform(-2, 2, (_LANES, 4)),
        "n": random.uniform(-2, 2, _LANES),
    }

    def run(module: object, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        clone = clone_module(module)  # type: ignore[arg-type]
        own = {name: value for name, value in uniforms.items() if name in clone.variables}
        given = {name: value for name, value in inputs.items() if name in clone.variables}
        return run_module(clone, given, own, {}, lanes=_LANES)

    return run(pair.fragment, run(pair.vertex, attributes))["colour"]


@pytest.mark.parametrize(
    ("declarations", "body", "colour", "sent"),
    [
        ("in vec4 a;", "a = vec4(1.0, 0.5, n, -0.0);", "a * 2.0", ["a.z"]),
        ("in vec2 a; in vec2 b;", "a = p.xy; b = p.yx;", "vec4(a, b)", ["a.x", "a.y"]),
        ("in vec4 a; in vec4 b;", "a = vec4(tint.x, n, tint.zw); b = m[2];", "a + b.wzyx", ["a.y"]),
        ("in vec4 a;", "a = shade;", "a", ["a.w", "a.x", "a.y", "a.z"]),
        # Numbers of vectors that were put together in different ways.
        (
            "in vec4 a; in vec4 b;",
            "a = p.xyxy + vec4(-step.x, 0.0, step.x, 0.0); b = vec4(p.x, p.y - step.y, p.x - step.x, step.x + p.x);",
            "a + 3.0 * b",
            ["a.x", "a.y", "a.z", "b.x", "b.y"],
        ),
        ("in float a; in float b;", "a = n * p.x; b = p.x * n;", "vec4(a, b, a, b)", ["a.x"]),
        ("in float a; in float b;", "a = n - p.x; b = p.x - n;", "vec4(a, b, a, b)", ["a.x", "b.x"]),
        ("in float a; in float b;", "a = n * 1.0 + 0.0; b = n;", "vec4(a, b, a, b)", ["a.x"]),
        ("in float a; in float b;", "a = n / p.x; b = p.x / n;", "vec4(a, b, a, b)", ["a.x", "b.x"]),
        (
            "in vec4 a; in vec2 b;",
            "a = p.xyxy * vec4(1.0, 0.0, 2.0, 1.0); b = p.xy;",
            "a + b.xyxy",
            ["a.w", "a.x", "a.y", "a.z"],
        ),
        ("in float a; in float b;", "a = exp2(n); b = exp2(p.y);", "vec4(a, b, a, b)", ["a.x", "b.x"]),
        # Other places of one vertex, or other kinds.
        ("in float a; flat in float b;", "a = n; b = n;", "vec4(a, b, a, b)", ["a.x", "b.x"]),
        ("flat in int a; flat in int b;", "a = int(n); b = int(n);", "vec4(a, b, a, b)", ["a.x"]),
        ("flat in int a; flat in uint b;", "a = int(n); b = uint(int(n));", "vec4(a, b, a, b)", ["a.x", "b.x"]),
        # Nobody knows which element is read.
        ("in float a[2]; in float b;", "a[0] = n; a[1] = p.x; b = n;", "vec4(a[k], b, b, b)", ["a.x", "a.x", "b.x"]),
    ],
)
def test_components_that_are_known_are_not_sent(declarations: str, body: str, colour: str, sent: list[str]) -> None:
    pair = _optimised(declarations, body, colour)
    before = _colours(pair)
    shorter = read_at_origin(pair, _ALL)
    if shorter is not None:
        check(shorter.fragment)
        shorter = LinkedPair(shorter.vertex, optimise(shorter.fragment, 2))
        assert np.array_equal(_colours(shorter), before)
    assert _sent(shorter or pair) == sent


@pytest.mark.parametrize(
    ("declarations", "body", "colour", "sent"),
    [
        ("in vec4 a;", "a = vec4(1.0, 0.5, 0.25, 0.0);", "a", []),
        ("in vec4 a;", "a = vec4(1.0, 0.5, n, 0.0);", "a", ["a.w", "a.x", "a.y", "a.z"]),
        ("in vec4 a;", "a = tint.wxyz;", "a", []),
        ("in vec4 a; in vec4 b;", "a = p; b = p.wzyx;", "a + 2.0 * b", ["a.w", "a.x", "a.y", "a.z"]),
        (
            "in vec2 a; in vec2 b; in vec2 c;",
            "a = p.xy; b = q.xy; c = vec2(p.x, q.y);",
            "vec4(a, b) * c.xyxy",
            ["a.x", "a.y", "b.x", "b.y", "c.x", "c.y"],
        ),
        ("in vec2 a; in vec2 b;", "a = p.xy; b = vec2(p.x, n);", "vec4(a, b)", ["a.x", "a.y", "b.x", "b.y"]),
    ],
)
def test_vectors_stay_in_one_piece(declarations: str, body: str, colour: str, sent: list[str]) -> None:
    """A machine of vectors reads a register, or numbers: it puts nothing together."""
    pair = _optimised(declarations, body, colour)
    before = _colours(pair)
    shorter = read_at_origin(pair, _VECTORS) or pair
    shorter = LinkedPair(shorter.vertex, optimise(shorter.fragment, 2))
    assert np.array_equal(_colours(shorter), before)
    assert _sent(shorter) == sent


@pytest.mark.parametrize("kind", sorted(_VECTORS))
def test_a_machine_chooses(kind: KnownVaryings) -> None:
    declarations = "in vec4 a; in vec4 b; in vec4 c; in vec4 d;"
    pair = _optimised(declarations, "a = vec4(0.5); b = tint; c = p; d = p;", "a + b * c * d")
    shorter = read_at_origin(pair, {kind})
    assert shorter is not None
    gone = {name for name in "abcd" if not any(place.startswith(name) for place in _sent(shorter))}
    assert gone == {{"constants": "a", "uniforms": "b", "copies": "d"}[kind]}


_SOMETIMES = """shader vertex
attribute @n: float
varying @a: float
varying @b: float

func @main {
^entry:
  %0:float = load @n
  store @a, %0
  %1:bool = flt %0, 0.0
  condbr %1, ^then, ^end
^then:
  store @a, 0.5
  br ^end
^end:
  store @b, 0.5
  ret
}
"""
_READS = """shader fragment
varying @a: float
varying @b: float
output @gl_FragColor: vec4 role(frag_color)

func @main {
^entry:
  %0:float = load @a
  %1:float = load @b
  %2:vec4 = construct %0, %1, 0.0, 0.0
  store @gl_FragColor, %2
  ret
}
"""


def test_what_only_some_vertices_write_is_sent() -> None:
    vertex, fragment = (parse_module(text, "a.sir", DiagnosticSink()) for text in (_SOMETIMES, _READS))
    assert vertex is not None and fragment is not None
    shorter = read_at_origin(LinkedPair(vertex, fragment), _ALL)
    assert shorter is not None
    assert _sent(LinkedPair(shorter.vertex, optimise(shorter.fragment, 2))) == ["a.x"]


def test_a_pair_that_sends_what_it_must_stays() -> None:
    assert read_at_origin(_optimised("in vec4 a;", "a = p * n;", "a"), _ALL) is None
