"""Loop-invariant code motion: what is the same in every iteration is computed once before the loop.

In: any function.  Out: pure operations whose operands come from outside of a loop, and loads of what the
loop does not write, stand in its preheader, which is made where there is none.  Outer loops come first, so
that an instruction leaves all that it can at once.

Nothing traps, so an instruction may be hoisted that the loop would not have reached.  It is where every
iteration comes by (it dominates the latch; inner loops are taken to have an iteration) or where it costs no
more than a simple instruction.

Swizzles and inputs at known places usually become operands of their users; they are hoisted only for
users that are hoisted, since before the loop they would take a register for nothing.

Not handled: what looks at neighbouring lanes, which must stay with the control flow around it; stores.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.dominators import DominatorTree, dominators
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.control_flow.loop_blocks import insert_preheader
from glslc_multi.compiler.passes.motion.legality import is_movable, is_operand_of_users


class LoopInvariantCodeMotion(Pass):
    """See the module's text."""

    name = "licm"
    description = "moves what is the same in every iteration before the loop"

    def run(self, function: Function, context: PassContext) -> bool:
        analyses = context.analyses(function)
        progress = False
        for loop in analyses.get(loop_nest).all_loops():
            # What to hoist, operands first.
            invariant = _invariant(loop, analyses, context.costs)
            wanted: set[Value] = set()
            for instruction in reversed(invariant):
                if not is_operand_of_users(instruction) or any(user in wanted for user in instruction.users):
                    wanted.add(instruction)
            progress |= _hoist([instruction for instruction in invariant if instruction in wanted], loop)
        return progress


def _hoist(instructions: Sequence[Instruction], loop: Loop) -> bool:
    """Move them to the loop's preheader.

    One that must be made belongs to the loops around, which have been looked at; so nothing that is
    still to come asks the analyses about it.
    """
    if not instructions:
        return False
    preheader = loop.preheader or insert_preheader(loop)
    for instruction in instructions:
        instruction.unlink()
        preheader.insert_before(preheader.terminator, instruction)
    return True


def _invariant(loop: Loop, analyses: AnalysisManager, costs: CostModel) -> list[Instruction]:
    """What can be hoisted, operands first."""
    flow: ControlFlow = analyses.get(control_flow)
    blocks = sorted(loop.blocks, key=flow.index.__getitem__)
    written = _written(blocks)
    invariant: list[Instruction] = []
    values: set[Value] = set()
    for block in blocks:
        is_always_run = _is_always_run(block, loop, analyses)
        for instruction in block:
            if not _is_steady(instruction, written):
                continue
            is_cheap = costs.cost(instruction.op, instruction.type.width) <= costs.cost(ops.FADD, 4)
            if (is_always_run or is_cheap) and all(
                operand in values or not isinstance(operand, Instruction) or operand.block not in loop.blocks
                for operand in instruction.operands
            ):
                values.add(instruction)
                invariant.append(instruction)
    return invariant


def _is_always_run(block: Block, loop: Loop, analyses: AnalysisManager) -> bool:
    """Whether every iteration of `loop` comes by, if all loops in it have at least one."""
    tree: DominatorTree = analyses.get(dominators)
    inner = analyses.get(loop_nest).loop_of(block)
    while inner is not None and inner is not loop:
        if not all(tree.dominates(block, latch) for latch in inner.latches):
            return False
        block, inner = inner.header, inner.parent
    return all(tree.dominates(block, latch) for latch in loop.latches)


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
