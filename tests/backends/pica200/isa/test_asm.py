"""The assembler: allocation of registers, descriptors, blocks and padding; messages for mistakes."""

from __future__ import annotations

import math

import pytest

from glslc_multi.backends.pica200.isa import instructions, registers
from glslc_multi.backends.pica200.isa.asm import assemble, assemble_files
from glslc_multi.backends.pica200.isa.disasm import disassemble_program
from glslc_multi.backends.pica200.isa.program import Constant, Geometry, Output, Program, Uniform
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.pica200.helpers import errors_of, program_of
from tests.shared_data import PROJECT_ROOT

ONE, TWO = 0x3F0000, 0x400000


def names(program: Program) -> list[str]:
    found = [instructions.decode(word) for word in program.code]
    return [instruction.name if instruction else "?" for instruction in found]


def fields(program: Program, address: int) -> dict[str, int]:
    instruction = instructions.decode(program.code[address])
    assert instruction is not None
    return dict(instruction.fields)


# --- Declarations -----------------------------------------------------------------------------------------------------


def test_uniforms_go_upward_and_constants_downward() -> None:
    shader = program_of(
        "end", ".fvec a, b[3]\n.fvec _private\n.fvec lights$pos\n.constf k(1,2,0,0)\n.consti n(1,-1,256,0)\n.bool flag"
    ).executables[0]
    assert shader.uniforms == [
        Uniform("a", 0x10, 0x10),
        Uniform("b", 0x11, 0x13),
        Uniform("lights.pos", 0x15, 0x15),
        Uniform("flag", 0x78, 0x78),
    ]
    assert shader.constants == [Constant("c", 95, (ONE, TWO, 0, 0)), Constant("i", 3, (1, 255, 0, 0))]


def test_constant_arrays_and_fixed_constants() -> None:
    array = ".constfa t[3]\n.constfa (1,1,1,1)\n.constfa (2,2,2,2)\n.end"
    text = f"{array}\n.setf c40(1,0,0,0)\n.setb b3 on\n.seti i2(1,2,3,4)"
    program = program_of("mov r0, t[1]\nend", text)
    assert program.executables[0].constants == [
        Constant("c", 93, (ONE,) * 4),
        Constant("c", 94, (TWO,) * 4),
        Constant("c", 95, (0,) * 4),
        Constant("c", 40, (ONE, 0, 0, 0)),
        Constant("b", 3, (1,)),
        Constant("i", 2, (1, 2, 3, 4)),
    ]
    assert fields(program, 0)["src1"] == registers.SOURCE_BASE["c"] + 94


def test_literals() -> None:
    shader = program_of("end", ".constf a(1., +.5e1, -inf, 0x10)").executables[0]
    assert shader.constants[0].floats == (1.0, 5.0, -math.inf, 16.0)


def test_inputs_and_outputs() -> None:
    text = ".in position v3\n.in normal\n.out o pos\n.out - tcoord0 o1.xy\n.out - texcoord0w o1.p\n.out c color.xyz"
    program = program_of("mov c, position\nend", text)
    shader = program.executables[0]
    assert shader.input_mask == 0b1001
    assert shader.output_mask == 0b111
    assert shader.uniforms == [Uniform("normal", 0, 0), Uniform("position", 3, 3)]
    assert shader.outputs == [Output(0, 0, 0xF), Output(3, 1, 0b0011), Output(4, 1, 0b0100), Output(2, 2, 0b0111)]
    assert fields(program, 0)["dst"] == 2


@pytest.mark.parametrize(
    ("line", "geometry"),
    [
        (".gsh point c4", Geometry("point")),
        (".gsh subdivision c4 3", Geometry("variable", 0, 3)),
        (".gsh fixed c4 c20 6", Geometry("fixed", 20, 6)),
    ],
)
def test_geometry(line: str, geometry: Geometry) -> None:
    shader = program_of("end", f"{line}\n.fvec u\n.out - dummy o1").executables[0]
    assert (shader.geometry, shader.merges_outputs) == (geometry, True)
    assert shader.uniforms == [Uniform("u", 0x14, 0x14)]


def test_geometry_of_old_texts_shares_uniforms_of_the_vertex_shader() -> None:
    """picasso's `usesGshSpace` is false for `.gsh` without a mode: no space of its own, no merging of outputs."""
    vertex = ".fvec before, both\n.proc main\nend\n.end"
    geometry = ".out - position\n.gsh\n.out - dummy\n.fvec both\n.entry other\n.proc other\nend\n.end"
    shader = assemble_files([(vertex, "first"), (geometry, "second")], DiagnosticSink()).executables[1]
    assert (shader.geometry, shader.merges_outputs) == (Geometry("point"), False)
    assert shader.uniforms == [Uniform("both", 0x11, 0x11)]
    assert shader.outputs == [Output(0, 0, 0xF), Output(9, 1, 0xF)]


def test_files_share_procedures_and_uniforms_of_one_name() -> None:
    files = [
        (
            ".fvec a, both\n.constf k(1,1,1,1)\n.proc main\ncall help\nend\n.end\n.proc help\nmov r0, both\n.end",
            "first",
        ),
        (".fvec both, b\n.constf k(2,2,2,2)\n.entry other\n.proc other\nmov r0, k\nend\n.end", "second"),
    ]
    program = assemble_files(files, DiagnosticSink())
    first, second = program.executables
    assert first.uniforms == [Uniform("a", 0x10, 0x10), Uniform("both", 0x11, 0x11)]
    assert second.uniforms == [Uniform("both", 0x11, 0x11), Uniform("b", 0x12, 0x12)]
    assert (first.constants[0].register, second.constants[0].register) == (95, 95)
    assert (first.entry, first.end, second.entry, second.end) == (0, 2, 3, 5)


def test_a_file_of_procedures_only() -> None:
    assert assemble(".nodvle\n.proc f\nmov r0, r1\n.end", "test", DiagnosticSink()).executables == []


# --- Operands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("MOV r0, R1".replace("R1", "r1"), "mov r0, r1"),
        ("mov r0, r1.rgba", "mov r0, r1.xyzw"),
        ("mov r0, r1.ts", "mov r0, r1.yxxx"),
        ("mov r0, r1[3]", "mov r0, r4"),
        ("mov r0, c1[a0]", "mov r0, c1[a0.x]"),
        ("mov r0, c1[AL+2]", "mov r0, c3[aL]"),
        ("mov r0, c1[lcnt]", "mov r0, c1[aL]"),
        ("mova a01, r1", "mova a0.xy, r1"),
        ("mova a1, r1", "mova a0.y, r1"),
        ("exp r0, r1", "ex2 r0, r1"),
        ("mad r0, r1, r2, c3", "madi r0, r1, r2, c3"),
        ("mov r0, twisted.x", "mov r0, r3.w"),
        ("mov r0, -minus", "mov r0, r3"),
        ("mov pair, r1", "mov r3.zw, r1"),
        ("mov pair.y, r1", "mov r3.w, r1"),
    ],
)
def test_spellings(written: str, plain: str) -> None:
    declarations = ".alias twisted r3.wzyx\n.alias minus -r3\n.alias pair r3.zw"
    ours, theirs = program_of(written, declarations), program_of(plain)
    assert (ours.code, ours.descriptors) == (theirs.code, theirs.descriptors)


def test_a_mask_has_no_order() -> None:
    sink = DiagnosticSink()
    program = assemble(".proc main\nmov r0.yx, r1\n.end", "test", sink)
    assert program.descriptors[0] & 0xF == 0b1100
    assert [d.code for d in sink.diagnostics] == ["W0820"]


# --- Descriptors ------------------------------------------------------------------------------------------------------


def test_descriptors_are_shared_where_only_unused_bits_differ() -> None:
    # The swizzles differ in components that are not written.
    assert len(program_of("mov r0.x, r1.xyzw\nmov r0.x, r1.xwww").descriptors) == 1
    assert len(program_of("mov r0.x, r1.xyzw\nmov r0.xy, r1.xwww").descriptors) == 2
    # DP3 does not read w, DP4 does.
    assert len(program_of("dp3 r0, r1, r2\ndp3 r0, r1.xyzx, r2.xyzz").descriptors) == 1
    assert len(program_of("dp4 r0, r1, r2\ndp4 r0, r1.xyzx, r2").descriptors) == 2


def test_a_late_mad_gets_one_of_the_first_descriptors() -> None:
    swizzles = [f"{a}{b}{c}x" for a in "xyzw" for b in "xyzw" for c in "xyzw"]
    movs = [f"mov r0, r1.{swizzle}" for swizzle in swizzles[:40]]
    program = program_of("\n".join([*movs, "mad r0, r1, r2, r3"]))
    assert len(program.descriptors) == 41
    assert fields(program, 40)["desc"] == 0
    # The first MOV's descriptor moved to the end, and its word follows.
    assert fields(program, 0)["desc"] == 40
    assert fields(program, 1)["desc"] == 1


def distinct_masks_and_swizzles(count: int, line: str) -> str:
    letters = "xyzw"
    lines = [
        line.format(f"{letters[n & 3]}{letters[n >> 2 & 3]}{letters[n >> 4 & 3]}{letters[n >> 6 & 3]}")
        for n in range(count)
    ]
    return "\n".join(lines)


def test_descriptor_limits() -> None:
    assert len(program_of(distinct_masks_and_swizzles(128, "mov r0, r1.{}")).descriptors) == 128
    many = distinct_masks_and_swizzles(140, "mov r0, r1.{}")
    assert errors_of(f".proc main\n{many}\n.end") == [("E0827", 130, 1)]
    assert len(program_of(distinct_masks_and_swizzles(32, "mad r0, r1.{}, r2, r3")).descriptors) == 32
    many = distinct_masks_and_swizzles(40, "mad r0, r1.{}, r2, r3")
    assert errors_of(f".proc main\n{many}\n.end") == [("E0827", 34, 1)]


# --- Blocks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("ifu b0\n.end", "IFU NOP"),
        ("ifu b0\nmov r0, r1\n.end", "IFU MOV"),
        ("ifu b0\nmov r0, r1\n.else\n.end", "IFU MOV"),
        ("ifu b0\nifu b1\nmov r0, r1\n.end\n.end", "IFU IFU MOV NOP"),
        ("for i0\nifu b1\nmov r0, r1\n.end\n.end", "LOOP IFU MOV NOP"),
        ("ifu b0\ncall f\n.else\ncall f\n.end", "IFU CALL NOP CALL NOP"),
        ("for i0\nbreak\n.end", "LOOP BREAK NOP"),
        ("for i0\nmov r0, r1\nbreakc cmp.x\n.end", "LOOP MOV BREAKC NOP"),
        ("ifu b0\nmov r0, r1\nbreak\n.end", "IFU MOV BREAK"),
        ("l: ifu b0\njmpu b1, l\n.end", "IFU JMPU NOP"),
        ("ifu b0\ncall f\nnop\n.end", "IFU CALL NOP"),
    ],
)
def test_padding(body: str, expected: str) -> None:
    program = program_of(f"{body}\nend", after=".proc f\nmov r0, r1\n.end")
    assert names(program) == [*expected.split(), "END", "MOV"]


def test_procedures_are_padded_as_well() -> None:
    assert names(program_of("end", after=".proc f\n.end\n.proc g\nifu b0\nnop\n.end\n.end")) == [
        "END",
        "NOP",
        "IFU",
        "NOP",
        "NOP",
    ]


def test_a_procedure_may_be_a_part_of_another_one() -> None:
    """picasso keeps procedures on its stack of blocks, and calls name a range of words."""
    body = "ifu b0\n.proc f\nmov r0, r1\n.proc g\nmov r1, r2\n.end\n.end\n.else\ncall g\n.end\ncall f\nend"
    program = program_of(body)
    assert names(program) == ["IFU", "MOV", "MOV", "CALL", "NOP", "CALL", "END"]
    assert [fields(program, place)["target"] for place in (3, 5)] == [2, 1]
    assert [fields(program, place)["num"] for place in (3, 5)] == [1, 2]
    text = disassemble_program(program, DiagnosticSink())
    assert assemble(text, "test", DiagnosticSink()) == program


def test_two_procedures_may_begin_with_one_word() -> None:
    program = program_of(".proc f\n.proc g\nmov r0, r1\n.end\nmov r1, r2\n.end\ncall f\ncall g\ncall f\nend")
    text = disassemble_program(program, DiagnosticSink())
    assert assemble(text, "test", DiagnosticSink()) == program


def test_the_end_of_an_inner_procedure_needs_what_that_of_the_outer_one_needs() -> None:
    assert names(program_of("end", after=".proc f\n.proc g\nmov r0, r1\ncall h\n.end\n.end\n.proc h\nnop\n.end")) == [
        "END",
        "MOV",
        "CALL",
        "NOP",
        "NOP",
    ]


@pytest.mark.parametrize(
    "called",
    [
        pytest.param([(3, 1), (2, 3)], id="ends in a block"),
        pytest.param([(3, 1), (4, 3)], id="begins in a block"),
        pytest.param([(3, 3), (2, 2)], id="overlap"),
        pytest.param([(3, 1), (6, 9)], id="leaves the code"),
    ],
)
def test_what_is_not_nested_has_no_text(called: list[tuple[int, int]]) -> None:
    program = program_of("nop\nnop\nnop\nifu b0\nnop\nnop\n.end\nend")
    for place, (target, length) in enumerate(called):
        program.code[place] = instructions.encode("CALL", target=target, num=length)
    with pytest.raises(CompileError):
        disassemble_program(program, DiagnosticSink())


def test_padding_can_be_switched_off() -> None:
    assert names(program_of("ifu b0\ncall f\n.end\nend", after=".proc f\nnop\n.end", pads=False)) == [
        "IFU",
        "CALL",
        "END",
        "NOP",
    ]


def test_extents_of_blocks() -> None:
    program = program_of("ifc !cmp.x\nnop\nnop\n.else\nnop\n.end\nfor i2\nnop\nnop\n.end\nend")
    assert fields(program, 0) == {"refx": 0, "refy": 1, "condop": 2, "target": 3, "num": 1}
    assert fields(program, 4) == {"id": 2, "target": 6, "num": 0}


def test_calls_and_jumps() -> None:
    program = program_of("call f\nl: jmpu !b3, l\nend", after=".proc f\nnop\nnop\n.end")
    assert fields(program, 0) | {"refx": 0, "refy": 0} == {"refx": 0, "refy": 0, "condop": 0, "target": 3, "num": 2}
    assert fields(program, 1) == {"id": 3, "target": 1, "num": 1}


def test_code_may_have_512_words() -> None:
    assert len(program_of("nop\n" * 512).code) == 512
    assert errors_of(".proc main\n" + "nop\n" * 530 + ".end") == [("E0827", 514, 1)]


def test_else_parts_and_called_procedures_have_255_words() -> None:
    body = "ifu b0\nnop\n.else\n" + "nop\n" * 256 + ".end\nend"
    assert [code for code, _, _ in errors_of(f".proc main\n{body}\n.end")] == ["E0827"]
    text = ".proc main\ncall f\nend\n.end\n.proc f\n" + "nop\n" * 256 + ".end"
    assert errors_of(text) == [("E0827", 2, 6)]


# --- Mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("moc r0, r1", "E0802", 1),
        (".fvek a", "E0802", 2),
        (".out o colour", "E0802", 8),
        ("mov r0, k", "E0805", 9),
        ("mov R0, r1", "E0805", 5),
        ("jmpu b0, nowhere", "E0805", 10),
        ("call nothing", "E0805", 6),
        ("mov r16, r1", "E0812", 5),
        ("mov r0, r15[1]", "E0812", 9),
        ("mov r0, c96", "E0812", 9),
        ("mov v0, r1", "E0824", 5),
        ("mov r0, o1", "E0824", 9),
        ("mov c0, r1", "E0824", 5),
        ("mov -r0, r1", "E0824", 5),
        ("add r0, r1, c0", "E0824", 13),
        ("add r0, c1, c1", "E0824", 13),
        ("mad r0, c1, r1, r2", "E0824", 9),
        ("mov r0, r1[a0.x]", "E0824", 9),
        ("mov r0, c1[a0.z]", "E0824", 12),
        ("mov r0, c1[a0.x][aL]", "E0824", 18),
        ("mov r0, c1[a0.x-1]", "E0801", 16),
        ("mov r0, r1.xr", "E0824", 12),
        ("mov r0, r1.xyzwx", "E0824", 12),
        ("mova r0, r1", "E0824", 6),
        ("callu b0.x, main", "E0824", 7),
        ("callu -b0, main", "E0824", 7),
        ("callu i0, main", "E0824", 7),
        ("mova a0.z, r1", "E0824", 6),
        ("ifc cmp.z", "E0824", 5),
        ("ifc cmp.x && cmp.x", "E0824", 14),
        ("ifu !b0", "E0801", 5),
        ("cmp r0, xx, eq, r1", "E0801", 9),
        ("setemit 3", "E0804", 9),
        ("setemit 0, left", "E0801", 12),
        ("add r0, v1, v2", "E0825", 13),
        ("cmp v1, eq, eq, v2", "E0825", 17),
        ("mov r0 r1", "E0801", 8),
        ("mov r0, r1 r2", "E0801", 12),
        (".constf k(1,2,3)", "E0801", 16),
        (".constf k(1,2,3,nan)", "E0801", 17),
        (".constf r1(1,2,3,4)", "E0801", 9),
        (".fvec big[97]", "E0804", 11),
        (".setb b1 maybe", "E0801", 10),
        ("?", "E0801", 1),
    ],
)
def test_one_mistake_gives_one_message(line: str, code: str, column: int) -> None:
    text = f".proc main\n{line}\nnop\nend\n"
    if line.startswith(("ifc", "ifu")):
        text += ".end\n"
    assert errors_of(text + ".end\n") == [(code, 2, column)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nop", [("E0826", 1, 1)]),
        (".proc f\nnop\n.end", [("E0826", 1, 1)]),
        (".proc main\nnop", [("E0826", 1, 7)]),
        (".proc main\nnop\n.end\n.end", [("E0826", 4, 2)]),
        (".proc main\n.else\n.end", [("E0826", 2, 2)]),
        (".proc main\nfor i0\nnop\n.else\nnop\n.end\n.end", [("E0826", 4, 2)]),
        (".proc main\nnop\n.proc f\nnop\n.end", [("E0826", 1, 7)]),
        (".entry start\n.proc main\nend\n.end", [("E0805", 1, 8)]),
        (".proc main\nend\n.end\n.proc main\nend\n.end", [("E0806", 4, 7)]),
        (".fvec a\n.fvec a\n.proc main\nend\n.end", [("E0806", 2, 7)]),
        (".proc main\na: nop\na: end\n.end", [("E0806", 3, 1)]),
        (".fvec a[90]\n.fvec b[7]\n.proc main\nend\n.end", [("E0827", 2, 7)]),
        (".fvec a\n.gsh point c0\n.proc main\nend\n.end", [("E0826", 2, 2)]),
        (".constfa t[]\n.end\n.proc main\nend\n.end", [("E0826", 1, 10)]),
        (".constfa t[1]\n.constfa (1,1,1,1)\n.constfa (1,1,1,1)\n.end\n.proc main\nend\n.end", [("E0827", 3, 2)]),
        (".constfa t[1]\n.proc main\nend", [("E0826", 1, 10), ("E0826", 2, 7)]),
        ("", [("E0826", 1, 1)]),
    ],
)
def test_structure(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert errors_of(text) == expected


@pytest.mark.parametrize(
    "broken",
    [".proc! main", ".pro main", ":", ".fvec uMvp[4", ".constf uMvp(1,2)", ".in uMvp v16", "!nd", ".ebd"],
)
def test_what_follows_from_a_mistake_is_silent(broken: str) -> None:
    rest = ".proc main\nmov r0, uMvp\ncall f\n.end\n.proc f\nnop\n.end\n"
    if broken.startswith((".fvec", ".constf", ".in")):
        text = f"{broken}\n{rest}"
    elif broken in ("!nd", ".ebd"):
        text = rest.replace(".end", broken, 1).replace("uMvp", "r1")
    else:
        text = rest.replace(".proc main", broken).replace("uMvp", "r1")
    assert len(errors_of(text)) == 1


def test_line_markers_move_the_place_of_messages() -> None:
    with pytest.raises(CompileError) as caught:
        assemble('# 40 "shader.pica"\n.proc main\nbad\n.end', "test", DiagnosticSink())
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert span.location == "shader.pica:41:1"


def test_the_example_of_the_readme_is_right() -> None:
    readme = (PROJECT_ROOT / "backends" / "pica200" / "README.md").read_text("utf-8")
    example = readme.split("```")[1]
    program = assemble(example, "README.md", DiagnosticSink())
    assert names(program) == ["MOVA", "DP4", "IFC", "CALL", "NOP", "JMPU", "END", "NOP"]
