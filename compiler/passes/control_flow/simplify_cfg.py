"""Simplification of the control-flow graph.

In: any function.  Out: the same with fewer blocks and branches, repeated until nothing changes:

* a branch on a constant, or with one target, becomes a jump; what cannot be reached goes;
* a phi whose operands are all one value is that value;
* a block and its only successor, which has no other predecessor, become one;
* an empty block is left out: who branched to it branches to its successor.

Kept are the single exit block of `main` and the form of loops: an empty block before a loop's header
stays, because it is the loop's preheader or its only latch, and so does one that tells the phis after it
which path control took.  A shader that loops forever keeps its exit (see `blocks.fold_branches`).

Not handled: conditions that earlier branches decide, and blocks that hold the same code.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.analysis.cfg import ControlFlow
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import fold_branches, merge_chains, remove_unreachable_blocks, retarget
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext


class SimplifyCfg(Pass):
    """See the module's text."""

    name = "simplify-cfg"
    description = "removes branches and blocks that do nothing"

    def run(self, function: Function, context: PassContext) -> bool:
        progress = remove_unreachable_blocks(function)
        while _simplify_once(function):
            progress = True
        return progress


def _simplify_once(function: Function) -> bool:
    # Blocks whose conditional branch always has one target -> the target.
    decided: dict[Block, Block] = {}
    for block in function.blocks:
        terminator = block.terminator
        if terminator is None or terminator.op is not ops.CONDBR:
            continue
        condition, (if_true, if_false) = terminator.operands[0], terminator.targets
        if isinstance(condition, Constant):
            # An undefined condition may have either result; the evaluator reads it as false.
            decided[block] = if_true if condition.components[0] else if_false
        elif if_true is if_false:
            decided[block] = if_true
    progress = fold_branches(function, decided)
    progress |= _simplify_phis(function)
    if len(function.blocks) > 1:
        progress |= _leave_out_empty_blocks(function)
        progress |= merge_chains(function)
    return progress


# --------------------------------------------------------------------------------------------- phis
def _simplify_phis(function: Function) -> bool:
    """Replace phis that have one value; each may let others that use it follow."""
    pending = [phi for block in function.blocks for phi in block.phis()]
    progress = False
    while pending:
        phi = pending.pop()
        value = _only_value(phi) if phi.block is not None else None
        if value is None:
            continue
        pending.extend(user for user in phi.users if user.op is ops.PHI and user is not phi)
        phi.replace_all_uses_with(value)
        phi.erase()
        progress = True
    return progress


def _only_value(phi: Instruction) -> Value | None:
    """The value of a phi that has but one; undefined operands agree with any constant."""
    values = [value for value in phi.operands if value is not phi]
    if all(isinstance(value, Constant) for value in values):
        values = [value for value in values if not (isinstance(value, Constant) and value.is_undef)] or values
    return values[0] if values and all(_same(values[0], other) for other in values) else None


def _same(one: Value, other: Value) -> bool:
    return one is other or (isinstance(one, Constant) and isinstance(other, Constant) and one.same_as(other))


# ------------------------------------------------------------------------------------------- blocks
def _leave_out_empty_blocks(function: Function) -> bool:
    """Let branches to empty blocks go on at once; not where blocks that nothing reaches had to stay."""
    if not any(map(_is_empty, function.blocks)):
        return False
    flow = ControlFlow(function)
    if flow.unreachable:
        return False
    headers = {
        after for block in flow.order for after in flow.successors[block] if flow.index[after] <= flow.index[block]
    }
    kept = headers | {function.entry}
    predecessors = {block: dict.fromkeys(before) for block, before in flow.predecessors.items()}
    gone: set[Block] = set()
    for target in reversed(flow.order):
        if target not in headers and target not in gone:
            gone.update(_lead_to(target, predecessors, kept))
    function.remove_blocks(gone)
    return bool(gone)


def _lead_to(target: Block, predecessors: dict[Block, dict[Block, None]], kept: set[Block]) -> list[Block]:
    """Let what branches to `target` through empty blocks branch to it; the blocks that this leaves out."""
    phis = list(target.phis())
    incoming: list[dict[Block, Value]] = [dict(zip(phi.attribute, phi.operands, strict=True)) for phi in phis]
    left_out: list[Block] = []
    pending = [block for block in predecessors[target] if _is_empty(block) and block not in kept]
    while pending:
        empty = pending.pop()
        sources = predecessors[empty]
        if not all(_agree(values, empty, sources) for values in incoming):
            continue
        for source in sources:
            retarget(source, empty, target)
        for values in incoming:
            value = values.pop(empty)
            values.update(dict.fromkeys(sources, value))
        del predecessors[target][empty]
        predecessors[target].update(sources)
        pending += [block for block in sources if _is_empty(block) and block not in kept]
        left_out.append(empty)
    for phi, values in zip(phis if left_out else (), incoming, strict=False):
        phi.drop_operands()
        phi.attribute.clear()
        for source, value in values.items():
            phi.add_incoming(value, source)
    return left_out


def _agree(values: dict[Block, Value], empty: Block, sources: Iterable[Block]) -> bool:
    """Whether a phi takes the same from `empty` as from those of `sources` that also lead to it directly."""
    return all(source not in values or _same(values[source], values[empty]) for source in sources)


def _is_empty(block: Block) -> bool:
    """Whether the block holds nothing but a jump."""
    return block.first is not None and block.first is block.last and block.first.op is ops.BR
