"""Rules of the finished form: what front ends deliver, passes keep and back ends rely on.

`main` has one exit block, which stores every element of every output of the stage exactly once as a
whole vector.  A geometry shader stores its outputs before each `emit_vertex` instead.
"""

from __future__ import annotations

from itertools import product

from glslc_multi.compiler.ir.module import Block, Instruction, Module
from glslc_multi.compiler.ir.ops import RET, STORE
from glslc_multi.compiler.ir.text import symbol
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify.rules import Faults

#: Variable name, element, column.
_Element = tuple[str, int, int]


def check_finished(module: Module, faults: Faults) -> None:
    main = module.main
    exits = [block for block in main.blocks if block.last is not None and block.last.op is RET]
    faults.look_at(main)
    if len(exits) != 1:
        faults.add("one-exit", f"has {len(exits)} blocks that end with ret")
        return
    if module.stage != "geometry":
        _check_stores(module, exits[0], faults)


def _check_stores(module: Module, exit: Block, faults: Faults) -> None:
    stored: set[_Element] = set()
    for function in module.functions.values():
        for instruction in function.instructions():
            if instruction.op is STORE and instruction.address.variable.is_written_by(module.stage):
                faults.look_at(function, instruction.block, instruction)
                _check_store(instruction, exit, stored, faults)
    faults.look_at(module.main, exit)
    for variable in module.outputs():
        columns = product([variable.name], range(variable.length), range(variable.columns))
        missing = next((column for column in columns if column not in stored), None)
        if missing is not None:
            faults.add("output-once", f"{_name(variable, missing)} is not stored")


def _check_store(store: Instruction, exit: Block, stored: set[_Element], faults: Faults) -> None:
    address, variable = store.address, store.address.variable
    element = (variable.name, address.offset, address.column)
    if store.block is not exit:
        faults.add("output-once", f"{symbol(variable.name)} is stored outside of the exit block of main")
    elif address.is_dynamic:
        faults.add("output-once", f"{symbol(variable.name)} is stored at a dynamic index")
    elif element in stored:
        faults.add("output-once", f"{_name(variable, element)} is stored twice")
    stored.add(element)


def _name(variable: Variable, element: _Element) -> str:
    _, index, column = element
    text = symbol(variable.name) + (f"[{index}]" if variable.is_array else "")
    return f"{text}.{column}" if variable.is_matrix else text
