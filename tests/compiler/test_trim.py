"""The second step of linking: what the fragment stage reads, and a vertex stage that computes no more."""

from __future__ import annotations

from compiler.diagnostics import DiagnosticSink
from compiler.driver import link_sources, optimise
from compiler.frontend import FrontEndOptions
from compiler.ir import ops
from compiler.ir.module import Module
from compiler.ir.text import print_module
from compiler.ir.verify import check
from compiler.options import LinkedVarying
from compiler.passes.control_flow.clone import clone_module
from compiler.trim import drop_unread, linked_interface
from frontends.registry import make_source

VERTEX = """
attribute vec4 position;
uniform mat4 matrix;
varying vec4 colour;
varying vec2 unused;
varying float rows[2];
void main() {
    gl_Position = matrix * position;
    colour = vec4(sin(position.x), cos(position.y), position.z, 1.0);
    unused = position.xy * exp(position.w);
    rows[0] = position.x;
    rows[1] = position.y;
}
"""
FRAGMENT = """
precision mediump float;
varying vec4 colour;
varying vec2 unused;
varying float rows[2];
void main() { gl_FragColor = vec4(colour.zy, rows[1], gl_FragCoord.w + unused.x * 0.0 + (false ? unused.y : 0.0)); }
"""


def _pair(fragment: str = FRAGMENT) -> tuple[Module, Module]:
    pair = link_sources(
        make_source(VERTEX, "a.vert"), make_source(fragment, "a.frag"), FrontEndOptions(), DiagnosticSink()
    )
    return optimise(pair.vertex, 2), optimise(pair.fragment, 2)


def test_the_interface_lists_the_components_read() -> None:
    _, fragment = _pair()
    interface = linked_interface(fragment)
    assert LinkedVarying("colour", 0, 0, 1) in interface.varyings
    assert LinkedVarying("colour", 0, 0, 2) in interface.varyings
    assert LinkedVarying("rows", 1, 0, 0) in interface.varyings
    assert {varying.name for varying in interface.varyings} <= {"colour", "rows", "unused"}
    assert LinkedVarying("unused", 0, 0, 1) not in interface.varyings
    assert interface.frag_coord == (3,)


def test_the_vertex_stage_stops_computing_what_nobody_reads() -> None:
    vertex, fragment = _pair(FRAGMENT.replace("unused.x * 0.0", "0.0"))
    assert drop_unread(vertex, linked_interface(fragment))
    optimise(vertex, 2)
    check(vertex, final=True)
    opcodes = {instruction.op for instruction in vertex.main.instructions()}
    assert ops.FCOS in opcodes
    assert ops.FSIN not in opcodes
    assert ops.FEXP not in opcodes
    assert "unused" not in vertex.variables


def test_a_clone_prints_the_same_and_shares_nothing() -> None:
    vertex, _ = _pair()
    clone = clone_module(vertex)
    assert print_module(clone) == print_module(vertex)
    check(clone, final=True)
    assert not set(vertex.variables.values()) & set(clone.variables.values())
    assert not set(vertex.main.blocks) & set(clone.main.blocks)
    before = print_module(vertex)
    drop_unread(clone, linked_interface(Module("fragment")))
    assert print_module(vertex) == before
