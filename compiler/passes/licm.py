"""Loop-invariant code motion: what is the same in every iteration is computed once in front of the loop.

In: any function.  Out: pure operations whose operands come from outside of a loop, and loads of what the
loop does not write, stand in its preheader, which is made where there is none.  Inner loops come first, so
that an instruction may climb out of several.

Nothing traps, so an instruction may be hoisted that the loop would not have reached.  It is where every
iteration comes by (it dominates the latch) or where it costs no more than a simple instruction.

Swizzles and inputs at known places usually become operands of their users; they are hoisted only for
users that are hoisted, since in front of the loop they would take a register for nothing.

Not handled: what looks at neighbouring lanes, which must stay with the control flow around it; stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from compiler.analysis.cfg import ControlFlow, control_flow
from compiler.analysis.dominators import DominatorTree, dominators
from compiler.analysis.loops import Loop, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.ir import ops
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.ir.variables import Variable
from compiler.passes.base import CostModel, Pass, PassContext
from compiler.passes.blocks import insert_preheader
from compiler.passes.motion import is_movable, is_operand_of_users


@dataclass(frozen=True, slots=True)
class LoopInvariantCodeMotion(Pass):
    """See the module's text."""

    name: ClassVar[str] = "licm"
    description: ClassVar[str] = "moves what is the same in every iteration in front of the loop"

    def run(self, function: Function, context: PassContext) -> bool:
        analyses = context.analyses(function)
        if len(function.blocks) == 1:
            return False
        if _make_preheaders(analyses, context.costs):
            analyses.invalidate()
        progress = False
        for loop in reversed(analyses.get(loop_nest).all_loops()):
            progress |= _hoist(_worthwhile(loop, analyses, context.costs), loop)
        return progress


def _make_preheaders(analyses: AnalysisManager, costs: CostModel) -> bool:
    """Give every loop that has something to hoist a block to hoist it to."""
    progress = False
    for loop in analyses.get(loop_nest).all_loops():
        if loop.preheader is None and _worthwhile(loop, analyses, costs):
            insert_preheader(loop)
            progress = True
    return progress


def _hoist(instructions: Sequence[Instruction], loop: Loop) -> bool:
    for instruction in instructions:
        assert loop.preheader is not None
        instruction.unlink()
        loop.preheader.insert_before(loop.preheader.terminator, instruction)
    return bool(instructions)


def _worthwhile(loop: Loop, analyses: AnalysisManager, costs: CostModel) -> list[Instruction]:
    """What to hoist, operands first."""
    invariant = _invariant(loop, analyses, costs)
    wanted: set[Value] = set()
    for instruction in reversed(invariant):
        if not is_operand_of_users(instruction) or any(user in wanted for user in instruction.users):
            wanted.add(instruction)
    return [instruction for instruction in invariant if instruction in wanted]


def _invariant(loop: Loop, analyses: AnalysisManager, costs: CostModel) -> list[Instruction]:
    """What can be hoisted, operands first."""
    flow: ControlFlow = analyses.get(control_flow)
    tree: DominatorTree = analyses.get(dominators)
    blocks = sorted(loop.blocks, key=flow.index.__getitem__)
    written = _written(blocks)
    found: list[Instruction] = []
    known: set[Value] = set()
    for block in blocks:
        is_always_run = all(tree.dominates(block, latch) for latch in loop.latches)
        for instruction in block:
            if not _is_steady(instruction, written):
                continue
            is_cheap = costs.price(instruction.op, instruction.type.width) <= costs.price(ops.FADD, 4)
            if (is_always_run or is_cheap) and _comes_from_outside(instruction, loop, known):
                known.add(instruction)
                found.append(instruction)
    return found


def _written(blocks: Sequence[Block]) -> set[Variable | None]:
    """The variables that the blocks store to; None stands for whatever a call writes."""
    written: set[Variable | None] = set()
    for block in blocks:
        for instruction in block:
            if instruction.op is ops.STORE:
                written.add(instruction.address.variable)
            elif instruction.op is ops.CALL:
                written.add(None)
    return written


def _is_steady(instruction: Instruction, written: set[Variable | None]) -> bool:
    """Whether the result depends on nothing but the operands, as long as only `written` changes."""
    if is_movable(instruction):
        return True
    if instruction.op is not ops.LOAD:
        return False
    return instruction.address.variable not in written and None not in written


def _comes_from_outside(instruction: Instruction, loop: Loop, known: set[Value]) -> bool:
    return all(
        operand in known or not isinstance(operand, Instruction) or operand.block not in loop.blocks
        for operand in instruction.operands
    )
