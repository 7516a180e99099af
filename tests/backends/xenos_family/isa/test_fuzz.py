"""Any text and any bytes end in a result or in messages, never in another exception."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.backends.adreno.isa.asm import assemble
from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.adreno.isa.disasm import disassemble
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.validate import validate
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.backends.xenos_family.machine.state import SimulationFault
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.container import BadContainer

SPELLINGS = """EXEC EXEC_END COND_JMP LOOP_START RETURN ALLOC NOP CLAUSE(0x1001) ADDR(0x1) CNT(1) COND(1) POSITION
SIZE(0) (S) ALU: FETCH: MAXv MULADDvEQ RCP MAXs OP(30) R0 R1.x___ C255 C[a0+5] R[aL+3] export62 export0. -|R1.xyzx| = ,
CLAMP VERTEX SAMPLE TEX_OP(27) R0.xyz1 .x R0.xyx CONST(0) CONST(61) STRIDE(12) MAG(LINEAR) FMT_8
WORDS(1,2,3) ; [ ] ( )
99999999999999999999999 0x -1 ٣ é \t \0""".replace("\n", " ").split(" ")
PROGRAM = """LOOP_START ADDR(0x3) LOOP_ID(1)
EXEC
   (S)FETCH: VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(20, 0)
LOOP_END ADDR(0x1) LOOP_ID(1)
COND_JMP ADDR(0x5) DIR(1) COND(1)
ALLOC POSITION SIZE(0x0)
EXEC_END
   (S)ALU: MULADDv export62 = R1, R2.xyzx, -|R3|
           MAXs export62.____ = R1
"""
#: Whatever fetches read is there.
EVERYTHING = Inputs(
    buffers=dict.fromkeys(range(96), bytes(range(40))),
    textures=dict.fromkeys(range(32), Texture(np.ones((2, 2)))),
    quads=True,
)


def use(data: bytes) -> None:
    """Everything that takes a file."""
    try:
        program = unpack(data)
    except BadContainer:
        return
    validate(program)
    validate(program, "vertex")
    check_text(program, data)
    try:
        simulate(program, EVERYTHING, 4, max_clauses=50)
    except SimulationFault:
        return
    except CompileError as error:
        assert [diagnostic.code for diagnostic in error.diagnostics] == ["E0656"]


def check_text(program: Program, data: bytes) -> None:
    """A program that has a text is the program of this text."""
    try:
        text = disassemble(data, "test", DiagnosticSink())
    except CompileError:
        return
    assert assemble(text, "test", DiagnosticSink()) == program


@given(st.text(max_size=200) | st.lists(st.sampled_from([*SPELLINGS, "\n"]), max_size=60).map(" ".join))
@settings(derandomize=True, max_examples=300, deadline=None)
def test_any_text(text: str) -> None:
    try:
        assemble(text, "test", DiagnosticSink())
    except CompileError as error:
        assert error.diagnostics


def test_mutated_lines() -> None:
    numbers = random.Random(3)
    for _ in range(400):
        letters = list(PROGRAM)
        for _ in range(numbers.randint(1, 4)):
            letters[numbers.randrange(len(letters))] = numbers.choice("\n (),.[]|-=0123456789xyzwREXCALN_")
        try:
            assemble("".join(letters), "test", DiagnosticSink())
        except CompileError as error:
            assert error.diagnostics


@given(st.binary(max_size=60))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_bytes(data: bytes) -> None:
    use(data)


def test_mutated_programs() -> None:
    numbers = random.Random(4)
    whole = b"".join(slot.to_bytes(12, "little") for slot in assemble(PROGRAM, "test", DiagnosticSink()).slots)
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(numbers.randint(1, 5)):
            data[numbers.randrange(len(data))] = numbers.randrange(256)
        use(bytes(data))
