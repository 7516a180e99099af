"""The verdict on a module that another one was made into: each kind of difference is seen."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.proof.modules import prove_module
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.frontends.registry import make_source

_SHADER = """
precision highp float;
varying vec4 v; uniform vec4 u; uniform sampler2D s;
void main() {
    if (v.x > 0.5) discard;
    gl_FragColor = (v + u) * texture2D(s, v.xy) + sqrt(u.x);
}
"""


def _snapshot(source: str) -> Snapshot:
    return Snapshot(lower_source(make_source(source, "a.frag", "fragment"), FrontEndOptions(), DiagnosticSink()))


def _verdict(change: tuple[str, str], draws: int = 8) -> str:
    source, other = _snapshot(_SHADER), _snapshot(_SHADER.replace(*change))
    outputs = {v.name: (other.module.find_variable(v.name), 0) for v in source.module.outputs()}
    return prove_module(source, other, outputs, draws).outcome


@pytest.mark.parametrize(
    "change",
    [
        ("", ""),
        ("(v + u)", "(u + v)"),
        ("(v + u) * texture2D(s, v.xy)", "v * texture2D(s, v.xy) + u * texture2D(s, v.xy)"),
    ],
)
def test_what_says_the_same(change: tuple[str, str]) -> None:
    assert _verdict(change) == "equal"


@pytest.mark.parametrize(
    "change",
    [
        ("(v + u)", "(v - u)"),
        ("v.xy", "v.yx"),
        ("0.5", "0.75"),
        ("> 0.5", "< 0.5"),
        ("sqrt(u.x)", "sqrt(u.x) * 1.0001"),
        ("sqrt(u.x)", "inversesqrt(u.x)"),
        ("gl_FragColor = ", "vec4 c = "),
    ],
)
def test_what_says_something_else(change: tuple[str, str]) -> None:
    assert _verdict(change, draws=32) == "differs"


def test_roundings_are_near() -> None:
    assert _verdict(("sqrt(u.x)", "sqrt(u.x) * 1.0000001")) == "near"
