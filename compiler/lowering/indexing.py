"""Dynamic indices become choices between all elements.

In: loads, stores and texture lookups whose address is dynamic, `extract_dynamic`, `insert_dynamic`.  Out: for
the storages that the options name, addresses are constant.  A load becomes a balanced tree of selects over
loads of all elements (n - 1 comparisons, log n deep); a store stores every element, itself or its old value;
a texture lookup samples all textures and selects.  `sroa` and `mem2reg` then find local arrays without
dynamic indices.

Indices out of range clamp, which the tree does by itself: it asks "is the index less than k" only.

Not handled: variables of more than `limit` elements, where the code would grow without measure, and stores
to anything but locals.  Tables of constants (`passes.memory.local_variables.py`) stay for machines that read them from
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from operator import ne

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.types import INT
from glslc_multi.compiler.ir.variables import Address, Storage, TextureAccess, Variable
from glslc_multi.compiler.lowering.expansion import Emitter, Expander, row
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import Table, find_tables
from glslc_multi.compiler.records import dataclass, field, replace

_INPUTS: tuple[Storage, ...] = ("attribute", "varying", "input")


@dataclass(frozen=True, slots=True)
class LowerIndexing(Pass):
    """See the module's text."""

    name = "lower-indexing"
    description = "turns dynamic indices into choices between all elements"
    preserves_control_flow = True

    locals: bool = True
    uniforms: bool = False
    #: Attributes, varyings and other inputs.
    inputs: bool = True
    samplers: bool = True
    #: `extract_dynamic` and `insert_dynamic`.
    vectors: bool = True
    #: The most elements of a variable to choose between.
    limit: int = 64
    #: What reading a table from memory costs, for the address and for each component, in comparisons and selects: a
    #: table stays where these cost more.  0 where the machine has no memory for tables.
    memory_cost: int = 0

    def run(self, function: Function, context: PassContext) -> bool:
        expander = _expander()
        kept = self._choose_kept(context.accesses(function.module).private(function)) if self.memory_cost else ()
        progress = False
        for instruction in list(function.instructions()):
            if self._is_chosen(instruction) and instruction.address.variable not in kept:
                _Access(instruction).expand()
                progress = True
            elif self.vectors:
                progress |= expander.expand(instruction)
        return progress

    def _choose_kept(self, private: Mapping[Variable, Sequence[Instruction]]) -> Collection[Variable]:
        """Choose the tables that cost less in memory."""
        changes = {variable: changes_of(table) for variable, table in find_tables(private).items()}
        return [v for v, (choices, reads) in changes.items() if choices > self.memory_cost * reads]

    def _is_chosen(self, instruction: Instruction) -> bool:
        if instruction.op not in _ACCESSES or not instruction.address.is_dynamic:
            return False
        variable = instruction.address.variable
        if variable.length * variable.columns > self.limit:
            return False
        chosen = {"local": self.locals, "uniform": self.uniforms, "sampler": self.samplers}
        return chosen.get(variable.storage, variable.storage in _INPUTS and self.inputs)


def refuse_indices(module: Module, target: str, sink: DiagnosticSink, *, tables: Collection[Variable] = ()) -> None:
    """Report and raise what selects elements of anything but uniforms and `tables`: of arrays beyond the limit."""
    for access in module.main.instructions():
        if access.op not in _ACCESSES or not access.address.is_dynamic:
            continue
        if access.address.variable.storage != "uniform" and access.address.variable not in tables:
            construct = "a variable index of so large an array"
            help = "use a smaller array, a uniform one, or constant indices"
            sink.report(NOT_EXPRESSIBLE, access.span, target=target, construct=construct, help=help)
    sink.raise_if_errors()


@cache
def _expander() -> Expander:
    return Expander(ROWS, lambda opcode: opcode not in _ON_VECTORS)


@dataclass(slots=True)
class _Axis:
    """One dimension of an address: `index + offset`, from 0 to below `count`; None is a constant 0."""

    index: Value | None
    offset: int
    count: int
    #: Bound -> the comparison "less than it", made once.
    less: dict[int, Value] = field(default_factory=dict)

    def places(self) -> range:
        """The elements that may be meant."""
        if isinstance(self.index, Constant):
            # An undefined index may be any; the evaluator takes 0.
            constant_index = max(0, min(int(self.index.components[0] or 0) + self.offset, self.count - 1))
            return range(constant_index, constant_index + 1)
        return range(self.offset, self.offset + 1) if self.index is None else range(self.count)

    def is_less(self, builder: Builder, bound: int) -> Value:
        assert self.index is not None
        if bound not in self.less:
            self.less[bound] = builder.op(ops.ILT, self.index, int_constant(bound - self.offset))
        return self.less[bound]

    def is_at(self, builder: Builder, place: int) -> Value | None:
        """Whether the clamped index is `place`; None where it can only be that."""
        if len(self.places()) == 1:
            return None
        assert self.index is not None
        if place == 0:
            return self.is_less(builder, 1)
        if place == self.count - 1:
            return builder.op(ops.ILE, int_constant(place - self.offset), self.index)
        return builder.op(ops.IEQ, self.index, int_constant(place - self.offset))


class _Access:
    """The expansion of one access."""

    def __init__(self, original: Instruction) -> None:
        self.original = original
        self.builder = Builder.before(original)
        address, variable = original.address, original.address.variable
        indices: Iterator[Value] = iter(original.operands)
        self.element = _Axis(next(indices) if address.dynamic_index else None, address.offset, variable.length)
        self.column = _Axis(next(indices) if address.dynamic_column else None, address.column, variable.columns)
        #: What follows the indices: the stored value, or the operands of a texture lookup.
        self.rest = list(indices)

    def expand(self) -> None:
        if self.original.op is ops.STORE:
            # Store every element that may be meant.
            (value,) = self.rest
            for element in self.element.places():
                is_element = self.element.is_at(self.builder, element)
                for column in self.column.places():
                    is_column = self.column.is_at(self.builder, column)
                    self._store(value, element, column, [c for c in (is_element, is_column) if c is not None])
        else:
            self.original.replace_all_uses_with(self._tree(self.element, self._at_element))
        self.original.erase()

    def _at_element(self, element: int) -> Value:
        return self._tree(self.column, lambda column: self._access(self.original, element, column, self.rest))

    def _tree(self, axis: _Axis, leaf: Callable[[int], Value]) -> Value:
        """A balanced tree of selects between the leaves at all places of `axis`."""

        def between(places: range) -> Value:
            if len(places) == 1:
                return leaf(places[0])
            middle = len(places) // 2
            below, above = between(places[:middle]), between(places[middle:])
            return self.builder.op(ops.SELECT, axis.is_less(self.builder, places[middle]), below, above)

        return between(axis.places())

    def _store(self, value: Value, element: int, column: int, conditions: list[Value]) -> None:
        """Store `value` at a constant place if all conditions hold."""
        if conditions:
            both = conditions[0] if len(conditions) == 1 else self.builder.op(ops.AND, *conditions)
            old = self.builder.load(self.original.address.variable, element, column)
            value = self.builder.op(ops.SELECT, both, value, old)
        self.builder.store(self.original.address.variable, value, element, column)

    def _access(self, original: Instruction, element: int, column: int, operands: list[Value]) -> Value:
        """The original load or lookup at a constant place."""
        address = Address(original.address.variable, element, column)
        attribute = original.attribute
        is_texture = isinstance(attribute, TextureAccess)
        return self.builder.op(
            original.op, *operands, attribute=replace(attribute, address=address) if is_texture else address
        )


def changes_of(table: Table) -> tuple[int, int]:
    """Count the comparisons and selects that find an element, and the components that it takes, with its address."""
    values = [table[place].components for place in sorted(table)]
    changes = [sum(map(ne, *pair)) for pair in pairwise(values)]
    return sum(changes) + sum(map(bool, changes)), 1 + sum(len(set(column)) > 1 for column in zip(*values, strict=True))


# --------------------------------------------------------------------------------------------- vectors
def _extract(e: Emitter, vector: Value, index: Value) -> Value:
    def between(low: int, high: int) -> Value:
        if high - low == 1:
            return e.component(vector, low)
        middle = (low + high) // 2
        return e.select(e.op(ops.ILT, index, int_constant(middle)), between(low, middle), between(middle, high))

    return between(0, vector.type.width)


def _insert(e: Emitter, vector: Value, scalar: Value, index: Value) -> Value:
    width = vector.type.width
    numbers = Constant(INT.with_width(width), tuple(range(width)))
    first, last = int_constant(0), int_constant(width - 1)
    not_below = e.select(e.op(ops.ILT, index, first), first, index)
    is_there = e.op(ops.IEQ, e.splat(e.select(e.op(ops.ILT, last, not_below), last, not_below), vector), numbers)
    return e.select(is_there, e.splat(scalar, vector), vector)


_ACCESSES = frozenset({ops.LOAD, ops.STORE, ops.TEXTURE, ops.TEXTURE_SIZE})
_ON_VECTORS = frozenset({ops.EXTRACT_DYNAMIC, ops.INSERT_DYNAMIC})
ROWS = (
    row(ops.EXTRACT_DYNAMIC, "ilt select", _extract),
    row(ops.INSERT_DYNAMIC, "ilt ieq select", _insert),
)
