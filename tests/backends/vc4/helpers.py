"""Programs and values for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from glslc_multi.backends.vc4.isa.asm import assemble
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.backends.vc4.machine.simulate import Inputs, Result, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink

END = "\nnop; thrend\nnop\nnop\n"


def program_of(text: str) -> Program:
    return assemble(text, "test", DiagnosticSink())


def assemble_line(line: str) -> int | None:
    """The word of one line; None if it is none or more."""
    try:
        words = program_of(line).words
    except CompileError:
        return None
    return words[0] if len(words) == 1 else None


def word_of(line: str) -> int:
    word = assemble_line(line)
    assert word is not None, line
    return word


def codes_of(text: str) -> list[str]:
    """The codes of the messages about a text."""
    sink = DiagnosticSink()
    try:
        assemble(text, "test", sink)
    except CompileError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


def run(text: str, groups: int = 1, **inputs: Any) -> Result:
    """Runs a text without its end."""
    return simulate(program_of(text + END).words, Inputs(groups=groups, **inputs))


def floats(words: Array) -> Array:
    return words.view(np.float32)


def pattern(value: float) -> int:
    return int(np.float32(value).view(np.uint32))
