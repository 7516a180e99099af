"""Scalar replacement of aggregates: local arrays and matrices become variables of their own.

In: local variables of several elements or columns.  Out: where all indices are known, one variable for
each element that is used; likewise one for each column.  An array of matrices that has unknown indices
but known columns becomes one array for each column, and the reverse.  `mem2reg` does the rest.

A *table*, which only holds constants, keeps its unknown indices alone: what is read at a known place is the constant,
and the table is filled where the function begins, once, so that in a loop or in an arm it costs nothing there.  What is
read before it is written is undefined, and may as well be what is written later.

Indices clamp, so an index that is a constant operand is known, and so is any index into a single element.

Not handled: variables with an unknown index keep that dimension whole.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction
from glslc_multi.compiler.ir.variables import Address, Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import Table, constant_place, find_tables, remove_variable


class ScalarReplacement(Pass):
    """See the module's text."""

    name = "sroa"
    description = "splits local arrays and matrices whose indices are known"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        indexed = {
            variable: accesses
            for variable, accesses in context.accesses(function.module).private(function).items()
            if (variable.dims or variable.columns > 1) and any(None in constant_place(access) for access in accesses)
        }
        for variable, table in find_tables(indexed).items() if indexed else ():
            progress |= _fold(indexed[variable], table, function)
        for variable, accesses in context.accesses(function.module).private(function).items():
            places = [constant_place(access) for access in accesses]
            split = _Split(
                variable,
                function,
                by_element=variable.is_array and all(index is not None for index, _ in places),
                by_column=variable.is_matrix and all(column is not None for _, column in places),
            )
            if split.by_element or split.by_column:
                split.run(accesses)
                progress = True
        return progress


def _fold(accesses: Iterable[Instruction], table: Table, function: Function) -> bool:
    """Replace loads of known places of a table, and bring its stores to the start of the function."""
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
    for (element, column), value in table.items():
        start.store(stores[0].address.variable, value, element, column)
    for store in stores:
        store.erase()
    return True


class _Split:
    """One variable on its way to several."""

    def __init__(self, variable: Variable, function: Function, *, by_element: bool, by_column: bool) -> None:
        self.variable = variable
        self.function = function
        self.by_element = by_element
        self.by_column = by_column
        #: Element and column, where they are split -> the new variable.
        self.parts: dict[tuple[int | None, int | None], Variable] = {}

    def run(self, accesses: list[Instruction]) -> None:
        for access in accesses:
            self._redirect(access)
        remove_variable(self.variable, self.function)

    def _redirect(self, access: Instruction) -> None:
        """Let `access` name the new variable; what is known is no operand any more."""
        index, column = constant_place(access)
        part = self._part(index if self.by_element else None, column if self.by_column else None)
        address = access.address
        dynamic_index = address.dynamic_index and not self.by_element
        dynamic_column = address.dynamic_column and not self.by_column
        kept = [dynamic_index] * address.dynamic_index + [dynamic_column] * address.dynamic_column
        new_address = Address(
            part,
            offset=0 if self.by_element else address.offset,
            column=0 if self.by_column else address.column,
            dynamic_index=dynamic_index,
            dynamic_column=dynamic_column,
        )
        for place in reversed(range(len(kept))):
            if not kept[place]:
                access.remove_operand(place)
        access.attribute = new_address
        access.mark_changed()

    def _part(self, index: int | None, column: int | None) -> Variable:
        if (index, column) not in self.parts:
            self.parts[index, column] = self.function.add_variable(self._new_variable(index, column))
        return self.parts[index, column]

    def _new_variable(self, index: int | None, column: int | None) -> Variable:
        old = self.variable
        name = old.name + "".join(f"${part}" for part in (index, column) if part is not None)
        unique, number = name, 0
        while self.function.module.find_variable(unique) is not None:
            number += 1
            unique = f"{name}.{number}"
        return Variable(
            unique,
            "local",
            old.type,
            columns=1 if self.by_column else old.columns,
            dims=() if self.by_element else old.dims,
            precision=old.precision,
            span=old.span,
        )
