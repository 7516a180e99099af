"""Programs from text, and random tokens."""

from __future__ import annotations

import random

from glslc_multi.backends.agal.isa.asm import assemble
from glslc_multi.backends.agal.isa.container import pack
from glslc_multi.backends.agal.isa.instructions import INSTRUCTIONS, Instruction
from glslc_multi.backends.agal.isa.program import Destination, Operand, Program, Sampler, Source, Token
from glslc_multi.backends.agal.isa.registers import (
    ATTRIBUTE,
    BANKS,
    CONSTANT,
    DEPTH,
    OUTPUT,
    SAMPLER,
    TEMPORARY,
    VARYING,
    Stage,
)
from glslc_multi.compiler.diagnostics import DiagnosticSink

#: A fragment program's counterpart, and a vertex program's.
VERTEX, FRAGMENT = "mov op, va0\nmov v0, va1", "mov oc, v0"


def program_of(text: str, stage: Stage, version: int = 1) -> Program:
    return assemble(text, "test.agal", DiagnosticSink(), stage=stage, version=version)


def bytes_of(text: str, stage: Stage, version: int = 1) -> bytes:
    return pack(program_of(text, stage, version))


def token_of(line: str, stage: Stage, version: int = 1) -> str:
    """The 24 bytes of one line in hexadecimal."""
    (word,) = program_of(line, stage, version).words
    return word.to_bytes(24, "little").hex()


class RandomTokens:
    """Tokens that text can express, with every field at random."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def token(self, instruction: Instruction, stage: Stage) -> Token:
        return Token(instruction, tuple(self._operand(letter, stage) for letter in instruction.operands))

    def choose(self) -> tuple[Instruction, Stage]:
        instruction = self.random.choice(INSTRUCTIONS)
        return instruction, "fragment" if instruction.fragment_only else self.random.choice(("vertex", "fragment"))

    def _operand(self, letter: str, stage: Stage) -> Operand:
        pick = self.random.randrange
        if letter == "s":
            special, bias = pick(8), pick(-128, 128)
            return Sampler(pick(8), bias, SAMPLER, pick(4), pick(3), special, pick(4), pick(3), pick(6))
        if letter == "D":
            type = self.random.choice((TEMPORARY, OUTPUT, VARYING) if stage == "vertex" else (TEMPORARY, OUTPUT, DEPTH))
            return Destination(type, 0 if type in (OUTPUT, DEPTH) else pick(8), pick(1, 16))
        if stage == "vertex" and pick(4) == 0:
            index_type = self.random.choice((ATTRIBUTE, CONSTANT, TEMPORARY))
            return Source(CONSTANT, pick(8), pick(256), 1, pick(256), index_type, pick(4))
        types = [bank.type for bank in BANKS if bank.stage == stage]
        type = self.random.choice(types)
        return Source(type, pick(8) if type not in (OUTPUT, DEPTH, 7) else 0, pick(256))
