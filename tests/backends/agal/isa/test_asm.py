"""The assembler: bytes of lines (recorded from Adobe's assembler), what it refuses and where it warns."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.agal.isa.asm import assemble
from glslc_multi.backends.agal.isa.registers import Stage
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.agal.helpers import FRAGMENT, program_of, token_of


@pytest.mark.parametrize(
    ("stage", "version", "line", "token"),
    [
        ("vertex", 1, "mov vt0.yz, va0", "0000000000000602000000e4000000000000000000000000"),
        ("vertex", 1, "mov vt0.zyx, va0", "0000000000000702000000e4000000000000000000000000"),
        ("vertex", 1, "mov vt0, va0.zy", "0000000000000f0200000056000000000000000000000000"),
        ("fragment", 1, "mul ft6.x, ft4.zzw, fc8.zzw", "0300000006000102040000fa02000000080000fa01000000"),
        ("vertex", 1, "mov vt, va", "0000000000000f02000000e4000000000000000000000000"),
        ("vertex", 1, "   add   vt0 ,va0,  vc0   // comment", "0100000000000f02000000e400000000000000e401000000"),
        ("vertex", 1, "add vt0 va0 vc0", "0100000000000f02000000e400000000000000e401000000"),
        ("vertex", 1, "m44 op,va0,vc0;", "1800000000000f03000000e400000000000000e401000000"),
        ("vertex", 2, "mov vo0, va0", "0000000000000f03000000e4000000000000000000000000"),
        ("fragment", 1, "mov ft0, fi1", "0000000000000f02010000e4040000000000000000000000"),
        ("fragment", 1, "mov fd.x, ft0.x", "000000000000010600000000020000000000000000000000"),
        ("vertex", 1, "mov vt1, vc[iid0.x+3]", "0000000001000f02000003e4010700800000000000000000"),
        ("vertex", 1, "dp4 vt5.z, va0, vc[va5.w+118].wzyx", "1300000005000402000000e4000000000500761b01000380"),
        ("vertex", 1, "mov vt0, vc[vc7.z]", "0000000000000f02070000e4010102800000000000000000"),
        ("fragment", 3, "ifg ft0.x, fc0.y", "1e0000000000000000000000020000000000005501000000"),
        ("fragment", 1, "tex ft0, v0, fs0", "2800000000000f02000000e4040000000000000005000000"),
        ("fragment", 1, "tex ft0, v0, fs0 <>", "2800000000000f02000000e4040000000000000005000000"),
        (
            "fragment",
            3,
            "tex ft6, v1.xy, fs1 <anisotropic16x 2d -10.5 clamp_u_repeat_v>",
            "2800000006000f0201000054040000000100ac0005002050",
        ),
        (
            "fragment",
            3,
            "tex ft7.xyz, v0, fs6 <ignoresampler, miplinear, cube>",
            "2800000007000702000000e4040000000600000005100402",
        ),
        ("fragment", 1, "tex ft0, v0, fs0 <linear,miplinear,-0.3>", "2800000000000f02000000e4040000000000fe0005000012"),
    ],
)
def test_lines_give_the_recorded_bytes(stage: Stage, version: int, line: str, token: str) -> None:
    assert token_of(line, stage, version) == token


def test_later_options_replace_earlier_ones_and_special_words_add_up() -> None:
    first = token_of("tex ft0, v0, fs0 <linear, nearest, single, cube, 2d, centroid, 2, 1>", "fragment", 2)
    assert first == token_of("tex ft0, v0, fs0 <nearest, centroid, single, 1>", "fragment", 2)


def codes(text: str, stage: Stage | None, version: int | None) -> list[str]:
    sink = DiagnosticSink()
    try:
        assemble(text, "test.agal", sink, stage=stage, version=version)
    except CompileError as error:
        assert error.diagnostics == tuple(sink.diagnostics)
    return [diagnostic.code for diagnostic in sink.diagnostics]


@pytest.mark.parametrize(
    ("stage", "version", "line", "code"),
    [
        ("vertex", 1, "mvo vt0, va0", "E0802"),
        ("vertex", 1, "MOV vt0, va0", "E0802"),
        ("vertex", 1, "mov vt0, va0, va1", "E0803"),
        ("vertex", 1, "mov", "E0803"),
        ("fragment", 2, "els ft0", "E0803"),
        ("vertex", 2, "mov vt0, va8", "E0812"),
        ("vertex", 1, "mov vt0, vc128", "E0812"),
        ("vertex", 1, "mov vt0, va" + "9" * 5000, "E0812"),
        ("fragment", 1, "mov oc1, ft0", "E0812"),
        ("fragment", 2, "mov oc4, ft0", "E0812"),
        ("fragment", 3, "tex ft0, v0, fs8", "E0812"),
        ("vertex", 1, "mov vt0, vc[vt8.x]", "E0812"),
        ("fragment", 1, "ddx ft0, v0", "E0813"),
        ("vertex", 1, "kil vt0.x", "E0813"),
        ("vertex", 1, "mov vt0, ft0", "E0813"),
        ("fragment", 1, "mov oc, vc0", "E0813"),
        ("fragment", 3, "mov ft0, iid", "E0813"),
        ("vertex", 1, "mov VT0, va0", "E0801"),
        ("vertex", 1, "mov zz0, va0", "E0801"),
        ("vertex", 1, "mov vt0, va0.xk", "E0801"),
        ("vertex", 1, "mov vt0, -va0", "E0801"),
        ("vertex", 1, "mov vt0, va0 <2d>", "E0801"),
        ("fragment", 1, "tex ft0, v0, ft1", "E0801"),
        ("fragment", 1, "tex ft0, v0, fs0 <2d> x", "E0801"),
        ("fragment", 1, "mov ft0, fc[ft0.x+1]", "E0818"),
        ("vertex", 1, "mov vc[va0.x+1], va1", "E0818"),
        ("vertex", 1, "mov vt0, va[va0.x]", "E0818"),
        ("vertex", 1, "mov vt0, vc[va0.x+256]", "E0804"),
        ("vertex", 1, "mov vt0, vc[va0+1]", "E0818"),
        ("vertex", 1, "mov vt0, vc[va0.xy+1]", "E0818"),
        ("vertex", 1, "mov vt0, vc[iid.x+3]", "E0818"),
        ("vertex", 1, "mov vt0.rgb, va0", "W0810"),
        ("vertex", 1, "mov vt0, va0.xr", "W0810"),
        ("fragment", 1, "tex ft0, v0, fs0 <2b>", "W0810"),
        ("fragment", 1, "tex ft0, v0, fs0 <16>", "W0811"),
        ("fragment", 1, "tex ft0, v0, fs0 <1e30>", "W0811"),
        ("fragment", 1, "tex ft0, v0, fs0 <1e308>", "W0810"),
        ("fragment", 1, "tex ft0, v0, fs0 <" + "9" * 5000 + ">", "W0810"),
        ("fragment", 1, "<2d>", "E0801"),
        ("fragment", 1, "tex ft0, v0, fs0 <2d", "E0801"),
    ],
)
def test_mistakes_are_one_message_each(stage: Stage, version: int, line: str, code: str) -> None:
    assert codes(line, stage, version) == [code]


def test_all_wrong_lines_are_reported_at_their_places() -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        assemble("mov op, va0\n\n  mov vt0, va99 // x\nmuk vt0, va0, va1", "a.agal", sink, stage="vertex", version=1)
    spans = [diagnostic.span for diagnostic in sink.diagnostics]
    assert [span.location for span in spans if span] == ["a.agal:3:12", "a.agal:4:1"]
    assert sink.diagnostics[1].help == "did you mean 'mul'?"


def test_the_first_line_can_name_version_and_stage() -> None:
    program = assemble("\n// agal 2 fragment\nddx ft0, v0\nmov oc, ft0", "a.agal", DiagnosticSink())
    assert (program.version, program.stage, len(program.words)) == (2, "fragment", 2)
    assert codes(FRAGMENT, None, None) == ["E0814"]
    assert codes(f"{FRAGMENT}\n// agal 1 fragment", None, None) == ["E0814"]
    assert codes(FRAGMENT, "fragment", None) == ["E0814"]


def test_limits_can_be_ignored() -> None:
    program = assemble(
        "tex ft0, v0, fs15\nmov ft65535, ft0", "a", DiagnosticSink(), stage="fragment", version=2, ignore_limits=True
    )
    assert len(program.words) == 2
    with pytest.raises(CompileError):
        assemble("mov ft65536, ft0", "a", DiagnosticSink(), stage="fragment", version=2, ignore_limits=True)


def test_mutated_lines_never_break_the_assembler() -> None:
    lines = [
        "dp4 vt5.z, va0, vc[va5.w+118].wzyx",
        "tex ft6, v1.xy, fs1 <anisotropic16x 2d -10.5 wrap> // c",
        "ifg ft0.x, fc0.y;",
    ]
    letters = "vcftsxyzw0123456789.,[]+-<>/; \té\0२"
    chooser = random.Random(1)
    accepted = 0
    for _ in range(3000):
        line = list(chooser.choice(lines))
        for _ in range(chooser.randrange(1, 4)):
            at = chooser.randrange(len(line))
            line[at : at + chooser.randrange(2)] = chooser.choice(letters)
        stage: Stage = chooser.choice(("vertex", "fragment"))
        try:
            accepted += len(program_of("".join(line), stage, 2).words)
        except CompileError as error:
            assert error.diagnostics
    assert accepted > 100
