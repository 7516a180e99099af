"""The preamble of a shader: what its host computes whenever uniforms change (`-fpreamble`).

In: a module after `uniform-hoist`.  Out: its preamble as a module of its own, which stays unchanged while a target
lowers the rest; and `walk_preamble`, which gives the function's meaning in any arithmetic: with numbers that evaluates
it, with pieces of C text it writes C.

A preamble is one block of loads of uniforms, arithmetic, and stores to the uniforms that it computes.  Beside it there
may be *table functions*: each is such a block, too, and computes an element of an array, whose number it finds in its
local variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from glslc_multi.compiler.ir.variables import PREAMBLE, Address
from glslc_multi.compiler.records import replace

if TYPE_CHECKING:
    from glslc_multi.compiler.arithmetic.protocol import Arithmetic, Number
    from glslc_multi.compiler.ir.module import Constant, Function, Module, Value
    from glslc_multi.compiler.ir.variables import Variable


#: What the name of the local variable of a table function begins with, an int from 0 to the array's length less one.
INDEX = "$index"
_TABLE = f"{PREAMBLE}."


class Places(Protocol):
    """Where a preamble finds its uniforms and leaves its results."""

    def load(self, variable: Variable, element: Number, column: Number) -> list[Number]:
        """The components of a column; numbers of the arithmetic where the index is `dynamic`, else plain ints."""
        ...

    def store(self, variable: Variable, value: list[Number]) -> None: ...

    def fill(self, table: Variable, entry: Callable[[Number], Number]) -> None:
        """Set every element of an array to what the function makes of its number."""
        ...


def take_preamble(module: Module) -> Module | None:
    """A copy of the preamble, with the uniforms that it reads and computes; None where the module has none."""
    original = module.functions.get(PREAMBLE)
    if original is None:
        return None
    from glslc_multi.compiler.ir.builder import Builder
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.passes.control_flow.clone import clone_blocks

    taken = Module(module.stage, PREAMBLE)
    function = taken.add_function(PREAMBLE)
    clone_blocks(original.blocks, function)
    variables: dict[Variable, Variable] = {}
    for instruction in function.instructions():
        address = instruction.attribute
        if isinstance(address, Address):
            if address.variable not in variables:
                variables[address.variable] = taken.add_variable(copy(address.variable))
            instruction.attribute = replace(address, variable=variables[address.variable])
    Builder(taken.add_function("main").add_block("entry")).ret()
    return taken


def table_function(table: Variable) -> str:
    """The name of the function that computes the elements of an array of a preamble."""
    return _TABLE + table.name


def table_functions(preamble: Module) -> Iterator[tuple[Variable, Function]]:
    """The arrays that a preamble computes, with the function of each."""
    for name, function in preamble.functions.items():
        if name.startswith(_TABLE):
            yield preamble.variables[name.removeprefix(_TABLE)], function


def walk_preamble(preamble: Module, arithmetic: Arithmetic, places: Places) -> None:
    """Go through the function once, computing with `arithmetic`, then through those of its tables."""
    _walk(preamble.functions[PREAMBLE], arithmetic, places, None)
    for table, function in table_functions(preamble):
        places.fill(table, partial(_entry, function, arithmetic, places))


def _entry(function: Function, arithmetic: Arithmetic, places: Places, index: Number) -> Number:
    return _walk(function, arithmetic, places, index)[0]


def _walk(function: Function, arithmetic: Arithmetic, places: Places, index: Number | None) -> list[Number]:
    """Go through a function; the value that it stores last."""
    from glslc_multi.compiler.ir import ops
    from glslc_multi.compiler.ir.module import Constant

    values: dict[Value, list[Number]] = {}
    stored: list[Number] = []

    def components(value: Value) -> list[Number]:
        return _constant(value, arithmetic) if isinstance(value, Constant) else values[value]

    for instruction in function.entry:
        operands = [components(operand) for operand in instruction.operands]
        if instruction.op is ops.LOAD and instruction.address.variable.storage == "local":
            values[instruction] = [index]
        elif instruction.op is ops.LOAD:
            place = _place(instruction.address, operands, arithmetic)
            values[instruction] = places.load(instruction.address.variable, *place)
        elif instruction.op is ops.STORE:
            stored = operands[-1]
            if index is None:
                places.store(instruction.address.variable, stored)
        elif instruction.op is not ops.RET:
            values[instruction] = ops.evaluate(instruction.op, arithmetic, instruction.attribute, operands)
    return stored


def _constant(constant: Constant, arithmetic: Arithmetic) -> list[Number]:
    """Undefined components read as 0, as everywhere."""
    kind = constant.type.kind
    make: Any = {"float": arithmetic.fconst, "int": arithmetic.iconst, "bool": arithmetic.bconst}[kind]
    python: Any = {"float": float, "int": int, "bool": bool}[kind]
    return [make(python() if component is None else python(component)) for component in constant.components]


def _place(address: Address, operands: list[list[Number]], arithmetic: Arithmetic) -> tuple[Number, Number]:
    """Element and column, clamped to the variable (the rule of `load`)."""
    dynamic = [operand[0] for operand in operands]
    element: Number = address.offset
    column: Number = address.column
    if address.dynamic_index:
        shifted = arithmetic.iadd(dynamic.pop(0), arithmetic.iconst(address.offset))
        element = _clamped(shifted, address.variable.length, arithmetic)
    if address.dynamic_column:
        column = _clamped(dynamic.pop(0), address.variable.columns, arithmetic)
    return element, column


def _clamped(index: Number, count: int, a: Arithmetic) -> Number:
    zero, last = a.iconst(0), a.iconst(count - 1)
    low = a.select(a.ilt(index, zero), zero, index)
    return a.select(a.ilt(last, low), last, low)
