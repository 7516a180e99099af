"""L-values: where a variable of the source, or a part of it, lives in IR memory.

A variable of any type is a `Slot`: one IR variable for each leaf of its type (`types.leaves`).  A `LValue` is
what an l-value denotes once its indices are evaluated: loading and storing it again and again evaluates
nothing twice.  L-values are never changed.  There are three kinds, each made from another by one selector:

* `MemoryLValue`: a variable, or a field, element or matrix column of one; the IR can address it;
* `SwizzleLValue`: some components of a vector; storing replaces these components of the whole vector;
* `ComponentLValue`: one component of a vector by a dynamic index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Protocol, cast

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import int_constant
from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.ir.variables import Address, Variable
from glslc_multi.compiler.records import dataclass, field, replace
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.operand import Operand, element_type
from glslc_multi.compiler.shading.types import (
    ArrayType,
    Base,
    NumericType,
    Precision,
    ShaderType,
    StructField,
    StructType,
    leaves,
    numeric,
)


@dataclass(frozen=True, slots=True)
class LeafMemory:
    """The memory of one leaf: an IR variable, or the part of one that a sampler argument names.

    Such a part begins at `offset` plus the value of `base`.
    """

    variable: Variable
    offset: int = 0
    base: Variable | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """The memory of a whole variable: its leaves in order."""

    leaves: tuple[LeafMemory, ...]


class LValue(Protocol):
    """Something that can be loaded and, unless it is read-only, stored."""

    @property
    def type(self) -> ShaderType: ...
    @property
    def precision(self) -> Precision | None: ...
    def load(self, emitter: Emitter) -> Operand: ...
    def store(self, emitter: Emitter, value: Operand) -> None: ...


@dataclass(slots=True, eq=False)
class MemoryLValue:
    """A variable or a part of it, down to one matrix column."""

    slot: Slot
    type: ShaderType
    precision: Precision | None
    #: Number of the first leaf of `type` among the slot's leaves.
    first: int = 0
    #: Where the indices so far lead: to element `offset + dynamic` of the flattened outer arrays.
    #: An index is a `Value` only where it is no constant.
    offset: int = 0
    dynamic: Value | None = None
    #: The column of a matrix leaf; None for all of them (and for vectors).
    column: Value | int | None = None
    #: The columns' addresses once someone asked, where finding them emits no code.
    addresses: list[tuple[Address, list[Value]]] | None = field(default=None, init=False)

    def field(self, name: str) -> MemoryLValue:
        """A field of a struct."""
        struct = cast(StructType, self.type)
        member = struct.field(name)
        assert member is not None
        return self._member(struct, member)

    def _member(self, struct: StructType, member: StructField) -> MemoryLValue:
        first = self.first + struct.first_shapes[member.name]
        return replace(self, type=member.type, precision=member.precision, first=first)

    def element(self, emitter: Emitter, index: Value | int) -> MemoryLValue:
        """An element of an array or a column of a matrix."""
        type_ = element_type(self.type)
        if not isinstance(self.type, ArrayType):
            return replace(self, type=type_, column=index)
        length = self.type.length
        dynamic = None if self.dynamic is None else _scaled(emitter, self.dynamic, length)
        offset = self.offset * length
        if isinstance(index, int):
            return replace(self, type=type_, offset=offset + index, dynamic=dynamic)
        total = index if dynamic is None else emitter.op(ops.IADD, dynamic, index)
        return replace(self, type=type_, offset=offset, dynamic=total)

    def load(self, emitter: Emitter) -> Operand:
        columns = [emitter.load(address, indices) for address, indices in self.column_addresses(emitter)]
        return Operand(self.type, tuple(columns), self.precision)

    def store(self, emitter: Emitter, value: Operand) -> None:
        for (address, indices), part in zip(self.column_addresses(emitter), value.columns, strict=True):
            emitter.store(address, indices, part)

    def column_addresses(self, emitter: Emitter) -> Iterable[tuple[Address, list[Value]]]:
        """The address of each column; code for its indices is emitted when the iteration gets there."""
        if self.dynamic is not None or isinstance(self.column, Value):
            return (column.address(emitter) for column in self.columns(emitter))
        if self.addresses is None:
            self.addresses = [column.address(emitter) for column in self.columns(emitter)]
        return self.addresses

    def columns(self, emitter: Emitter) -> Iterator[MemoryLValue]:
        """The l-values of the value's columns, in the order of `operand.column_types`; samplers left out."""
        if isinstance(self.type, StructType):
            for member in self.type.fields:
                yield from self._member(self.type, member).columns(emitter)
        elif isinstance(self.type, ArrayType):
            for index in range(self.type.length):
                yield from self.element(emitter, index).columns(emitter)
        elif isinstance(self.type, NumericType) and self.type.is_matrix:
            for index in range(self.type.columns):
                yield self.element(emitter, index)
        elif isinstance(self.type, NumericType):
            yield self

    def address(self, emitter: Emitter) -> tuple[Address, list[Value]]:
        """The IR address of a scalar, vector, matrix column or sampler, with its index operands."""
        memory = self.slot.leaves[self.first]
        dynamic = self._dynamic_index(emitter, memory, 1)
        column = self.column
        address = Address(
            memory.variable,
            offset=self.offset + memory.offset,
            column=column if isinstance(column, int) else 0,
            dynamic_index=dynamic is not None,
            dynamic_column=isinstance(column, Value),
        )
        return address, [operand for operand in (dynamic, column) if isinstance(operand, Value)]

    def sampler_leaves(self, emitter: Emitter) -> Iterator[tuple[LeafMemory, Value | None]]:
        """The memory of each sampler leaf of `type`, with the dynamic part of where it begins."""
        for number, leaf in enumerate(leaves(self.type), self.first):
            if isinstance(leaf.type, NumericType):
                continue
            memory = self.slot.leaves[number]
            inner = prod(leaf.dims)
            part = LeafMemory(memory.variable, memory.offset + self.offset * inner)
            yield part, self._dynamic_index(emitter, memory, inner)

    def _dynamic_index(self, emitter: Emitter, memory: LeafMemory, inner: int) -> Value | None:
        """The dynamic part of the index into a leaf whose elements each hold `inner` more."""
        dynamic = None if self.dynamic is None else _scaled(emitter, self.dynamic, inner)
        if memory.base is None:
            return dynamic
        base = emitter.load(Address(memory.base), ())
        return base if dynamic is None else emitter.op(ops.IADD, base, dynamic)


@dataclass(slots=True, eq=False)
class SwizzleLValue:
    """Components `pattern` of the vector at `base`; `v.x` and `v[0]` are the pattern (0,)."""

    base: LValue
    pattern: tuple[int, ...]

    @property
    def type(self) -> ShaderType:
        return swizzled_type(self.base.type, self.pattern)

    @property
    def precision(self) -> Precision | None:
        return self.base.precision

    def load(self, emitter: Emitter) -> Operand:
        return swizzled(emitter, self.base.load(emitter), self.pattern)

    def store(self, emitter: Emitter, value: Operand) -> None:
        old = self.base.load(emitter)
        self.base.store(emitter, Operand(old.type, (self._merged(emitter, old.value, value.value),)))

    def _merged(self, emitter: Emitter, old: Value, new: Value) -> Value:
        """`old` with the components of the pattern taken from `new`."""
        if len(self.pattern) == 1:
            return emitter.op(ops.INSERT, old, new, attribute=self.pattern[0])
        sources = [(old, component) for component in range(old.type.width)]
        for number, component in enumerate(self.pattern):
            sources[component] = (new, number)
        return emitter.assemble(sources, cast(Base, old.type.kind))


@dataclass(slots=True, eq=False)
class ComponentLValue:
    """One component of the vector at `base`, by a dynamic index."""

    base: LValue
    index: Value

    @property
    def type(self) -> ShaderType:
        return element_type(self.base.type)

    @property
    def precision(self) -> Precision | None:
        return self.base.precision

    def load(self, emitter: Emitter) -> Operand:
        vector = self.base.load(emitter).value
        return Operand(self.type, (emitter.op(ops.EXTRACT_DYNAMIC, vector, self.index),), self.precision)

    def store(self, emitter: Emitter, value: Operand) -> None:
        old = self.base.load(emitter)
        merged = emitter.op(ops.INSERT_DYNAMIC, old.value, value.value, self.index)
        self.base.store(emitter, Operand(old.type, (merged,)))


def components_of(base: LValue, pattern: tuple[int, ...]) -> SwizzleLValue:
    """Components of the vector at `base`; a swizzle of a swizzle is one swizzle."""
    if isinstance(base, SwizzleLValue):
        return SwizzleLValue(base.base, tuple(base.pattern[component] for component in pattern))
    return SwizzleLValue(base, pattern)


def swizzled(emitter: Emitter, operand: Operand, pattern: Sequence[int]) -> Operand:
    """Components of a vector value."""
    value = emitter.swizzle(operand.value, pattern)
    return Operand(swizzled_type(operand.type, pattern), (value,), operand.precision)


def swizzled_type(type_: ShaderType, pattern: Sequence[int]) -> ShaderType:
    return numeric(cast(NumericType, type_).base, len(pattern))


def _scaled(emitter: Emitter, index: Value, factor: int) -> Value:
    return index if factor == 1 else emitter.op(ops.IMUL, index, int_constant(factor))
