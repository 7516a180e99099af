"""What a solver makes of scheduled code: fewer words where there are any, and what is known of those that stay.

In: scheduled code.  Out: the same or shorter code, with a proof for each block.  Of several blocks only the words
before the branch are replaced: the shared bundler places branches as it always does, and what does not make the whole
program shorter is given up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from glslc_multi.backends.vc4.codegen.exact.problem import problem_of
from glslc_multi.backends.vc4.codegen.exact.words import bundles_of
from glslc_multi.backends.vc4.codegen.schedule.bundle import Bundle
from glslc_multi.backends.vc4.codegen.schedule.integrated import Schedule, Word, slot_of
from glslc_multi.backends.vc4.codegen.schedule.machine_model import QpuModel
from glslc_multi.backends.vc4.codegen.schedule.straight_line import StraightLineCode
from glslc_multi.compiler.codegen.bundle import BundleStatistics, bundle
from glslc_multi.compiler.codegen.exact.budget import Budget
from glslc_multi.compiler.codegen.exact.problem import Solution
from glslc_multi.compiler.codegen.exact.shorten import Found, shorten
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register

_Instructions = Mapping[MachineBlock, list[MachineInstruction]]


def shorten_program(block: MachineBlock, model: QpuModel, known: Schedule, budget: Budget) -> Schedule:
    """A program of one block."""
    code = StraightLineCode(block.instructions, model)
    if model.threads > 1:
        code.split_at_switches()
    assert known.bundles is not None
    shorter = _found(block.name, code, len(known.bundles), budget, is_entry=True)
    bundles = None if shorter.shorter is None else bundles_of(code, shorter.shorter)
    if bundles is None:
        return known._replace(proofs=(shorter.proof,))
    operations = sum(len(each.members) for each in bundles)
    idle = Counter("latency or hazard" for each in bundles if not each.members)
    return Schedule(bundles, BundleStatistics(len(bundles), operations, dict(idle)), (shorter.proof,))


def shorten_blocks(
    function: MachineFunction,
    instructions: _Instructions,
    model: QpuModel,
    live_across: Mapping[VirtualRegister | Register, int],
    budget: Budget,
) -> Schedule:
    """A program of several blocks, which have their words; `instructions` are those that these were made of."""
    codes = {block: StraightLineCode(made, model, live_across) for block, made in instructions.items()}
    found = {
        block: _found(block.name, code, len(block.words), budget, is_entry=block is function.entry)
        for block, code in codes.items()
    }
    known, words = model.scheduled, dict(model.scheduled)
    for block, each in found.items():
        bundles = None if each.shorter is None else bundles_of(codes[block], each.shorter)
        if bundles is not None:
            words[block] = _body(bundles, codes[block], model)
    before = sum(len(block.words) for block in function.blocks)
    statistics = _bundle_again(function, instructions, model, words)
    proofs = tuple(each.proof for each in found.values())
    if statistics.words < before:
        return Schedule(None, statistics, proofs)
    statistics = _bundle_again(function, instructions, model, known)
    return Schedule(None, statistics, tuple(proof.as_known() for proof in proofs))


def _found(name: str, code: StraightLineCode, known: int, budget: Budget, *, is_entry: bool) -> Found:
    def accepts(solution: Solution) -> bool:
        return bundles_of(code, solution) is not None

    return shorten(name, problem_of(code, is_entry=is_entry), known, budget, accepts)


def _body(bundles: list[Bundle], code: StraightLineCode, model: QpuModel) -> list[Word]:
    """The words of a block before its branch, and the instructions in each."""
    numbers = {id(needed): number for number, needed in enumerate(code.resources)}
    words: list[Word] = []
    for each in bundles:
        members = [numbers[id(member)] for member in each.members]
        slot = slot_of(each, model)
        body = [
            (made, number)
            for made, number in zip(slot, members, strict=False)
            if not code.instructions[number].op.terminator
        ]
        if body or not members:
            words.append((tuple(made for made, _ in body) or slot, [number for _, number in body]))
    while words and not words[-1][1]:
        words.pop()
    return words


def _bundle_again(
    function: MachineFunction,
    instructions: _Instructions,
    model: QpuModel,
    words: Mapping[MachineBlock, Sequence[Word]],
) -> BundleStatistics:
    for block in function.blocks:
        block.instructions, block.slots = instructions[block], None
    model.scheduled = words
    return bundle(function, model)
