"""Facts about local variables that the passes over memory share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from glslc_multi.compiler.analysis.accesses import Accesses
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.variables import TextureAccess, Variable
from glslc_multi.compiler.records import replace

#: What a local variable holds that is only stored constants: element and column -> the constant.
Table = dict[tuple[int, int], Constant]

_ADDRESSING = frozenset({ops.LOAD, ops.STORE})


def accesses(function: Function) -> Iterator[Instruction]:
    """The loads and stores of `function`, in block order."""
    return (instruction for instruction in function.instructions() if instruction.op in _ADDRESSING)


def constant_place(access: Instruction) -> tuple[int | None, int | None]:
    """Element and column that a load or store names; None for one that is not known.

    Indices clamp (see `Memory.place` of the evaluator), so there is but one answer where the variable
    has one element.
    """
    address, variable = access.address, access.address.variable
    operands = iter(access.operands)
    index = _known(next(operands) if address.dynamic_index else None, address.offset, variable.length)
    column = _known(next(operands) if address.dynamic_column else None, address.column, variable.columns)
    return index, column


def fold_constant_indices(access: Instruction) -> bool:
    """Put constant index operands of a load, store or texture lookup into its address; True when there were any."""
    if not access.address.is_dynamic:
        return False
    address = access.address
    index, column = constant_place(access)
    knows_index = address.dynamic_index and index is not None
    knows_column = address.dynamic_column and column is not None
    if not (knows_index or knows_column):
        return False
    if knows_column:
        access.remove_operand(int(address.dynamic_index))
        address = replace(address, column=column or 0, dynamic_column=False)
    if knows_index:
        access.remove_operand(0)
        address = replace(address, offset=index or 0, dynamic_index=False)
    is_lookup = isinstance(access.attribute, TextureAccess)
    access.attribute = replace(access.attribute, address=address) if is_lookup else address
    access.mark_changed()
    return True


def stored_value(store: Instruction) -> Value:
    """The value that a store writes; its index operands stand in front."""
    return store.operands[-1]


def tables_of(module: Module) -> dict[Variable, Table]:
    """Return the tables of `main`."""
    return find_tables(Accesses(module).private(module.main))


def find_tables(accesses: Mapping[Variable, Sequence[Instruction]]) -> dict[Variable, Table]:
    """Return what is in each variable that only holds constants, of those with these loads and stores."""
    tables = {variable: _constants_of(each) for variable, each in accesses.items()}
    return {variable: table for variable, table in tables.items() if table}


def _constants_of(accesses: Iterable[Instruction]) -> Table:
    """Return what is stored, place by place; nothing where that is not known."""
    table: Table = {}
    for store in accesses:
        if store.op is ops.STORE:
            (element, column), value = constant_place(store), stored_value(store)
            if element is None or column is None or not isinstance(value, Constant):
                return {}
            if not table.setdefault((element, column), value).same_as(value):
                return {}
    return table


def remove_variable(variable: Variable, function: Function) -> None:
    """Forget a private variable that nothing accesses any more."""
    owner: Function | Module = function if variable.name in function.variables else function.module
    del owner.variables[variable.name]


def _known(dynamic: Value | None, offset: int, count: int) -> int | None:
    if dynamic is None:
        return offset
    if count == 1:
        return 0
    if isinstance(dynamic, Constant):
        # An undefined index may be any; the evaluator takes 0.
        return max(0, min(int(dynamic.components[0] or 0) + offset, count - 1))
    return None
