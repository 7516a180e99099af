"""Outlining: code that stands in several places becomes one procedure, which these places call.

In: machine code before allocation, on a machine whose calls cost one word and no registers.  Out: for each sequence
that is worth it a procedure as a function of its own, and calls in its place.

The idea: two sequences of instructions do the same if they differ in registers only, one for one.  Registers that come
from outside and differ, or are virtual, are the procedure's parameters; those that are read behind it are its
results.  Both get physical registers, which copies fill and empty; allocation makes some of these copies vanish.
A procedure is allocated before the code around its calls, which then knows the registers that it loses.

Sequences are runs of instructions within a block.  Of all runs that repeat, the one that saves most words goes first.
Values may have worse places then: a target compares with the code as it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate
from operator import and_, or_

from compiler.codegen.machine import (
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Place,
    Use,
    VirtualRegister,
)
from compiler.codegen.registers import Register
from compiler.codegen.repeats import SHORTEST, Row, operands_of
from compiler.records import dataclass


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
    instructions: list[MachineInstruction]
    passed: list[Place]
    taken: list[VirtualRegister]


def outline(function: MachineFunction, model: OutlineModel) -> Iterator[Procedure]:
    """Procedures for what repeats in `function`, the most saving first.  Each is to be given to `insert_calls` before
    the next one is asked for."""
    search = _Search(function, model)
    while (best := search.best()) is not None:
        yield best
        search.remove(best)


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
    made = [*passes, MachineInstruction(op, defs, uses), *takes]
    for instruction in made:
        instruction.span = span
    return made


# --- What repeats -----------------------------------------------------------------------------------------------------


class _Search:
    """What repeats in a function, and what a procedure of it saves.

    Calls change nothing that is known of the other runs: what a run read is read by the copies in front of the call in
    its place, and what is read behind it is written by those after the call.  So they are only gaps.
    """

    def __init__(self, function: MachineFunction, model: OutlineModel) -> None:
        self.model = model
        instructions: list[MachineInstruction | None] = []
        for block in function.blocks:
            instructions += [*block.instructions, None]
        self.passing = frozenset(model.registers)
        self.row = Row(instructions, self._shape)
        self.lives = _Lives(instructions)
        #: What `_whole` has found: calls elsewhere change nothing of it.
        self.known: dict[tuple[int, ...], tuple[int, int]] = {}
        #: By places, the runs looked at so far.
        self.runs: dict[range, _Run] = {}

    def _shape(self, instruction: MachineInstruction) -> Hashable | None:
        if instruction.op.terminator or instruction.conditional or not self.model.may_leave(instruction):
            return None
        if any(use.relative is not None for use in instruction.uses):
            return None
        if not self.passing.isdisjoint(operands_of(instruction)):
            return None  # What a call passes or takes back.
        defs = tuple((d.lanes, d.register if isinstance(d.register, Register) else None) for d in instruction.defs)
        uses = tuple((use.lanes, use.negate, use.absolute, use.extra) for use in instruction.uses)
        return instruction.op, defs, uses, tuple(instruction.attributes.items())

    def remove(self, procedure: Procedure) -> None:
        """Forget what stands in a procedure now."""
        for site in procedure.sites:
            self.row.remove(site.places)

    def best(self) -> Procedure | None:
        """What saves most, if anything does."""
        best, most = None, 0
        for bound, length, places in self._candidates():
            if bound <= most:
                break
            length, bound = self._whole(length, places)
            if bound <= most:
                continue
            repeat = _Repeat(self.model, [self._run(range(place, place + length)) for place in places])
            if repeat.saved > most:
                best, most = repeat, repeat.saved
        return None if best is None else best.procedure()

    def _candidates(self) -> list[tuple[int, int, list[int]]]:
        """Words saved at most, length and places of runs that repeat, the most promising first."""
        found: list[tuple[int, int, list[int]]] = []
        for place, others in self.row.pairs().items():
            for length in sorted(set(others.values())):
                places = _apart([place, *(other for other, common in others.items() if common >= length)], length)
                bound = _saved(len(places), length)
                if bound > 0:
                    found.append((bound, length, places))
        return sorted(found, key=lambda each: (-each[0], each[2][0], each[1]))

    def _whole(self, length: int, places: list[int]) -> tuple[int, int]:
        """As many instructions from these places on as belong together, and the words that these save at most."""
        key = length, *places
        if key not in self.known:
            lengths = reduce(and_, (self.lives.whole_lengths(place, length) for place in places))
            longest = lengths.bit_length() - 1
            values = self.lives.values(range(places[0], places[0] + longest))
            self.known[key] = longest, _saved(len(places), longest, values) if longest >= SHORTEST else 0
        return self.known[key]

    def _run(self, places: range) -> _Run:
        known = self.runs.get(places)
        if known is None:
            instructions = self.row.instructions[places.start : places.stop]
            known = self.runs[places] = _Run(places, [made for made in instructions if made is not None], self.lives)
        return known


def _saved(sites: int, length: int, values: int = 0) -> int:
    """Words saved, when all copies stay: most do, since the next call needs their registers again."""
    return (sites - 1) * length - sites * (1 + values)


def _apart(places: list[int], length: int) -> list[int]:
    """Those places, from the first on, whose runs do not overlap."""
    found = places[:1]
    for place in sorted(places[1:]):
        if place >= found[-1] + length:
            found.append(place)
    return found


class _Lives:
    """Where virtual registers are written and read; sets of registers are ints."""

    def __init__(self, instructions: Sequence[MachineInstruction | None]) -> None:
        #: By place, what is read and written there; and read although nothing in front writes it, as a loop does.
        self.reads: list[int] = []
        self.writes: list[int] = []
        self.early: list[int] = []
        written: set[tuple[Place, int | None]] = set()
        for instruction in instructions:
            uses = [] if instruction is None else list(instruction.all_uses())
            defs = [] if instruction is None else instruction.defs
            self.reads.append(_set_of(uses))
            self.writes.append(_set_of(defs))
            self.early.append(_set_of(use for use in uses if not written.issuperset(_components(use))))
            for definition in defs:
                written.update(_components(definition))
        #: By place, what is read and written in front of it, and from it on.
        self.read_before, self.read_behind = _before(self.reads), _behind(self.reads)
        self.written_before, self.written_behind = _before(self.writes), _behind(self.writes)

    def own(self, places: range) -> int:
        """What a run writes."""
        return reduce(or_, self.writes[places.start : places.stop], 0)

    def read_outside(self, places: range) -> int:
        return self.read_before[places.start] | self.read_behind[places.stop]

    def values(self, places: range) -> int:
        """How many values go into a run and come out of it; uniforms and inputs may go in as well."""
        own = self.own(places)
        inputs = reduce(or_, self.reads[places.start : places.stop], 0) & ~own
        return inputs.bit_count() + (own & self.read_outside(places)).bit_count()

    def whole_lengths(self, start: int, most: int) -> int:
        """The lengths, as a set, at which what a run writes is written nowhere else, nor read by it before."""
        lengths, own, early = 0, 0, 0
        for place in range(start, start + most):
            own |= self.writes[place]
            early |= self.early[place]
            if own & self.written_before[start]:
                break
            if not own & (early | self.written_behind[place + 1]):
                lengths |= 2 << place - start
        return lengths


def _virtual(operands: Iterable[Use | Def]) -> Iterator[VirtualRegister]:
    for operand in operands:
        if isinstance(operand.register, VirtualRegister):
            yield operand.register


def _components(operand: Use | Def) -> list[tuple[Place, int]]:
    return [(operand.register, lane) for lane in operand.lanes if lane is not None]


def _set_of(operands: Iterable[Use | Def]) -> int:
    return reduce(or_, (1 << register.id for register in _virtual(operands)), 0)


def _before(sets: list[int]) -> list[int]:
    """For each place the union of the sets in front of it."""
    return list(accumulate(sets, or_, initial=0))


def _behind(sets: list[int]) -> list[int]:
    """For each place the union of its set and those behind it."""
    return _before(sets[::-1])[::-1]


class _Run:
    """A run of instructions in one place."""

    def __init__(self, places: range, instructions: list[MachineInstruction], lives: _Lives) -> None:
        self.places = places
        self.instructions = instructions
        #: The registers that it writes, and those of them that are read outside.
        self.own = list(dict.fromkeys(_virtual(definition for made in instructions for definition in made.defs)))
        outside = lives.read_outside(places)
        self.read_outside = {number for number, register in enumerate(self.own) if outside >> register.id & 1}
        #: The registers that it reads and others write.
        reads = dict.fromkeys(use.register for made in instructions for use in made.uses)
        own = set(self.own)
        self.outside = [register for register in reads if register not in own]


class _Repeat:
    """A run of instructions that stands in several places."""

    def __init__(self, model: OutlineModel, runs: list[_Run]) -> None:
        self.model = model
        self.runs = runs
        #: Numbers of registers in `outside`, where not all runs read the same constant.
        self.inputs = [
            number
            for number, places in enumerate(zip(*(run.outside for run in runs), strict=True))
            if not isinstance(places[0], Register) or len(set(places)) > 1
        ]
        #: Numbers of registers in `own` that are read behind some run.
        self.results = sorted(set().union(*(run.read_outside for run in runs)))

    @property
    def saved(self) -> int:
        """Words saved; none where registers for what goes in and out are lacking."""
        values = len(self.inputs) + len(self.results)
        return _saved(len(self.runs), len(self.runs[0].places), values) if values <= len(self.model.registers) else 0

    def procedure(self) -> Procedure:
        """The first run as a procedure."""
        first = self.runs[0]
        inputs = [first.outside[number] for number in self.inputs]
        results = [first.own[number] for number in self.results]
        homes = dict(zip([*inputs, *results], self.model.registers, strict=False))
        body = _Body(homes)
        for instruction in first.instructions:
            body.add(instruction)
        passed = [
            Def(homes[place], _lanes(place, (use for made in first.instructions for use in made.uses)))
            for place in inputs
        ]
        taken = [
            Def(homes[place], _lanes(place, (d for made in first.instructions for d in made.defs))) for place in results
        ]
        body.finish(passed, taken)
        sites = [
            _Site(
                run.places,
                run.instructions,
                [run.outside[number] for number in self.inputs],
                [run.own[number] for number in self.results],
            )
            for run in self.runs
        ]
        return Procedure(body.function, sites, passed, taken)


def _lanes(place: Place, operands: Iterable[Use | Def]) -> tuple[int, ...]:
    """The components of a register that operands name."""
    return tuple(
        sorted({lane for each in operands if each.register == place for lane in each.lanes if lane is not None})
    )


class _Body:
    """A procedure under construction."""

    def __init__(self, places: dict[Place, Register]) -> None:
        #: Registers of the original that have a place of their own.
        self.places = places
        self.renamed: dict[VirtualRegister, VirtualRegister] = {}
        self.function = MachineFunction("procedure")
        self.function.add_block("entry")

    def add(self, instruction: MachineInstruction) -> None:
        defs = [Def(self._register(d.register), d.lanes) for d in instruction.defs]
        uses = [
            Use(self._place(use.register), use.lanes, use.negate, use.absolute, None, use.extra)
            for use in instruction.uses
        ]
        made = MachineInstruction(instruction.op, defs, uses, attributes=instruction.attributes, span=instruction.span)
        self.function.entry.append(made)

    def _place(self, place: Place) -> Place:
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
