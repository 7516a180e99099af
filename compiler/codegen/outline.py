"""Outlining: code that stands in several places becomes one procedure, which these places call.

In: machine code before allocation, on a machine whose calls cost one word and no registers, and may name code that
stands in the place of one of them.  Out: for each sequence that is worth it a procedure as a function of its own, and
calls in its place.

The idea: two sequences of instructions do the same if they differ in registers only, one for one.  Registers that come
from outside and differ, or are virtual, are the procedure's parameters, indices among them; those that are read after
it are its results.  A result that replaces a parameter, such as a sum, has the register of that.  Both get physical
registers, which copies fill and empty; allocation makes some of these copies vanish.  A procedure is allocated before
the code around its calls, which then knows the registers that it loses.

Sequences are runs of instructions within a block.  Of all runs that repeat, the one that saves most words goes first,
as far as the copies are known that vanish: a target compares with the code as it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from heapq import heapify, heappop, heapreplace
from itertools import accumulate, islice
from operator import or_
from typing import TypeVar, cast

from glslc_multi.compiler.analysis.budget import spend
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc.liveness import bits
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.repeats import SHORTEST, Row, operands_of
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.records import dataclass


class OutlineModel(ABC):
    """The machine as outlining sees it."""

    #: Registers for parameters and results, best first.
    registers: Sequence[Register]

    @abstractmethod
    def copy(self, target: Def, source: Use) -> MachineInstruction:
        """A plain move."""

    @abstractmethod
    def may_leave(self, instruction: MachineInstruction) -> bool:
        """Whether an instruction may stand in a procedure."""


@dataclass(slots=True, eq=False)
class Procedure:
    """Code of its own, on virtual registers but for what goes in and comes out."""

    function: MachineFunction
    #: The sequences that it replaces, each with what it passes and what it takes back.
    sites: list[_Site]
    #: The registers that pass values, and their components.
    inputs: list[Def]
    results: list[Def]


@dataclass(slots=True, eq=False)
class _Site:
    """One place of a sequence."""

    #: Where its instructions were in the function.
    places: range
    instructions: Sequence[MachineInstruction]
    passed: list[AnyRegister]
    taken: list[VirtualRegister | Register]


def outline(function: MachineFunction, model: OutlineModel) -> Iterator[Procedure]:
    """Procedures for what repeats in `function`, the most saving first.  Each is to be given to `insert_calls` before
    the next one is asked for."""
    search = _Search(function, model)
    while (best := search.best()) is not None:
        yield best
        search.remove(best)


@step("insert calls")
def insert_calls(function: MachineFunction, procedure: Procedure, model: OutlineModel, op: MachineOp) -> None:
    """Replace the sequences by calls of an allocated procedure; `op` is its call, which knows what is lost."""
    calls: dict[MachineInstruction, list[MachineInstruction]] = {}
    gone: set[MachineInstruction] = set()
    for site in procedure.sites:
        first = site.instructions[0]
        calls[first] = _call(site, procedure, model, op)
        gone.update(site.instructions)
    for block in function.blocks:
        block.instructions = [
            made
            for instruction in block.instructions
            for made in (calls.get(instruction, ()) if instruction in gone else (instruction,))
        ]


def _call(site: _Site, procedure: Procedure, model: OutlineModel, op: MachineOp) -> list[MachineInstruction]:
    span = site.instructions[0].span
    passes = [
        model.copy(Def(target.register, target.lanes), Use(place, target.lanes))
        for target, place in zip(procedure.inputs, site.passed, strict=True)
    ]
    takes = [
        model.copy(Def(register, source.lanes), Use(source.register, source.lanes))
        for source, register in zip(procedure.results, site.taken, strict=True)
    ]
    uses = [Use(target.register, target.lanes) for target in procedure.inputs]
    defs = [Def(source.register, source.lanes) for source in procedure.results]
    call = [*passes, MachineInstruction(op, defs, uses), *takes]
    for instruction in call:
        instruction.span = span
    return call


# --- What repeats -----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Candidate:
    """Runs that are alike from these places on, as far as the length says."""

    places: list[int]
    length: int
    #: Whether as many instructions as the length says belong together.
    is_whole: bool = False
    repeat: _Repeat | None = None


#: A candidate and what puts it in its place: the words that it saves at most, less than 0, then what is known of it.
_Waiting = tuple[tuple[int, ...], _Candidate]


_Operand = TypeVar("_Operand", Use, Def)


#: Instructions of runs that are looked at in the time in which one is computed.
_LOOKED_AT = 64


class _Search:
    """What repeats in a function, and what a procedure of it saves.

    Candidates wait in order of the words that they save at most.  Whenever one comes first, what it saves is told more
    exactly, until the first one is known to save as much.

    Calls change nothing that is known of the other runs: what a run read is read by the copies before the call in
    its place, and what is read after it is written by those after the call.  So they are only gaps.
    """

    def __init__(self, function: MachineFunction, model: OutlineModel) -> None:
        self.model = model
        instructions: list[MachineInstruction | None] = []
        for block in function.blocks:
            instructions += [*block.instructions, None]
        self.passing = frozenset(model.registers)
        self.row = Row(instructions, self._shape)
        self.queue: list[_Waiting] = []
        self._add(self.row.pairs)

    @cached_property
    def lives(self) -> _Lives:
        """Where registers are written and read; nobody asks where nothing repeats."""
        return _Lives(self.row.instructions)

    def _shape(self, instruction: MachineInstruction) -> Hashable | None:
        if instruction.op.terminator or instruction.conditional or not self.model.may_leave(instruction):
            return None
        if not self.passing.isdisjoint(operands_of(instruction)):
            return None  # What a call passes or takes back.
        defs = tuple([(d.lanes, d.register if isinstance(d.register, Register) else None) for d in instruction.defs])
        uses = tuple(
            [(use.lanes, use.negate, use.absolute, use.extra, use.relative is None) for use in instruction.all_uses()]
        )
        return instruction.op, defs, uses, tuple(instruction.attributes.items())

    def remove(self, procedure: Procedure) -> None:
        """Forget what stands in a procedure now."""
        changed = self.row.remove([site.places for site in procedure.sites])
        self.queue = [waiting for waiting in self.queue if waiting[1].places[0] not in changed]
        self._add(changed & self.row.pairs.keys())

    def best(self) -> Procedure | None:
        """What saves most, if anything does and there is work to spend on it."""
        while self.queue:
            (_, *order), candidate = self.queue[0]
            if candidate.repeat is not None:
                return candidate.repeat.procedure()
            if not spend(-(-len(candidate.places) * candidate.length // _LOOKED_AT)):
                return None
            saved = self._saved_at_most(candidate)
            if saved > 0:
                heapreplace(self.queue, ((-saved, *order), candidate))
            else:
                heappop(self.queue)
        return None

    def _add(self, places: Iterable[int]) -> None:
        """Let the runs wait that repeat from these places on."""
        for place in places:
            others = self.row.pairs[place]
            for length in set(others.values()):
                apart = _apart([place, *(other for other, common in others.items() if common >= length)], length)
                saved = _saved(len(apart), length)
                if saved > 0:
                    self.queue.append(((-saved, -saved, place, length), _Candidate(apart, length)))
        heapify(self.queue)

    def _saved_at_most(self, candidate: _Candidate) -> int:
        """The words that a candidate saves, told more exactly than before."""
        places = candidate.places
        if candidate.is_whole:
            runs = [range(place, place + candidate.length) for place in places]
            candidate.repeat = _Repeat(self.model, self.lives, self.row.instructions, runs)
            return candidate.repeat.saved
        lengths = self.lives.whole_lengths(places[0], candidate.length)
        for place in places[1:]:
            lengths &= self.lives.whole_lengths(place, candidate.length)
            if lengths < 1 << SHORTEST:
                return 0
        candidate.length, candidate.is_whole = lengths.bit_length() - 1, True
        return _saved(len(places), candidate.length)


def _saved(sites: int, length: int, copies: int = 0) -> int:
    """Words saved by calls, of which the procedure is in place of one."""
    return (sites - 1) * (length - 1) - copies


def _may_vanish(instruction: MachineInstruction) -> bool:
    """Tell whether an instruction puts a value together in place: allocation makes most of such copies vanish."""
    return instruction.op.copy and all(isinstance(each, VirtualRegister) for each in operands_of(instruction))


def _apart(places: list[int], length: int) -> list[int]:
    """Those places, from the first on, whose runs do not overlap."""
    chosen = places[:1]
    for place in sorted(places[1:]):
        if place >= chosen[-1] + length:
            chosen.append(place)
    return chosen


#: The components that count as written of a register that is not: lanes that nobody cares for.
_NOTHING: set[int | None] = {None}


class _Lives:
    """Where virtual registers are written and read; sets of registers are ints."""

    def __init__(self, instructions: Sequence[MachineInstruction | None]) -> None:
        #: By place, what is read and written there; and read although nothing in front writes it, as a loop does.
        self.reads: list[int] = []
        self.writes: list[int] = []
        self.early: list[int] = []
        #: What has been written so far, of each register.
        written: dict[AnyRegister, set[int | None]] = {}
        #: By the number of a register the place, and the operand there, that first writes it.
        self.written_at: dict[int, tuple[int, int]] = {}
        for index, instruction in enumerate(instructions):
            uses = [] if instruction is None else _virtual(instruction.all_uses())
            defs = [] if instruction is None else _virtual(instruction.defs)
            self.reads.append(_set_of(uses))
            self.writes.append(_set_of(defs))
            early = [use for use in uses if not written.get(use.register, _NOTHING).issuperset(use.lanes)]
            self.early.append(_set_of(early))
            for operand, definition in enumerate(() if instruction is None else instruction.defs):
                if isinstance(definition.register, VirtualRegister):
                    written.setdefault(definition.register, set(_NOTHING)).update(definition.lanes)
                    self.written_at.setdefault(definition.register.id, (index, operand))
        #: By place, what is read and written before it, and from it on.
        self.read_before, self.read_after = _before(self.reads), _after(self.reads)
        self.written_before, self.written_after = _before(self.writes), _after(self.writes)
        #: By place, up to which length it is known at which lengths runs are whole, and these.
        self.whole: dict[int, tuple[int, int]] = {}

    def own(self, places: range) -> int:
        """Find what a whole run writes: what is written nowhere before it."""
        return self.written_before[places.stop] & ~self.written_before[places.start]

    def _results(self, places: range) -> int:
        """Find what a whole run writes and others read, as a set."""
        return self.own(places) & (self.read_before[places.start] | self.read_after[places.stop])

    def results(self, places: range) -> Iterator[tuple[int, int]]:
        """Where a whole run writes what others read: instructions from its start, and their operands."""
        for register in bits(self._results(places)):
            place, operand = self.written_at[register]
            yield place - places.start, operand

    def ends(self, register: AnyRegister, places: range) -> bool:
        """Tell whether a value is not read after a run, or something else is in its register then."""
        if not isinstance(register, VirtualRegister):
            return False
        return bool(
            ~self.read_after[places.stop] >> register.id & 1 or self.written_after[places.stop] >> register.id & 1
        )

    def whole_lengths(self, start: int, most: int) -> int:
        """The lengths up to `most`, as a set, at which what a run writes is written nowhere else, nor read by it
        before."""
        wanted = (2 << most) - 1
        told, lengths = self.whole.get(start, (0, 0))
        if told < most:
            # Twice as far each time, so that it is not told again and again.
            most = min(max(most, 2 * told), len(self.reads) - start)
            lengths = self._whole_lengths(start, most)
            self.whole[start] = most, lengths
        return lengths & wanted

    def _whole_lengths(self, start: int, most: int) -> int:
        lengths, own, elsewhere = 0, 0, self.written_before[start]
        for index in range(start, start + most):
            own |= self.writes[index]
            elsewhere |= self.early[index]
            if own & elsewhere:
                break
            if not own & self.written_after[index + 1]:
                lengths |= 2 << index - start
        return lengths


def _virtual(operands: Sequence[_Operand]) -> list[_Operand]:
    return [operand for operand in operands if isinstance(operand.register, VirtualRegister)]


def _set_of(operands: Sequence[Use | Def]) -> int:
    """The virtual registers of operands that name no others."""
    found = 0
    for operand in operands:
        assert isinstance(operand.register, VirtualRegister)
        found |= 1 << operand.register.id
    return found


def _before(sets: list[int]) -> list[int]:
    """For each place the union of the sets before it."""
    return list(accumulate(sets, or_, initial=0))


def _after(sets: list[int]) -> list[int]:
    """For each place the union of its set and those after it."""
    return _before(sets[::-1])[::-1]


class _Repeat:
    """A run of instructions that stands in several places."""

    def __init__(
        self, model: OutlineModel, lives: _Lives, row: Sequence[MachineInstruction | None], places: Sequence[range]
    ) -> None:
        self.model = model
        self.lives = lives
        self.places = places
        # No run crosses a gap.
        self.runs = [cast("Sequence[MachineInstruction]", row[run.start : run.stop]) for run in places]
        #: Where in the runs that is written which is read after some run: instructions and their operands.
        self.results = sorted(set().union(*map(lives.results, places)))
        #: What goes in: for each value its register in each run.  Most repeats have more than there are registers for,
        #: and are read no further than that shows.
        most = len(model.registers) - len(self.results)
        self.inputs = list(islice(self._inputs(lives.own(places[0])), max(0, most) + 1))
        #: Words saved, about; none where registers for what goes in and out are lacking.
        words = sum(not _may_vanish(each) for each in self.runs[0])
        #: Of each result the input in whose register it is, if any.
        self.reused: list[AnyRegister | None] = []
        for writer, _ in self.results:
            self.reused.append(next((each for each in self._spent_at(writer) if each not in self.reused), None))
        # A result of its own is copied before another call needs its register.
        copies = sum(map(self._copies, self.inputs)) + self.reused.count(None) * (len(places) - 1)
        self.saved = _saved(len(places), words, copies) if len(self.inputs) <= most else 0

    def _inputs(self, own: int) -> Iterator[list[AnyRegister]]:
        """What is read and others write, but where all runs read the same constant; in the order of reading."""
        seen: set[AnyRegister] = set()
        for index, made in enumerate(self.runs[0]):
            for number, use in enumerate(made.all_uses()):
                first = use.register
                if first in seen:
                    continue
                seen.add(first)
                if isinstance(first, VirtualRegister) and own >> first.id & 1:
                    continue
                registers = [run[index].all_uses()[number].register for run in self.runs]
                if not isinstance(first, Register) or len(set(registers)) > 1:
                    yield registers

    def _copies(self, registers: list[AnyRegister]) -> int:
        """Count the copies that pass a value: what all runs read is passed once, and what ends in one is there."""
        if len(set(registers)) == 1:
            return 1
        return len(registers) - sum(map(self.lives.ends, registers, self.places))

    def _spent_at(self, place: int) -> Iterator[AnyRegister]:
        """Find inputs that an instruction reads and nothing does after it, such as the sum that it adds to."""
        read = {use.register for use in self.runs[0][place].all_uses()}
        read_later = {use.register for later in self.runs[0][place + 1 :] for use in later.all_uses()}
        for registers in self.inputs:
            if registers[0] in read - read_later and all(map(self.lives.ends, registers, self.places)):
                yield registers[0]

    def procedure(self) -> Procedure:
        """The first run as a procedure."""
        first = self.runs[0]
        inputs = [registers[0] for registers in self.inputs]
        results = [first[place].defs[number].register for place, number in self.results]
        places = dict(zip(inputs, self.model.registers, strict=False))
        free = [register for register in self.model.registers if register not in places.values()]
        for register, spent in zip(results, self.reused, strict=True):
            places[register] = free.pop(0) if spent is None else places[spent]
        body = _Body(places)
        for instruction in first:
            body.add(instruction)
        passed = [
            Def(places[register], _lanes(register, (use for made in first for use in made.all_uses())))
            for register in inputs
        ]
        taken = [
            Def(places[register], _lanes(register, (d for made in first for d in made.defs))) for register in results
        ]
        body.finish(passed, taken)
        sites = [
            _Site(
                run,
                instructions,
                [registers[number] for registers in self.inputs],
                [instructions[place].defs[operand].register for place, operand in self.results],
            )
            for number, (run, instructions) in enumerate(zip(self.places, self.runs, strict=True))
        ]
        return Procedure(body.function, sites, passed, taken)


def _lanes(place: AnyRegister, operands: Iterable[Use | Def]) -> tuple[int, ...]:
    """The components of a register that operands name."""
    return tuple(
        sorted(
            {lane for operand in operands if operand.register == place for lane in operand.lanes if lane is not None}
        )
    )


class _Body:
    """A procedure under construction."""

    def __init__(self, places: dict[AnyRegister, Register]) -> None:
        #: Registers of the original that have a place of their own.
        self.places = places
        self.renamed: dict[VirtualRegister, VirtualRegister] = {}
        self.function = MachineFunction("procedure")
        self.function.add_block("entry")

    def add(self, instruction: MachineInstruction) -> None:
        defs = [Def(self._register(d.register), d.lanes) for d in instruction.defs]
        uses = [self._use(use) for use in instruction.uses]
        copy_ = MachineInstruction(instruction.op, defs, uses, attributes=instruction.attributes, span=instruction.span)
        self.function.entry.append(copy_)

    def _use(self, use: Use) -> Use:
        relative = None if use.relative is None else self._use(use.relative)
        return Use(self._place(use.register), use.lanes, use.negate, use.absolute, relative, use.extra)

    def _place(self, place: AnyRegister) -> AnyRegister:
        return self._register(place) if isinstance(place, VirtualRegister | Register) else place

    def _register(self, register: VirtualRegister | Register) -> VirtualRegister | Register:
        if register in self.places:
            return self.places[register]
        if isinstance(register, Register):
            return register
        if register not in self.renamed:
            self.renamed[register] = self.function.new_register(
                register.width,
                register.register_class,
                ordered=register.ordered,
                name=register.name,
                span=register.span,
            )
        return self.renamed[register]

    def finish(self, inputs: list[Def], results: list[Def]) -> None:
        self.function.live_in = {d.register: d.lanes for d in inputs if isinstance(d.register, Register)}
        self.function.live_out = {d.register: d.lanes for d in results if isinstance(d.register, Register)}
