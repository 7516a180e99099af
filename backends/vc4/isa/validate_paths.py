"""Rules about what came before on a path through a program: queues, scoreboard, thread switches, VPM reads.

A `State` is all that the rules remember of a path.  Where paths join, every reachable pair of a step and a state is
visited once; states are small and bounded, so loops come to an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.accesses import TLB, TMU, VPM_SETUPS, Access, address, numbers_of
from glslc_multi.backends.vc4.isa.encoding import Load
from glslc_multi.backends.vc4.isa.flow import Flow, Step
from glslc_multi.backends.vc4.isa.instructions import R4_LOADS, THREAD_ENDS, THREAD_SWITCHES, LoadMode, Signal
from glslc_multi.backends.vc4.isa.rules import Fault

#: Entries of a TMU's queues, with one thread.
_PARAMETERS, _RESULTS = 8, 4
#: Instructions after a thread switch that are executed before it.
_SWITCH_SLOTS = 2
_FLAGS = 1 << 6
_ALL_LOST = numbers_of(range(7))
_COLOURS = numbers_of((registers.TLB_COLOUR_MS, registers.TLB_COLOUR))
_BEFORE_COLOURS = numbers_of((registers.TLB_STENCIL, registers.TLB_Z))
_VPM_READ, _VPM_SETUP = 1 << registers.VPM_READ, address("A", registers.VPM_SETUP)
#: What the rules look at, if no thread has switched.
_EVENTFUL_SIGNALS = THREAD_ENDS | THREAD_SWITCHES | R4_LOADS | {Signal.SBWAIT}
_EVENTFUL_WRITES = TMU | TLB | VPM_SETUPS
#: Pairs of step and state; programs of the compiler have few.
_VISIT_LIMIT = 200_000


class Queue(NamedTuple):
    """A TMU: the letters (1 T, 2 R, 3 B) of the next request, and the parameters of each request that waits."""

    letters: frozenset[int] = frozenset()
    requests: tuple[int, ...] = ()


class State(NamedTuple):
    """What the rules remember of a path."""

    is_locked: bool = False
    has_colour: bool = False
    has_switched: bool = False
    is_last_switch_over: bool = False
    #: Instructions until the thread switches; 0 if it does not.
    switch_in: int = 0
    #: Accumulators, and flags (6), that a switch has lost, as a set.
    lost: int = 0
    tmus: tuple[Queue, Queue] = (Queue(), Queue())
    #: Rows that are set up and unread; None if that is not known.
    vpm_rows: int | None = 0


def path_faults(accesses: Sequence[Access], flow: Flow) -> set[Fault]:
    """The faults on all paths through a program."""
    is_threaded = any(access.signal in THREAD_SWITCHES for access in accesses)
    faults: set[Fault] = set()
    waiting: list[tuple[int, State]] = [(0, State())]
    visited = set(waiting)
    while waiting and len(visited) < _VISIT_LIMIT:
        number, state = waiting.pop()
        step = flow.steps[number]
        access = accesses[step.pc]
        if state.has_switched or _is_eventful(access):
            transition = _Transition(access, state, is_threaded)
            transition.run(step)
            state = transition.state
            faults.update(Fault(rule, step.pc) for rule in transition.rules)
        for other in flow.successors[number]:
            pair = other, state
            if other not in flow.joins:
                waiting.append(pair)
            elif pair not in visited:
                visited.add(pair)
                waiting.append(pair)
    return faults


def _is_eventful(access: Access) -> bool:
    """Whether an instruction changes a state, or depends on one, before any thread switch."""
    if access.signal in _EVENTFUL_SIGNALS:
        return True
    return bool(access.numbers_written & _EVENTFUL_WRITES or access.numbers_read & _VPM_READ)


class _Transition:
    """One instruction executed in a state."""

    def __init__(self, access: Access, state: State, is_threaded: bool) -> None:
        self._access = access
        self.state = state
        self._threads = 2 if is_threaded else 1
        self.rules: list[str] = []

    def run(self, step: Step) -> None:
        self._scoreboard(step)
        self._tile_order()
        self._lost_values()
        rows = self.state.vpm_rows
        if self._access.numbers_read & _VPM_READ:
            if rows == 0:
                self.rules.append("vpm-reads")
            rows = rows - 1 if rows else rows
        if self._access.written & _VPM_SETUP:
            if rows:
                self.rules.append("vpm-reads")
            rows = self._rows_set_up()
        if rows != self.state.vpm_rows:
            self.state = self.state._replace(vpm_rows=rows)
        self._textures()
        access, state = self._access, self.state
        if state.switch_in:
            left = state.switch_in - 1
            state = state._replace(switch_in=left, lost=state.lost if left else _ALL_LOST)
        if access.signal in THREAD_SWITCHES:
            if state.is_last_switch_over:
                self.rules.append("switch-last")
            is_last = access.signal == Signal.LTHRSW
            state = state._replace(switch_in=_SWITCH_SLOTS, has_switched=True, is_last_switch_over=is_last)
        if step.ending == 0 and state.has_switched and not state.is_last_switch_over:
            self.rules.append("switch-last")
        self.state = state

    def _scoreboard(self, step: Step) -> None:
        access, state = self._access, self.state
        is_end = access.signal in THREAD_ENDS and step.ending < 0
        if is_end and access.touches_tlb and not state.is_locked:
            self.rules.append("end-scoreboard")
        if access.signal in THREAD_SWITCHES and state.is_locked:
            self.rules.append("switch-scoreboard")
        if access.touches_tlb or access.signal == Signal.SBWAIT:
            self.state = self.state._replace(is_locked=True)

    def _tile_order(self) -> None:
        written = self._access.numbers_written
        if self.state.has_colour and written & _BEFORE_COLOURS:
            self.rules.append("tile-order")
        if written & _COLOURS:
            self.state = self.state._replace(has_colour=True)

    def _lost_values(self) -> None:
        access, state = self._access, self.state
        if not state.lost:
            return
        read = access.accumulators_read | (_FLAGS if access.uses_flags else 0)
        if read & state.lost:
            self.rules.append("switch-lost")
        written = access.accumulators_written | (_FLAGS if access.instruction.sf else 0)
        self.state = state._replace(lost=state.lost & ~written)

    def _rows_set_up(self) -> int | None:
        """The rows that a setup requests; None if its value is computed."""
        load = self._access.instruction
        if not isinstance(load, Load) or load.mode != LoadMode.VALUE or load.pack:
            return None
        # The highest bit marks setups of transfers from memory.
        return 0 if load.immediate >> 31 else load.immediate >> 20 & 15 or 16

    # --- TMU ----------------------------------------------------------------------------------------------------------

    def _textures(self) -> None:
        for number in self._access.tmu_writes:
            unit, letter = divmod(number - registers.TMU.start, 4)
            self._set_queue(unit, self._written(self.state.tmus[unit], letter))
        if self._access.signal in (Signal.LDTMU0, Signal.LDTMU1):
            unit = self._access.signal - Signal.LDTMU0
            queue = self.state.tmus[unit]
            if not queue.requests:
                self.rules.append("tmu-no-result")
            self._set_queue(unit, queue._replace(requests=queue.requests[1:]))

    def _written(self, queue: Queue, letter: int) -> Queue:
        """The queue after a write of S (0), T, R or B."""
        if letter:
            if letter in queue.letters:
                self.rules.append("tmu-parameters")
            return queue._replace(letters=queue.letters | {letter})
        requests = (*queue.requests, len(queue.letters) + 1)
        others = [count for unit in self.state.tmus for count in unit.requests]
        waiting = len(others) + 1
        if sum(requests) > _PARAMETERS // self._threads or waiting > _RESULTS // self._threads:
            self.rules.append("tmu-queue")
            requests = requests[1:]
        return Queue(frozenset(), requests)

    def _set_queue(self, unit: int, queue: Queue) -> None:
        tmus = (queue, self.state.tmus[1]) if unit == 0 else (self.state.tmus[0], queue)
        self.state = self.state._replace(tmus=tmus)
