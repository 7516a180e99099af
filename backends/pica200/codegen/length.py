"""Bounds of the length of code, known before registers are assigned: the form that will be shortest is finished alone.

In: legal code on virtual registers.  Out: words.  Every instruction is one, but for choices of vertices, for jumps,
which the nesting of control flow makes, and for moves, of which coalescing makes some vanish and `moves.py` joins some.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby

from glslc_multi.backends.pica200.codegen.machine_ops import JUMP, OPS, SETEMIT_IF
from glslc_multi.backends.pica200.codegen.register_files import TEMPORARIES
from glslc_multi.backends.pica200.codegen.temporaries import Temporaries
from glslc_multi.compiler.artifact import BlockProof
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc import vanishing_copies
from glslc_multi.compiler.codegen.registers import Register

_MOV = OPS["MOV"]
_Vanishes = Callable[[MachineInstruction], bool]


def least_words(function: MachineFunction) -> int:
    """Words that a function takes at least, however values are placed."""
    return _words(function, _may_vanish)


def least_of_blocks(function: MachineFunction) -> list[int]:
    """The words that each block takes at least, however values are placed."""
    return [_words_of_block(block.instructions, _may_vanish) for block in function.blocks]


def prove_blocks(blocks: Iterable[tuple[MachineBlock, int]]) -> tuple[BlockProof, ...]:
    """Say what is known of the words of finished blocks, of the words that each takes at least.  A word does one
    instruction here and never waits, so that the order is free: only moves that registers cost are above the bound, and
    no solver is needed to see it."""
    proofs = []
    for block, bound in blocks:
        words = sum(instruction.op is not JUMP for instruction in block.instructions)
        proofs.append(BlockProof(block.name, words, words, words, min(bound, words), min(bound, words)))
    return tuple(proofs)


def expected_words(function: MachineFunction, procedures: Iterable[MachineFunction]) -> int:
    """Words of a function, if its values find room at once, and of its procedures, which have registers already, and
    each stand in place of a call."""
    vanishing = set(vanishing_copies(function, Temporaries()))
    called = sum(_words(each, lambda move: False) - 1 for each in procedures)
    return _words(function, vanishing.__contains__) + called


def _words(function: MachineFunction, vanishes: _Vanishes) -> int:
    return sum(_words_of_block(block.instructions, vanishes) for block in function.blocks)


def _words_of_block(instructions: list[MachineInstruction], vanishes: _Vanishes) -> int:
    staying = (
        instruction
        for instruction in instructions
        if instruction.op is not JUMP and not (instruction.op is _MOV and vanishes(instruction))
    )
    runs = groupby(staying, lambda made: made.op is _MOV)
    return sum(_words_of_moves(run) if is_move else sum(map(_words_of, run)) for is_move, run in runs)


def _words_of(instruction: MachineInstruction) -> int:
    """Return the words of an instruction that stays: a choice of a vertex is an IFC and a SETEMIT for each."""
    return 2 * len(instruction.attributes["emissions"]) if instruction.op is SETEMIT_IF else 1


def _words_of_moves(run: Iterable[MachineInstruction]) -> int:
    """The words of moves in a row: those from one register to one register become one.  Values that are wider than
    a register together are taken to be in different ones."""
    widths: Counter[AnyRegister | None] = Counter()
    for move in run:
        register = move.defs[0].register
        width = register.width if isinstance(register, VirtualRegister) else len(move.defs[0].lanes)
        widths[_shared_register(move)] += width
    return sum((width + 3) // 4 for width in widths.values())


def _shared_register(move: MachineInstruction) -> AnyRegister | None:
    """A register that a move shares with all that it may be joined with; None where none is known yet."""
    source, target = move.uses[0].register, move.defs[0].register
    if not _holds_value(source):
        return source
    if not _holds_value(target):
        return target
    return next((register for register in (target, source) if isinstance(register, Register)), None)


def _may_vanish(move: MachineInstruction) -> bool:
    """Whether both sides of a move may be in one register."""
    return _holds_value(move.uses[0].register) and _holds_value(move.defs[0].register)


def _holds_value(register: AnyRegister) -> bool:
    """Whether a register is an r register, or will be."""
    return isinstance(register, VirtualRegister) or (isinstance(register, Register) and register.file is TEMPORARIES)
