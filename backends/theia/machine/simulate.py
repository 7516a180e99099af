"""Runs a block of a program for many pixels at once, with its exact cycles.

In: a program, registers, texture memory, a start address.  Out: registers, and `Outcomes`: what became of the pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from glslc_multi.backends.theia.isa.program import ORIGIN, Program
from glslc_multi.backends.theia.machine.constants import LANES
from glslc_multi.backends.theia.machine.counting import CountingProgram
from glslc_multi.backends.theia.machine.execute import Point, TheiaProgram, written_registers
from glslc_multi.backends.theia.machine.outcomes import Outcome, Outcomes
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.compiler.execution.arrays import ArrayEngine
from glslc_multi.compiler.execution.program import Key, LaneProgram, Lanes

DEFAULT_STEPS = 100_000


def simulate(
    program: Program,
    registers: Mapping[int, Sequence[int]],
    *,
    texture: Mapping[int, int] | None = None,
    start: int = ORIGIN,
    max_steps: int = DEFAULT_STEPS,
) -> tuple[Outcome, Machine]:
    """Run one pixel with these registers (all others 0)."""
    machine = Machine(program, texture=texture)
    for address, row in registers.items():
        machine.load(address, row)
    return run_block(machine, start, max_steps)[0], machine


def run_block(machine: Machine, start: int = ORIGIN, max_steps: int = DEFAULT_STEPS) -> Outcomes:
    """Execute from `start` to RETURN, for at most so many instructions of each pixel."""
    varying, reasons = list(machine.varying), [""]
    engine = ArrayEngine(partial(CountingProgram, machine.program, start, max_steps, varying, reasons))
    # In the end a pixel comes to one place more.  Each instruction may write a row of words.
    outputs = engine.run(machine.state(varying, max_steps + 1, most=LANES * max_steps))
    machine.take(outputs, written_registers(machine.program))
    return Outcomes(outputs, reasons)


def maker(
    program: Program, start: int = ORIGIN, kept: Collection[Key] = (), varying: Collection[int] = ()
) -> Callable[[Lanes], LaneProgram[Point]]:
    """What makes the program on the lanes of an engine, without counting; see `TheiaProgram`."""
    return partial(TheiaProgram, program, start, kept, varying)
