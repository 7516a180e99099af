"""Moves that one word can make: what the allocator has put side by side is copied together.

In: allocated code.  Out: runs of moves with those joined that go from one register to one register.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby

from backends.pica200.machine_ops import JUMP, OPS
from backends.pica200.registers import TEMPORARIES
from compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Place, Use, VirtualRegister
from compiler.codegen.registers import Register


def join_moves(function: MachineFunction) -> None:
    """Change `function` in place."""
    for block in function.blocks:
        made: list[MachineInstruction] = []
        for instruction in block.instructions:
            partner = _partner(instruction, made)
            if partner is None:
                made.append(instruction)
            else:
                _join(partner, instruction)
        block.instructions = made


def least_words(function: MachineFunction, vanishes: Callable[[MachineInstruction], bool]) -> int:
    """Words that a function takes at least, if no other moves vanish."""
    return sum(_least_words(block.instructions, vanishes) for block in function.blocks)


def _least_words(instructions: list[MachineInstruction], vanishes: Callable[[MachineInstruction], bool]) -> int:
    """The words of a block: what `join_moves` may join is one run of moves, and of one register to one register."""
    staying = (made for made in instructions if made.op is not JUMP and not (made.op is OPS["MOV"] and vanishes(made)))
    runs = groupby(staying, lambda made: made.op is OPS["MOV"])
    return sum(_least_moves(run) if is_move else len(list(run)) for is_move, run in runs)


def _least_moves(run: Iterable[MachineInstruction]) -> int:
    """The words of a run of moves, if values that are wider than a register together are in different ones."""
    widths: Counter[Place | None] = Counter()
    for move in run:
        target = move.defs[0].register
        widths[_fixed_register(move)] += target.width if isinstance(target, VirtualRegister) else target.components
    return sum((width + 3) // 4 for width in widths.values())


def _fixed_register(move: MachineInstruction) -> Place | None:
    """A register that a move shares with all that it may be joined with; None where none is known yet."""
    source, target = move.uses[0].register, move.defs[0].register
    if not _holds_value(source):
        return source
    if not _holds_value(target):
        return target
    return next((register for register in (target, source) if isinstance(register, Register)), None)


def is_between_values(move: MachineInstruction) -> bool:
    """Whether allocation may put both sides of a move into one place."""
    return _holds_value(move.uses[0].register) and _holds_value(move.defs[0].register)


def _holds_value(register: Place) -> bool:
    """Whether a register is an r register, or will be."""
    return isinstance(register, VirtualRegister) or (isinstance(register, Register) and register.file is TEMPORARIES)


def _partner(move: MachineInstruction, before: list[MachineInstruction]) -> MachineInstruction | None:
    """A move in the run directly in front that can make this one as well."""
    if move.op is not OPS["MOV"]:
        return None
    for other in reversed(before):
        if other.op is not OPS["MOV"]:
            return None
        if _is_alike(other, move):
            return other
        if not _may_change_places(other, move):
            return None
    return None


def _is_alike(first: MachineInstruction, second: MachineInstruction) -> bool:
    """Whether both go from one register to one register, and neither needs what the other changes."""
    target, source = first.defs[0], first.uses[0]
    other_target, other = second.defs[0], second.uses[0]
    is_same_way = target.register == other_target.register and source.register == other.register
    if not is_same_way or source.negate != other.negate or source.relative != other.relative:
        return False
    is_apart = not set(target.lanes) & set(other_target.lanes)
    return is_apart and not (target.register == other.register and set(target.lanes) & set(other.lanes))


def _may_change_places(first: MachineInstruction, second: MachineInstruction) -> bool:
    """Whether two moves do the same in either order."""
    return not (_touches(first.defs[0], second) or _touches(second.defs[0], first))


def _touches(definition: Def, move: MachineInstruction) -> bool:
    """Whether a move reads or writes what `definition` writes."""
    operands: list[Def | Use] = [*move.defs, *move.all_uses()]
    return any(
        definition.register == operand.register and set(definition.lanes) & set(operand.lanes) for operand in operands
    )


def _join(move: MachineInstruction, other: MachineInstruction) -> None:
    pairs = [*zip(move.defs[0].lanes, move.uses[0].lanes, strict=True)]
    pairs += zip(other.defs[0].lanes, other.uses[0].lanes, strict=True)
    pairs.sort(key=lambda pair: pair[0])
    source = move.uses[0]
    move.defs = [Def(move.defs[0].register, tuple(target for target, _ in pairs))]
    move.uses = [Use(source.register, tuple(lane for _, lane in pairs), source.negate, relative=source.relative)]
