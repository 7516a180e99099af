"""Straight code as the search for an order and for registers sees it: numbers in place of objects.

In: the instructions of a block on virtual registers, and the order that their dependences ask for.  Out: by instruction
its claim, its operands and its result, by value who reads it; all that is the same whatever the search decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from backends.vc4.codegen.machine_ops import ACCUMULATORS, END, A, B
from backends.vc4.codegen.schedule.bundling import Qpu
from backends.vc4.codegen.schedule.lookups import is_wait
from backends.vc4.codegen.schedule.threads import phases_of
from backends.vc4.codegen.schedule.words import (
    ADD_HALF,
    ANYWHERE,
    HALVES,
    MUL_HALF,
    NOT_AT_END,
    ON_A,
    ON_B,
    ON_NONE,
    Claim,
    Words,
    claim_of,
    place_of,
    place_of_register,
    port_of,
    target_of,
)
from backends.vc4.isa.registers import THREADED_FILE_SIZE
from compiler.codegen.dag import build_dag
from compiler.codegen.machine import MachineInstruction, Use, VirtualRegister
from compiler.codegen.registers import Register, RegisterClass

#: Sets of places are ints with a bit each.
IN_A = (1 << A.count) - 1 << ON_A
IN_B = (1 << B.count) - 1 << ON_B
IN_ACCUMULATORS = (1 << ACCUMULATORS.count) - 1 << ON_NONE
#: No value is put here: the last words of a program may not touch them.
_FOURTEEN = 14
_UNUSED = 1 << ON_A + _FOURTEEN | 1 << ON_B + _FOURTEEN
USABLE = (IN_A | IN_B | IN_ACCUMULATORS) & ~_UNUSED
#: What each of two threads has.
_HALF = (1 << THREADED_FILE_SIZE) - 1
OF_THREADS = _HALF << ON_A | _HALF << ON_B | IN_ACCUMULATORS
#: Words that should pass between a request to a texture unit and its result.
_LOOKUP = 9
#: What only ADD can do is this much more urgent: it frees the registers that products wait in.
_BONUS_OF_ADD = 4
#: Where that counts, what reads more is more urgent, since its ports are free less often and it frees more, and what
#: more wait for: for each of these.
_BONUS_OF_OPERAND, _BONUS_OF_READER = 3, 0.5
#: Where what nobody wrote is read from.
ANY_PLACE = ON_NONE
#: Words behind the last one that a program may not end with.
END_WORDS = 3


class Value:
    """A virtual register, a physical one that holds something at the start, or a fixed place: a small immediate, a
    queue or a word of the stream."""

    __slots__ = ("against", "allowed", "home", "partners", "readers", "register", "writes")

    def __init__(self, register: VirtualRegister | Register | None, allowed: int, home: int) -> None:
        #: None of a fixed place.
        self.register = register
        #: The places that it can be put into.
        self.allowed = allowed
        #: Where it is at the start; -1 if it is not.
        self.home = home
        #: The instructions that read it, as often as they do.
        self.readers: list[int] = []
        self.writes = 0
        #: The other operands of its readers: values, and how many fixed places on each port.
        self.partners: list[int] = []
        self.against = (0, 0)

    @property
    def is_fixed(self) -> bool:
        """Whether it is no register, or one that nobody wrote, which may be any."""
        return self.register is None or (self.home < 0 and not self.writes)


class StraightCode:
    """See the module's text.  Operands and results are numbers of values."""

    def __init__(
        self,
        instructions: list[MachineInstruction],
        model: Qpu,
        kept: Mapping[VirtualRegister | Register, int] | None = None,
    ) -> None:
        """`kept` are the places of values that other blocks have, too."""
        self.model = model
        self.instructions = instructions
        self.claims: list[Claim] = [claim_of(made) for made in instructions]
        #: The end of the program, which is placed with straight code; branches are placed when all blocks are woven.
        self.end = None if kept is not None else next((n for n, m in enumerate(instructions) if m.op is END), None)
        dag = build_dag(instructions, model)
        self.successors = [tuple(after.items()) for after in dag.successors]
        self.waiting = [len(before) for before in dag.predecessors]
        #: Words that must follow each instruction.  Terminators do not count: others place them.
        self.heights = self._heights()
        self.urgencies = self._urgencies()
        #: Instructions that only ADD can do, only MUL, and all for ALUs, as sets.
        self.adds, self.muls, self.alus = self._claiming(ADD_HALF), self._claiming(MUL_HALF), self._claiming(HALVES)
        #: No program has fewer words.
        self.fewest_words = max(max(self.heights, default=0) + 1, self.fewest_words_for(-1))
        #: The first words that instructions may be in.
        self.earliest = [model.first_word(claim.bits) for claim in self.claims]
        #: Where values can be.
        self.usable = USABLE if model.threads == 1 else USABLE & OF_THREADS
        #: Of what is in several blocks.
        self.kept = kept or {}
        self.values: list[Value] = []
        self._numbers: dict[VirtualRegister | Register | int, int] = {}
        self._allowed: dict[RegisterClass, int] = {}
        words: Words = {}
        self.operands = [tuple([self._operand(use, words) for use in made.uses]) for made in instructions]
        #: The value that an instruction makes, or the target that it writes instead.
        self.results = [self._result(made) for made in instructions]
        self.targets = [
            ANYWHERE if result is not None else target_of(made)
            for made, result in zip(instructions, self.results, strict=True)
        ]
        self._note_readers()
        #: By instruction the part of the code, between thread switches, that it is in.
        self.phases = [0] * len(instructions)
        if model.threads > 1:
            self._part_phases()
        #: By value: where it is at the start, -1 if it is not, and how often it is read, which keeps it there.
        self.homes = [ANY_PLACE if value.is_fixed and value.home < 0 else value.home for value in self.values]
        self.reads = [self._reads_of(value) for value in self.values]
        self.writes = [value.writes for value in self.values]
        #: The places that have values at the start.
        held = {value.home for value in self.values if value.home >= 0 and not value.is_fixed}
        self.taken = sum(1 << place for place in held.union(self.kept.values()))

    def fewest_words_for(self, left: int) -> int:
        """The words that this set of instructions takes at least, one half of each being ADD's and one MUL's."""
        return max(
            (self.adds & left).bit_count(), (self.muls & left).bit_count(), ((self.alus & left).bit_count() + 1) // 2
        )

    def _heights(self) -> list[int]:
        at_end = 0 if self.end is None else END_WORDS
        found = [at_end if claim.bits & NOT_AT_END else 0 for claim in self.claims]
        for number in reversed(range(len(found))):
            for later, distance in self.successors[number]:
                if found[later] + distance > found[number] and not self.instructions[later].op.terminator:
                    found[number] = found[later] + distance
        return found

    def _urgencies(self) -> list[float]:
        """What is urgent by itself: how long the way is that is left, with what a texture unit takes."""
        found = [0] * len(self.instructions)
        for number in reversed(range(len(found))):
            for later, distance in self.successors[number]:
                waits = is_wait(self.instructions[number], self.instructions[later])
                found[number] = max(found[number], found[later] + (_LOOKUP if waits else distance))
        return [
            height + _BONUS_OF_ADD * bool(claim.bits & ADD_HALF)
            for height, claim in zip(found, self.claims, strict=True)
        ]

    @cached_property
    def crowded_urgencies(self) -> list[float]:
        """The same where it counts how many an instruction reads, and how many read it."""
        return [
            urgency + _BONUS_OF_OPERAND * len(made.uses) + _BONUS_OF_READER * len(after)
            for urgency, made, after in zip(self.urgencies, self.instructions, self.successors, strict=True)
        ]

    def _claiming(self, bits: int) -> int:
        """The instructions that claim one of these, as a set."""
        claims = enumerate(self.claims)
        return sum([1 << number for number, claim in claims if claim.bits & bits and not claim.made.op.terminator])

    def is_movable(self, number: int) -> bool:
        """Whether a value may be moved to another register: it is its own."""
        return number >= len(self.values) or isinstance(self.values[number].register, VirtualRegister)

    def _operand(self, use: Use, words: Words) -> int:
        place = use.register
        if isinstance(place, VirtualRegister) or (isinstance(place, Register) and (place.file is A or place.file is B)):
            return self._value(place)
        home = place_of(use, words)
        number = self._numbers.get(home)
        if number is None:
            number = self._numbers[home] = len(self.values)
            self.values.append(Value(None, 0, home))
        return number

    def _value(self, register: VirtualRegister | Register) -> int:
        number = self._numbers.get(register)
        if number is None:
            number = self._numbers[register] = len(self.values)
            if register in self.kept:
                self.values.append(Value(register, 0, self.kept[register]))
            elif isinstance(register, Register):
                self.values.append(Value(register, 0, place_of_register(register)))
            else:
                self.values.append(Value(register, self._places_of(register.register_class), -1))
        return number

    def _places_of(self, register_class: RegisterClass) -> int:
        found = self._allowed.get(register_class)
        if found is None:
            found = sum(1 << place_of_register(member) for member in register_class.members) & self.usable
            self._allowed[register_class] = found
        return found

    def _result(self, made: MachineInstruction) -> int | None:
        if not made.defs or not isinstance(made.defs[0].register, VirtualRegister):
            return None
        number = self._value(made.defs[0].register)
        self.values[number].writes += 1
        return number

    def _reads_of(self, value: Value) -> int:
        """How often a value is read; what stays in its place is read once more than it is."""
        return len(value.readers) + (value.is_fixed or value.register in self.kept)

    def _part_phases(self) -> None:
        """Values that are read behind the next switch are kept in files."""
        phases = self.phases = phases_of(self.claims, self.successors)
        written = [0] * len(self.values)
        for number, result in reversed(list(enumerate(self.results))):
            if result is not None:
                written[result] = phases[number]
        for number, value in enumerate(self.values):
            if any(phases[reader] > written[number] for reader in value.readers):
                value.allowed &= ~IN_ACCUMULATORS

    def _note_readers(self) -> None:
        for reader, operands in enumerate(self.operands):
            for operand in operands:
                self.values[operand].readers.append(reader)
            if len(operands) > 1 and operands[0] != operands[1]:
                self._note_partner(*operands)
                self._note_partner(*reversed(operands))

    def _note_partner(self, operand: int, other: int) -> None:
        """An instruction reads both values."""
        value, partner = self.values[operand], self.values[other]
        if partner.register is not None:
            value.partners.append(other)
            return
        port = port_of(partner.home)
        in_a, in_b = value.against
        value.against = in_a + (port == 0), in_b + (port == 1)
