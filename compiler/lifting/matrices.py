"""Products with matrices: found again in what machines make of them.

A machine that has dot products takes the rows of a matrix, which is uploaded so: `dot(v, row 0)`, `dot(v, row 1)`...
One that has multiply-adds takes columns: `column 0 * v.x + column 1 * v.y`..., some components here, some there.  So it
is single components that are looked at: one that is the sum of the parts of a row, each times a component of a vector,
is a component of the product.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.lifting.parts import Part

_SUMS = frozenset({ops.FADD, ops.FMAD, ops.FMUL, ops.DOT})
#: Columns of a matrix.
_MOST_TERMS = 4


_ONE = Part(float_constant(1.0), 0, 1.0)
_Term = tuple[Part, Part]


class _Row(NamedTuple):
    """A component of a product: of which matrix and vector, and its number."""

    matrix: Hashable
    factors: tuple[Hashable, ...]
    number: int


class _Joinable(NamedTuple):
    """An instruction that computes rows of a product, and what it takes: columns and the factors of each."""

    instruction: Instruction
    rows: list[int]
    columns: list[Instruction]
    factors: list[Part]


def join_products(function: Function) -> None:
    """Make products with matrices of sums that are their components, where there are two of them or more."""
    sums = _Sums()
    products: dict[Hashable, list[_Joinable]] = {}
    for instruction in function.instructions():
        if instruction.op in _SUMS - {ops.FMUL}:
            rows = [sums.row(instruction, component) for component in range(instruction.type.width)]
            whole = [row for row in rows if row is not None]
            if len(whole) == len(rows) and len({row[:-1] for row, _ in whole}) == 1:
                row, terms = whole[0]
                columns = [load for column, _ in terms if (load := column.column) is not None]
                own = _Joinable(instruction, [row.number for row, _ in whole], columns, [factor for _, factor in terms])
                products.setdefault((row.matrix, row.factors, instruction.block), []).append(own)
    #: What stands for an instruction now.
    joined: dict[Value, Value] = {}
    for each in products.values():
        if len({number for own in each for number in own.rows}) > 1:
            _join(each, joined)


def _join(parts: list[_Joinable], joined: dict[Value, Value]) -> None:
    """Compute a product where the first of its components is, and let all others be those of it."""
    first = parts[0]
    builder = Builder.before(first.instruction)
    factors = [(joined.get(factor.value, factor.value), factor.component) for factor in first.factors]
    vector = builder.construct(*(builder.extract(value, component) for value, component in factors))
    product = builder.op(ops.MAT_VEC, *first.columns, vector)
    for instruction, rows, *_ in parts:
        joined[instruction] = Builder.before(instruction).swizzle(product, rows)
        instruction.replace_all_uses_with(joined[instruction])
        instruction.erase()


class _Sums:
    """Sums of products, component by component."""

    def __init__(self) -> None:
        self._terms: dict[tuple[Value, int], list[_Term] | None] = {}

    def row(self, value: Value, component: int) -> tuple[_Row, list[_Term]] | None:
        """The component of a product that a value is, and its terms in order, columns first; None of others."""
        terms = self._of(value, component)
        for first in (terms[0], terms[0][::-1]) if terms else ():
            matrix = first[0].matrix
            turned = [term if term[0].matrix == matrix else term[::-1] for term in terms or ()]
            loads = [load for column, _ in turned if column.matrix == matrix and (load := column.column) is not None]
            numbers = sorted(load.address.column for load in loads)
            rows = {column.component for column, _ in turned}
            if len(rows) == 1 and loads and numbers == list(range(loads[0].address.variable.columns)):
                turned.sort(key=lambda term: term[0].column.address.column if term[0].column else 0)
                if len(loads) == len(turned):
                    return _Row(matrix, tuple(factor.key for _, factor in turned), rows.pop()), turned
        return None

    def _of(self, value: Value, component: int) -> list[_Term] | None:
        """The products that a component is the sum of; None of more than a matrix has columns."""
        key = source(value, component)
        if key not in self._terms:
            self._terms[key] = self._taken_apart(*key)
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
