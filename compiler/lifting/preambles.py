"""The preamble of a program, which its register map has, as the beginning of what is lifted.

What the host computes of uniforms becomes local variables of `main`, so that the shader has the uniforms of its source.
"""

from __future__ import annotations

from copy import copy

from glslc_multi.compiler.ir.block_edits import replace_terminator
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import CONSTRUCT, STORE
from glslc_multi.compiler.ir.variables import PREAMBLE, Address, Variable
from glslc_multi.compiler.lifting.joining import join
from glslc_multi.compiler.lifting.operations import Unliftable
from glslc_multi.compiler.passes.control_flow.clone import clone_blocks
from glslc_multi.compiler.records import replace


def begin_with_preamble(module: Module, preamble: Module) -> None:
    """Let `main` compute what its host does."""
    main, function = module.main, preamble.functions[PREAMBLE]
    start = main.entry
    first = clone_blocks(function.blocks, main, prefix=f"{PREAMBLE}.").block(function.entry)
    main.blocks = [first, *(block for block in main.blocks if block is not first)]
    replace_terminator(first, start)
    for instruction in first:
        address = instruction.attribute
        if isinstance(address, Address):
            own = _own(module, address.variable)
            if instruction.op is STORE and own.storage != "local":
                own.storage = "local"
                main.add_variable(module.variables.pop(own.name))
            instruction.attribute = replace(address, variable=own)
        if instruction.op is CONSTRUCT and all(operand.type.width == 1 for operand in instruction.operands):
            instruction.replace_all_uses_with(join(instruction.operands, Builder.before(instruction), 0))


def _own(module: Module, variable: Variable) -> Variable:
    """Return the module's variable of the name of one of the preamble's."""
    own = module.main.variables.get(variable.name) or module.find_variable(variable.name)
    if own is None:
        return module.add_variable(copy(variable))
    if (own.type, own.dims, own.columns) != (variable.type, variable.dims, variable.columns):
        raise Unliftable(f"{variable.name} has two types")
    return own
