"""Operands become legal: at most one c register in a word, in its wide source, and at most one input register.

In: selected code whose constants have registers.  Out: the same with copies to temporaries where a word would read
two different c or v registers, and with operands exchanged so that the c register is where the encoding has room.

A register that several words need a copy of is copied once: before the first of them where they stand in one
block outside of loops, else at the start of the program.  A multiply-add that alone needs one is a product and a sum
instead: as many words, and neither a register for long nor one of the few descriptors that a multiply-add can name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from glslc_multi.backends.pica200.codegen.machine_ops import OPS
from glslc_multi.backends.pica200.codegen.register_files import VALUES, is_constant, is_input
from glslc_multi.backends.pica200.isa.instructions import BY_NAME
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.compiler.codegen.copies import copy_for
from glslc_multi.compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.records import dataclass, field

#: Operations whose first two sources commute.
_COMMUTATIVE = frozenset({"ADD", "MUL", "DP3", "DP4", "MAX", "MIN", "MAD", "CMP"})
#: Relation -> the same one with its operands exchanged.
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


@step("fix operands")
def fix_operands(function: MachineFunction) -> None:
    """Change `function` in place."""
    conflicts = [
        (block, instruction, group)
        for block in function.blocks
        for instruction in block.instructions
        for group in _conflicts(instruction)
    ]
    copies = _Copies(function, _conflict_counts(group for _, _, group in conflicts))
    for block, instruction, group in conflicts:
        copies.note(block, instruction, group)
    copies.make()
    for instruction in function.instructions():
        # Exchange operands so that a c register is in a wide source.
        row = BY_NAME.get(instruction.op.name)
        if row is None or not row.layout.sources:
            continue
        number = next((n for n, use in enumerate(instruction.uses) if is_constant(use.register)), None)
        if number is None and instruction.op is OPS["MAD"]:
            # A scalar first, as where the other factor is a c register: what repeats looks alike.
            instruction.uses[:2] = sorted(instruction.uses[:2], key=lambda use: len(set(use.lanes)) > 1)
        if number is None or number in _wide_sources(instruction.op.name):
            continue
        assert instruction.op.name in _COMMUTATIVE, f"{instruction.op.name} cannot read a c register in source {number}"
        uses = instruction.uses
        uses[0], uses[1] = uses[1], uses[0]
        if "relations" in instruction.attributes:
            names = (RELATION_NAMES[relation] for relation in instruction.attributes["relations"])
            instruction.attributes["relations"] = tuple(RELATION_NAMES.index(MIRRORED[name]) for name in names)


@dataclass(slots=True)
class _Wanted:
    """Operands that are to read a copy of one register."""

    uses: list[Use] = field(default_factory=list)
    #: The block and instruction of each.
    readers: list[tuple[MachineBlock, MachineInstruction]] = field(default_factory=list)


class _Copies:
    """Which operands read copies, and the copies."""

    def __init__(self, function: MachineFunction, conflicts: Counter[Register]) -> None:
        self.function = function
        self.wanted: dict[Register, _Wanted] = {}
        self.conflicts = conflicts
        #: Moves that serve one operand, where an address register takes part.
        self.single: list[tuple[MachineBlock, MachineInstruction, Use]] = []

    def note(self, block: MachineBlock, instruction: MachineInstruction, group: list[Use]) -> None:
        """Let all operands of a group but one read copies."""
        kept = min(group, key=self._copy_preference)
        for use in group:
            if use is kept:
                continue
            if is_input(use.register) and use.register == kept.register:
                continue
            if use.relative is not None:
                self.single.append((block, instruction, use))
                continue
            assert isinstance(use.register, Register)
            wanted = self.wanted.setdefault(use.register, _Wanted())
            wanted.uses.append(use)
            wanted.readers.append((block, instruction))

    def _copy_preference(self, use: Use) -> tuple[bool, bool, int]:
        """Lowest for the operand that stays: an indexed one, one not copied yet, one that is in few conflicts."""
        assert isinstance(use.register, Register)
        return use.relative is None, use.register in self.wanted, self.conflicts[use.register]

    def make(self) -> None:
        for register, wanted in self.wanted.items():
            block, instruction = wanted.readers[0]
            if len(wanted.readers) == 1 and is_constant(register) and _can_be_split(instruction):
                # Let a multiply-add be the sum of a product and its addend.
                lanes = tuple(range(len(instruction.defs[0].lanes)))
                product = self.function.new_register(len(lanes), VALUES, span=instruction.span)
                factors = MachineInstruction(
                    OPS["MUL"], [Def(product, lanes)], instruction.uses[:2], span=instruction.span
                )
                block.instructions.insert(_position(block, instruction), factors)
                instruction.op, instruction.uses = OPS["ADD"], [instruction.uses[2], Use(product, lanes)]
            else:
                self._copy(wanted)
        for block, instruction, use in self.single:
            self._insert(block, instruction, [use])

    def _copy(self, wanted: _Wanted) -> None:
        blocks = {block for block, _ in wanted.readers}
        block, first = wanted.readers[0]
        if len(blocks) > 1 or _is_in_loop(block):
            block, first = self.function.entry, self.function.entry.instructions[0]
        self._insert(block, first, wanted.uses)

    def _insert(self, block: MachineBlock, before: MachineInstruction, uses: list[Use]) -> None:
        """Insert a move before an instruction, whose result operands read."""
        move = copy_for(uses, self.function, OPS["MOV"], VALUES, before.span)
        block.instructions.insert(_position(block, before), move)


def _can_be_split(instruction: MachineInstruction) -> bool:
    """Whether this is a multiply-add whose addend is a c register, and one of its factors."""
    if instruction.op is not OPS["MAD"]:
        return False
    first, second, addend = (is_constant(use.register) for use in instruction.uses)
    return addend and first != second


def _position(block: MachineBlock, instruction: MachineInstruction) -> int:
    return next(number for number, each in enumerate(block.instructions) if each is instruction)


def _conflicts(instruction: MachineInstruction) -> list[list[Use]]:
    """The operands that cannot be read together: c registers, and inputs where they differ."""
    if len(instruction.uses) < 2:
        return []
    constants = [use for use in instruction.uses if is_constant(use.register)]
    inputs = [use for use in instruction.uses if is_input(use.register)]
    conflicts = [constants] if len(constants) > 1 else []
    if len(inputs) > 1 and any(use.register is not inputs[0].register for use in inputs):
        conflicts.append(inputs)
    return conflicts


def _conflict_counts(conflicts: Iterable[list[Use]]) -> Counter[Register]:
    """In how many words each register conflicts, as a negative number."""
    counts: Counter[Register] = Counter()
    for group in conflicts:
        counts.subtract({use.register for use in group if isinstance(use.register, Register)})
    return counts


def _is_in_loop(block: MachineBlock) -> bool:
    """Whether control can come back to a block."""
    return block in _reachable(block)


def _reachable(start: MachineBlock) -> set[MachineBlock]:
    reachable: set[MachineBlock] = set()
    pending = list(start.successors)
    while pending:
        block = pending.pop()
        if block not in reachable:
            reachable.add(block)
            pending.extend(block.successors)
    return reachable


# ----------------------------------------------------------------------------------------------- order
@cache
def _wide_sources(name: str) -> frozenset[int]:
    """The sources that may be a c register, in the plain or the inverted form."""
    row = BY_NAME[name]
    forms = [row, *([BY_NAME[row.inverted]] if row.inverted else [])]
    return frozenset(form.layout.sources.index(form.layout.wide) for form in forms)
