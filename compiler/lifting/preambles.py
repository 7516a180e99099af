"""The preamble of a program, which its register map has, as the beginning of what is lifted.

What the host computes of uniforms becomes local variables of `main`, so that the shader has the uniforms of its source.
Elements of tables that are read at a real number are what the function of the table is there.
"""

from __future__ import annotations

from copy import copy

from glslc_multi.compiler.ir.block_edits import replace_terminator
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import CONSTRUCT, FTOI, ITOF, LOAD, RET, STORE
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import PREAMBLE, Address, Variable
from glslc_multi.compiler.lifting.joining import join
from glslc_multi.compiler.lifting.operations import Unliftable
from glslc_multi.compiler.passes.control_flow.clone import clone_blocks
from glslc_multi.compiler.preamble import table_functions
from glslc_multi.compiler.records import replace


def begin_with_preamble(module: Module, preamble: Module) -> None:
    """Let `main` compute what its host does."""
    main, function = module.main, preamble.functions[PREAMBLE]
    tables = {table.name: entry for table, entry in table_functions(preamble)}
    for instruction in list(main.instructions()):
        if instruction.op is LOAD and instruction.address.variable.name in tables:
            entry = tables[instruction.address.variable.name]
            (index,) = instruction.operands
            assert isinstance(index, Instruction)
            assert index.op is FTOI
            instruction.replace_all_uses_with(_entry_at(index.operands[0], entry, module, instruction))
            instruction.erase()
    for name in tables:
        module.variables.pop(name, None)
    start = main.entry
    first = clone_blocks(function.blocks, main, prefix=f"{PREAMBLE}.").block(function.entry)
    main.blocks = [first, *(block for block in main.blocks if block is not first)]
    replace_terminator(first, start)
    for instruction in first:
        _use_own_variable(instruction, module)
        if instruction.op is STORE and (own := instruction.address.variable).storage != "local":
            own.storage = "local"
            main.add_variable(module.variables.pop(own.name))
    _join_vectors(first)


def _entry_at(number: Value, function: Function, module: Module, before: Instruction) -> Value:
    """What a table has at a number, which need not be whole."""
    values: dict[Value, Value] = {}
    whole, result = None, number
    builder = Builder.before(before)
    for original in function.entry:
        if original.op is LOAD and original.address.variable.storage == "local":
            whole = original
        elif original.op is STORE:
            result = values.get(original.operands[-1], original.operands[-1])
        elif original.op is ITOF and original.operands[0] is whole:
            values[original] = number
        elif original.op is not RET:
            if whole in original.operands:
                raise Unliftable("a table is computed by whole numbers")
            operands = [values.get(operand, operand) for operand in original.operands]
            clone = Instruction(original.op, original.type, operands, original.attribute, flags=original.flags)
            values[original] = builder.block.insert_before(before, clone)
            _use_own_variable(clone, module)
    assert result.type is FLOAT
    return result


def _use_own_variable(instruction: Instruction, module: Module) -> None:
    """Let an instruction of the preamble be one of the module."""
    address = instruction.attribute
    if isinstance(address, Address):
        instruction.attribute = replace(address, variable=_own(module, address.variable))


def _own(module: Module, variable: Variable) -> Variable:
    """Return the module's variable of the name of one of the preamble's."""
    own = module.main.variables.get(variable.name) or module.find_variable(variable.name)
    if own is None:
        return module.add_variable(copy(variable))
    if (own.type, own.dims, own.columns) != (variable.type, variable.dims, variable.columns):
        raise Unliftable(f"{variable.name} has two types")
    return own


def _join_vectors(block: Block) -> None:
    """Compute components together that are computed alike."""
    for instruction in block:
        if instruction.op is CONSTRUCT and all(operand.type.width == 1 for operand in instruction.operands):
            instruction.replace_all_uses_with(join(instruction.operands, Builder.before(instruction), 0))
