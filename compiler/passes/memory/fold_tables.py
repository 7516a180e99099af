"""Tables: local arrays and matrices of known numbers.

In: local variables that are only stored constants, at known places, and no two different ones at a place.  Out: what is
read at a known place is the constant, and the table is filled where the function begins, once.  So a table in a loop
or in an arm costs nothing there, and a machine that reads constants at variable indices (`find_tables`) has no code for
the stores.

What is read before it is written is undefined, and may as well be what is written later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from glslc_multi.compiler.analysis.accesses import Accesses
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import constant_place, stored_value

#: Element and column -> what is there.
Table = dict[tuple[int, int], Constant]


class FoldTables(Pass):
    """See the module's text."""

    name = "fold-tables"
    description = "reads known places of tables of constants, and fills them once"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        private = context.accesses(function.module).private(function)
        for variable, table in find_tables(private).items():
            progress |= _fold(private[variable], table, function)
        return progress


def tables_of(module: Module) -> dict[Variable, Table]:
    """Return the tables of `main`."""
    return find_tables(Accesses(module).private(module.main))


def find_tables(accesses: Mapping[Variable, Sequence[Instruction]]) -> dict[Variable, Table]:
    """Return what is in each variable that only holds constants, of those with these loads and stores."""
    tables = {variable: _constants_of(found) for variable, found in accesses.items()}
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


def _fold(accesses: Iterable[Instruction], table: Table, function: Function) -> bool:
    """Replace loads of known places, and bring the stores to the start of the function."""
    progress = False
    stores = []
    for access in accesses:
        element, column = constant_place(access)
        if access.op is ops.STORE:
            stores.append(access)
        elif element is not None and column is not None:
            access.replace_all_uses_with(table.get((element, column), Constant.undef(access.type)))
            access.erase()
            progress = True
    is_filled_once = len(stores) == len(table) and all(store.block is function.entry for store in stores)
    if is_filled_once:
        return progress
    start = Builder.before(next(iter(function.entry)))
    start.flags = 0
    for place, value in table.items():
        start.store(stores[0].address.variable, value, *place)
    for store in stores:
        store.erase()
    return True
