"""Any text and any bytes end in a result or in messages, never in another exception."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.backends.pica200.isa.asm import assemble
from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.backends.pica200.isa.disasm import disassemble_program
from glslc_multi.backends.pica200.isa.program import Executable, Program
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.backends.pica200.machine.simulate import SimulationFault, simulate
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.pica200.recorded import CONTAINER_HEX, CONTAINER_TEXT

RECORDED = bytes.fromhex(CONTAINER_HEX)
SPELLINGS = """.proc main .end .else .fvec .constf .out .in .gsh .alias mov mad ifc ifu for end r0 v15 c95 o0 aL a0.x
cmp.x && || ! , ( ) [ ] : ; # 0 -1 99999999999999999999 1e999 .5 0x pos xyzw ٣ é \t \0""".split(" ")


def assemble_anything(text: str) -> Program | None:
    try:
        return assemble(text, "test", DiagnosticSink())
    except CompileError:
        return None


def use(program: Program) -> None:
    """Everything that takes a program."""
    validate(program)
    try:
        text = disassemble_program(program, DiagnosticSink())
    except CompileError:
        text = ""
    assemble_anything(text)
    if not program.executables:
        return
    try:
        simulate(program, {0: np.ones((2, 4), np.float32)}, max_steps=200)
    except SimulationFault:
        return
    except CompileError as error:
        assert [found.code for found in error.diagnostics] == ["E0656"]


@given(st.text(max_size=200) | st.lists(st.sampled_from(SPELLINGS), max_size=60).map(" ".join))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_any_text(text: str) -> None:
    assemble_anything(text)


def test_mutated_text() -> None:
    rng = random.Random(1)
    lines = CONTAINER_TEXT.split("\n")
    for _ in range(300):
        mutated = list(lines)
        for _ in range(rng.randint(1, 3)):
            row = rng.randrange(len(mutated))
            tokens = mutated[row].split(" ")
            tokens[rng.randrange(len(tokens))] = rng.choice(SPELLINGS)
            mutated[row] = " ".join(tokens)
        program = assemble_anything("\n".join(mutated))
        if program is not None:
            use(program)


@given(st.binary(max_size=200))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_bytes(data: bytes) -> None:
    sink = DiagnosticSink()
    assert (read(b"DVLB" + data, "test", sink) is None) == bool(sink.error_count)


def test_mutated_files() -> None:
    rng = random.Random(2)
    for _ in range(300):
        data = bytearray(RECORDED)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0xFF, rng.randrange(256)))
        program = read(bytes(data[: rng.choice((len(data), rng.randrange(len(data))))]), "test", DiagnosticSink())
        if program is not None:
            use(program)


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=12), st.lists(st.integers(0, 2**32 - 1), max_size=3))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_any_words(words: list[int], descriptors: list[int]) -> None:
    use(Program(words, descriptors, [Executable(0, len(words))]))
