"""Outputs: what a stage writes stands in local variables until the only end of `main`, which copies it.

A local variable can be read, indexed and written in parts; an output of the IR is stored once, as whole columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Address, Variable
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.shading.flow import Flow

#: Where an element and column of an output stands until the end, and the output.
Copy = tuple[Address, Address]
#: Element and column of a variable.
_Cell = tuple[Variable, int, int]


@dataclass(frozen=True, slots=True)
class Output:
    """An output variable and the local one that stands for it until the end of `main`."""

    shadow: Variable
    variable: Variable


def store_outputs(module: Module, flow: Flow, written: Sequence[Copy]) -> None:
    """Copy what was written to the outputs, each element and column once, at the only end of `main`."""
    if module.stage == "geometry":
        _store_vertices(module, written)
        return
    end, last = flow.emitter.span, _last_assignments(module)
    for shadow, output in written:
        # What is copied comes from the assignment, not from the end of the function.
        flow.emitter.span = last.get((shadow.variable, shadow.offset, shadow.column), end)
        value = flow.emitter.load(shadow, ())
        flow.emitter.store(output, (), value)
    # What only ends the program comes from no line.
    flow.emitter.span = None


def _last_assignments(module: Module) -> dict[_Cell, Span | None]:
    """Where the text last assigns to each element and column of a variable, as far as indices are constant."""
    functions = [*(function for function in module.functions.values() if function is not module.main), module.main]
    stores = (i for function in functions for i in function.instructions() if i.op is ops.STORE)
    return {(store.address.variable, store.address.offset, store.address.column): store.span for store in stores}


def _store_vertices(module: Module, written: Sequence[Copy]) -> None:
    """A geometry shader copies its outputs before each `emit_vertex` instead."""
    for function in module.functions.values():
        for instruction in [i for i in function.instructions() if i.op is ops.EMIT_VERTEX]:
            builder = Builder.before(instruction)
            for shadow, output in written:
                builder.op(ops.STORE, builder.op(ops.LOAD, attribute=shadow), attribute=output)


def written_cells(outputs: Iterable[Output], used: set[Variable]) -> Iterator[Copy]:
    """Every element and column of the outputs that code writes."""
    for output in outputs:
        for element in range(output.variable.length) if output.shadow in used else ():
            for column in range(output.variable.columns):
                yield Address(output.shadow, element, column), Address(output.variable, element, column)
