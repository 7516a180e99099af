"""Removing variables that nobody reads, together with the code that computed their values."""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Module
from glslc_multi.compiler.ir.variables import Variable


def remove_written(module: Module, variables: Iterable[Variable]) -> None:
    """Remove variables that are only stored to, their stores, and what becomes useless by that.

    A local variable that only those stores were loaded from goes as well.
    """
    stores, loads = _accesses(module)
    pending = list(variables)
    while pending:
        variable = pending.pop()
        for store in stores.pop(variable, ()):
            for read in _erase_with_operands(store):
                loads[read] -= 1
                if loads[read] == 0 and read.storage == "local":
                    pending.append(read)
        _forget(module, variable)


def remove_read(module: Module, variables: Iterable[Variable]) -> None:
    """Remove variables that nobody writes: what they hold is undefined."""
    doomed = set(variables)
    for function in module.functions.values():
        for instruction in function.instructions():
            if instruction.op is ops.LOAD and instruction.address.variable in doomed:
                instruction.replace_all_uses_with(Constant.undef(instruction.type))
                _erase_with_operands(instruction)
    for variable in doomed:
        _forget(module, variable)


def _accesses(module: Module) -> tuple[dict[Variable, list[Instruction]], dict[Variable, int]]:
    """The stores to each variable, and how many loads it has."""
    stores: dict[Variable, list[Instruction]] = {}
    loads: dict[Variable, int] = {}
    for function in module.functions.values():
        for instruction in function.instructions():
            if instruction.op is ops.STORE:
                stores.setdefault(instruction.address.variable, []).append(instruction)
            elif instruction.op is ops.LOAD:
                variable = instruction.address.variable
                loads[variable] = loads.get(variable, 0) + 1
    return stores, loads


def _erase_with_operands(instruction: Instruction) -> list[Variable]:
    """Erase an instruction and the operands only it used; yields the variables that were loaded for it."""
    read: list[Variable] = []
    pending = [instruction]
    while pending:
        doomed = pending.pop()
        operands = [operand for operand in dict.fromkeys(doomed.operands) if isinstance(operand, Instruction)]
        if doomed.op is ops.LOAD:
            read.append(doomed.address.variable)
        doomed.erase()
        pending.extend(
            operand for operand in operands if not operand.users and operand.op.effect in ("pure", "read", "cross-lane")
        )
    return read


def _forget(module: Module, variable: Variable) -> None:
    """Take a variable out of the module or of the function that owns it."""
    for variables in (module.variables, *(function.variables for function in module.functions.values())):
        if variables.get(variable.name) is variable:
            del variables[variable.name]
