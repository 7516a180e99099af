"""Changing the kind of values in place: what the conversions of ints and bools to floats have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module
from glslc_multi.compiler.ir.types import Kind
from glslc_multi.compiler.ir.variables import Variable


def index_positions(instruction: Instruction) -> range:
    """Which operands are indices: of an address (they come first), or of a component (it comes last)."""
    if instruction.op in (ops.LOAD, ops.STORE, ops.TEXTURE, ops.TEXTURE_SIZE):
        return range(instruction.address.index_count)
    if instruction.op in (ops.EXTRACT_DYNAMIC, ops.INSERT_DYNAMIC):
        last = len(instruction.operands) - 1
        return range(last, last + 1)
    return range(0)


def make_variables_float(module: Module, kind: Literal["bool", "int"]) -> bool:
    """Variables of `kind` become floats, and remember what the host gives; whether there were any."""
    variables = [variable for variable in _variables(module) if variable.type.kind == kind]
    for variable in variables:
        variable.type = variable.type.with_kind("float")
        if variable.storage != "local":
            variable.source_kind = variable.source_kind or kind
    return bool(variables)


def _variables(module: Module) -> Iterator[Variable]:
    yield from module.variables.values()
    for function in module.functions.values():
        yield from function.variables.values()


def make_constants_float(function: Function, kind: Kind, convert: Callable[[Constant], Constant]) -> bool:
    """Constant operands of `kind`, but for indices, become floats; whether there were any."""
    progress = False
    for instruction in function.instructions():
        for position, operand in enumerate(instruction.operands):
            is_of_kind = isinstance(operand, Constant) and operand.type.kind == kind
            if is_of_kind and position not in index_positions(instruction):
                assert isinstance(operand, Constant)
                instruction.set_operand(position, convert(operand))
                progress = True
    return progress


def as_float(constant: Constant) -> Constant:
    """The constant with the same numbers as floats; true is 1."""
    components = tuple(None if component is None else float(component) for component in constant.components)
    return Constant(constant.type.with_kind("float"), components)
