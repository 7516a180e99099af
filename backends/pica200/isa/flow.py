"""What happens to the program counter: the one state machine that simulator and validator share.

The machine has three independent stacks: CALL (4 deep), IF (8) and LOOP (4).  After every instruction the
address of the next word is compared with their tops; there are no return or end-of-block instructions.
The state is immutable, so that lanes and paths in the same state can be treated together.  It has no numbers that are
known at run time alone: how often a loop will run again, and the loop counter aL, are counted by who runs the program.
"""

from __future__ import annotations

from typing import TypeVar

from glslc_multi.backends.pica200.isa.instructions import Instruction
from glslc_multi.compiler.records import dataclass, replace

CALL_DEPTH, IF_DEPTH, LOOP_DEPTH = 4, 8, 4


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
    #: The integer register with its repetitions, and start and step of aL.
    register: int
    #: Of those on the stack no other one has it: 0 to `LOOP_DEPTH` - 1.
    number: int


@dataclass(frozen=True, slots=True)
class Control:
    """Everything beside conditions and repetitions that decides which word comes next."""

    pc: int
    calls: tuple[Call, ...] = ()
    ifs: tuple[If, ...] = ()
    loops: tuple[Loop, ...] = ()

    def at(self, pc: int) -> Control:
        """The same state at another word."""
        return Control(pc, self.calls, self.ifs, self.loops)


_Entry = TypeVar("_Entry")


def _push(stack: tuple[_Entry, ...], entry: _Entry, depth: int) -> tuple[_Entry, ...]:
    """A full stack loses its oldest entry."""
    kept: tuple[_Entry, ...] = stack[1:] if len(stack) == depth else stack
    return (*kept, entry)


def advance(state: Control, instruction: Instruction, taken: bool = False, repeat: bool = False) -> Control:
    """The state after `instruction`.

    `taken` is the outcome of its condition; a loop whose body ends here runs again if `repeat`.
    """
    reached = state.pc + 1
    ended = _leave_blocks(_act(state, instruction, taken), reached)
    if not ended.loops or ended.loops[-1].end != reached:
        return ended
    return ended.at(ended.loops[-1].first) if repeat else _leave_loop(ended)


def _act(state: Control, instruction: Instruction, taken: bool) -> Control:
    """The instruction's own jump and stack entry."""
    following = state.at(state.pc + 1)
    kind = instruction.operation.jumps
    if kind == "break" and taken and state.loops:
        return _leave_loop(state).at(state.loops[-1].end)
    if kind in ("", "break"):
        return following
    target, length = instruction.fields["target"], instruction.fields["num"]
    if kind == "loop":
        number = (state.loops[-1].number + 1) % LOOP_DEPTH if state.loops else 0
        loop = Loop(state.pc + 1, target + 1, instruction.fields["id"], number)
        return replace(following, loops=_push(state.loops, loop, LOOP_DEPTH))
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


def _leave_loop(state: Control) -> Control:
    """Forget the innermost loop; also what BREAK does."""
    return replace(state, loops=state.loops[:-1])
