"""Products with matrices: found again in what machines make of them.

A machine that has dot products takes the rows of a matrix, which is uploaded so: `dot(v, row 0)`, `dot(v, row 1)`...
One that has multiply-adds takes columns: `column 0 * v.x + column 1 * v.y`..., some components here, some there.  So it
is single components that are looked at: one that is the sum of the parts of a row, each times a component of a vector,
is a component of the product.

Where no register map says what is a matrix, four vectors that follow one another are one, if a vector is multiplied
with all of them: `v * M`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lifting.parts import Part
from glslc_multi.compiler.records import replace

_SUMS = frozenset({ops.FADD, ops.FMAD, ops.FMUL, ops.DOT})
#: Columns of a matrix, at the most, and of those that are found without a map.
_MOST_TERMS = _SIZE = 4


_ONE, _ZERO = Part.of(float_constant(1.0), 0), Part.of(float_constant(0.0), 0)
_Term = tuple[Part, Part]


class _Row(NamedTuple):
    """A component of a product: of which matrix and vector, which of them comes first, and the number."""

    matrix: Hashable
    factors: tuple[Hashable, ...]
    vector_first: bool
    number: int


class _Joinable(NamedTuple):
    """An instruction that computes rows of a product, and what it takes: one of the columns, and the factors."""

    instruction: Instruction
    rows: list[int]
    column: Instruction
    factors: list[Part]
    vector_first: bool


def join_products(function: Function) -> list[tuple[Variable, int]]:
    """Make products with matrices of sums that are their components, where there are two of them or more.

    Return the arrays of which four vectors have turned out to be a matrix, and the number of the first one.
    """
    sums = _Sums()
    products: dict[Hashable, list[_Joinable]] = {}
    for instruction in function.instructions():
        if instruction.op in _SUMS - {ops.FMUL}:
            rows = [sums.row(instruction, component) for component in range(instruction.type.width)]
            whole = [row for row in rows if row is not None]
            if len(whole) == len(rows) and len({row[:-1] for row, *_ in whole}) == 1:
                row, column, factors = whole[0]
                own = _Joinable(instruction, [row.number for row, *_ in whole], column, factors, row.vector_first)
                products.setdefault((*row[:-1], instruction.block), []).append(own)
    #: What stands for an instruction now.
    joined: dict[Value, Value] = {}
    matrices: list[tuple[Variable, int]] = []
    # Whole products first: nobody may want the beginnings of their sums then.
    for each in sorted(products.values(), key=lambda each: each[0].factors.count(_ZERO)):
        each = [own for own in each if own.instruction.users]
        if not each:
            continue
        variable = each[0].column.address.variable
        numbers = sorted({number for own in each for number in own.rows})
        if variable.is_matrix:
            if len(numbers) > 1:
                _join(each, joined, range(variable.columns))
            continue
        for first in [number for number in numbers if {*range(number, number + _SIZE)} <= {*numbers}]:
            # Those that begin inside of another one are none.
            if all(first - other not in range(1, _SIZE) for array, other in matrices if array is variable):
                columns = range(first, first + _SIZE)
                _join([own for own in each if all(row in columns for row in own.rows)], joined, columns)
                matrices.append((variable, first))
    return list(dict.fromkeys(matrices))


def _join(parts: list[_Joinable], joined: dict[Value, Value], columns: range) -> None:
    """Compute a product where the first of its components is, and let all others be those of it."""
    first = parts[0]
    builder = Builder.before(first.instruction)
    factors = [(joined.get(factor.value, factor.value), factor.component) for factor in first.factors]
    vector = builder.construct(*(builder.extract(value, component) for value, component in factors))
    address = first.column.address
    if address.variable.is_matrix:
        addresses = [replace(address, column=number) for number in columns]
    else:
        addresses = [replace(address, offset=number) for number in columns]
    loads = [builder.op(ops.LOAD, *first.column.operands, attribute=each) for each in addresses]
    operands = (vector, *loads) if first.vector_first else (*loads, vector)
    product = builder.op(ops.VEC_MAT if first.vector_first else ops.MAT_VEC, *operands)
    for instruction, rows, *_ in parts:
        joined[instruction] = Builder.before(instruction).swizzle(product, [row - columns.start for row in rows])
        instruction.replace_all_uses_with(joined[instruction])
        instruction.erase()


class _Sums:
    """Sums of products, component by component."""

    def __init__(self) -> None:
        self._terms: dict[tuple[Value, int], list[_Term] | None] = {}

    def row(self, value: Value, component: int) -> tuple[_Row, Instruction, list[Part]] | None:
        """The component of a product that a value is, one of the columns, and the factors in order; None of others."""
        terms = self._of(value, component)
        for first in (terms[0], terms[0][::-1]) if terms else ():
            matrix = first[0].matrix
            turned = [term if term[0].matrix == matrix else term[::-1] for term in terms or ()]
            loads = [load for part, _ in turned if part.matrix == matrix and (load := part.column) is not None]
            if len(loads) < len(turned):
                continue
            variable, height = loads[0].address.variable, loads[0].type.width
            numbers = [load.address.column if variable.is_matrix else load.address.offset for load in loads]
            rows = [part.component for part, _ in turned]
            if variable.is_matrix and len(set(rows)) == 1:
                number, indices, size, vector_first = rows[0], numbers, variable.columns, False
            elif len(set(numbers)) == 1:
                number, indices, size, vector_first = numbers[0], rows, height, True
            else:
                continue
            # Of a matrix that is one for sure, factors may be missing: they are 0.
            is_whole = sorted(indices) == list(range(size))
            if len(turned) > 1 and (is_whole or (variable.is_matrix and len(set(indices)) == len(indices))):
                by_index = dict(zip(indices, turned, strict=True))
                factors = [by_index[index][1] if index in by_index else _ZERO for index in range(size)]
                return _Row(matrix, tuple(factor.key for factor in factors), vector_first, number), loads[0], factors
        return None

    def _of(self, value: Value, component: int) -> list[_Term] | None:
        """The products that a component is the sum of, but for zeros; None of more than a matrix has columns."""
        key = source(value, component)
        if key not in self._terms:
            terms = self._taken_apart(*key)
            self._terms[key] = terms and [term for term in terms if all(part.key != _ZERO.key for part in term)]
        return self._terms[key]

    def _taken_apart(self, value: Value, component: int) -> list[_Term] | None:
        if not isinstance(value, Instruction) or value.op not in _SUMS:
            return [(Part.of(value, component), _ONE)]
        first, second, *addends = value.operands
        if value.op is ops.DOT:
            return [(Part.of(first, n), Part.of(second, n)) for n in range(first.type.width)]
        terms = [(Part.of(first, component), Part.of(second, component))]
        if value.op is ops.FADD:
            terms, addends = [], [first, second]
        for addend in addends:
            own = self._of(addend, component)
            if own is None or len(terms) + len(own) > _MOST_TERMS:
                return None
            terms += own
        return terms
