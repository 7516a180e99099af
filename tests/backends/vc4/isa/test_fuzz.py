"""No text and no bytes end in a breakdown; what is accepted survives."""

from __future__ import annotations

import random

from glslc_multi.backends.vc4.isa.asm import assemble
from glslc_multi.backends.vc4.isa.disasm import disassemble_program
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.backends.vc4.isa.validate import validate
from glslc_multi.backends.vc4.isa.validate_driver import check
from glslc_multi.backends.vc4.machine.simulate import Inputs, SimulationFault, simulate
from glslc_multi.compiler.arithmetic.evaluation_error import EvaluationError
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.vc4.isa.test_asm import KNOWN

PIECES = [
    *' ,;:.-+<>()[]#"\n0123456789abrfx',
    "r0",
    "ra1",
    "rb63",
    "<<",
    "1f",
    ".setf",
    ".16af",
    "ldi ",
    "brr ",
    "mov ",
]


def test_mutated_lines() -> None:
    numbers = random.Random(23)
    lines = [*KNOWN, ".set a, 1 + 2", ".long 1, 2", ":label", "brr -, r:label", '.include "x"']
    for _ in range(3000):
        text = list("\n".join(numbers.choices(lines, k=2)))
        for _ in range(numbers.randrange(1, 4)):
            at = numbers.randrange(len(text) + 1)
            text[at : at + numbers.randrange(3)] = numbers.choice(PIECES)
        source = "".join(text)
        try:
            program = assemble(source, "fuzz", DiagnosticSink())
        except CompileError:
            continue
        assert assemble(disassemble_program(program), "again", DiagnosticSink()) == program, source


def test_random_words() -> None:
    numbers = random.Random(29)
    signals = [word for word in range(16) if word not in (3, 14, 15)]
    for _ in range(300):
        words = [numbers.getrandbits(60) | numbers.choice(signals) << 60 for _ in range(6)]
        words[numbers.randrange(6)] = numbers.getrandbits(64)
        words += [0x300009E7009E7000, 0x100009E7009E7000, 0x100009E7009E7000]
        program = Program(tuple(words))
        validate(words, numbers.choice(("vertex", "coordinate", "fragment")))
        check(words)
        assert assemble(disassemble_program(program), "again", DiagnosticSink()) == program
        try:
            simulate(words, Inputs(uniforms=range(9), varyings=[(1, 2)] * 9), max_steps=100)
        except (SimulationFault, EvaluationError):
            continue
