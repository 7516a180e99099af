"""Exact dual issue: the fewest slots of consecutive operations, and how few there could be.

In: what `make_slots` takes, after allocation.  Out: the same slots or fewer.  Which operations share a slot is asked of
`DualIssue.join`, and what a solver finds is joined by it again.

The bound holds for other registers, too: it follows values and not registers, lets moves between registers cost
nothing, and asks `join` of the operations as if all that they read were in one register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from glslc_multi.backends.xenos_family.codegen.encode import exports_of
from glslc_multi.backends.xenos_family.codegen.machine_ops import MOVE
from glslc_multi.backends.xenos_family.codegen.register_files import POSITION, R
from glslc_multi.backends.xenos_family.codegen.schedule.dual_issue import DualIssue, finish_slots, make_slots
from glslc_multi.backends.xenos_family.codegen.schedule.previous_result import is_export_of_number
from glslc_multi.compiler.artifact import BlockProof
from glslc_multi.compiler.codegen.constants import ConstantTable
from glslc_multi.compiler.codegen.dag import Dag, build_dag
from glslc_multi.compiler.codegen.exact.budget import Budget
from glslc_multi.compiler.codegen.exact.problem import Crowd, Edge, Problem, Solution
from glslc_multi.compiler.codegen.exact.shorten import shorten
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Slot, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.records import dataclass, field, replace

#: Both halves of a slot.
_HALVES = 2
#: Far enough to say nothing.
_FREE = -1000


@dataclass(slots=True)
class ExactSlots:
    """Makes slots as `make_slots` does, and notes what a solver says of them."""

    constants: ConstantTable
    budget: Budget
    proofs: list[BlockProof] = field(default_factory=list)

    def __call__(self, instructions: list[MachineInstruction]) -> list[Slot]:
        known = make_slots(instructions, self.constants)
        asked = Operations(instructions, self.constants)
        best = known

        def accepts(solution: Solution) -> bool:
            nonlocal best
            slots = asked.slots(solution)
            if slots is None or len(slots) >= len(best):
                return False
            best = slots
            return True

        name = f"run {len(self.proofs)}"
        proof = shorten(name, asked.problem(), len(known), self.budget, accepts, asked.relaxed()).proof
        # Where another slot may carry an export, there are fewer slots than the solver counts.
        further = proof.at_least if asked.has_carried_exports else proof.without_copies
        self.proofs.append(replace(proof, words=len(best), without_copies=further))
        return best


class _ValuesOnly(DualIssue):
    """Dependences of values: registers may be others."""

    def anti(self, reader: MachineInstruction, writer: MachineInstruction) -> int:
        return _FREE

    def overwrite(self, first: MachineInstruction, second: MachineInstruction) -> int:
        return _FREE


class Operations:
    """Consecutive operations as a problem."""

    def __init__(self, instructions: Sequence[MachineInstruction], constants: ConstantTable) -> None:
        self.instructions = instructions
        self.count = len(instructions)
        self.model = DualIssue(instructions, constants, final=True)
        self.dag = build_dag(instructions, self.model)
        #: What depends on what, whatever the registers are.
        self.values = build_dag(instructions, _ValuesOnly(instructions, constants, final=True))
        #: The operations as if all that they read were in one register.
        self.alike = [_in_one_register(instruction) for instruction in instructions]
        #: What takes no slot of its own with other registers.
        self.free = frozenset(number for number in range(self.count) if self._may_vanish(number))

    def problem(self) -> Problem:
        """With the registers that operations have."""
        edges = [Edge(*edge) for edge in _edges(self.dag)]
        return self._problem([*edges, *self._position_first()], frozenset(), self._join)

    def relaxed(self) -> Problem:
        """With whatever registers they might have."""
        edges = [
            Edge(first, second, 0 if first in self.free else distance)
            for first, second, distance in _edges(self.values)
            if distance > _FREE
        ]
        return self._problem(edges, self.free, self._may_join)

    def slots(self, solution: Solution) -> list[Slot] | None:
        """The slots of a solution; None where `join` refuses one."""
        slots_: list[Slot] = []
        for word in range(solution.length):
            members = [self.instructions[number] for number, its_word in enumerate(solution.words) if its_word == word]
            if not members:
                continue
            slot: Slot | None = (members[0],)
            if len(members) == _HALVES:
                slot = self.model.join((members[0],), members[1], slots_)
            if slot is None:
                return None
            slots_.append(slot)
        return finish_slots(slots_)

    # order ---------------------------------------------------------------------------------
    def _position_first(self) -> Iterator[Edge]:
        """Exports of the position come before those of parameters, which are in another buffer."""
        exporting = [
            (number, max(exports) >= POSITION.index)
            for number, instruction in enumerate(self.instructions)
            if (exports := exports_of((instruction,)))
        ]
        for (first, is_first), (second, is_second) in combinations(exporting, 2):
            if is_first and not is_second:
                yield Edge(first, second, 1)

    # slots ---------------------------------------------------------------------------------
    def _problem(self, edges: list[Edge], free: frozenset[int], may_share: Callable[[int, int], bool]) -> Problem:
        taking = [number for number in range(self.count) if number not in free]
        apart = frozenset((first, second) for first, second in combinations(taking, 2) if not may_share(first, second))
        return Problem(self.count, edges, [Crowd(frozenset(taking), _HALVES)], apart)

    def _join(self, first: int, second: int) -> bool:
        """Whether two operations share a slot, after slots that suit them best."""
        return any(
            self.model.join((self.instructions[one],), self.instructions[other], issued) is not None
            for one, other in ((first, second), (second, first))
            for issued in self._contexts(other, self.instructions)
        )

    def _contexts(self, number: int, instructions: Sequence[MachineInstruction]) -> Iterator[list[Slot]]:
        """Slots that may come before an operation: none, or what it reads as the previous result."""
        yield []
        for before in self.dag.predecessors[number]:
            yield [(instructions[before], instructions[before])]

    def _may_join(self, first: int, second: int) -> bool:
        """The same, if both had the registers that suit them best."""
        return any(
            self.model.join((self.alike[one],), scalar, issued) is not None
            for one, other in ((first, second), (second, first))
            for issued in self._contexts(other, self.alike)
            for scalar in _in_components(self.alike[other])
        )

    @property
    def has_carried_exports(self) -> bool:
        """Whether an export may end in the slot of another one."""
        return any(exports_of((self.instructions[number],)) for number in self.free)

    def _may_vanish(self, number: int) -> bool:
        """Whether an operation takes no slot of its own with other registers: a move, or an export that another slot
        carries."""
        instruction = self.instructions[number]
        if (
            instruction.op is MOVE
            and _is_general(instruction.uses[0].register)
            and _is_general(instruction.defs[0].register)
        ):
            return True
        exports = exports_of((instruction,))
        carriers = sum(exports_of((other,)) == exports for other in self.instructions) - 1
        return carriers > 0 and is_export_of_number((instruction,))


def _edges(dag: Dag) -> Iterator[tuple[int, int, int]]:
    for first, after in enumerate(dag.successors):
        for second, distance in after.items():
            yield first, second, distance


def _is_general(register: object) -> bool:
    return isinstance(register, Register) and register.file is R


def _in_one_register(instruction: MachineInstruction) -> MachineInstruction:
    uses = [replace(use, register=R[0]) if _is_general(use.register) else use for use in instruction.uses]
    defs = [replace(each, register=R[0]) if _is_general(each.register) else each for each in instruction.defs]
    return _with(instruction, defs, uses)


def _in_components(instruction: MachineInstruction) -> Iterator[MachineInstruction]:
    """An operation whose operands are one number each, with that number in each component; others as they are."""
    yield instruction
    if any(len(set(use.lanes)) != 1 for use in instruction.uses):
        return
    for component in range(R.components):
        uses = [
            replace(use, lanes=(component,) * len(use.lanes)) if _is_general(use.register) else use
            for use in instruction.uses
        ]
        yield _with(instruction, instruction.defs, uses)


def _with(instruction: MachineInstruction, defs: Sequence[Def], uses: Sequence[Use]) -> MachineInstruction:
    return MachineInstruction(
        instruction.op, defs, uses, attributes=instruction.attributes, conditional=instruction.conditional
    )
