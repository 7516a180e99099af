"""Rules about paths: which words follow one another, and what has been written by then.

All control states that the program can reach are visited with the state machine of `flow.py`, every
condition taken and not taken, and every loop both repeating and ending.  With each state goes what is known on
the paths to it (`_Knowledge`); where paths meet, knowledge is united, and states whose knowledge grew are
visited again.  Conditions that exclude each other are not recognised: an output written under a condition
and again under its opposite counts as written twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.backends.pica200.isa.descriptors import FORMAT
from glslc_multi.backends.pica200.isa.flow import CALL_DEPTH, IF_DEPTH, LOOP_DEPTH, Control, advance
from glslc_multi.backends.pica200.isa.instructions import Instruction
from glslc_multi.backends.pica200.isa.program import Executable, Program
from glslc_multi.backends.pica200.isa.registers import MAPPED_OUTPUTS, destination_register, source_register
from glslc_multi.backends.pica200.isa.rules import Fault
from glslc_multi.compiler.records import dataclass, replace

#: States times visits after which a program counts as too complex; compiled programs need a few thousand.
_MAX_VISITS = 50_000
_MASK = FORMAT.by_name["mask"]
#: Value of the field `idx` that adds aL.
_LOOP_COUNTER = 3


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What may have happened on the paths to a state; bit 4*r + c is component c of output r."""

    #: Components that some path has written, and that some path has not.
    written: int
    unwritten: int
    #: Some path comes from a MOVA.
    after_mova: bool = False
    #: Some path comes from an inner loop's end, so that aL is not this loop's.
    counter_lost: bool = True

    def united(self, other: _Knowledge) -> _Knowledge:
        return _Knowledge(
            self.written | other.written,
            self.unwritten | other.unwritten,
            self.after_mova or other.after_mova,
            self.counter_lost or other.counter_lost,
        )


def check_paths(program: Program, instructions: Sequence[Instruction | None], shader: Executable) -> list[Fault]:
    """Faults on the paths of one executable, in order of words."""
    paths = _Paths(program, instructions, shader)
    paths.follow()
    return sorted(paths.faults, key=lambda fault: (fault.address or 0, fault.rule))


class _Paths:
    def __init__(self, program: Program, instructions: Sequence[Instruction | None], shader: Executable) -> None:
        self.faults: dict[Fault, None] = {}
        self._program = program
        self._instructions = instructions
        self._shader = shader
        registers = {output.register for output in shader.outputs if output.register < 16}
        #: Components that must be written: all of every register with an entry.
        self._mapped = sum(0xF << 4 * register for register in registers)
        self._known: dict[Control, _Knowledge] = {}

    def follow(self) -> None:
        """Visit every reachable state until nothing new is known."""
        waiting = [(Control(self._shader.entry), _Knowledge(0, self._mapped))]
        for _ in range(_MAX_VISITS):
            if not waiting:
                return
            state, knowledge = waiting.pop()
            known = self._known.get(state)
            united = knowledge if known is None else known.united(knowledge)
            if united == known:
                continue
            self._known[state] = united
            instruction = self._instructions[state.pc] if state.pc < len(self._instructions) else None
            if instruction is None:
                self._fault("leaves-code", state.pc, "a path gets here, where no instruction is")
            else:
                waiting += self._visit(state, instruction, united)
        self._fault("too-complex", self._shader.entry, "there are too many paths to follow")

    def _fault(self, rule: str, address: int, message: str) -> None:
        self.faults[Fault(rule, address, message)] = None

    def _visit(
        self, state: Control, instruction: Instruction, known: _Knowledge
    ) -> Iterator[tuple[Control, _Knowledge]]:
        self._check_flow(state, instruction)
        self._check_counter(state, instruction, known)
        known = self._after(state.pc, instruction, known)
        if instruction.name == "END":
            # A geometry shader writes before each EMIT; what comes after the last one goes nowhere.
            if self._shader.geometry is None:
                self._check_written(state.pc, known)
            return
        is_conditional = instruction.operation.operands in ("condition", "bool")
        ends_loop = instruction.operation.jumps == "loop" or any(loop.end == state.pc + 1 for loop in state.loops)
        for following in dict.fromkeys(
            advance(state, instruction, taken, repeat)
            for taken in ((True, False) if is_conditional else (True,))
            for repeat in ((True, False) if ends_loop else (True,))
        ):
            counter_lost = _loses_counter(instruction, state, following, known)
            is_known = counter_lost == known.counter_lost
            yield following, known if is_known else replace(known, counter_lost=counter_lost)

    # --- Registers ----------------------------------------------------------------------------------------------------

    def _after(self, pc: int, instruction: Instruction, known: _Knowledge) -> _Knowledge:
        """What is known after the instruction."""
        is_mova = instruction.name == "MOVA"
        if is_mova and known.after_mova:
            self._fault("adjacent-mova", pc, "a MOVA comes directly before this one")
        if is_mova != known.after_mova:
            known = replace(known, after_mova=is_mova)
        if instruction.name in ("EMIT", "SETEMIT"):
            if self._shader.geometry is None:
                self._fault("emit-in-vertex", pc, f"{instruction.name} in a vertex shader")
            if instruction.name == "SETEMIT":
                return known
            self._check_written(pc, known)
            return replace(known, written=0, unwritten=self._mapped)
        components = self._written_components(pc, instruction)
        if not components:
            return known
        twice = components & known.written
        if twice:
            self._fault("output-written-twice", pc, f"{_names(twice)} may be written already")
        return replace(known, written=known.written | components, unwritten=known.unwritten & ~components)

    def _written_components(self, pc: int, instruction: Instruction) -> int:
        """The mapped output components that an instruction writes."""
        if "dst" not in instruction.fields:
            return 0
        bank, register = destination_register(instruction.fields["dst"])
        if bank != "o":
            return 0
        if self._shader.geometry is not None and register >= MAPPED_OUTPUTS:
            self._fault("unmapped-geometry-output", pc, f"a geometry shader has no o{register}")
        number = instruction.fields["desc"]
        if number >= len(self._program.descriptors):
            return 0
        mask = _MASK.extract(self._program.descriptors[number])
        letters = sum(1 << component for component in range(4) if mask & 8 >> component)
        return letters << 4 * register & self._mapped

    def _check_written(self, pc: int, known: _Knowledge) -> None:
        if known.unwritten:
            self._fault("unwritten-output", pc, f"{_names(known.unwritten)} may not be written yet")

    def _check_counter(self, state: Control, instruction: Instruction, known: _Knowledge) -> None:
        wide = instruction.operation.layout.wide
        if not wide or instruction.fields["idx"] != _LOOP_COUNTER:
            return
        if source_register(instruction.fields[wide])[0] == "c" and (known.counter_lost or not state.loops):
            self._fault("stale-loop-counter", state.pc, "aL is not the counter of a loop here")

    # --- Flow ---------------------------------------------------------------------------------------------------------

    def _check_flow(self, state: Control, instruction: Instruction) -> None:
        kind = instruction.operation.jumps
        depths = {"call": (state.calls, CALL_DEPTH), "if": (state.ifs, IF_DEPTH), "loop": (state.loops, LOOP_DEPTH)}
        stack, depth = depths.get(kind, ((), 1))
        if len(stack) >= depth:
            self._fault("stack-overflow", state.pc, f"{len(stack) + 1} deep, the stack holds {depth}")
        if kind == "break":
            self._check_break(state)
        # Blocks that end after this word.
        reached = state.pc + 1
        loops = [loop for loop in state.loops if loop.end == reached]
        ifs = [block for block in state.ifs if block.middle == reached]
        calls = [call for call in state.calls if call.end == reached]
        if len(loops) > 1 or len(ifs) > 1 or len(loops) + len(ifs) + bool(calls) > 1:
            self._fault("shared-block-end", state.pc, "several blocks end after this word")
        if (kind in ("branch", "call") and (loops or ifs or calls)) or (kind == "break" and loops):
            self._fault("jump-at-block-end", state.pc, "the end of the block overrides the jump")

    def _check_break(self, state: Control) -> None:
        if not state.loops:
            self._fault("break-outside-loop", state.pc, "BREAK outside of a loop hangs")
            return
        loop = state.loops[-1]
        inside = range(loop.first, loop.end)
        opened = any(block.middle in inside or block.end in inside for block in state.ifs)
        called = any(call.return_to in inside for call in state.calls)
        if opened or called:
            self._fault("break-from-block", state.pc, "an IF or CALL of the loop stays on its stack")


def _loses_counter(instruction: Instruction, before: Control, after: Control, known: _Knowledge) -> bool:
    """Whether aL is no longer the counter of the innermost loop; once lost, adding the step does not mend it."""
    if len(after.loops) < len(before.loops):
        return True
    return known.counter_lost and instruction.name != "LOOP"


def _names(components: int) -> str:
    """`o0.xy, o1.w`"""
    spelled = []
    for register in range(16):
        letters = "".join("xyzw"[component] for component in range(4) if components >> 4 * register + component & 1)
        if letters:
            spelled.append(f"o{register}.{letters}")
    return ", ".join(spelled)
