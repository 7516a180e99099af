"""Procedures in place: the code of a procedure stands where one of its calls would.

In: allocated code, whose calls are opcodes, and the shape of its control flow.  Out: of each procedure the call that
its code replaces.

A CALL names a range of words, wherever it is.  What stands in that range runs without a call when control comes to it
from before, as no return is pending then.  So one call of each procedure costs nothing, nor the NOP where a block
ended with it.  Only at the end of the first part of an IF, and of a LOOP, is no place: what is called from inside of
that block would leave the block there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Literal

from glslc_multi.backends.pica200.codegen.arms import has_code, order_arms
from glslc_multi.backends.pica200.codegen.machine_ops import END
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineInstruction, MachineOp
from glslc_multi.compiler.codegen.regions import If, Loop, Region, Seq

#: What comes after a region in its block: more words, an end at which control goes on, or one at which the block takes
#: it elsewhere.
_Follows = Literal["words", "end", "turn"]


def choose_places(functions: Iterable[Region[MachineBlock]], procedures: Set[MachineOp]) -> set[MachineInstruction]:
    """Choose the call of each procedure that its code replaces: one that ends a block, or else the first one."""
    chosen: dict[MachineOp, tuple[_Follows, MachineInstruction]] = {}
    for function in functions:
        for call, follows in _calls(function, procedures, "end"):
            if follows != "turn" and (call.op not in chosen or (follows, chosen[call.op][0]) == ("end", "words")):
                chosen[call.op] = follows, call
    return {call for _, call in chosen.values()}


def _calls(
    region: Region[MachineBlock], procedures: Set[MachineOp], follows: _Follows
) -> Iterator[tuple[MachineInstruction, _Follows]]:
    """Find calls in the order of words, and what comes after each."""
    if isinstance(region, Seq):
        for number, part in enumerate(region.parts):
            is_last = not any(map(has_code, region.parts[number + 1 :]))
            yield from _calls(part, procedures, follows if is_last else "words")
        return
    if isinstance(region, Loop):
        yield from _calls(region.body, procedures, "turn")
        return
    words = [word for word in region.block.instructions if not word.op.terminator or word.op is END]
    for word in words:
        if word.op in procedures:
            yield word, "words" if word is not words[-1] or isinstance(region, If) else follows
    if isinstance(region, If):
        _, first, second = order_arms(region)
        yield from _calls(first, procedures, "turn")
        yield from _calls(second, procedures, "end")
