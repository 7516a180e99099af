"""Straight code on virtual registers becomes words at once: scheduling, pairing and registers in one walk.

In: a block, and the order that its dependences ask for.  Out: its words on physical registers; None where registers run
short, so that the shared allocator, which plans ahead, has to do it.

Word by word the most urgent instruction that may issue is taken, and others that fit into the word.  A result gets its
register when it is written: what is known then is which operands its readers meet it with, and so which port should
be left to them.  Values that wait go to the files, others to the accumulators, which can be read at once.  Two operands
of one file that meet in one instruction cost a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from backends.vc4.bundling import Qpu
from backends.vc4.isa import ADD, MUL
from backends.vc4.machine_ops import ACCUMULATORS, END, IMM, IN_B, LOAD_IMMEDIATE, MOV, PORT, A, B
from backends.vc4.words import word_of
from compiler.codegen.bundle import BundleStatistics
from compiler.codegen.dag import Dag, build_dag
from compiler.codegen.machine import Def, MachineBlock, MachineInstruction, Slot, Use, VirtualRegister
from compiler.codegen.registers import Register, RegisterFile
from compiler.records import dataclass, field, replace

#: No value is put here: the last words of a program may not touch them.
_UNUSED = 14
_ONLY_IN_A = (38, 41, 42)
_LONGEST_WAIT = 40
#: Registers of the files that should stay free before what frees some is preferred.
_RESERVE = 10
#: Two operations and a signal.
_WORD_SIZE = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """How one walk chooses: a variation of the usual order."""

    seed: int = 0
    #: How much chance weighs against the length of the way that is left.
    noise: float = 0.0
    #: Whether what comes first in the source is preferred, among equals.
    keeps_order: bool = True
    #: How many readers make a value wait in a file.
    many: int = 3
    #: Accumulators that are left to values that are read at once.
    spare: int = 1


def weave(block: MachineBlock, model: Qpu, plans: Iterable[Plan]) -> tuple[list[Slot], BundleStatistics] | None:
    """The shortest of the plans' words; None where no plan finds registers."""
    dag = build_dag(block.instructions, model)
    heights = dag.heights()
    best: _Walk | None = None
    for plan in plans:
        walk = _Walk(dag, heights, model, plan, limit=None if best is None else len(best.slots))
        if walk.run() and (best is None or len(walk.slots) < len(best.slots)):
            best = walk
    return None if best is None else (best.slots, best.statistics)


@dataclass(slots=True)
class _Value:
    """A virtual register: who reads it, and how many reads are left."""

    readers: list[int] = field(default_factory=list)
    left: int = 0
    #: Writes that are left; a value that is written in parts is free only behind the last.
    writes: int = 0


class _Walk:
    """One try."""

    def __init__(self, dag: Dag, heights: list[int], model: Qpu, plan: Plan, limit: int | None) -> None:
        self.dag = dag
        self.model = model
        self.limit = limit
        self.plan = plan
        self.instructions = list(dag.instructions)
        self.slots: list[Slot] = []
        self.statistics = BundleStatistics()
        random = Random(plan.seed)
        self.keys = [
            (-(height + plan.noise * random.random()), number if plan.keeps_order else -number)
            for number, height in enumerate(heights)
        ]
        self.earliest = [0] * len(self.instructions)
        self.waiting = [len(before) for before in dag.predecessors]
        self.successors = [dict(after) for after in dag.successors]
        self.available = {number for number, count in enumerate(self.waiting) if not count}
        self.values: dict[VirtualRegister | Register, _Value] = {}
        self.homes: dict[VirtualRegister, Register] = {}
        self.owners: dict[Register, VirtualRegister | Register] = {}
        for number, made in enumerate(self.instructions):
            self._note(number, made)
        self.issued: dict[int, int] = {}

    def _note(self, number: int, made: MachineInstruction) -> None:
        for use in made.uses:
            place = _value_of(use)
            if place is None:
                continue
            value = self.values.setdefault(place, _Value())
            value.readers.append(number)
            value.left += 1
            if isinstance(place, Register):
                self.owners[place] = place
        for definition in made.defs:
            if isinstance(definition.register, VirtualRegister):
                self.values.setdefault(definition.register, _Value()).writes += 1

    # the walk ------------------------------------------------------------------------------
    def run(self) -> bool:
        idle = 0
        while self.available - self._ends():
            if self.limit is not None and len(self.slots) >= self.limit:
                return False
            if self._word():
                idle = 0
                continue
            self._add_nop("latency or hazard")
            idle += 1
            if idle > _LONGEST_WAIT:
                return False
        self._end()
        self._count()
        return True

    def _ends(self) -> set[int]:
        return {number for number in self.available if self.instructions[number].op is END}

    def _candidates(self) -> list[int]:
        now = len(self.slots)
        ready = [number for number in self.available if self.earliest[number] <= now]
        ready.sort(key=self._key)
        return [number for number in ready if self.instructions[number].op is not END]

    def _key(self, number: int) -> tuple[float, float, float]:
        """The most urgent first; where registers are short, what frees some."""
        height, order = self.keys[number]
        if self._free_count() > _RESERVE:
            return (0.0, height, order)
        return (float(self._growth(number)), height, order)

    def _free_count(self) -> int:
        return 2 * (A.count - 1) + ACCUMULATORS.count - len(self.owners)

    def _growth(self, number: int) -> int:
        """By how many registers an instruction makes more live."""
        made = self.instructions[number]
        grown = sum(1 for d in made.defs if isinstance(d.register, VirtualRegister) and d.register not in self.homes)
        return grown - len(self._dying(number))

    def _word(self) -> bool:
        """Issue the next word; False where nothing can."""
        slot: Slot = ()
        refused: set[int] = set()
        while len(slot) < _WORD_SIZE and not (slot and slot[0].op is LOAD_IMMEDIATE):
            found = self._next_of(slot, refused)
            if found is None:
                break
            slot, number = found
            self._issue(number, slot[-1])
        if not slot:
            return self._move_apart()
        self.slots.append(slot)
        return True

    def _next_of(self, slot: Slot, refused: set[int]) -> tuple[Slot, int] | None:
        """The word with the most urgent instruction that fits into it."""
        for number in self._candidates():
            if number in refused:
                continue
            joined = self._join(slot, number)
            if joined is not None:
                return joined, number
            refused.add(number)
        return None

    # words ---------------------------------------------------------------------------------
    def _join(self, slot: Slot, number: int) -> Slot | None:
        """The word with one instruction more, whose result gets a register; None where it does not fit."""
        made = self.instructions[number]
        if slot and not _may_fit(slot, made):
            return None
        placed = self._placed(made)
        if placed is None or self.model.ready(placed, self.slots[-self.model.reach :]):
            return None
        dying = self._dying(number)
        for home in self._homes_for(made, number, dying, slot):
            final = placed if home is None else _with_target(placed, home)
            joined = (*slot, final)
            if word_of(joined) is not None:
                return joined
        return None

    def _placed(self, made: MachineInstruction) -> MachineInstruction | None:
        """The instruction with physical operands."""
        uses = []
        for use in made.uses:
            if isinstance(use.register, VirtualRegister):
                home = self.homes.get(use.register)
                if home is None:
                    # What nobody wrote may be anything.
                    home = ACCUMULATORS[0]
                use = replace(use, register=home)
            uses.append(use)
        defs = [
            replace(d, register=self.homes[d.register])
            if isinstance(d.register, VirtualRegister) and d.register in self.homes
            else d
            for d in made.defs
        ]
        return MachineInstruction(
            made.op, defs, uses, attributes=made.attributes, conditional=made.conditional, span=made.span
        )

    def _dying(self, number: int) -> set[Register]:
        """Registers that an instruction is the last to read."""
        counts: dict[VirtualRegister | Register, int] = {}
        for use in self.instructions[number].uses:
            read = _value_of(use)
            if read is not None:
                counts[read] = counts.get(read, 0) + 1
        found = set()
        for place, count in counts.items():
            value = self.values[place]
            if value.left == count and value.writes == 0:
                home = self.homes.get(place) if isinstance(place, VirtualRegister) else place
                if home is not None:
                    found.add(home)
        return found

    def _homes_for(
        self, made: MachineInstruction, number: int, dying: set[Register], slot: Slot
    ) -> Iterator[Register | None]:
        """Registers for the result, the best first; None where it has one, or none."""
        target = made.defs[0].register if made.defs else None
        if not isinstance(target, VirtualRegister) or target in self.homes:
            yield None
            return
        taken = {d.register for other in slot for d in other.defs}
        allowed = set(target.register_class.members)
        for file in self._files(target, number):
            for home in file.registers():
                is_free = home not in self.owners or home in dying
                if is_free and home in allowed and home not in taken and not _is_unused(home):
                    yield home
                    break

    def _files(self, target: VirtualRegister, number: int) -> list[RegisterFile]:
        """Files for a value, the best first."""
        value = self.values[target]
        waits = self._waits(value, number)
        against_a = against_b = 0
        for reader in value.readers:
            for use in self.instructions[reader].uses:
                if use.register is target:
                    continue
                side = self._side(use)
                against_a += side == "A"
                against_b += side == "B"
        files = [A, B] if (against_a, self._count_in(A)) <= (against_b, self._count_in(B)) else [B, A]
        return [*files, ACCUMULATORS] if waits else [ACCUMULATORS, *files]

    def _count_in(self, file: object) -> int:
        return sum(1 for home in self.owners if home.file is file)

    def _side(self, use: Use) -> str:
        """The port that an operand needs; "" for none in particular, or not known yet."""
        place = use.register
        if isinstance(place, VirtualRegister):
            home = self.homes.get(place)
            if home is None:
                return ""
            place = home
        if not isinstance(place, Register):
            return ""
        if place.file is A:
            return "A"
        if place.file is B or place.file is IMM:
            return "B"
        if place.file is PORT:
            return "A" if place.index in _ONLY_IN_A else "B" if place.index >= IN_B else ""
        return ""

    def _waits(self, value: _Value, number: int) -> bool:
        """Whether a value should rather wait in a file: it has many readers, or they must wait themselves."""
        if value.writes > 1:
            return False
        if len(value.readers) >= self.plan.many:
            return True
        is_late = any(
            b != number and b not in self.issued for reader in value.readers for b in self.dag.predecessors[reader]
        )
        return is_late and self._accumulators_left() <= self.plan.spare

    def _accumulators_left(self) -> int:
        return ACCUMULATORS.count - self._count_in(ACCUMULATORS)

    def _issue(self, number: int, final: MachineInstruction) -> None:
        """Note that an instruction is in the word at work, and what may come now."""
        now = len(self.slots)
        made = self.instructions[number]
        dying = self._dying(number)
        for use in made.uses:
            read = _value_of(use)
            if read is not None:
                self.values[read].left -= 1
        for home in dying:
            self.owners.pop(home, None)
        for old, new in zip(made.defs, final.defs, strict=True):
            if isinstance(old.register, VirtualRegister) and isinstance(new.register, Register):
                self._settle(old.register, new.register)
        self.available.discard(number)
        self.issued[number] = now
        for later, distance in self.successors[number].items():
            self.earliest[later] = max(self.earliest[later], now + distance)
            self.waiting[later] -= 1
            if not self.waiting[later]:
                self.available.add(later)

    def _settle(self, register: VirtualRegister, home: Register) -> None:
        """A value is written to its register."""
        self.homes[register] = home
        self.owners[home] = register
        value = self.values[register]
        value.writes -= 1
        if value.left == 0 and value.writes == 0:
            self.owners.pop(home)

    # conflicts -----------------------------------------------------------------------------
    def _move_apart(self) -> bool:
        """Where an urgent instruction reads two registers of one file, move one; False where none does."""
        for number in self._candidates():
            made = self.instructions[number]
            sides = [self._side(use) for use in made.uses]
            homes = {
                self.homes.get(u.register) if isinstance(u.register, VirtualRegister) else u.register for u in made.uses
            }
            clash = len(sides) == 2 and sides[0] and sides[0] == sides[1] and len(homes) == 2
            if clash and self._move(number, made):
                return True
        return False

    def _move(self, number: int, made: MachineInstruction) -> bool:
        """Bring one operand of an instruction to a register that it can be read from."""
        index = next((i for i, use in enumerate(made.uses) if _is_movable(use)), None)
        if index is None:
            return False
        use = made.uses[index]
        placed = self._placed(MachineInstruction(MOV, [], [use]))
        if placed is None or self.model.ready(placed, self.slots[-self.model.reach :]):
            return False
        side = self._side(use)
        files = [ACCUMULATORS, B if side == "A" else A]
        if any(self._side(other) == "B" for other in made.uses if other is not use):
            files = [ACCUMULATORS, A]
        for file in files:
            home = next((h for h in file.registers() if h not in self.owners and not _is_unused(h)), None)
            if home is not None:
                break
        else:
            return False
        register = VirtualRegister(-1 - len(self.slots), 1, use.register.register_class)  # type: ignore[union-attr]
        assert isinstance(use.register, VirtualRegister | Register)
        old = self.values[use.register]
        old.left -= 1
        if old.left == 0 and old.writes == 0:
            freed = self.homes.get(use.register) if isinstance(use.register, VirtualRegister) else use.register
            if freed is not None:
                self.owners.pop(freed, None)
        self.values[register] = _Value([number], 1, 0)
        self.homes[register] = home
        self.owners[home] = register
        uses = list(made.uses)
        uses[index] = replace(use, register=register)
        self.instructions[number] = MachineInstruction(
            made.op, made.defs, uses, attributes=made.attributes, conditional=made.conditional, span=made.span
        )
        self.slots.append((MachineInstruction(MOV, [Def(home)], [replace(placed.uses[0])]),))
        return True

    # the end -------------------------------------------------------------------------------
    def _add_nop(self, reason: str) -> None:
        nop = self.model.nop()
        nop.attributes["nop"] = reason
        self.slots.append((nop,))

    def _end(self) -> None:
        """Place the end of the program as early as its two delay slots allow."""
        (end,) = [self.instructions[number] for number in self._ends()]
        delay = self.model.delay(end)
        moved = 0
        while moved < delay and moved < len(self.slots) and self.model.may_delay(end, self.slots[-1 - moved]):
            moved += 1
        for back in range(moved, -1, -1):
            place = len(self.slots) - back
            joined = self.model.pair(self.slots[place - 1], end) if place else None
            if joined is not None:
                self.slots[place - 1] = joined
                break
            if back == moved:
                alone = place
        else:
            self.slots.insert(alone, (end,))
            back = len(self.slots) - alone - 1
        for _ in range(delay - back):
            self._add_nop("delay slot")

    def _count(self) -> None:
        statistics = self.statistics
        for slot in self.slots:
            statistics.words += 1
            reason = slot[0].attributes.get("nop")
            if reason is None:
                statistics.instructions += len(slot)
            else:
                statistics.nops[reason] = statistics.nops.get(reason, 0) + 1


def _value_of(use: Use) -> VirtualRegister | Register | None:
    """The value that an operand reads, where it takes a register."""
    place = use.register
    if isinstance(place, VirtualRegister) or (isinstance(place, Register) and place.file in (A, B)):
        return place
    return None


def _is_movable(use: Use) -> bool:
    return isinstance(use.register, VirtualRegister) and use.extra is None


def _is_unused(home: Register) -> bool:
    return home.file is not ACCUMULATORS and home.index == _UNUSED


def _with_target(made: MachineInstruction, home: Register) -> MachineInstruction:
    return MachineInstruction(
        made.op,
        [replace(made.defs[0], register=home)],
        made.uses,
        attributes=made.attributes,
        conditional=made.conditional,
        span=made.span,
    )


def _may_fit(slot: Slot, made: MachineInstruction) -> bool:
    """A quick look at the halves that are left."""
    if made.op is LOAD_IMMEDIATE:
        return False
    if "signal" in made.attributes:
        return all("signal" not in other.attributes for other in slot)
    halves = [other for other in slot if "signal" not in other.attributes]
    if len(halves) > 1:
        return False
    return not halves or _units(halves[0]) != _units(made) or len(_units(made)) > 1


def _units(made: MachineInstruction) -> str:
    """The ALUs that can do an instruction: "a", "m" or both."""
    half = made.attributes.get("half")
    if half is not None:
        return str(half)[0]
    if made.op.name == "mov":
        return "am"
    return "a" if made.op.name in ADD else "m" if made.op.name in MUL else ""
