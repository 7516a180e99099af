"""Steps to a program: instructions into exec clauses, with ALLOCs, (S) bits and jumps.

An exec clause runs at most six instructions of any kinds; a new one begins where a jump leads to, behind a jump, and
where exports go to another buffer.  Where fast code counts more than small code, long runs under a predicate have
clauses of their own, COND_PRED_EXEC, which the machine skips when no lane wants them.  Every ALLOC stands right before
the clause with its first export.  The number of clauses is even, so a NOP may follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set

from backends.adreno.codegen.encode import Predicate, encode_alu, encode_fetch, exports_of
from backends.adreno.codegen.flow import LoopBack, LoopStart, Step
from backends.adreno.codegen.machine_ops import FETCHES, VERTEX
from backends.adreno.codegen.previous import written
from backends.adreno.codegen.register_files import POINT_SIZE
from backends.adreno.isa import instructions as isa
from backends.adreno.isa import names
from backends.adreno.isa.program import CLAUSE_LIMIT, SLOT_LIMIT, Program
from compiler.codegen.machine import MachineInstruction, Slot, origins_of
from compiler.isa.listing import Origins
from compiler.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """An instruction of the program, and what its clause must know of it."""

    word: int
    #: Fetches of vertices and textures, and ALU instructions, wait for each other.
    kind: str
    #: Buffer that it exports to, 0 for none.
    buffer: int = 0
    #: Reads what a fetch of its own kind found.
    depends: bool = False
    origins: Origins = ()


@dataclass(slots=True)
class Clause:
    """An exec clause, with what stands in front of it."""

    words: list[Word] = field(default_factory=list)
    buffer: int = 0
    #: A jump leads here.
    is_target: bool = False
    #: The predicate that some lane must have for the clause to run.
    condition: Predicate = None


@dataclass(slots=True)
class Jump:
    """Back to a clause while any lane's predicate is true."""

    target: Clause


@dataclass(slots=True)
class Count:
    """The start of a loop that the machine counts."""

    constant: int
    end: CountEnd | None = None


@dataclass(slots=True)
class CountEnd:
    """Its end."""

    start: Count


#: What the control-flow program is made of, but for ALLOCs.
_Item = Clause | Jump | Count | CountEnd
#: What may have run in front of a clause that a jump leads to.
_KINDS = frozenset({"alu", "vertex", "texture"})
#: Turns a run of instructions into slots.
Bundle = Callable[[list[MachineInstruction]], list[Slot]]


class TooManySlots(Exception):
    """The program does not fit into the machine."""

    def __init__(self, need: int, origins: Origins) -> None:
        super().__init__(f"{need} slots")
        self.need = need
        #: Where in the source the first instruction comes from that has no place.
        self.origins = origins


#: Instructions under a predicate that are worth clauses of their own, which cost about a slot.
_WORTH_SKIPPING = 4


def finalise(steps: Iterable[Step], bundle: Bundle, parameters: int, *, skips: bool) -> Program:
    """The program; `parameters` is how many parameters or colours are exported.  Raises `TooManySlots`."""
    layout = _Layout(bundle, skips)
    for step in steps:
        layout.add(step)
    return _Writer(layout.clauses, parameters).write()


class _Layout:
    """Instructions going to clauses."""

    def __init__(self, bundle: Bundle, skips: bool) -> None:
        self.bundle = bundle
        self.skips = skips
        self.clauses: list[_Item] = []
        self.starts: dict[int, Clause | Count] = {}
        self.is_first = True
        self.found: set[tuple[object, int]] = set()

    def add(self, step: Step) -> None:
        if isinstance(step, LoopStart):
            self.start(step)
        elif isinstance(step, LoopBack):
            self.clauses.append(_way_back(self.starts[id(step.start)]))
        else:
            words = [word for slot in self.bundle(step.instructions) for word in self.words(slot, step.predicate)]
            condition = step.predicate if self.skips and len(words) >= _WORTH_SKIPPING else None
            for word in words:
                self.place(word, condition)

    def start(self, step: LoopStart) -> None:
        if step.constant is None:
            self.starts[id(step)] = self.begin(is_target=True)
            return
        self.starts[id(step)] = count = Count(step.constant)
        self.clauses.append(count)
        self.begin(is_target=True)

    def begin(self, *, is_target: bool = False) -> Clause:
        clause = Clause(is_target=is_target)
        self.clauses.append(clause)
        return clause

    def place(self, word: Word, condition: Predicate) -> None:
        """Append a word to the last clause, or to a new one."""
        clause = self.clauses[-1] if self.clauses else None
        if not isinstance(clause, Clause) or not _may_take(clause, word, condition):
            clause = self.begin()
        if not clause.words:
            clause.condition = condition
        clause.words.append(word)
        clause.buffer = clause.buffer or word.buffer

    def words(self, slot: Slot, predicate: Predicate) -> list[Word]:
        """The words of a slot."""
        first, self.is_first = self.is_first, False
        instruction, origins = slot[0], origins_of(slot)
        if instruction.op not in FETCHES:
            self.found.clear()
            exports = exports_of(slot)
            return [
                Word(encode_alu(slot, predicate), "alu", names.buffer_of(exports[0]) if exports else 0, origins=origins)
            ]
        kind = "vertex" if instruction.op is VERTEX else "texture"
        depends = any((use.register, lane) in self.found for use in instruction.uses for lane in use.lanes)
        self.found |= written(instruction)
        encoded = encode_fetch(instruction, predicate, first=first)
        return [Word(word, kind, 0, depends and number == 0, origins) for number, word in enumerate(encoded)]


def _way_back(start: Clause | Count) -> Jump | CountEnd:
    if isinstance(start, Clause):
        return Jump(start)
    start.end = CountEnd(start)
    return start.end


def _may_take(clause: Clause, word: Word, condition: Predicate) -> bool:
    """Whether a word may stand in a clause behind those that are there."""
    if not clause.words:
        return True
    has_room = len(clause.words) < CLAUSE_LIMIT and (not word.buffer or clause.buffer in (0, word.buffer))
    return has_room and clause.condition is condition


class _Writer:
    """Clauses going to words."""

    def __init__(self, clauses: list[_Item], parameters: int) -> None:
        self.clauses = clauses
        self.parameters = parameters

    def write(self) -> Program:
        order = self._with_allocs()
        first_slot = (len(order) + 1) // 2
        need = first_slot + sum(len(item.words) for item in order if isinstance(item, Clause))
        if need > SLOT_LIMIT:
            all_words = [word for item in order if isinstance(item, Clause) for word in item.words]
            raise TooManySlots(need, all_words[max(SLOT_LIMIT - first_slot, 0)].origins)
        place = {id(item): number for number, item in enumerate(order)}
        words: list[int] = []
        instructions: list[int] = []
        origins: list[Origins] = []
        #: Kinds of the instruction that may have run last.
        previous: Set[str] = set()
        for number, item in enumerate(order):
            if isinstance(item, int):
                words.append(item)
            elif not isinstance(item, Clause):
                words.append(_loop_clause(item, place))
            else:
                address = first_slot + len(instructions)
                previous = _KINDS if item.is_target else previous
                words.append(_exec(item, address, previous, is_end=number == len(order) - 1))
                instructions += [word.word for word in item.words]
                origins += [word.origins for word in item.words]
                previous = _last_kinds(item, previous)
        if len(words) % 2:
            words.append(isa.encode_clause("NOP"))
        return Program(tuple(words), tuple(instructions), (*(() for _ in words), *origins))

    def _with_allocs(self) -> list[_Item | int]:
        """The clauses with their ALLOCs; the last one is an exec clause, which ends the program."""
        order: list[_Item | int] = []
        exported = [item.buffer for item in self.clauses if isinstance(item, Clause)]
        if names.PARAMETERS not in exported:
            # A vertex program without parameters has the ALLOC all the same.
            order.append(self._alloc(names.PARAMETERS))
        allocated = {0}
        for item in self.clauses:
            if isinstance(item, Clause) and item.buffer not in allocated:
                order.append(self._alloc(item.buffer))
                allocated.add(item.buffer)
            order.append(item)
        last = order[-1]
        if not isinstance(last, Clause) or last.condition is not None:
            order.append(Clause())
        return order

    def _alloc(self, buffer: int) -> int:
        if buffer == names.PARAMETERS:
            return isa.encode_clause("ALLOC", buffer=buffer, size=max(self.parameters, 1) - 1)
        has_point_size = any(isinstance(item, Clause) and _exports(item, POINT_SIZE.index) for item in self.clauses)
        return isa.encode_clause("ALLOC", buffer=buffer, size=int(has_point_size))


def _exports(clause: Clause, number: int) -> bool:
    from backends.adreno.isa import formats

    fields = [formats.ALU.decode(word.word) for word in clause.words if word.buffer]
    return any(row["export"] and row["vector_dest"] == number for row in fields)


def _loop_clause(item: Jump | Count | CountEnd, place: Mapping[int, int]) -> int:
    """The word of a way back, or of the start of a loop that the machine counts."""
    if isinstance(item, Jump):
        return isa.encode_clause("COND_JMP", addr=place[id(item.target)], predicated_jmp=1, condition=1)
    if isinstance(item, Count):
        return isa.encode_clause("LOOP_START", addr=place[id(item.end)] + 1, loop_id=item.constant)
    return isa.encode_clause("LOOP_END", addr=place[id(item.start)] + 1, loop_id=item.start.constant)


def _exec(clause: Clause, address: int, previous: Set[str], *, is_end: bool) -> int:
    """The word of an exec clause.  (S) waits: where kinds change, and always where a jump leads to."""
    sequence = 0
    for number, word in enumerate(clause.words):
        fetch, sync = int(word.kind != "alu"), int(previous != {word.kind} or word.depends)
        sequence |= (fetch | sync << 1) << 2 * number
        previous = {word.kind}
    fields = {"addr": address, "cnt": len(clause.words), "sequence": sequence}
    if clause.condition is not None:
        return isa.encode_clause("COND_PRED_EXEC", **fields, condition=int(clause.condition))
    return isa.encode_clause("EXEC_END" if is_end else "EXEC", **fields)


def _last_kinds(clause: Clause, previous: Set[str]) -> Set[str]:
    """The kinds of instruction that may have run last behind a clause."""
    if not clause.words:
        return previous
    own = {clause.words[-1].kind}
    return own if clause.condition is None else own | previous
