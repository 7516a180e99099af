"""Executes the bytes of a program over lanes (vertices or pixels).

In: a valid program's file, and values under register names (`host_values.py`).  Out: the registers that it wrote,
(lanes, 4), and the discarded lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial
from typing import Any

from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.validate import report, validate
from glslc_multi.backends.agal.machine.execute import AgalProgram, tokens_of
from glslc_multi.backends.agal.machine.host_values import HostValues, Results
from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.evaluation import DERIVATIVE_WITHOUT_QUADS, LANES_NOT_QUADS
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Engine, LaneProgram, Lanes


def simulate(
    data: bytes,
    inputs: Mapping[str, Any],
    constants: Mapping[str, Any] | None = None,
    textures: Mapping[str, Texture] | None = None,
    *,
    lanes: int,
    quads: bool = False,
    host_samplers: Collection[int] = (),
    base_level: Collection[int] = (),
    engine: Engine | None = None,
) -> Results:
    """Run a program on `lanes` lanes; raises `CompileError` for a program that breaks a rule.

    `engine` does it, made for this program; else it is interpreted.  Of the samplers in `host_samplers` filter, mip
    levels and wrap are those of the texture, not of the token; those in `base_level` read level 0 alone.

    With `quads`, lanes 4k to 4k+3 are the pixels (x, y), (x+1, y), (x, y+1), (x+1, y+1).
    """
    if quads and lanes % 4:
        fail(LANES_NOT_QUADS, lanes=lanes)
    program = valid_program(data)
    if not quads and any(token.instruction.role == "derivative" for token in tokens_of(program)):
        fail(DERIVATIVE_WITHOUT_QUADS, what="the derivative")
    values = HostValues(program, lanes, quads, frozenset(host_samplers), frozenset(base_level))
    values.set_inputs(inputs)
    values.set_constants(constants or {})
    values.set_textures(textures or {})
    return values.results((engine or ArrayEngine(maker(program))).run(values.state()))


def maker(program: Program) -> Callable[[Lanes], LaneProgram[int]]:
    """What makes the program on the lanes of an engine."""
    return partial(AgalProgram, program)


@lru_cache(maxsize=64)
def valid_program(data: bytes) -> Program:
    """The program of a file; raises `CompileError` if it breaks a rule."""
    faults = validate(data)
    sink = DiagnosticSink()
    report(faults, sink)
    sink.raise_if_errors()
    return unpack(data)
