"""What happens to the program counter: the one state machine that simulator and validator share.

The machine has three independent stacks: CALL (4 deep), IF (8) and LOOP (4).  After every instruction the
address of the next word is compared with their tops; there are no return or end-of-block instructions.
The state is immutable, so that lanes and paths in the same state can be treated together.
"""

from __future__ import annotations

from typing import TypeVar

from backends.pica200.isa.instructions import Instruction
from compiler.records import dataclass, replace

CALL_DEPTH, IF_DEPTH, LOOP_DEPTH = 4, 8, 4

#: x, y, z of an integer register: repetitions, start and step of aL.
LoopRange = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Call:
    end: int
    return_to: int


@dataclass(frozen=True, slots=True)
class If:
    #: End of the first part; the second part, if any, goes from here to `end`.
    middle: int
    end: int


@dataclass(frozen=True, slots=True)
class Loop:
    first: int
    end: int
    repetitions: int
    start: int
    step: int


@dataclass(frozen=True, slots=True)
class Control:
    """Everything that decides which word comes next, and the loop counter aL."""

    pc: int
    calls: tuple[Call, ...] = ()
    ifs: tuple[If, ...] = ()
    loops: tuple[Loop, ...] = ()
    counter: int = 0

    def at(self, pc: int) -> Control:
        """The same state at another word."""
        return Control(pc, self.calls, self.ifs, self.loops, self.counter)


_Entry = TypeVar("_Entry")


def _push(stack: tuple[_Entry, ...], entry: _Entry, depth: int) -> tuple[_Entry, ...]:
    """A full stack loses its oldest entry."""
    kept: tuple[_Entry, ...] = stack[1:] if len(stack) == depth else stack
    return (*kept, entry)


def advance(
    state: Control,
    instruction: Instruction,
    taken: bool = False,
    loop_range: LoopRange = (0, 0, 0),
    repeat: bool | None = None,
) -> Control:
    """The state after `instruction`.

    `taken` is the outcome of its condition, `loop_range` the register that a LOOP reads.  Whether a loop
    whose body ends here runs again is counted, or given by `repeat`.
    """
    reached = state.pc + 1
    ended = _leave_blocks(_act(state, instruction, taken, loop_range), reached)
    if not ended.loops or ended.loops[-1].end != reached:
        return ended
    again = ended.loops[-1].repetitions > 0 if repeat is None else repeat
    return _repeat_loop(ended) if again else _leave_loop(ended)


def _act(state: Control, instruction: Instruction, taken: bool, loop_range: LoopRange) -> Control:
    """The instruction's own jump and stack entry."""
    following = state.at(state.pc + 1)
    kind = instruction.operation.jumps
    if kind == "break" and taken and state.loops:
        return _leave_loop(state).at(state.loops[-1].end)
    if kind in ("", "break"):
        return following
    target, length = instruction.fields["target"], instruction.fields["num"]
    if kind == "loop":
        loop = Loop(state.pc + 1, target + 1, *loop_range)
        return replace(following, loops=_push(state.loops, loop, LOOP_DEPTH), counter=loop.start)
    if kind == "if":
        if not taken:
            return state.at(target)
        return replace(following, ifs=_push(state.ifs, If(target, target + length), IF_DEPTH))
    if not taken:
        return following
    if kind == "call":
        call = Call(target + length, state.pc + 1)
        return replace(state, pc=target, calls=_push(state.calls, call, CALL_DEPTH))
    return state.at(target)


def _leave_blocks(state: Control, reached: int) -> Control:
    """Pop the calls that end at `reached`, then at each return address in turn, and one IF that ends there.

    What is popped overrides a jump: an IF more strongly than a call.
    """
    pc, calls, ifs = state.pc, state.calls, state.ifs
    if not calls and not ifs:
        return state
    call_end = reached
    for popped in range(CALL_DEPTH):
        if not calls or calls[-1].end != call_end:
            break
        if popped < CALL_DEPTH - 1:  # hardware: the fourth pop in a row loses the return address
            pc = call_end = calls[-1].return_to
        calls = calls[:-1]
    if ifs and ifs[-1].middle == reached:
        pc, ifs = ifs[-1].end, ifs[:-1]
    return replace(state, pc=pc, calls=calls, ifs=ifs)


def _repeat_loop(state: Control) -> Control:
    loop = state.loops[-1]
    shorter = replace(loop, repetitions=max(loop.repetitions - 1, 0))
    return replace(state, pc=loop.first, loops=(*state.loops[:-1], shorter), counter=state.counter + loop.step)


def _leave_loop(state: Control) -> Control:
    """Forget the innermost loop; also what BREAK does.

    aL takes its last step.  When another loop goes on around this one, the known implementation leaves the
    inner loop's start value in aL instead; what hardware does is not confirmed.
    """
    loop, outer = state.loops[-1], state.loops[:-1]
    return replace(state, loops=outer, counter=loop.start if outer else state.counter + loop.step)
