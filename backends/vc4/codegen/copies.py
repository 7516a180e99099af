"""Words of the uniform stream that several instructions need in a register are moved there once.

An instruction reads one word of the stream: of two words, selection moves one to a register.  Here it is the one that
other instructions nearby have to move as well, and these read the same register.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import NamedTuple

from glslc_multi.backends.vc4.codegen.selection.emitter import is_stream
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)

#: So many instructions later a word is moved again: a register that is kept longer is missing elsewhere.
_REACH = 24


class _Pair(NamedTuple):
    """An instruction that reads two words of the stream, one of them by a move."""

    move: MachineInstruction
    user: MachineInstruction
    #: The numbers of its operands: the word that is moved, and the other one.
    moved: int
    direct: int


def share_moves(function: MachineFunction) -> None:
    """Let moves of words of the stream serve several instructions."""
    reads = Counter(use.register for made in function.instructions() for use in made.uses)
    for block in function.blocks:
        _share(block, reads)


def _share(block: MachineBlock, reads: Mapping[AnyRegister, int]) -> None:
    """Choose which of two words each instruction of a block reads from a register."""
    pairs = {pair.user: pair for pair in _pairs(block, reads)}
    if len(pairs) < 2:
        return
    wanted = Counter(_key(use) for pair in pairs.values() for use in (pair.move.uses[0], pair.user.uses[pair.direct]))
    copies: dict[Hashable, tuple[VirtualRegister, int]] = {}
    gone: set[MachineInstruction] = set()
    for number, instruction in enumerate(block.instructions):
        pair = pairs.get(instruction)
        if pair is None:
            continue
        moved, direct = pair.move.uses[0], pair.user.uses[pair.direct]
        words = sorted((moved, direct), key=lambda use: -wanted[_key(use)])
        kept = next((use for use in words if number - copies.get(_key(use), (None, -_REACH))[1] < _REACH), None)
        shared = kept or words[0]
        other = direct if shared is moved else moved
        if kept is None:
            register = pair.move.defs[0].register
            assert isinstance(register, VirtualRegister)
            pair.move.uses[0] = shared
            copies[_key(shared)] = register, number
        else:
            register = copies[_key(shared)][0]
            gone.add(pair.move)
        of_shared, of_other = (pair.moved, pair.direct) if shared is moved else (pair.direct, pair.moved)
        pair.user.uses[of_shared] = Use(register, (0,))
        pair.user.uses[of_other] = other
        for use in (moved, direct):
            wanted[_key(use)] -= 1
    block.instructions = [instruction for instruction in block.instructions if instruction not in gone]


def _pairs(block: MachineBlock, reads: Mapping[AnyRegister, int]) -> list[_Pair]:
    """List the instructions of a block that read a word of the stream beside one that is moved for them alone."""
    moves: dict[AnyRegister, MachineInstruction] = {
        made.defs[0].register: made
        for made in block.instructions
        if made.op.name == "mov" and not made.attributes and not made.conditional and is_stream(made.uses[0])
        if made.defs and isinstance(made.defs[0].register, VirtualRegister)
    }
    pairs = []
    for user in block.instructions:
        if len(user.uses) == 2:
            for moved, direct in ((0, 1), (1, 0)):
                move = moves.get(user.uses[moved].register)
                if move is not None and is_stream(user.uses[direct]) and reads[move.defs[0].register] == 1:
                    pairs.append(_Pair(move, user, moved, direct))
    return pairs


def _key(use: Use) -> Hashable:
    """Return what is equal for equal words."""
    return use.register, use.lanes
