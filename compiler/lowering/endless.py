"""An exit for loops that nothing leaves, for code generators whose loops have one.

In: any function.  Out: from every block there is a path to the return.  The exit is never taken: a loop that nothing
leaves becomes "loop { break if false ... }", as the front end writes `while (true)`.  What the exit block needs and the
loop does not have is undefined there.

`simplify-cfg` and `sccp` take such exits away again where another path returns, so that this is a late step.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.cfg import control_flow
from glslc_multi.compiler.analysis.dominators import DominatorTree, dominators, final_blocks
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import split_block
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction
from glslc_multi.compiler.ir.types import BOOL
from glslc_multi.compiler.passes.base import Pass, PassContext


class LowerEndless(Pass):
    """See the module's text."""

    name = "lower-endless"
    description = "gives loops that nothing leaves an exit that is never taken"

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        analyses = context.analyses(function)
        flow, tree = analyses.get(control_flow), analyses.get(dominators)
        endless = final_blocks(flow)[len(flow.exits) :]
        if not flow.exits:
            Builder(end := function.add_block("end")).ret()
        else:
            end = flow.exits[0]
        for header in endless:
            _add_exit(header, end, tree)
        if endless:
            analyses.invalidate()
        return bool(endless)


def _add_exit(header: Block, end: Block, tree: DominatorTree) -> None:
    """Let the loop with this header branch to the end of the function."""
    # Make the values that the end reads ones that are there on the path from the header, too.
    before = list(dict.fromkeys(end.function.predecessors()[end]))
    for phi in end.phis():
        phi.add_incoming(Constant.undef(phi.type), header)
    taken: dict[Instruction, Instruction] = {}
    for user in [user for user in end if user.op is not ops.PHI]:
        for number, value in enumerate(user.operands):
            if not isinstance(value, Instruction) or value.block is end or tree.dominates(value.block, header):
                continue
            if value not in taken:
                incoming = [*((value, block) for block in before), (Constant.undef(value.type), header)]
                taken[value] = Builder(end).phi(value.type, incoming)
            user.set_operand(number, taken[value])
    first = header.first_non_phi
    assert first is not None
    rest = split_block(first, header.name)
    builder = Builder(header)
    builder.span = first.span
    builder.condbr(Constant(BOOL, (True,)), rest, end)
