"""The file format: bytes against the published layout, and files that break it."""

from __future__ import annotations

import struct

import pytest

from glslc_multi.backends.pica200.isa.asm import assemble, assemble_files
from glslc_multi.backends.pica200.isa.container import read, write
from glslc_multi.backends.pica200.isa.disasm import disassemble
from glslc_multi.backends.pica200.isa.program import Constant, Executable, Geometry, Label, Output, Program, Uniform
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.pica200.recorded import CONTAINER_HEX, CONTAINER_TEXT

RECORDED = bytes.fromhex(CONTAINER_HEX)


def test_the_recorded_file_comes_out() -> None:
    assert write(assemble(CONTAINER_TEXT, "test", DiagnosticSink())) == RECORDED


def test_the_recorded_file_prints_and_comes_out_again() -> None:
    text = disassemble(RECORDED, "test", DiagnosticSink())
    assert write(assemble(text, "test", DiagnosticSink())) == RECORDED


def everything() -> Program:
    vertex = Executable(
        entry=1,
        end=2,
        input_mask=0b101,
        output_mask=0b1,
        constants=[Constant("b", 3, (1,)), Constant("i", 2, (1, 2, 3, 255)), Constant("c", 95, (1, 2, 3, 0xFFFFFF))],
        outputs=[Output(0, 0, 0xF)],
        uniforms=[Uniform("größe", 0x10, 0x13)],
        labels=[Label(0, 1, 0, 0xFFFFFFFF, "start")],
    )
    geometry = Executable(geometry=Geometry("fixed", 20, 6), merges_outputs=True)
    return Program([0x88000000, 0x84000000], [0x36F], [vertex, geometry])


def test_reading_gives_what_was_written() -> None:
    program = everything()
    assert read(write(program), "test", DiagnosticSink()) == program


def test_header_fields_stand_where_loaders_look() -> None:
    data = write(everything())
    (vertex,) = struct.unpack_from("<I", data, 8)
    (geometry,) = struct.unpack_from("<I", data, 12)
    assert data[16:20] == b"DVLP"
    assert struct.unpack_from("<4I", data, 16 + 8) == (0x28, 2, 0x30, 1)
    assert struct.unpack_from("<4sHBBIIHH", data, vertex) == (b"DVLE", 0x1002, 0, 0, 1, 2, 0b101, 0b1)
    assert struct.unpack_from("<4sHBB", data, geometry) == (b"DVLE", 0x1002, 1, 1)
    assert tuple(data[geometry + 0x14 : geometry + 0x18]) == (2, 20, 0, 6)
    assert len(data) % 4 == 0


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "does not begin with DVLB"),
        (b"DVLB", "the number of DVLEs"),
        (b"DVLB\xff\xff\xff\xff", "the table of DVLEs"),
        (b"DVLB\0\0\0\0", "the DVLP header"),
        (RECORDED.replace(b"DVLP", b"DVLX"), "no DVLP"),
        (RECORDED.replace(b"DVLE", b"DVLX"), "no DVLE"),
        (RECORDED[:-8], "the symbols"),
    ],
)
def test_malformed_files_are_reported(data: bytes, reason: str) -> None:
    with pytest.raises(CompileError) as caught:
        disassemble(data, "test", DiagnosticSink())
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E0808"
    assert reason in diagnostic.message


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (Program([0x40000000], [], [Executable(0, 1)]), "is no instruction"),
        (Program([0xA0000800], [], [Executable(0, 1)]), "outside of the one around it"),
        (Program([0x4C000000], [], [Executable(0, 1)]), "no operand descriptor 0"),
        (Program([0x4C000000], [0], [Executable(0, 1)]), "no component is written"),
        (Program([0x84000000], [], [Executable(0, 2)]), "leave the code"),
        (Program([0xB0001400], [], [Executable(0, 1)]), "a jump leaves the code"),
        (Program([0xA5000000], [], [Executable(0, 1)]), "no register i4"),
        (Program([0x88000000], [], []), "the file has no shader"),
    ],
)
def test_programs_without_text_are_reported(program: Program, reason: str) -> None:
    with pytest.raises(CompileError) as caught:
        disassemble(write(program), "test", DiagnosticSink())
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E0809"
    assert reason in diagnostic.message


def test_declarations_survive_printing() -> None:
    text = """.gsh variable c5 3
.in a v15
.fvec _hidden[2], b[2]
.ivec n
.bool f
.out p pos
.out - dummy o1
.setf c90(1e-05, -0.25, inf, 100000.0)
.proc main
l: call f
    jmpc !cmp.x || cmp.y, l
    end
.end
.proc f
    mad r0.x, -r1.y, r2, c4[a0.y]
    setemit 1, prim inv
.end
"""
    program = assemble(text, "test", DiagnosticSink())
    again = disassemble(write(program), "test", DiagnosticSink())
    assert write(assemble(again, "test", DiagnosticSink())) == write(program)


def printed_again(data: bytes) -> bytes:
    text = disassemble(data, "test", DiagnosticSink())
    return write(assemble(text, "again", DiagnosticSink()))


TWO_VERTEX_SHADERS = (
    """.fvec _gap[3], shared[2], first
.ivec n
.in a v1
.out - position o0
.constf k(1, 2, 3, 4)
.proc one
again: mov o0, a
    call help
    jmpu b0, again
    end
.end
.entry one
.proc help
    mov r0, k
.end
""",
    """.in b v0
.fvec shared[2], second
.bool f
.out - position o0
.out - color o1
.setf c9(5, 6, 7, 8)
.proc two
again: mov o0, b
    call help
    jmpu f, again
    mov o1, second
    end
.end
.entry two
""",
)
GEOMETRY_SHADER = """.gsh {kind}
.fvec place, other[2]
.out - position o0
.out - dummy o1
.proc three
    mov o0, place
    mov o1, other
    setemit 0
    emit
    end
.end
.entry three
"""


@pytest.mark.parametrize("kind", ["point c0", "variable c7 3", "fixed c12 c3 3", "fixed c4 c3 1"])
@pytest.mark.parametrize("order", [(0, 2), (2, 0), (0, 1), (1, 0, 2), (0, 1, 2), (0,)])
def test_several_shaders_of_a_file_come_out_again(order: tuple[int, ...], kind: str) -> None:
    texts = (*TWO_VERTEX_SHADERS, GEOMETRY_SHADER.format(kind=kind))
    nothing = ".nodvle\n.proc help\nmov r1, r2\n.end"  # Whoever comes without the first one needs a procedure.
    chosen = [texts[number] for number in order] + ([] if 0 in order else [nothing])
    data = write(assemble_files([(text, f"{n}") for n, text in enumerate(chosen)], DiagnosticSink()))
    assert printed_again(data) == data
    assert disassemble(data, "test", DiagnosticSink()).count(".dvle") == len(order) - 1


def test_shaders_with_one_entry_and_jumps_from_one_to_the_other_come_out_again() -> None:
    """The second one begins where the first one jumps to."""
    table = Executable(0, 2, output_mask=1, outputs=[Output(0, 0, 0xF)])
    program = Program([0xB0000800, 0x84000000, 0x84000000, 0x88000000], [], [table, Executable(2, 4), table])
    assert printed_again(write(program)) == write(program)


@pytest.mark.parametrize(
    "name", ["lights[0].d", "größe", "a b", "a$b", "r0", "_x", "", "x\\ty", "is c3 to c5", "a\n.end"]
)
def test_names_that_no_directive_says_come_out_again(name: str) -> None:
    uniforms = [Uniform("before", 0x10, 0x10), Uniform(name, 0x11, 0x13), Uniform("behind", 0x14, 0x14)]
    other = Executable(0, 1, uniforms=[Uniform(name, 0x78, 0x78), Uniform("b1", 0x78, 0x78)])
    program = Program([0x88000000], [], [Executable(0, 1, uniforms=uniforms), other])
    assert printed_again(write(program)) == write(program)


def test_a_comment_that_is_like_a_name_is_a_comment() -> None:
    text = "; name x is c3 of\n; name y is c95 to c97\n; name z is c1 to b2\n.proc main\nend ; name w is c3\n.end\n"
    assert assemble(text, "test", DiagnosticSink()).executables[0].uniforms == []
