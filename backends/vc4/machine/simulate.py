"""Runs a program: groups of 16 lanes together as long as they take the same branches.

result = simulate(words, Inputs(uniforms=[0x3F800000], registers={"ra15": w}))
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from glslc_multi.backends.vc4.isa.instructions import LANES
from glslc_multi.backends.vc4.machine.execute import maker
from glslc_multi.backends.vc4.machine.host_values import Inputs, Result, SimulationFault, TlbWrite
from glslc_multi.backends.vc4.machine.steps import ACCUMULATORS, FILES
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Engine

__all__ = ["REGISTERS", "Inputs", "Result", "SimulationFault", "TlbWrite", "interpreter", "simulate"]

_STEP_LIMIT = 1_000_000
#: Lanes that are interpreted at a time: most instructions do so little that it takes as long to look them up.
_BLOCK = 1 << 16
#: All that have names.
REGISTERS = (*FILES[0], *FILES[1], *ACCUMULATORS)


def simulate(
    words: Sequence[int], inputs: Inputs, max_steps: int = _STEP_LIMIT, engine: Engine | None = None
) -> Result:
    """Run the program from its first word to its end; raises `SimulationFault`.

    `engine` does it, made for this program and these uniforms (`execute.maker`); else it is interpreted, and the result
    has the registers, too.
    """
    used = engine or interpreter(words, inputs, REGISTERS)
    outputs = used.run(inputs.state(max_steps))
    steps = int(used.steps.max(initial=0)) if isinstance(used, ArrayEngine) else 0
    return Result(inputs, outputs, steps)


def interpreter(words: Sequence[int], inputs: Inputs, kept: Collection[str] = ()) -> Engine:
    """An engine for a program that begins with these inputs; the registers `kept` are in its results."""
    program = maker(words, inputs.uniforms, tuple(inputs.registers), kept)
    return ArrayEngine(program, SimulationFault, LANES, _BLOCK)
