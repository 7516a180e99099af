"""Programs and words for tests."""

from __future__ import annotations

import random

import numpy as np

from glslc_multi.backends.adreno.isa.asm import assemble
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, Result, simulate
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.fields import Format

FULL = 0xF
R = 1


def program_of(text: str) -> Program:
    return assemble(text, "test", DiagnosticSink())


def codes_of(text: str) -> list[str]:
    """The codes of the messages about a text."""
    sink = DiagnosticSink()
    try:
        assemble(text, "test", sink)
    except CompileError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


def words_of(instruction: int) -> Program:
    """A program of one ALU instruction."""
    clause = A2XX.encode_clause("EXEC_END", addr=1, cnt=1, sequence=2)
    return Program(A2XX, (clause, 0), (instruction,))


def run(text: str, inputs: Inputs | None = None, lanes: int = 1) -> Result:
    return simulate(program_of(text), inputs or Inputs(), lanes)


def random_fields(layout: Format, numbers: random.Random, **fixed: int) -> int:
    """A word with any values in all fields but the fixed ones."""
    values = {part.name: numbers.randint(*part.range) for part in layout.fields}
    return layout.encode({**values, **fixed})


def alu(**fields: int) -> int:
    """An ALU instruction that reads R0, R1 and R2 and has RETAIN_PREV in the scalar half."""
    defaults = {"src1": 0, "src2": 1, "src3": 2, "src1_bank": R, "src2_bank": R, "src3_bank": R}
    return formats.ALU.encode({**defaults, "scalar_op": instructions.SCALAR_BY_NAME["RETAIN_PREV"].code, **fields})


def vectors(*rows: tuple[float, ...]) -> dict[int, np.ndarray]:
    """Registers R0, R1, ... of one lane."""
    return {number: np.array(row, np.float32).reshape(4, 1) for number, row in enumerate(rows)}
