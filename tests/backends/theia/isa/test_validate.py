"""Every rule: programs that break it, and the nearest ones that do not."""

from __future__ import annotations

import pytest

from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.rules import RULES
from glslc_multi.backends.theia.isa.validate import report, validate
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.theia.helpers import program_of
from tests.backends.theia.recorded import RECORDED_VARIANTS

NOP, END = "NOP RT_FALSE", "RETURN RT_TRUE"
READ, WRITE = "TMREAD R1 R2 VOID", "OMWRITE OREG_PIXEL_COLOR R1 R2"
BOTH = RECORDED_VARIANTS

#: Rule, lines, variants that break it, index of the faulty word (None: the program).
BROKEN = [
    ("too-long", [NOP] * 116 + [END], BOTH, None),
    ("unimplemented-opcode", ["INTP R1 R2 VOID", END], BOTH, 0),
    ("unimplemented-opcode", ["XCHANGEY R1 R2 R3", END], ("trunk",), 0),
    ("unimplemented-opcode", [NOP, "RESCALE R1 R2 VOID", END], ("trunk",), 1),
    ("return-first", [END], BOTH, 0),
    ("return-first", ["ENTRYPOINT_ADRR_PIXELSHADER:", NOP, END, "ENTRYPOINT_ADRR_USERCONSTANTS:", END], BOTH, 2),
    ("no-return", [NOP], BOTH, 0),
    ("no-return", ["JGX L R1 R2", END, "L:", NOP], BOTH, 2),
    ("no-return", ["L:", "JMP L VOID VOID"], BOTH, 0),
    ("no-return", [NOP, "L:", "ADD R1 R1 R2", "JMP L VOID VOID"], BOTH, 2),
    ("no-return", ["JMP 0025 VOID VOID", END], BOTH, 0),
    ("no-return", [NOP, END, "ENTRYPOINT_ADRR_PIXELSHADER:"], BOTH, 2),
    ("tmread-pair", [READ, READ, END], BOTH, 1),
    ("tmread-pair", ["L:", READ, "JGX M R1 R2", END, "M:", READ, READ, END], BOTH, 4),
    ("omwrite-pair", [WRITE, WRITE, END], BOTH, 1),
    ("omwrite-destination", ["OMWRITE R3 R1 R2", END], BOTH, 0),
    ("omwrite-destination", ["OMWRITE CREG_RESOLUTION R1 R2", END], BOTH, 0),
    ("mulp-lanes", ["MULP R3 R1 VOID", "COPY R4 R3 VOID", END], BOTH, 1),
    ("mulp-lanes", ["MULP R3 R1 VOID", NOP, "JGX L R3 R1", "L:", END], BOTH, 2),
    ("mulp-lanes", ["MULP R3 R1 VOID", "JGZ L R3 R1", "COPY R3 R1 VOID", "L:", "ADD R4 R1 R3", END], BOTH, 3),
    ("mulp-lanes", ["MULP R3 R1 VOID", "SETX R3 32'h0", "ADD R4 R3 R1", END], BOTH, 2),
    ("mulp-lanes", ["MULP R3 R1 VOID", NOP, "SWIZZLE3D R3 SWIZZLE_YXZ", END], BOTH, 2),
    ("void-forward", [NOP, "ADD R1 VOID R2", END], BOTH, 1),
    ("void-forward", ["L:", NOP, "JGX L CREG_LIGHT_INFO R2", END], BOTH, 1),
    ("dead-swizzle", ["SWIZZLE3D R1 SWIZZLE_XYY", END], BOTH, 0),
    ("dead-swizzle", ["SWIZZLE3D R1 32'h16", END], BOTH, 0),
    ("read-only-register", ["COPY CREG_RESOLUTION R1 VOID", END], BOTH, 0),
    ("read-only-register", ["COPY OREG_PIXEL_COLOR R1 VOID", END], BOTH, 0),
    ("reserved-register", ["SETX CREG_PIXEL_2D_POSITION 32'h0", END], BOTH, 0),
    ("reserved-register", ["COPY 123 R1 VOID", END], ("icarus",), 0),
    ("mod-after-jump", ["JGX L R1 R2", NOP, "L:", "MOD R1 R1 R2", END], ("trunk",), 2),
    ("mod-after-jump", ["JGX L R1 R2", "MOD R1 R1 R2", "L:", END], ("trunk",), 1),
    ("call-slot", ["CALL S VOID VOID", "ADD R1 R1 R1", END, "S:", "RET R1 32'h0", NOP], BOTH, 0),
    ("call-slot", ["CALL S VOID VOID", NOP, END, "S:", "RET R1 32'h0", "ADD R1 R1 R1"], BOTH, 3),
    ("call-nesting", ["CALL S VOID VOID", NOP, END, "S:", "CALL S VOID VOID", NOP, "RET R1 32'h0", NOP], BOTH, 3),
    ("call-nesting", [NOP, "RET R1 32'h0", NOP], BOTH, 1),
]

KEPT = [
    [NOP] * 115 + [END],
    [NOP, END],
    ["JMP E VOID VOID", "E:", END],
    ["ENTRYPOINT_ADRR_PIXELSHADER:", NOP, END, "ENTRYPOINT_ADRR_USERCONSTANTS:", NOP, END],
    ["L:", "ADD R1 R1 R2", "JGX L R3 R1", END],
    [READ, NOP, READ, END],
    [READ, "JMP L VOID VOID", "L:", READ, END],
    [WRITE, "ADD R3 R1 R2", WRITE, END],
    ["JGX L R1 R2", WRITE, END, "L:", WRITE, END],
    ["OMWRITE OREG_ADDR_O R1 R2", END],
    ["OMWRITE VOID R1 R2", END],
    ["MULP R3 R1 VOID", "SWIZZLE3D R3 SWIZZLE_ZZZ", "COPY R4 R3 VOID", END],
    ["MULP R3 R1 VOID", "JGZ L R3 R1", "L:", END],
    ["MULP R3 R1 VOID", NOP, "SETX R3 32'h0", "SETY R3 32'h0", "ADD R4 R3 R1", END],
    ["MULP R3 R1 VOID", NOP, "XCHANGEX R4 R2 R1", "COPY R3 R4 VOID", "ADD R4 R3 R3", END],
    ["ADD R1 R1 R2", "ADD R1 VOID R2", END],
    [NOP, "MAG R1 R2 VOID", END],
    *([f"SWIZZLE3D R1 SWIZZLE_{name}", END] for name in ("XXX", "YYY", "ZZZ", "YXZ")),
    ["COPY CREG_V0 R1 VOID", "COPY CREG_COLOR_ACC R1 VOID", "COPY R99 R1 VOID", "COPY C7 R1 VOID", END],
    ["JGX L R1 R2", "L:", NOP, "MOD R1 R1 R2", END],
    ["JMP L VOID VOID", "L:", "MOD R1 R1 R2", END],
    ["CALL S VOID VOID", NOP, "CALL S VOID VOID", NOP, END, "S:", "INC R1 R1 VOID", "RET R9 32'h0", NOP],
    [NOP, END, READ, READ, "JMP 0000 VOID VOID"],
]


@pytest.mark.parametrize(("rule", "lines", "variants", "index"), BROKEN, ids=lambda value: str(value)[:40])
def test_broken_rules(rule: str, lines: list[str], variants: tuple[str, ...], index: int | None) -> None:
    program = program_of(*lines)
    address = None if index is None else 0x800C + index
    for variant in RECORDED_VARIANTS:
        found = {(fault.rule, fault.address) for fault in validate(Program(program.words, variant, program.entries))}
        if variant in variants:
            assert (rule, address) in found
        else:
            assert rule not in {name for name, _ in found}


def test_every_rule_has_a_program_that_breaks_it() -> None:
    assert {rule for rule, *_ in BROKEN} == set(RULES)


@pytest.mark.parametrize("lines", KEPT, ids=lambda lines: " ".join(lines)[:60])
def test_kept_rules(lines: list[str]) -> None:
    program = program_of(*lines)
    for variant in RECORDED_VARIANTS:
        assert validate(Program(program.words, variant, program.entries)) == []


#: The same lines on v1.2, and the rules that they break there.
ON_V12 = [
    (["COPY OREG_PIXEL_COLOR R1 VOID", END], ()),
    (["COPY CREG_RESOLUTION R1 VOID", END], ("read-only-register",)),
    ([WRITE, END], ("omwrite-destination", "unimplemented-opcode")),
    ([READ, END], ("unimplemented-opcode",)),
    (["LEA R1 VOID VOID", END], ("unimplemented-opcode",)),
    (["XCHANGEY R1 R2 R3", END], ("unimplemented-opcode",)),
    (["JGX L R1 R2", "MOD R1 R1 R2", "L:", END], ("mod-after-jump",)),
    ([NOP] * 499 + [END], ()),
    ([NOP] * 500 + [END], ("too-long",)),
]


@pytest.mark.parametrize(("lines", "rules"), ON_V12, ids=lambda value: str(value)[:40])
def test_rules_of_the_manuals_hardware(lines: list[str], rules: tuple[str, ...]) -> None:
    program = program_of(*lines)
    faults = validate(Program(program.words, "v1.2", program.entries))
    assert tuple(sorted({fault.rule for fault in faults})) == rules


def test_words_that_are_no_instruction() -> None:
    faults = validate(Program((0x06 << 48, 0x0040000000000001)))
    assert [(fault.rule, fault.address) for fault in faults] == [("unimplemented-opcode", 0x800C)]


def test_an_empty_program() -> None:
    assert [fault.rule for fault in validate(Program(()))] == ["no-return"]


def test_faults_are_reported_at_their_places() -> None:
    program = program_of("// A comment.", READ, READ, END)
    sink = DiagnosticSink()
    report(validate(program), sink, program.spans)
    (found,) = sink.diagnostics
    assert (found.code, found.span and found.span.line) == ("E0847", 3)
    assert found.message == "address 800d breaks rule tmread-pair: TMREAD directly after TMREAD"
