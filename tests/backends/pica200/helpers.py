"""Programs from text, and what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.asm import assemble
from glslc_multi.backends.pica200.isa.program import Program
from glslc_multi.backends.pica200.machine.simulate import Result, Uniforms, simulate
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink


def program_of(body: str, declarations: str = "", after: str = "", *, pads: bool = True) -> Program:
    """The program whose main is `body`."""
    text = f"{declarations}\n.proc main\n{body}\n.end\n{after}\n"
    return assemble(text, "test", DiagnosticSink(), pads=pads)


def errors_of(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of every message for a text that does not assemble."""
    with pytest.raises(CompileError) as caught:
        assemble(text, "test", DiagnosticSink())
    return [(d.code, d.span.line, d.span.column) for d in caught.value.diagnostics if d.span is not None]


def run(
    program: Program,
    inputs: Mapping[int, Sequence[Sequence[float]]] | None = None,
    *,
    integers: Mapping[int, Sequence[int]] | None = None,
    bools: Mapping[int, bool] | None = None,
    floats: Mapping[int, Sequence[float]] | None = None,
    max_steps: int = 5000,
) -> Result:
    arrays = {register: np.array(values, np.float32) for register, values in (inputs or {}).items()}
    uniforms = Uniforms(floats or {}, integers or {}, bools or {})
    return simulate(program, arrays, uniforms, max_steps=max_steps)
