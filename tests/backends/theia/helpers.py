"""What several tests of the target need."""

from __future__ import annotations

import random

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.asm import assemble
from glslc_multi.backends.theia.isa.instructions import Decoded, Instruction
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink


def program_of(*lines: str, variant: Variant = "trunk") -> Program:
    """The program of these lines."""
    return assemble("\n".join(lines), "test.theia", DiagnosticSink(), variant=variant)


def messages_of(*lines: str) -> list[tuple[str, int, int]]:
    """Code, line and column of each message about these lines, which have errors."""
    sink = DiagnosticSink()
    try:
        assemble("\n".join(lines), "test.theia", sink)
    except CompileError:
        return [(found.code, found.span.line, found.span.column) for found in sink.diagnostics if found.span]
    raise AssertionError("no errors")


def random_instruction(rng: random.Random, instruction: Instruction) -> Decoded:
    """The instruction with random values in all of its fields."""
    values = {
        field.name: rng.choice((0, 1, rng.randrange(1 << field.width), (1 << field.width) - 1, 71 % (1 << field.width)))
        for field in instruction.format.fields
        if field.name != "opcode"
    }
    return Decoded(instruction, **values)


def random_words(rng: random.Random, count: int) -> tuple[int, ...]:
    return tuple(
        instructions.encode(random_instruction(rng, rng.choice(instructions.INSTRUCTIONS))) for _ in range(count)
    )
