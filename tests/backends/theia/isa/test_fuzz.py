"""Any text and any bytes end in a result or in messages, never in another exception."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.backends.theia.isa.asm import assemble
from glslc_multi.backends.theia.isa.container import pack, unpack
from glslc_multi.backends.theia.isa.disasm import disassemble
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import VARIANTS
from glslc_multi.backends.theia.isa.validate import validate
from glslc_multi.backends.theia.machine.simulate import simulate
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.container import BadContainer
from tests.backends.theia.helpers import random_words

SOURCE = """ENTRYPOINT_ADRR_PIXELSHADER:
L:
    ADD R1 R2 CREG_ZERO
    JGX L R1 R2
    SETX R1 32'h20000
    SWIZZLE3D R1 SWIZZLE_XXX
    OMWRITE OREG_PIXEL_COLOR CREG_CURRENT_OUTPUT_PIXEL R1
    RETURN RT_TRUE
""".split("\n")
SPELLINGS = """ADD MULP CALL RET JMP JGX L M L: : // 32'h 32'hF 32'hFFFFFFFFFFFFFFFFF RT_TRUE VOID R1 R13 0 65535 99999
800c ffff 0ffff SWIZZLE_XXX SWIZZLE_ ENTRYPOINT_ADRR_MAIN: ENTRYPOINT_ADRR_: ٣ é \t \0 \r""".split(" ")


def use(program: Program) -> None:
    """Everything that takes a program."""
    validate(program)
    outcome, _ = simulate(program, {71: (1, 2, 3)}, start=program.starts[0], max_steps=60)
    assert outcome.completes != bool(outcome.reason)
    data = pack(program)
    try:
        text = disassemble(data, "a.mem", DiagnosticSink(), variant=program.variant)
    except CompileError:
        return
    assert pack(assemble(text, "a.theia", DiagnosticSink(), variant=program.variant)) == data


def use_text(text: str) -> None:
    sink = DiagnosticSink()
    try:
        program = assemble(text, "test", sink)
    except CompileError:
        assert sink.error_count
        return
    use(program)


@given(st.text(max_size=200) | st.lists(st.sampled_from(SPELLINGS), max_size=40).map(" ".join))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_any_text(text: str) -> None:
    use_text(text)


def test_mutated_text() -> None:
    rng = random.Random(1)
    for _ in range(300):
        lines = list(SOURCE)
        for _ in range(rng.randint(1, 3)):
            row = rng.randrange(len(lines))
            pieces = lines[row].split(" ")
            pieces[rng.randrange(len(pieces))] = rng.choice(SPELLINGS)
            lines[row] = " ".join(pieces)
        use_text("\n".join(lines))


@given(st.binary(max_size=200))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_bytes(data: bytes) -> None:
    try:
        program = unpack(data)
    except BadContainer:
        return
    use(program)


def test_mutated_files() -> None:
    rng = random.Random(2)
    recorded = pack(assemble("\n".join(SOURCE), "test", DiagnosticSink()))
    for _ in range(200):
        data = bytearray(recorded)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.choice(b"0123456789abcdef \n/g")
        try:
            program = unpack(bytes(data))
        except BadContainer:
            continue
        use(program)


def test_any_words() -> None:
    rng = random.Random(3)
    for _ in range(60):
        count = rng.randint(1, 12)
        words = random_words(rng, count) if rng.random() < 0.8 else tuple(rng.randrange(1 << 64) for _ in range(count))
        use(Program(words, rng.choice(VARIANTS), rng.choice(({}, {"PIXELSHADER": 0x800D}))))
