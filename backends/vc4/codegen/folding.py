"""Moves that disappear: a value is computed into its destination, and r4 is read directly.

In: selected code.  Out: the same with fewer moves, and without flags that are set twice.  A value that is only moved to
a peripheral, or packed, is computed into that; a word of the stream that several instructions need in a register is
moved there once.  Registers of selected code are written once, except choices and packed words, so that a computation
may move down to its reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Set
from typing import NamedTuple

from glslc_multi.backends.vc4.codegen.machine_ops import FLAGS, OUT, R4, R5, operation
from glslc_multi.backends.vc4.codegen.schedule.machine_model import takes_stream
from glslc_multi.backends.vc4.codegen.selection.emitter import is_stream
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.records import replace


@step("fold moves")
def fold(function: MachineFunction) -> None:
    """Remove moves in place."""
    for block in function.blocks:
        _keep_flags(block)
    folding = _Folding(function)
    for block in function.blocks:
        folding.fold_results(block)
    for block in function.blocks:
        folding.fold_targets(block)


def _keep_flags(block: MachineBlock) -> None:
    """Remove instructions that set the flags to what they are."""
    latest: MachineInstruction | None = None
    kept = []
    for instruction in block.instructions:
        if FLAGS in instruction.op.writes:
            if latest is not None and _are_alike(latest, instruction):
                continue
            latest = instruction
        elif latest is not None and any(d.register is use.register for d in instruction.defs for use in latest.uses):
            latest = None
        kept.append(instruction)
    block.instructions = kept


def _are_alike(one: MachineInstruction, other: MachineInstruction) -> bool:
    """Whether two that set flags, and write nothing, compute the same; r4 may change without notice."""
    return (
        not (one.defs or other.defs)
        and one.op is other.op
        and one.attributes == other.attributes
        and one.uses == other.uses
        and all(use.register != R4 for use in one.uses)
    )


class _Folding:
    """How often registers are read and written, which stays true of all that are left: a move that disappears was the
    only one to read its source, or to write its target."""

    def __init__(self, function: MachineFunction) -> None:
        self.reads = Counter([u.register for instruction in function.instructions() for u in instruction.uses])
        self.writes = Counter([d.register for made in function.instructions() for d in made.defs])

    # results in r4 -------------------------------------------------------------------------
    def fold_results(self, block: MachineBlock) -> None:
        """Readers of a move from r4 read r4, where nothing else is loaded to r4 in between."""
        gone: set[MachineInstruction] = set()
        for number, made in enumerate(block.instructions):
            if not made.op.copy or made.uses[0].register != R4:
                continue
            target = made.defs[0].register
            if self.writes[target] > 1 or not isinstance(target, VirtualRegister):
                continue
            readers = self._readers_of_result(block, number, target)
            if readers is None or sum(len(uses) for _, uses in readers) != self.reads[target]:
                continue
            for reader, uses in readers:
                for use in uses:
                    reader.uses[reader.uses.index(use)] = replace(made.uses[0])
            gone.add(made)
        block.instructions = [instruction for instruction in block.instructions if instruction not in gone]

    def _readers_of_result(
        self, block: MachineBlock, number: int, target: VirtualRegister
    ) -> list[tuple[MachineInstruction, list[Use]]] | None:
        """The readers before the next write to r4; None where one of them cannot read r4."""
        source = block.instructions[number].uses[0]
        readers: list[tuple[MachineInstruction, list[Use]]] = []
        for instruction in block.instructions[number + 1 :]:
            uses = [use for use in instruction.uses if use.register is target]
            if uses:
                others = [use.extra for use in instruction.uses if use.register == R4]
                is_packed = "pack" in instruction.attributes and source.extra
                if any(extra != source.extra for extra in others) or is_packed or "rotate" in instruction.attributes:
                    return None
                readers.append((instruction, uses))
            if _writes_r4(instruction):
                break
        return readers

    # destinations --------------------------------------------------------------------------
    def fold_targets(self, block: MachineBlock) -> None:
        """Compute into its destination what is only moved to a peripheral, or packed."""
        makers: dict[VirtualRegister, MachineInstruction] = {}
        #: How often r4 and r5 have been loaded, and had been when something ran.
        loads = Counter[Register]()
        loads_before: dict[MachineInstruction, Counter[Register]] = {}
        gone: set[MachineInstruction] = set()
        result: list[MachineInstruction] = []
        for made in block.instructions:
            maker = self._maker(made, makers)
            if maker is not None and not any(
                use.register == loaded and loads_before[maker][loaded] != loads[loaded]
                for loaded in (R4, R5)
                for use in maker.uses
            ):
                gone.add(maker)
                made = _joined(maker, made)
            result.append(made)
            if _writes_r4(made) or R5 in made.op.writes:
                loads = loads.copy()
                loads[R4] += _writes_r4(made)
                loads[R5] += R5 in made.op.writes
            loads_before[made] = loads
            for definition in made.defs:
                if isinstance(definition.register, VirtualRegister):
                    makers[definition.register] = made
        block.instructions = [made for made in result if made not in gone]

    def _maker(
        self, move: MachineInstruction, makers: dict[VirtualRegister, MachineInstruction]
    ) -> MachineInstruction | None:
        """The instruction that computes what a move moves, if it can take the place of the move."""
        if move.op.name != "mov" or not move.defs:
            return None
        source, target = move.uses[0].register, move.defs[0].register
        is_special = target == R4 or (isinstance(target, Register) and target.file is OUT) or "pack" in move.attributes
        if not is_special or not isinstance(source, VirtualRegister):
            return None
        maker = makers.get(source)
        if maker is None or self.reads[source] > 1 or self.writes[source] > 1 or not self._can_move(maker):
            return None
        if "pack" in move.attributes:
            return maker if maker.op.name == "fmul" else None
        if "slots" in move.attributes and takes_stream(maker):
            return None
        return None if FLAGS in move.op.reads and maker.op.copy else maker

    def _can_move(self, maker: MachineInstruction) -> bool:
        """Whether an instruction may run later: nothing that it reads changes."""
        if maker.op.effect or maker.conditional or maker.attributes or maker.op.reads or maker.op.writes:
            return False
        return all(self.writes[use.register] == 1 for use in maker.uses if isinstance(use.register, VirtualRegister))


def _writes_r4(made: MachineInstruction) -> bool:
    return bool(made.defs) and made.defs[0].register is R4


def _joined(maker: MachineInstruction, move: MachineInstruction) -> MachineInstruction:
    """The computation, with the destination of the move."""
    reads_flags = FLAGS in move.op.reads
    op = operation(maker.op.name, reads_flags=reads_flags, effect=move.op.effect, plain=False)
    return MachineInstruction(
        op, move.defs, maker.uses, attributes=move.attributes, conditional=move.conditional, span=maker.span
    )


# --- Words of the stream --------------------------------------------------------------------------------------------

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
    reads = Counter(use.register for instruction in function.instructions() for use in instruction.uses)
    writes = Counter(define.register for instruction in function.instructions() for define in instruction.defs)
    temporary = {register for register, count in writes.items() if count == reads[register] == 1}
    for block in function.blocks:
        _share(block, temporary)


def _share(block: MachineBlock, temporary: Set[AnyRegister]) -> None:
    """Choose which of two words each instruction of a block reads from a register, of those written and read once."""
    pairs = {pair.user: pair for pair in _pairs(block, temporary)}
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


def _pairs(block: MachineBlock, temporary: Set[AnyRegister]) -> list[_Pair]:
    """List the instructions of a block that read a word of the stream beside one that is moved for them alone."""
    moves: dict[AnyRegister, MachineInstruction] = {
        move.defs[0].register: move
        for move in block.instructions
        if move.op.name == "mov"
        and not (move.attributes or move.conditional or move.op.writes)
        and is_stream(move.uses[0])
        if move.defs and isinstance(move.defs[0].register, VirtualRegister)
    }
    pairs = []
    for user in block.instructions:
        if len(user.uses) == 2:
            for moved, direct in ((0, 1), (1, 0)):
                move = moves.get(user.uses[moved].register)
                if move is not None and is_stream(user.uses[direct]) and move.defs[0].register in temporary:
                    pairs.append(_Pair(move, user, moved, direct))
    return pairs


def _key(use: Use) -> Hashable:
    """Return what is equal for equal words."""
    return use.register, use.lanes
