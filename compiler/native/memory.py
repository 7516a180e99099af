"""Where variables live while a shader runs, and the code of loads and stores.

Everything is an array of 32-bit words.  A variable is a list of *rows*, one for each component of each column of each
element:

* *inputs* and *outputs*: a row holds one word a lane, for all lanes of the run; a table holds the rows' addresses;
* *uniforms*: a row is one word; all uniforms follow each other;
* *scratch* (locals that passes did not turn into values): a row is one vector, used again for every group of lanes.

Bools are words 0 and 1.  A dynamic index is clamped, and read lane by lane where lanes may differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import Kind
from glslc_multi.compiler.ir.variables import PREAMBLE, Address, Variable
from glslc_multi.compiler.native.arithmetic import HostArithmetic
from glslc_multi.compiler.native.emitter import Emitter, Value
from glslc_multi.compiler.records import dataclass

Place = Literal["input", "output", "uniform", "scratch"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable's place: the kind of memory, and the number of its first row there."""

    place: Place
    first: int
    #: How many rows it has.
    rows: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of all variables of a module."""

    slots: dict[Variable, Slot]
    #: Rows of each kind of memory.
    sizes: dict[Place, int]


def row_count(variable: Variable) -> int:
    return variable.length * variable.columns * variable.type.width


def lay_out(module: Module) -> Layout:
    """Give every variable but samplers its rows, in declared order."""
    sizes: dict[Place, int] = {"input": 0, "output": 0, "uniform": 0, "scratch": 0}
    slots = {}
    private = [variable for function in module.functions.values() for variable in function.variables.values()]
    for variable in (*module.variables.values(), *private):
        if variable.storage == "sampler":
            continue
        storage = _place_of(module, variable)
        slots[variable] = Slot(storage, sizes[storage], row_count(variable))
        sizes[storage] += row_count(variable)
    return Layout(slots, sizes)


def _place_of(module: Module, variable: Variable) -> Place:
    if variable.is_written_by(module.stage):
        return "output"
    if variable.storage == "local" or variable.role == PREAMBLE:
        return "scratch"
    return "uniform" if variable.storage == "uniform" else "input"


class MemoryCode:
    """Emits loads and stores."""

    def __init__(self, arithmetic: HostArithmetic, layout: Layout) -> None:
        self.arithmetic = arithmetic
        self.emitter: Emitter = arithmetic.emitter
        self.layout = layout

    def load(self, address: Address, indices: Sequence[Value]) -> list[Value]:
        """The components at an address; `indices` are its dynamic parts."""
        slot, kind = self.layout.slots[address.variable], address.variable.type.kind
        width = address.variable.type.width
        if not address.is_dynamic:
            first = slot.first + self._static_cell(address) * width
            return [self._decoded(self._load_row(slot, first + c), kind) for c in range(width)]
        row = self._first_row(slot, address, indices)
        return [
            self._decoded(self.emitter.gather(self.emitter.i32, self._row_places(slot, self._offset(row, c))), kind)
            for c in range(width)
        ]

    def store(self, address: Address, indices: Sequence[Value], value: Sequence[Value], mask: Value | None) -> None:
        """Write components in the lanes of `mask` (None: in all)."""
        slot, width = self.layout.slots[address.variable], address.variable.type.width
        row = self._first_row(slot, address, indices) if address.is_dynamic else None
        for c, component in enumerate(value):
            if component.type == self.emitter.float:
                word = self.emitter.convert("bitcast", component, self.emitter.i32)
            elif component.type == self.emitter.mask:
                word = self.emitter.convert("zext", component, self.emitter.i32)
            else:
                word = component
            if row is None:
                self._store_row(slot, slot.first + self._static_cell(address) * width + c, word, mask)
            else:
                self.emitter.scatter(word, self._row_places(slot, self._offset(row, c)), mask)

    def clear(self) -> None:
        """Zeros in all scratch memory."""
        zero = self.emitter.ints(0)
        for slot in self.layout.slots.values():
            for row in range(slot.rows if slot.place == "scratch" else 0):
                self.emitter.store(zero, self._row_pointer(slot, slot.first + row))

    # rows that are known ---------------------------------------------------------------------
    @staticmethod
    def _static_cell(address: Address) -> int:
        variable = address.variable
        index = max(0, min(address.offset, variable.length - 1))
        return index * variable.columns + max(0, min(address.column, variable.columns - 1))

    def _row_pointer(self, slot: Slot, row: int) -> Value:
        emitter = self.emitter
        if slot.place == "scratch":
            return emitter.element(Value("%scratch", "ptr"), row * emitter.width, "i32")
        if slot.place == "uniform":
            return emitter.element(Value("%uniforms", "ptr"), row, "i32")
        table = emitter.element(Value(f"%{slot.place}s", "ptr"), row, "ptr")
        # The tables never change, so that their addresses can be kept in registers.
        base = emitter.value("ptr", f"load ptr, {table}, align 8, !invariant.load !0")
        return emitter.element(base, Value("%lane", "i64"), "i32")

    def _load_row(self, slot: Slot, row: int) -> Value:
        pointer = self._row_pointer(slot, row)
        if slot.place == "uniform":
            return self.emitter.broadcast(self.emitter.load("i32", pointer))
        return self.emitter.load(self.emitter.i32, pointer)

    def _store_row(self, slot: Slot, row: int, word: Value, mask: Value | None) -> None:
        pointer = self._row_pointer(slot, row)
        if mask is not None:
            word = self.emitter.select(mask, word, self.emitter.load(self.emitter.i32, pointer))
        self.emitter.store(word, pointer)

    # rows that differ by lane ----------------------------------------------------------------
    def _first_row(self, slot: Slot, address: Address, indices: Sequence[Value]) -> Value:
        """Row of the first component in each lane, as i64, so that adding the offset cannot wrap round."""
        emitter, variable = self.emitter, address.variable
        dynamic = iter(indices)
        index = self._index(next(dynamic) if address.dynamic_index else None, address.offset, variable.length)
        column = self._index(
            next(dynamic) if address.dynamic_column else None,
            0 if address.dynamic_column else address.column,
            variable.columns,
        )
        cell = emitter.binary("add", emitter.binary("mul", index, emitter.ints(variable.columns, "i64")), column)
        start = emitter.binary("mul", cell, emitter.ints(variable.type.width, "i64"))
        return emitter.binary("add", start, emitter.ints(slot.first, "i64"))

    def _index(self, value: Value | None, offset: int, count: int) -> Value:
        emitter = self.emitter
        if value is None:
            return emitter.ints(max(0, min(offset, count - 1)), "i64")
        wide = emitter.binary("add", emitter.convert("sext", value, emitter.i64), emitter.ints(offset, "i64"))
        low = emitter.intrinsic("smax", emitter.i64, wide, emitter.ints(0, "i64"))
        return emitter.intrinsic("smin", emitter.i64, low, emitter.ints(count - 1, "i64"))

    def _offset(self, row: Value, component: int) -> Value:
        return self.emitter.binary("add", row, self.emitter.ints(component, "i64")) if component else row

    def _row_places(self, slot: Slot, rows: Value) -> Value:
        """The address of each lane's word in its own row."""
        emitter = self.emitter
        if slot.place == "uniform":
            return emitter.element(Value("%uniforms", "ptr"), rows, "i32")
        if slot.place == "scratch":
            words = emitter.binary("mul", rows, emitter.ints(emitter.width, "i64"))
            words = emitter.binary("add", words, emitter.lane_numbers("i64"))
            return emitter.element(Value("%scratch", "ptr"), words, "i32")
        bases = emitter.gather(emitter.pointers, emitter.element(Value(f"%{slot.place}s", "ptr"), rows, "ptr"), 8)
        lanes = emitter.binary("add", emitter.broadcast(Value("%lane", "i64")), emitter.lane_numbers("i64"))
        return emitter.element(bases, lanes, "i32")

    # words -----------------------------------------------------------------------------------
    def _decoded(self, word: Value, kind: Kind) -> Value:
        if kind == "float":
            return self.emitter.convert("bitcast", word, self.emitter.float)
        if kind == "bool":
            return self.emitter.compare("icmp ne", word, self.emitter.ints(0))
        return word
