"""All discards become one, at the end.

In: any fragment shader.  Out: one `kill` in each block that returns from `main` (the finished form has one), in
front of the stores of outputs: for machines whose discard must come last, such as one that leaves out the write
of the pixel.  What the shader has discarded so far is kept in a local `$discarded`, which `mem2reg` turns into
values.  A killed lane goes on anyway, as a helper of its neighbours, so nothing changes for it until the end.

Not handled: a shader whose only kill stands in the exit block already is left alone.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant
from glslc_multi.compiler.ir.module import Block, Instruction, Module
from glslc_multi.compiler.ir.types import BOOL
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import ModulePass, PassContext


class LowerKill(ModulePass):
    """See the module's text."""

    name = "lower-kill"
    description = "makes one discard of all, at the end of the shader"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        kills = [i for f in module.functions.values() for i in f.instructions() if i.op is ops.KILL]
        exits = [block for block in module.main.blocks if block.last is not None and block.last.op is ops.RET]
        if not kills or [kill.block for kill in kills] == exits:
            return False
        name, number = "$discarded", 0
        while module.find_variable(name) is not None:
            number += 1
            name = f"$discarded.{number}"
        discarded = module.add_variable(Variable(name, "local", BOOL))
        ends = {block: _end(block) for block in exits}
        Builder(module.main.entry, module.main.entry.first).store(discarded, bool_constant(False))
        for kill in kills:
            _remember(kill, discarded)
        for end in ends.values():
            builder = Builder.before(end)
            builder.span, builder.flags = kills[0].span, 0
            builder.kill(builder.load(discarded))
        for function in module.functions.values():
            context.forget(function, self)
        return True


def _end(block: Block) -> Instruction:
    """The first of the stores of outputs that end the block, or its terminator."""
    assert block.last is not None
    end = block.last
    while end.prev is not None and end.prev.op is ops.STORE and end.prev.address.variable.storage == "output":
        end = end.prev
    return end


def _remember(kill: Instruction, discarded: Variable) -> None:
    """Note what the kill asks for instead of doing it."""
    builder = Builder.before(kill)
    builder.store(discarded, builder.op(ops.OR, builder.load(discarded), kill.operands[0]))
    kill.erase()
