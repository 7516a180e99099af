"""One walk through straight code, word by word.

The most urgent instruction that may issue is taken, and others that fit into its word.  A result gets its register when
it is written: what is known then is which operands its readers meet it with, and so which port should be left to them.
Values that wait go to the files, others to the accumulators, which can be read at once.  Two operands of one file that
meet in one instruction cost a move.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import NamedTuple

from backends.vc4.codegen.machine_ops import END, GENERAL, MOV
from backends.vc4.codegen.machine_ops import SIGNAL as SIGNAL_ALONE
from backends.vc4.codegen.schedule.straight import IN_A, IN_ACCUMULATORS, IN_B, StraightCode
from backends.vc4.codegen.schedule.words import (
    FULL,
    IMMEDIATE,
    NOT_AT_END,
    ON_B,
    ON_IMMEDIATE,
    ON_NONE,
    SIGNAL,
    TILE,
    Claim,
    Draft,
    Ports,
    claim_of,
    is_in_file,
    port_of,
    ports_of,
    target_of_place,
)
from backends.vc4.isa.instructions import Signal
from compiler.codegen.machine import Def, MachineInstruction, Use, VirtualRegister

_LONGEST_WAIT = 40
#: Instructions that a walk may be behind the best one and go on.
_BEHIND = 2
#: Registers that should stay free before what frees some is preferred.
_RESERVE = 10
#: Words that run behind the end of a program or a thread switch, and from one switch to the next.
_DELAY, _SWITCH_DISTANCE = 2, 3
_EMPTY = Draft()
_NO_PORTS = Ports(())
_TARGETS = [target_of_place(place) for place in range(ON_IMMEDIATE)]
_FILES = (IN_A, IN_B)
#: Some register to some register.
_ANY = VirtualRegister(0, 1, GENERAL)
_SWITCH, _LAST_SWITCH = (
    claim_of(MachineInstruction(SIGNAL_ALONE, attributes={"signal": signal}))
    for signal in (Signal.THRSW, Signal.LTHRSW)
)
_MOVE = claim_of(MachineInstruction(MOV, [Def(_ANY)], [Use(_ANY)]))


class Habits(NamedTuple):
    """How a walk chooses between accumulators and files."""

    #: How many readers make a value wait in a file.
    many: int
    #: Accumulators that are left to values that are read at once.
    spare: int


class Walk:
    """One try: the greatest urgency goes first."""

    def __init__(self, code: StraightCode, urgencies: Sequence[float], habits: Habits) -> None:
        self.code = code
        self.urgencies = urgencies
        self.habits = habits
        #: The words.
        self.drafts: list[Draft] = []
        #: How many instructions had issued behind each.
        self.pace: list[int] = []
        #: Why words have nothing in them.
        self.nops: list[str] = []
        self.keys = [(-urgency, number) for number, urgency in enumerate(urgencies)]
        #: The operands, which moves change.
        self.operands = list(code.operands)
        self.earliest = list(code.earliest)
        self.waiting = list(code.waiting)
        #: What the operands of those that wait for nothing ask of the ports; None where no word can read them.
        self.ports: list[Ports | None] = [None] * len(code.claims)
        #: What may issue as far as dependences go, the most urgent first.
        self.available: list[tuple[float, int]] = []
        #: The same for what comes behind thread switches.
        self.phase = 0
        self.deferred: list[list[tuple[float, int]]] = [[] for _ in range(max(code.phases) + 1)]
        #: The earliest place of the next thread switch.
        self.next_switch = 0
        #: The instructions that have issued, as a set.
        self.issued = 0
        #: By value: where it is, and how many reads and writes are left.
        self.homes = list(code.homes)
        self.left = list(code.reads)
        self.writes = list(code.writes)
        #: Sets of places: with values; written in the last word; written in the word at work.
        self.taken = code.taken
        self.fresh = self.writing = 0
        for number, count in enumerate(self.waiting):
            if not count and not code.instructions[number].op.terminator:
                self._offer(number)

    # the walk ------------------------------------------------------------------------------
    def run(self, best: Walk | None) -> bool:
        """Whether all instructions found a place, in no more words than the best walk so far took."""
        idle = 0
        while self.available or self._switch_threads():
            if idle > _LONGEST_WAIT or (best is not None and self._cannot_reach(best)):
                return False
            draft = self._filled(_EMPTY) or self._moved_apart()
            if draft is None:
                self._add_nop("latency or hazard")
                idle += 1
            else:
                self._finish_word(draft)
                idle = 0
        if self.code.end is not None:
            self._put(self.code.claims[self.code.end], 0)
        return best is None or len(self.drafts) <= len(best.drafts)

    def _cannot_reach(self, best: Walk) -> bool:
        """Whether what is left takes too many words, or the walk is so far behind that it will hardly catch up."""
        words = len(self.drafts)
        if words and words <= len(best.pace) and self.pace[-1] + _BEHIND < best.pace[words - 1]:
            return True
        code, room = self.code, len(best.drafts) - words
        if code.fewest_words <= room:
            return False
        heights = code.heights
        return (
            code.fewest_words_for(~self.issued) > room
            or max([heights[number] for _, number in self.available], default=0) >= room
        )

    def _finish_word(self, draft: Draft) -> None:
        self.drafts.append(draft)
        self.pace.append(self.issued.bit_count())
        self.fresh, self.writing = self.writing, 0

    def _filled(self, draft: Draft) -> Draft | None:
        """The word with all that fits into it, the most urgent first; None where nothing is in it."""
        claims, ports, fresh = self.code.claims, self.ports, self.fresh
        refused: set[int] = set()
        is_new = True
        while is_new:
            is_new = False
            for number in self._candidates():
                claim, asked = claims[number], ports[number]
                if draft.bits & claim.rivals or asked is None or draft.bits & asked.rivals:
                    continue
                if asked.late & fresh or number in refused:
                    continue
                joined = draft.join(claim, asked)
                dying = 0 if joined is None else self._dying(number)
                home = None if joined is None else self._write(joined, number, dying)
                if joined is None or home is None:
                    refused.add(number)
                    continue
                draft = joined
                if self._issue(number, home, dying):
                    is_new = True
                    break
                if draft.bits & FULL and draft.bits & (SIGNAL | IMMEDIATE):
                    return draft
        return draft if draft.claims else None

    def _candidates(self) -> list[int]:
        """What may issue, the best first."""
        now, earliest = len(self.drafts), self.earliest
        ready = [number for _, number in self.available if earliest[number] <= now]
        if (self.code.usable & ~self.taken).bit_count() <= _RESERVE:
            # Where registers are short, what frees some.
            ready.sort(key=self._growth)
        return ready

    def _growth(self, number: int) -> int:
        """By how many registers an instruction makes more live."""
        result = self.code.results[number]
        return int(result is not None and self.homes[result] < 0) - self._dying(number).bit_count()

    # instructions --------------------------------------------------------------------------
    def _write(self, draft: Draft, number: int, dying: int) -> int | None:
        """The place of the result of the word's latest instruction, -1 if it gets none; None where there is none."""
        result = self.code.results[number]
        if result is None:
            return -1 if draft.write(self.code.targets[number]) else None
        home = self.homes[result]
        if home >= 0:
            return home if draft.write(_TARGETS[home]) else None
        free = self.code.values[result].allowed & ~(self.taken & ~dying) & ~self.writing
        for file in self._files(result, free):
            places = free & file
            if places:
                home = (places & -places).bit_length() - 1
                if draft.write(_TARGETS[home]):
                    return home
        return None

    def _dying(self, number: int) -> int:
        """The places that an instruction is the last to read."""
        found = 0
        operands = self.operands[number]
        for operand in operands:
            if self.left[operand] == operands.count(operand) and not self.writes[operand]:
                found |= 1 << self.homes[operand]
        return found

    def _files(self, result: int, free: int) -> tuple[int, ...]:
        """Files for a value, the best first: one that its readers' other operands are not in."""
        if free & IN_ACCUMULATORS and not self._should_wait(result):
            return (IN_ACCUMULATORS,)
        value, homes = self.code.values[result], self.homes
        against_a, against_b = value.against
        for partner in value.partners:
            home = homes[partner]
            if 0 <= home < ON_B:
                against_a += 1
            elif ON_B <= home < ON_NONE:
                against_b += 1
        in_a, in_b = (self.taken & IN_A).bit_count(), (self.taken & IN_B).bit_count()
        first, second = (IN_A, IN_B) if (against_a, in_a) <= (against_b, in_b) else (IN_B, IN_A)
        return (first, second, IN_ACCUMULATORS)

    def _should_wait(self, result: int) -> bool:
        """Whether a value should rather wait in a file: it has many readers, or they must wait themselves."""
        value = self.code.values[result]
        if value.writes > 1:
            return False
        if len(value.readers) >= self.habits.many:
            return True
        if (IN_ACCUMULATORS & ~self.taken).bit_count() > self.habits.spare:
            return False
        # They wait for the instruction at work, and for others.
        waiting = self.waiting
        return max([waiting[reader] for reader in value.readers], default=0) > 1

    def _issue(self, number: int, home: int, dying: int) -> bool:
        """Note that an instruction is in the word at work; whether others may issue now."""
        self.taken &= ~dying
        for operand in self.operands[number]:
            self.left[operand] -= 1
        result = self.code.results[number]
        if result is not None:
            self._settle(result, home)
        self.issued |= 1 << number
        del self.available[bisect_left(self.available, self.keys[number])]
        return self._release(number)

    def _settle(self, value: int, home: int) -> None:
        """A value is written to its place."""
        self.homes[value] = home
        self.writes[value] -= 1
        self.writing |= 1 << home
        if self.left[value] or self.writes[value]:
            self.taken |= 1 << home
        else:
            self.taken &= ~(1 << home)

    def _release(self, number: int) -> bool:
        """What waits for an instruction waits no more; whether some of it may issue in the same word."""
        now = len(self.drafts)
        earliest, waiting = self.earliest, self.waiting
        is_new = False
        for later, distance in self.code.successors[number]:
            if earliest[later] < now + distance:
                earliest[later] = now + distance
            waiting[later] -= 1
            if not waiting[later] and not self.code.instructions[later].op.terminator:
                self._offer(later)
                is_new |= earliest[later] <= now
        return is_new

    def _offer(self, number: int) -> None:
        """An instruction waits for no other, so that its operands are where they stay."""
        self.ports[number] = self._ports(number)
        phase = self.code.phases[number]
        if phase == self.phase:
            insort(self.available, self.keys[number])
        else:
            self.deferred[phase].append(self.keys[number])

    def _ports(self, number: int) -> Ports | None:
        """What an instruction asks of the ports; None if no word can read its operands."""
        homes = self.homes
        return ports_of(tuple([homes[operand] for operand in self.operands[number]]), self.code.claims[number].rotation)

    # conflicts -----------------------------------------------------------------------------
    def _moved_apart(self) -> Draft | None:
        """A word with a move of one of two operands that an urgent instruction reads from one file; None if none
        does."""
        for number in self._candidates():
            reads = tuple(self.homes[operand] for operand in self.operands[number])
            if len(reads) < 2 or reads[0] == reads[1] or port_of(reads[0]) is None:
                continue
            if port_of(reads[0]) == port_of(reads[1]):
                draft = self._move(number, reads)
                if draft is not None:
                    return self._filled(draft)
        return None

    def _move(self, number: int, reads: tuple[int, ...]) -> Draft | None:
        """Bring one operand to a register that it can be read from."""
        operands = self.operands[number]
        index = next((n for n in range(2) if self.code.is_movable(operands[n])), None)
        if index is None or self.fresh >> reads[index] & 1:
            return None
        free = self.code.usable & ~self.taken
        places = free & IN_ACCUMULATORS or free & _FILES[1 - (port_of(reads[index]) or 0)]
        if not places:
            return None
        home = (places & -places).bit_length() - 1
        ports = ports_of(reads[index : index + 1], _MOVE.rotation)
        draft = None if ports is None else _EMPTY.join(_MOVE, ports)
        assert draft is not None and draft.write(_TARGETS[home])
        value = operands[index]
        self.left[value] -= 1
        if not self.left[value] and not self.writes[value]:
            self.taken &= ~(1 << reads[index])
        self.operands[number] = (*operands[:index], len(self.homes), *operands[index + 1 :])
        self.homes.append(home)
        self.left.append(1)
        self.writes.append(0)
        self.taken |= 1 << home
        self.writing |= 1 << home
        self.ports[number] = self._ports(number)
        return draft

    # signals -------------------------------------------------------------------------------
    def _switch_threads(self) -> bool:
        """Go on with what comes behind the next thread switch; False where there is none."""
        last = len(self.deferred) - 1
        if self.phase == last:
            return False
        self.phase += 1
        while len(self.drafts) < self.next_switch:
            self._add_nop("thread switch")
        place = self._put(_LAST_SWITCH if self.phase == last else _SWITCH, self.next_switch)
        self.next_switch = place + _SWITCH_DISTANCE
        self.available = sorted(self.deferred[self.phase])
        return True

    def _put(self, signal: Claim, first: int) -> int:
        """Put a signal that takes effect two words later as early as possible; the number of its word."""
        count = len(self.drafts)
        is_end = signal.made.op is END
        for place in range(max(first, count - _DELAY - 1), count + 1):
            behind = self.drafts[place:]
            joined = behind[0].join(signal, _NO_PORTS) if behind else None
            if joined is not None and not (is_end and self._prevents_end(behind, is_shared=True)):
                self.drafts[place] = joined
                break
            if place >= count - _DELAY and not (is_end and self._prevents_end(behind, is_shared=False)):
                joined = _EMPTY.join(signal, _NO_PORTS)
                assert joined is not None
                self.drafts.insert(place, joined)
                break
        while len(self.drafts) <= place + _DELAY:
            self._add_nop("delay slot")
        return place

    def _add_nop(self, reason: str) -> None:
        self.nops.append(reason)
        self._finish_word(_EMPTY)

    def _prevents_end(self, words: Sequence[Draft], *, is_shared: bool) -> bool:
        """Whether the program may not end in the first of these, or in front of them."""
        if any(draft.bits & NOT_AT_END for draft in words):
            return True
        if is_shared and (words[0].bits & TILE or any(is_in_file(target) for target in words[0].targets)):
            return True
        # The last word of a fragment shader gets a signal.
        is_last = len(words) == _DELAY + is_shared
        return is_last and self.code.model.is_fragment and bool(words[-1].bits & (SIGNAL | IMMEDIATE))
