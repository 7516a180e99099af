"""Which words look which texture up: those that write the parameters, and those that take the result."""

from __future__ import annotations

from glslc_multi.backends.registry import load_target
from glslc_multi.backends.vc4.codegen.reflect import lookups
from glslc_multi.backends.vc4.isa.container import pack, unpack
from glslc_multi.backends.vc4.isa.encoding import decode
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.registry import make_source

SHADER = """
precision mediump float;
uniform sampler2D u_first, u_second;
varying vec2 v;
void main() { gl_FragColor = texture2D(u_first, v) * texture2D(u_second, v * 2.0); }
"""
_SIGNAL = 60


def test_results_come_in_the_order_of_the_requests() -> None:
    artifact = compile_source(make_source(SHADER, "a.frag"), load_target("vc4"), Request(), DiagnosticSink())
    words, found = unpack(artifact.binary).words, lookups(artifact)
    loads = [number for number, word in enumerate(words) if decode(word).signal == Signal.LDTMU0]
    assert [found[number] for number in loads] == [["u_first"], ["u_second"]]
    assert all(number < loads[0] for number in found if number not in loads)
    # With a load less, nobody knows which it is.
    fewer = [
        word & ~(15 << _SIGNAL) | Signal.NONE << _SIGNAL if n == loads[0] else word for n, word in enumerate(words)
    ]
    changed = replace(artifact, binary=pack(Program(tuple(fewer))))
    assert {*lookups(changed)} == {*found} - {*loads}
