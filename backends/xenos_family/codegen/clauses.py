"""The clauses of a program: steps become exec clauses, and jumps and loops between them.

An exec clause runs at most six instructions of any kinds; a new one begins where a jump leads to, after a jump, and
where exports go to another buffer.  Where fast code counts more than small code, long runs under a predicate have
clauses of their own, COND_PRED_EXEC, which the machine skips when the predicate of no lane is as wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from glslc_multi.backends.xenos_family.codegen.encode import Predicate, encode_alu, encode_fetch, exports_of
from glslc_multi.backends.xenos_family.codegen.machine_ops import FETCHES, VERTEX
from glslc_multi.backends.xenos_family.codegen.predication import LoopBack, LoopStart, Step
from glslc_multi.backends.xenos_family.codegen.schedule.previous_result import written
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.program import CLAUSE_LIMIT
from glslc_multi.compiler.codegen.machine import MachineInstruction, Slot, origins_of
from glslc_multi.compiler.isa.listing import Origins
from glslc_multi.compiler.records import dataclass, field


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
    """An exec clause."""

    #: A jump leads here.
    is_target: bool
    words: list[Word] = field(default_factory=list)
    buffer: int = 0
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
Item = Clause | Jump | Count | CountEnd
#: Turns consecutive instructions into slots.
Bundle = Callable[[list[MachineInstruction]], list[Slot]]
#: Instructions under a predicate that are worth clauses of their own, which cost about a slot.
_WORTH_SKIPPING = 4


def make_clauses(isa: InstructionSet, steps: Iterable[Step], bundle: Bundle, *, skips: bool) -> list[Item]:
    """The clauses that run `steps`; `skips` lets the machine skip runs that no lane takes part in."""
    layout = _Layout(isa, bundle, skips)
    for step in steps:
        layout.add(step)
    return layout.clauses


class _Layout:
    """The clauses so far."""

    def __init__(self, isa: InstructionSet, bundle: Bundle, skips: bool) -> None:
        self.isa = isa
        self.bundle = bundle
        self.skips = skips
        self.clauses: list[Item] = []
        self.starts: dict[int, Clause | Count] = {}
        self.is_first = True
        self.found: set[tuple[object, int]] = set()

    def add(self, step: Step) -> None:
        if isinstance(step, LoopStart):
            self.start(step)
        elif isinstance(step, LoopBack):
            self.clauses.append(_loop_end(self.starts[id(step.start)]))
        else:
            words = [word for slot in self.bundle(step.instructions) for word in self.words(slot, step.predicate)]
            condition = step.predicate if self.skips and len(words) >= _WORTH_SKIPPING else None
            for word in words:
                self.append(word, condition)

    def start(self, step: LoopStart) -> None:
        if step.constant is None:
            self.starts[id(step)] = self.begin(is_target=True)
            return
        self.starts[id(step)] = count = Count(step.constant)
        self.clauses.append(count)
        self.begin(is_target=True)

    def begin(self, *, is_target: bool) -> Clause:
        clause = Clause(is_target=is_target)
        self.clauses.append(clause)
        return clause

    def append(self, word: Word, condition: Predicate) -> None:
        """Append a word to the last clause, or to a new one."""
        clause = self.clauses[-1] if self.clauses else None
        if not isinstance(clause, Clause) or not _may_take(clause, word, condition):
            clause = self.begin(is_target=False)
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
            buffer = self.isa.buffer_of(exports[0]) if exports else 0
            return [Word(encode_alu(self.isa, slot, predicate), "alu", buffer, origins=origins)]
        kind = "vertex" if instruction.op is VERTEX else "texture"
        depends = any((use.register, lane) in self.found for use in instruction.uses for lane in use.lanes)
        self.found |= written(instruction)
        encoded = encode_fetch(self.isa, instruction, predicate, first=first)
        return [Word(word, kind, 0, depends and number == 0, origins) for number, word in enumerate(encoded)]


def _loop_end(start: Clause | Count) -> Jump | CountEnd:
    if isinstance(start, Clause):
        return Jump(start)
    start.end = CountEnd(start)
    return start.end


def _may_take(clause: Clause, word: Word, condition: Predicate) -> bool:
    """Whether a word may follow those of a clause."""
    if not clause.words:
        return True
    is_alike = clause.condition is condition and (not word.buffer or clause.buffer in (0, word.buffer))
    return is_alike and len(clause.words) < CLAUSE_LIMIT
