"""The second step of linking: what the fragment stage reads, and a vertex stage that computes no more."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.linking.trim import drop_unread, linked_interface
from glslc_multi.compiler.options import LinkedInterface, LinkedVarying
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.programs import link_sources
from glslc_multi.frontends.registry import make_source

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


READING = """shader fragment
varying @a: vec4
varying @m: mat3
varying @r: vec2[3]
varying @k: mat2[2]
varying @none: vec4
uniform @n: int
input @gl_FragCoord: vec4 role(frag_coord)
output @gl_FragColor: vec4 role(frag_color)

func @main {
^entry:
  %0:int = load @n
  %1:vec4 = load @a
  %2:vec2 = swizzle.zw %1
  %3:vec3 = load @m.%0
  %4:float = swizzle.y %3
  %5:vec2 = load @r[%0]
  %6:float = swizzle.x %5
  %7:vec4 = construct %2, %4, %6
  %8:vec4 = load @none
  %9:vec4 = fneg %8
  %10:vec2 = load @k[1].1
  %11:float = swizzle.x %10
  %12:vec4 = load @gl_FragCoord
  %13:float = swizzle.y %12
  %14:vec4 = load @a
  %15:float = swizzle.x %14
  %16:vec3 = construct %11, %13, %15
  %17:vec4 = construct %16, 1.0
  %18:vec4 = fadd %7, %17
  store @gl_FragColor, %18
  ret
}
"""
WRITING = """shader vertex
attribute @p: vec4
uniform @n: int
varying @a: vec4
varying @m: mat3
varying @r: vec2[3]
varying @k: mat2[2]
varying @none: vec4
output @gl_Position: vec4 role(position)

func @main {
^entry:
  %0:vec4 = load @p
  %1:vec3 = swizzle.xyz %0
  %2:vec2 = swizzle.xy %0
  %3:int = load @n
  store @a, %0
  store @m.0, %1
  store @m.2, %1
  store @r[0], %2
  store @r[%3], %2
  store @k[0].1, %2
  store @k[1].1, %2
  store @none, %0
  store @gl_Position, %0
  ret
}
"""
#: Written by hand: what no load of `READING` needs is undefined.
TRIMMED = """
^entry:
  %0:vec4 = load @p
  %1:vec3 = swizzle.xyz %0
  %2:vec2 = swizzle.xy %0
  %3:int = load @n
  %4:vec4 = insert.y %0, float(undef)
  store @a, %4
  %6:vec3 = insert.x %1, float(undef)
  %7:vec3 = insert.z %6, float(undef)
  store @m.0, %7
  %9:vec3 = insert.x %1, float(undef)
  %10:vec3 = insert.z %9, float(undef)
  store @m.2, %10
  %12:vec2 = insert.y %2, float(undef)
  store @r[0], %12
  store @r[%3], %2
  store @k[0].1, vec2(undef)
  %16:vec2 = insert.y %2, float(undef)
  store @k[1].1, %16
  store @gl_Position, %0
  ret
}
"""


def _module(text: str) -> Module:
    module = parse_module(text, "a.sir", DiagnosticSink())
    assert module is not None
    return module


def test_an_index_that_is_not_known_may_read_every_element_and_column() -> None:
    """In declared order: x, z and w of a, y of each column of m, x of each element of r, and one place of k."""
    wanted = [
        *[LinkedVarying("a", 0, 0, component) for component in (0, 2, 3)],
        *[LinkedVarying("m", 0, column, 1) for column in range(3)],
        *[LinkedVarying("r", element, 0, 0) for element in range(3)],
        LinkedVarying("k", 1, 1, 0),
    ]
    interface = linked_interface(_module(READING))
    assert list(interface.varyings) == wanted
    assert interface.frag_coord == (1,)


def test_what_is_not_read_becomes_undefined() -> None:
    vertex = _module(WRITING)
    assert drop_unread(vertex, linked_interface(_module(READING)))
    vertex.main.renumber()
    text = print_module(vertex)
    assert text.endswith(TRIMMED.lstrip("\n"))
    assert "@none" not in text


def test_what_is_read_stays() -> None:
    whole = WRITING.replace("  store @none, %0\n", "").replace("varying @none: vec4\n", "")
    places = [*[("m", 0, column, 3) for column in range(3)], *[("r", element, 0, 2) for element in range(3)]]
    places += [("a", 0, 0, 4), *[("k", element, column, 2) for element in range(2) for column in range(2)]]
    read = [
        LinkedVarying(name, element, column, number)
        for name, element, column, count in places
        for number in range(count)
    ]
    vertex = _module(whole)
    before = print_module(vertex)
    assert not drop_unread(vertex, LinkedInterface(tuple(read)))
    assert print_module(vertex) == before
    assert drop_unread(vertex, LinkedInterface(tuple(place for place in read if place.name != "a")))
    assert "@a" not in print_module(vertex)
    rest = [place for place in read if place.name != "a"]
    assert drop_unread(vertex, LinkedInterface(tuple(place for place in rest if place != LinkedVarying("k", 0, 1, 1))))
    assert drop_unread(vertex, LinkedInterface(tuple(place for place in rest if place.name != "k" or place.element)))


def test_a_fragment_stage_that_reads_nothing() -> None:
    assert linked_interface(Module("fragment")) == LinkedInterface(())
    unread = READING.replace("%13:float = swizzle.y %12", "%13:float = swizzle.x %2")
    assert linked_interface(_module(unread)).frag_coord == ()
    assert linked_interface(_module(unread.replace("  %12:vec4 = load @gl_FragCoord\n", ""))).frag_coord == ()
