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
from compiler.records import dataclass

#: Shorter sequences are not worth a call.
_SHORTEST = 3
#: Pairs of places that are compared; more than any program of these machines needs.
_MOST_PAIRS = 20_000


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

    instructions: list[MachineInstruction]
    passed: list[Place]
    taken: list[VirtualRegister]


def outline(function: MachineFunction, model: OutlineModel) -> Iterator[Procedure]:
    """Procedures for what repeats in `function`, the most saving first.  Each is to be given to `insert_calls` before
    the next one is asked for."""
    while True:
        best = _Search(function, model).best()
        if best is None:
            return
        yield best


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
    """One look at a function: the instructions in a row, with gaps between the blocks."""

    def __init__(self, function: MachineFunction, model: OutlineModel) -> None:
        self.function = function
        self.model = model
        self.row: list[MachineInstruction | None] = []
        for block in function.blocks:
            self.row += [*block.instructions, None]
        numbers: dict[Hashable, int] = {}
        #: Instructions of one number are alike but for registers; those without one cannot leave.
        self.shapes: list[int] = []
        for place, instruction in enumerate(self.row):
            shape = None if instruction is None else self._shape(instruction)
            self.shapes.append(-1 - place if shape is None else numbers.setdefault(shape, len(numbers)))
        #: Virtual register -> where it is written, and read.
        self.writers: dict[VirtualRegister, list[int]] = {}
        self.readers: dict[VirtualRegister, list[int]] = {}
        for place, instruction in enumerate(self.row):
            if instruction is not None:
                self._note(place, instruction)

    def _shape(self, instruction: MachineInstruction) -> Hashable | None:
        if instruction.op.terminator or instruction.conditional or not self.model.may_leave(instruction):
            return None
        if any(use.relative is not None for use in instruction.uses):
            return None
        if any(place in self.model.registers for place in _operands(instruction)):
            return None  # What a call passes or takes back.
        defs = tuple((d.lanes, d.register if isinstance(d.register, Register) else None) for d in instruction.defs)
        uses = tuple((use.lanes, use.negate, use.absolute, use.extra) for use in instruction.uses)
        return instruction.op, defs, uses, tuple(instruction.attributes.items())

    def _note(self, place: int, instruction: MachineInstruction) -> None:
        for definition in instruction.defs:
            if isinstance(definition.register, VirtualRegister):
                self.writers.setdefault(definition.register, []).append(place)
        for use in instruction.all_uses():
            if isinstance(use.register, VirtualRegister):
                self.readers.setdefault(use.register, []).append(place)

    def best(self) -> Procedure | None:
        """What saves most, if anything does."""
        found: tuple[int, Procedure] | None = None
        for bound, length, places in self._candidates():
            if found is not None and bound <= found[0]:
                break
            least = 0 if found is None else found[0]
            repeat = self._whole(length, places, least)
            saved = 0 if repeat is None else repeat.saved()
            if repeat is not None and saved > least:
                procedure = repeat.procedure()
                found = found if procedure is None else (saved, procedure)
        return None if found is None else found[1]

    def _whole(self, length: int, places: list[int], least: int) -> _Repeat | None:
        """As many instructions from these places on as belong together, if they may save more than `least` words."""
        for shorter in range(length, _SHORTEST - 1, -1):
            if _most_saved(len(places), shorter) <= least:
                return None
            repeat = _Repeat(self, shorter, places)
            if repeat.is_whole():
                return repeat.complete()
        return None

    def _candidates(self) -> list[tuple[int, int, list[int]]]:
        """Words saved at most, length and places of runs that repeat, the most promising first."""
        found: list[tuple[int, int, list[int]]] = []
        for place, others in self._pairs().items():
            for length in sorted(set(others.values())):
                places = _apart([place, *(other for other, common in others.items() if common >= length)], length)
                bound = _most_saved(len(places), length)
                if bound > 0:
                    found.append((bound, length, places))
        return sorted(found, key=lambda each: (-each[0], each[2][0], each[1]))

    def _pairs(self) -> dict[int, dict[int, int]]:
        """Place -> later place -> how many instructions from there on are alike."""
        #: Window of shapes -> the places seen with it.
        starts: dict[tuple[int, ...], list[int]] = {}
        found: dict[int, dict[int, int]] = {}
        count = 0
        for other in range(len(self.shapes) - _SHORTEST + 1):
            window = tuple(self.shapes[other : other + _SHORTEST])
            if min(window) < 0:
                continue
            places = starts.setdefault(window, [])
            count += len(places)
            if count > _MOST_PAIRS:
                break
            for place in places:
                # What is alike from one place before is alike from here.
                known = found.get(place - 1, {}).get(other - 1, 0) - 1
                found.setdefault(place, {})[other] = known if known >= _SHORTEST else self._common(place, other)
            places.append(other)
        return found

    def _common(self, first: int, second: int) -> int:
        """How many instructions are alike, their registers one for one."""
        renamed: dict[Place, Place] = {}
        back: dict[Place, Place] = {}
        length = 0
        while first + length < second and self.shapes[first + length] == self.shapes[second + length]:
            ours, theirs = self.row[first + length], self.row[second + length]
            assert ours is not None and theirs is not None
            for a, b in zip(_operands(ours), _operands(theirs), strict=True):
                if not _is_same_kind(a, b) or renamed.setdefault(a, b) != b or back.setdefault(b, a) != a:
                    return length
            length += 1
        return length


def _most_saved(sites: int, length: int) -> int:
    """Words saved by calls of a procedure where nothing has to be passed."""
    return (sites - 1) * length - sites


def _operands(instruction: MachineInstruction) -> list[Place]:
    return [*(use.register for use in instruction.uses), *(d.register for d in instruction.defs)]


def _is_same_kind(a: Place, b: Place) -> bool:
    """Whether one may stand for the other; a value may stand for a register that is only read."""
    if isinstance(a, VirtualRegister) and isinstance(b, VirtualRegister):
        return a.width == b.width and a.ordered == b.ordered and a.register_class == b.register_class
    return True


def _apart(places: list[int], length: int) -> list[int]:
    """Those places, from the first on, whose runs do not overlap."""
    found = places[:1]
    for place in sorted(places[1:]):
        if place >= found[-1] + length:
            found.append(place)
    return found


class _Repeat:
    """A run of instructions that stands in several places."""

    def __init__(self, search: _Search, length: int, places: list[int]) -> None:
        self.search = search
        self.model = search.model
        self.runs = [[made for made in search.row[place : place + length] if made is not None] for place in places]
        self.ranges = [range(place, place + length) for place in places]
        #: For each run the registers that it writes.
        self.own = [
            dict.fromkeys(d.register for made in run for d in made.defs if isinstance(d.register, VirtualRegister))
            for run in self.runs
        ]
        #: Registers of the first run from outside -> components read, where not all runs read the same constant.
        self.inputs: dict[Place, set[int]] = {}
        self.outside: list[list[Place]] = [[] for _ in self.runs]
        #: Registers of the first run that are read behind some run -> their numbers in `own`.
        self.results: dict[VirtualRegister, int] = {}

    def complete(self) -> _Repeat:
        """Find what goes in and comes out."""
        self.results = self._find_results()
        self._find_inputs()
        return self

    def is_whole(self) -> bool:
        """Whether what a run writes is written nowhere else, nor read by it before, as what a loop carries is."""
        writers = self.search.writers
        return _reads_after_writing(self.runs[0], self.own[0]) and all(
            place in span
            for span, own in zip(self.ranges, self.own, strict=True)
            for register in own
            for place in writers[register]
        )

    def _find_inputs(self) -> None:
        for operands in zip(*(_uses(run) for run in self.runs), strict=True):
            register = operands[0].register
            places = [use.register for use in operands]
            if register in self.own[0] or (isinstance(register, Register) and len(set(places)) == 1):
                continue
            if register not in self.inputs:
                self.inputs[register] = set()
                for known, place in zip(self.outside, places, strict=True):
                    known.append(place)
            self.inputs[register] |= {lane for lane in operands[0].lanes if lane is not None}

    def saved(self) -> int:
        """Words saved, when all copies stay: most do, since the next call needs their registers again."""
        sites, length = len(self.runs), len(self.runs[0])
        return _most_saved(sites, length) - sites * (len(self.inputs) + len(self.results))

    def procedure(self) -> Procedure | None:
        """The first run as a procedure; None where registers for what goes in and out are lacking."""
        values = [*self.inputs, *self.results]
        if len(values) > len(self.model.registers):
            return None
        places = dict(zip(values, self.model.registers, strict=False))
        body = _Body(places)
        for instruction in self.runs[0]:
            body.add(instruction)
        sites = [
            _Site(run, outside, [own[number] for number in self.results.values()])
            for run, outside, own in zip(self.runs, self.outside, map(list, self.own), strict=True)
        ]
        inputs = [Def(places[place], tuple(sorted(lanes))) for place, lanes in self.inputs.items()]
        taken = [Def(places[register], self._written(register)) for register in self.results]
        body.finish(inputs, taken)
        return Procedure(body.function, sites, inputs, taken)

    def _written(self, register: VirtualRegister) -> tuple[int, ...]:
        """The components of a register that the first run writes."""
        return tuple(sorted({k for made in self.runs[0] for d in made.defs if d.register is register for k in d.lanes}))

    def _find_results(self) -> dict[VirtualRegister, int]:
        readers = self.search.readers
        found = {}
        for number, register in enumerate(self.own[0]):
            rivals = [(list(own)[number], span) for own, span in zip(self.own, self.ranges, strict=True)]
            if any(place not in span for rival, span in rivals for place in readers.get(rival, ())):
                found[register] = number
        return found


def _reads_after_writing(run: list[MachineInstruction], own: Iterable[VirtualRegister]) -> bool:
    """Whether a run reads of its own registers only what it has written."""
    missing = {(register, lane) for register in own for lane in range(register.width)}
    for instruction in run:
        if any((use.register, lane) in missing for use in instruction.uses for lane in use.lanes):
            return False
        missing -= {(definition.register, lane) for definition in instruction.defs for lane in definition.lanes}
    return True


def _uses(run: list[MachineInstruction]) -> list[Use]:
    return [use for instruction in run for use in instruction.uses]


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
