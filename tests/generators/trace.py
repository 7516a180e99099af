"""What one lane did, value by value: events that show analyses' claims to be true or false."""

from __future__ import annotations

from typing import Any

from glslc_multi.compiler.analysis.loops import Loop, LoopNest, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.module import Block, Instruction
from glslc_multi.compiler.records import dataclass
from tests.generators.ir import Program
from tests.generators.one_lane import Components, Lane


@dataclass(frozen=True, slots=True)
class Event:
    """`instruction` of `main` yielded `value`; `iterations` numbers the rounds of the loops around it."""

    instruction: Instruction
    value: Components
    iterations: tuple[int, ...]


class TracedLane(Lane):
    """A run that records the events and the path of `main`."""

    def __init__(self, program: Program, lane: int) -> None:
        self.events: list[Event] = []
        #: Blocks of `main` in the order they ran.
        self.path: list[Block] = []
        self._nest: LoopNest = AnalysisManager(program.module.main).get(loop_nest)
        self._rounds: dict[Loop, int] = {}
        self._iterations: tuple[int, ...] = ()
        values: dict[str, Any] = {name: value[lane] for name, value in program.inputs.items()}
        super().__init__(program.module, values | program.uniforms)

    def enter(self, block: Block, came_from: Block | None) -> None:
        if block.function is not self.module.main:
            return
        self.path.append(block)
        loop = self._nest.loop_of(block)
        if loop is not None and block is loop.header:
            self._rounds[loop] = self._rounds[loop] + 1 if came_from in loop.blocks else 0
        chain = []
        while loop is not None:
            chain.append(self._rounds[loop])
            loop = loop.parent
        self._iterations = tuple(reversed(chain))

    def made(self, instruction: Instruction, value: Components) -> None:
        block = instruction.block
        if block is not None and block.function is self.module.main and instruction.type.width:
            self.events.append(Event(instruction, value, self._iterations))
