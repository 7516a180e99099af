"""One run of the integrated list scheduler: straight-line code becomes words on physical registers in one go.

Word by word, the ready instruction of the highest priority is taken, and others that fit into its bundle.  A result is
assigned a register when its instruction is scheduled (Goodman and Hsu 1988, "Code scheduling and register allocation in
large basic blocks"): what is known then is which operands its readers combine it with, and so which port should be left
to them.  As in their method, the run turns from filling words to freeing registers while few registers are free.

Values that are read later go to the files, others to the accumulators, which the next word can read.  Two operands
of one file that meet in one instruction cost a move.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from glslc_multi.backends.vc4.codegen.machine_ops import END, GENERAL, MOV
from glslc_multi.backends.vc4.codegen.machine_ops import SIGNAL as SIGNAL_ALONE
from glslc_multi.backends.vc4.codegen.schedule.bundle import Bundle
from glslc_multi.backends.vc4.codegen.schedule.ports import (
    FIRST_ACCUMULATOR,
    FIRST_B,
    FIRST_IMMEDIATE,
    Ports,
    is_in_file,
    port_of,
    ports_of,
    target_of_location,
)
from glslc_multi.backends.vc4.codegen.schedule.resources import (
    FULL,
    IMMEDIATE,
    NOT_AT_END,
    SIGNAL,
    TILE,
    Resources,
    resources_of,
)
from glslc_multi.backends.vc4.codegen.schedule.straight_line import IN_A, IN_ACCUMULATORS, IN_B, StraightLineCode
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Use, VirtualRegister

_LONGEST_WAIT = 40
#: Instructions that a run may have scheduled fewer than the best one, after the same number of words, and go on.
_MAY_LAG = 2
#: While no more registers than these are free, what frees some is preferred.
_RESERVE = 10
#: Words that run after the end of a program or a thread switch, and from one switch to the next.
DELAY, SWITCH_DISTANCE = 2, 3
#: Where all accumulators are taken, a value leaves one whose readers' priorities are so far behind the best one.
_URGENT = 4
_EMPTY = Bundle()
_NO_PORTS = Ports(())
_TARGETS = [target_of_location(location) for location in range(FIRST_IMMEDIATE)]
_FILES = (IN_A, IN_B)
#: Some register to some register.
_ANY = VirtualRegister(0, 1, GENERAL)
SWITCH, LAST_SWITCH = (
    resources_of(MachineInstruction(SIGNAL_ALONE, attributes={"signal": signal}))
    for signal in (Signal.THRSW, Signal.LTHRSW)
)
_MOVE = resources_of(MachineInstruction(MOV, [Def(_ANY)], [Use(_ANY)]))
#: Instructions that are looked at for a word: without that the work would grow as the square of what is ready.
_MOST_CANDIDATES = 128


class Policy(NamedTuple):
    """How a run chooses between accumulators and files."""

    #: A value with so many readers goes to a file.
    many_readers: int
    #: Accumulators that are left to values that are read at once.
    spare_accumulators: int
    #: How far behind the best ready instruction in priority others may be that join it; 0 for any distance.
    reach: int = 0


class ScheduleRun:
    """One run, with priorities and a policy of its own."""

    def __init__(self, code: StraightLineCode, priorities: Sequence[float], policy: Policy) -> None:
        self.code = code
        self.priorities = priorities
        self.policy = policy
        self.may_lag = False
        #: The words.
        self.bundles: list[Bundle] = []
        #: The words until control has left by the branch at the end, but for its own.
        self.words_to_leave = 0
        #: How many instructions were scheduled after each.
        self.progress: list[int] = []
        #: Why words are empty.
        self.nops: list[str] = []
        self.keys = [(-priority, number) for number, priority in enumerate(priorities)]
        #: The operands, which moves change.
        self.operands = list(code.operands)
        self.earliest = list(code.earliest)
        #: By instruction, the predecessors that are not scheduled yet.
        self.pending = list(code.predecessor_counts)
        #: What the operands of ready instructions need of the ports; None where no word can read them.
        self.ports: list[Ports | None] = [None] * len(code.resources)
        #: The latest value in each accumulator, but for those of moves.
        self.held: dict[int, int] = {}
        #: Ready instructions whose operands no word can read.
        self.blocked: set[int] = set()
        #: The ready list: instructions without pending predecessors, the highest priority first.
        self.ready: list[tuple[float, int]] = []
        #: The same for what comes after thread switches.
        self.phase = 0
        self.deferred: list[list[tuple[float, int]]] = [[] for _ in range(max(code.phases, default=0) + 1)]
        #: The earliest word for the next thread switch.
        self.next_switch = 0
        #: The instructions that are scheduled, as a set.
        self.scheduled = 0
        #: By value: its location, and how many reads and writes are left.
        self.locations = list(code.locations)
        self.reads_left = list(code.reads)
        self.writes_left = list(code.writes)
        #: By how many registers instructions raise the pressure, of those where that is known.
        self.pressure_changes: dict[int, int] = {}
        #: Sets of registers: that hold values; that the last word wrote; that the bundle being filled writes.
        self.occupied = code.occupied
        self.just_written = self.being_written = 0
        for number, count in enumerate(self.pending):
            if not count and not code.instructions[number].op.terminator:
                self._make_ready(number)

    @property
    def length(self) -> int:
        """Words, the unfilled delay slots of a branch included."""
        return max(len(self.bundles), self.words_to_leave)

    # words ---------------------------------------------------------------------------------
    def run(self, best: ScheduleRun | None, *, may_lag: bool = False) -> bool:
        """Whether all instructions were scheduled, in no more words than the best run so far; one that lags behind it
        goes on if it `may_lag`."""
        self.may_lag = may_lag
        idle = 0
        while self.ready or self._switch_threads():
            if idle > _LONGEST_WAIT or (best is not None and self._cannot_beat(best)):
                return False
            bundle = self._filled(_EMPTY) or self._with_move(_EMPTY) or self._with_accumulator_freed()
            if bundle is not None and self.blocked and not bundle.mask & FULL:
                bundle = self._with_move(bundle) or bundle
            if bundle is not None and self.ready and not bundle.mask & FULL and not IN_ACCUMULATORS & ~self.occupied:
                bundle = self._free_accumulator(bundle, -self.ready[0][0] - _URGENT) or bundle
            if bundle is None:
                self._add_nop("latency or hazard")
                idle += 1
            else:
                self._finish_word(bundle)
                idle = 0
        if self.code.end is not None:
            self._put_signal(self.code.resources[self.code.end], 0)
        return best is None or self.length <= best.length

    def _cannot_beat(self, best: ScheduleRun) -> bool:
        """Whether what remains takes too many words, or the run lags so far that it will hardly catch up: a perturbed
        one hardly does, one with another policy often."""
        words = len(self.bundles)
        if (
            not self.may_lag
            and words
            and words <= len(best.progress)
            and self.progress[-1] + _MAY_LAG < best.progress[words - 1]
        ):
            return True
        code, left = self.code, best.length - words
        if code.lower_bound <= left:
            return False
        heights = code.heights
        return (
            code.lower_bound_for(~self.scheduled) > left
            or max([heights[number] for _, number in self.ready], default=0) >= left
        )

    def _finish_word(self, bundle: Bundle) -> None:
        self.bundles.append(bundle)
        self.progress.append(self.scheduled.bit_count())
        self.just_written, self.being_written = self.being_written, 0

    def _filled(self, bundle: Bundle) -> Bundle | None:
        """The bundle with all that fits into it, the highest priority first; None where it stays empty."""
        resources, ports, just_written = self.code.resources, self.ports, self.just_written
        refused: set[int] = set()
        is_new = True
        while is_new:
            is_new = False
            for number in self._candidates():
                needed, needed_ports = resources[number], ports[number]
                if bundle.mask & needed.conflicts or needed_ports is None or bundle.mask & needed_ports.conflicts:
                    continue
                if needed_ports.hazards & just_written or number in refused:
                    continue
                joined = bundle.join(needed, needed_ports)
                last_uses = 0 if joined is None else self._last_uses(number)
                register = None if joined is None else self._write(joined, number, last_uses)
                if joined is None or register is None:
                    refused.add(number)
                    continue
                bundle = joined
                if self._schedule(number, register, last_uses):
                    is_new = True
                    break
                if bundle.mask & FULL and bundle.mask & (SIGNAL | IMMEDIATE):
                    return bundle
        return bundle if bundle.members else None

    def _candidates(self) -> list[int]:
        """The instructions that may be in this word, the best first."""
        now, earliest = len(self.bundles), self.earliest
        ready = self.ready
        if self.policy.reach and ready:
            ready = ready[: bisect_left(ready, (ready[0][0] + self.policy.reach, 0))]
        startable = [number for _, number in ready if earliest[number] <= now]
        if (self.code.usable & ~self.occupied).bit_count() <= _RESERVE:
            changes = self.pressure_changes
            for number in startable:
                if number not in changes:
                    changes[number] = self._pressure_change(number)
            return sorted(startable, key=changes.__getitem__)
        return startable[:_MOST_CANDIDATES]

    def _pressure_change(self, number: int) -> int:
        """Return by how many registers an instruction raises the pressure."""
        result = self.code.results[number]
        return int(result is not None and self.locations[result] < 0) - self._last_uses(number).bit_count()

    def _forget_changes(self, operand: int) -> None:
        """Forget how what reads a value changes the pressure: one of them may be the last now."""
        # What a move made has one reader.
        if operand < len(self.code.values):
            for reader in self.code.values[operand].readers:
                self.pressure_changes.pop(reader, None)

    # registers -----------------------------------------------------------------------------
    def _write(self, bundle: Bundle, number: int, last_uses: int) -> int | None:
        """The register for the result of the bundle's latest instruction, -1 if it has none; None where none is
        free."""
        result = self.code.results[number]
        if result is None:
            return -1 if bundle.write(self.code.targets[number]) else None
        register = self.locations[result]
        if register >= 0:
            return register if bundle.write(_TARGETS[register]) else None
        free = self.code.values[result].candidates & ~(self.occupied & ~last_uses) & ~self.being_written
        for file in self._files(result, free):
            found = free & file
            if found:
                register = (found & -found).bit_length() - 1
                if bundle.write(_TARGETS[register]):
                    return register
        return None

    def _last_uses(self, number: int) -> int:
        """The registers that an instruction is the last to read."""
        last_uses = 0
        operands = self.operands[number]
        for operand in operands:
            if self.reads_left[operand] == operands.count(operand) and not self.writes_left[operand]:
                last_uses |= 1 << self.locations[operand]
        return last_uses

    def _files(self, result: int, free: int) -> tuple[int, ...]:
        """Files for a value, the best first: one that its readers' other operands are not in."""
        if free & IN_ACCUMULATORS and not self._prefers_file(result):
            return (IN_ACCUMULATORS,)
        value, locations = self.code.values[result], self.locations
        partners_in_a, partners_in_b = value.fixed_partners
        for partner in value.partners:
            location = locations[partner]
            if 0 <= location < FIRST_B:
                partners_in_a += 1
            elif FIRST_B <= location < FIRST_ACCUMULATOR:
                partners_in_b += 1
        in_a, in_b = (self.occupied & IN_A).bit_count(), (self.occupied & IN_B).bit_count()
        first, second = (IN_A, IN_B) if (partners_in_a, in_a) <= (partners_in_b, in_b) else (IN_B, IN_A)
        return (first, second, IN_ACCUMULATORS)

    def _prefers_file(self, result: int) -> bool:
        """Whether a value should leave the accumulators to others: it has many readers, or they are not ready soon."""
        value = self.code.values[result]
        if value.writes > 1:
            return False
        if len(value.readers) >= self.policy.many_readers:
            return True
        if (IN_ACCUMULATORS & ~self.occupied).bit_count() > self.policy.spare_accumulators:
            return False
        # Readers depend on this instruction, and perhaps on others.
        pending = self.pending
        return max([pending[reader] for reader in value.readers], default=0) > 1

    # instructions --------------------------------------------------------------------------
    def _schedule(self, number: int, register: int, last_uses: int) -> bool:
        """Note that an instruction is in the bundle being filled; whether others may join it now."""
        self.occupied &= ~last_uses
        for operand in self.operands[number]:
            self.reads_left[operand] -= 1
            if self.pressure_changes and self.reads_left[operand] <= self.code.most_operands:
                self._forget_changes(operand)
        result = self.code.results[number]
        if result is not None:
            self._assign(result, register)
        self.scheduled |= 1 << number
        if number in self.code.leaving:
            self.words_to_leave = max(self.words_to_leave, len(self.bundles) + self.code.leaving[number])
        del self.ready[bisect_left(self.ready, self.keys[number])]
        # An instruction's successors have one predecessor less; whether one of them may be in the same word.
        now = len(self.bundles)
        earliest, pending = self.earliest, self.pending
        is_new = False
        for later, distance in self.code.successors[number]:
            if earliest[later] < now + distance:
                earliest[later] = now + distance
            pending[later] -= 1
            if not pending[later] and not self.code.instructions[later].op.terminator:
                self._make_ready(later)
                is_new |= earliest[later] <= now
        return is_new

    def _assign(self, value: int, register: int) -> None:
        """A value is written to a register."""
        self.locations[value] = register
        if IN_ACCUMULATORS >> register & 1:
            self.held[register] = value
        self.writes_left[value] -= 1
        if self.code.values[value].writes > 1:
            self.pressure_changes.clear()
        self.being_written |= 1 << register
        if self.reads_left[value] or self.writes_left[value]:
            self.occupied |= 1 << register
        else:
            self.occupied &= ~(1 << register)

    def _make_ready(self, number: int) -> None:
        """An instruction has no pending predecessors, so that its operands keep their registers."""
        self._look_at_ports(number)
        phase = self.code.phases[number]
        if phase == self.phase:
            insort(self.ready, self.keys[number])
        else:
            self.deferred[phase].append(self.keys[number])

    def _look_at_ports(self, number: int) -> None:
        """Note what a ready instruction needs of the ports, where its operands are."""
        locations = self.locations
        reads = tuple([locations[operand] for operand in self.operands[number]])
        ports = self.ports[number] = ports_of(reads, self.code.resources[number].rotation)
        if ports is None:
            self.blocked.add(number)
        else:
            self.blocked.discard(number)

    # port conflicts ------------------------------------------------------------------------
    def _with_move(self, bundle: Bundle) -> Bundle | None:
        """A bundle with a move of one of two operands that a ready instruction reads from one file, too; None if there
        is no such instruction."""
        for number in self._candidates():
            if number not in self.blocked:
                continue
            reads = tuple([self.locations[operand] for operand in self.operands[number]])
            if len(reads) > 1 and port_of(reads[0]) == port_of(reads[1]):
                joined = self._move(bundle, number, reads)
                if joined is not None:
                    return self._filled(joined)
        return None

    def _move(self, bundle: Bundle, number: int, reads: tuple[int, ...]) -> Bundle | None:
        """Move one operand to a register that the other port reads, or to an accumulator."""
        operands = self.operands[number]
        free_to_move = (
            n for n in range(2) if self.code.is_movable(operands[n]) and not self.just_written >> reads[n] & 1
        )
        index = next(free_to_move, None)
        if index is None:
            return None
        free = self.code.usable & ~self.occupied & ~self.being_written
        found = free & IN_ACCUMULATORS or free & _FILES[1 - (port_of(reads[index]) or 0)]
        if not found:
            return None
        register = (found & -found).bit_length() - 1
        ports = ports_of(reads[index : index + 1], _MOVE.rotation)
        joined = None if ports is None else bundle.join(_MOVE, ports)
        if joined is None or not joined.write(_TARGETS[register]):
            return None
        value = operands[index]
        self.reads_left[value] -= 1
        self._forget_changes(value)
        self.pressure_changes.pop(number, None)
        if not self.reads_left[value] and not self.writes_left[value]:
            self.occupied &= ~(1 << reads[index])
        self.operands[number] = (*operands[:index], len(self.locations), *operands[index + 1 :])
        self.locations.append(register)
        self.reads_left.append(1)
        self.writes_left.append(0)
        self.occupied |= 1 << register
        self.being_written |= 1 << register
        self._look_at_ports(number)
        return joined

    # taken accumulators --------------------------------------------------------------------
    def _with_accumulator_freed(self) -> Bundle | None:
        """A bundle with a move from an accumulator to a file, where a ready instruction can write to accumulators only
        and all are taken; None if there is no such instruction."""
        for number in self._candidates():
            result = self.code.results[number]
            if result is None or self.locations[result] >= 0:
                continue
            wanted = self.code.values[result].candidates
            if not wanted & (~IN_ACCUMULATORS | ~self.occupied):
                return self._free_accumulator(_EMPTY, inf)
        return None

    def _free_accumulator(self, bundle: Bundle, urgency: float) -> Bundle | None:
        """The bundle with a move to a file, too, of the value whose readers have the least priority, below `urgency`;
        None if there is none that may be there, and that nothing writes any more."""
        evicted = None
        for location, value in self.held.items():
            is_settled = self.reads_left[value] and not self.writes_left[value] and self.locations[value] == location
            if not is_settled or self.being_written >> location & 1:
                continue
            readers = self.code.values[value].readers
            priority = max([self.priorities[reader] for reader in readers if not self.scheduled >> reader & 1])
            if priority < urgency and self.code.is_movable(value):
                evicted, urgency = value, priority
        return None if evicted is None else self._move_to_file(bundle, evicted)

    def _move_to_file(self, bundle: Bundle, value: int) -> Bundle | None:
        location = self.locations[value]
        free = self.code.values[value].candidates & ~self.occupied & ~self.being_written & ~IN_ACCUMULATORS
        ports = ports_of((location,), _MOVE.rotation)
        joined = None if ports is None else bundle.join(_MOVE, ports)
        if joined is None:
            return None
        for file in self._files(value, free):
            register = (free & file & -(free & file)).bit_length() - 1
            if register < 0 or not joined.write(_TARGETS[register]):
                continue
            self.locations[value] = register
            self.occupied = self.occupied & ~(1 << location) | 1 << register
            self.being_written |= 1 << register
            now = len(self.bundles)
            for reader in self.code.values[value].readers:
                self.earliest[reader] = max(self.earliest[reader], now + 1)
                if self.ports[reader] is not None and not self.scheduled >> reader & 1:
                    self._look_at_ports(reader)
            return self._filled(joined)
        return None

    # signals -------------------------------------------------------------------------------
    def _switch_threads(self) -> bool:
        """Go on with what comes after the next thread switch; False where there is none."""
        last = len(self.deferred) - 1
        if self.phase == last:
            return False
        self.phase += 1
        word = self._put_signal(LAST_SWITCH if self.phase == last else SWITCH, self.next_switch)
        self.next_switch = word + SWITCH_DISTANCE
        self.ready = sorted(self.deferred[self.phase])
        return True

    def _put_signal(self, signal: Resources, first: int) -> int:
        """Put a signal that takes effect two words later as early as possible; the number of its word."""
        count = len(self.bundles)
        is_end = signal.instruction.op is END
        for word in range(max(first, count - DELAY - 1), count + 1):
            rest = self.bundles[word:]
            joined = rest[0].join(signal, _NO_PORTS) if rest else None
            if joined is not None and not (is_end and self._prevents_end(rest, is_shared=True)):
                self.bundles[word] = joined
                break
            if word >= count - DELAY and not (is_end and self._prevents_end(rest, is_shared=False)):
                joined = _EMPTY.join(signal, _NO_PORTS)
                assert joined is not None
                self.bundles.insert(word, joined)
                break
        while len(self.bundles) <= word + DELAY:
            self._add_nop("delay slot")
        return word

    def _add_nop(self, reason: str) -> None:
        self.nops.append(reason)
        self._finish_word(_EMPTY)

    def _prevents_end(self, words: Sequence[Bundle], *, is_shared: bool) -> bool:
        """Whether the program may not end in the first of these words, or just before them."""
        return not all(
            may_stand_at_end(
                bundle.mask,
                any(is_in_file(target) for target in bundle.targets),
                index,
                is_fragment=self.code.model.is_fragment,
            )
            for index, bundle in enumerate(words, 0 if is_shared else 1)
        )


def may_stand_at_end(mask: int, writes_file: bool, place: int, *, is_fragment: bool) -> bool:
    """Whether what needs these resources may be in the word that ends the program, 0, or in one that follows it."""
    if mask & NOT_AT_END:
        return False
    if place == 0:
        return not (mask & TILE or writes_file)
    # The last word of a fragment shader gets a signal.
    return not (place == DELAY and is_fragment and mask & (SIGNAL | IMMEDIATE))
