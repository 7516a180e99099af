"""Tables: functions of a cosine as functions of the number of an entry, which the host evaluates.

In: the content of a table, a polynomial of `LitNumber`s and of the host.  Out: what makes an element of its array.
An array has one element more than the table has entries: a line of the machine ends where the next one begins.  The
compiler evaluates contents itself where they need no uniform, and to see how well tables fit.
"""

from __future__ import annotations

from collections.abc import Callable

from backends.pica200.codegen.fragment.algebra.polynomials import Polynomial
from backends.pica200.codegen.fragment.host_tables import POINTS, Sample, values_at
from backends.pica200.codegen.fragment.hosting import Host, HostTable, PreambleWriter
from backends.pica200.codegen.fragment.lighting.functions import Domain, Functions, LitNumber
from backends.pica200.codegen.fragment.lighting.unit import TableUse
from backends.pica200.isa.fragment.entries import LIGHT_ENTRIES
from compiler.ir import ops
from compiler.ir.builder import float_constant
from compiler.ir.module import Value

#: Lines of a table.
_LINES = LIGHT_ENTRIES
_HALF = LIGHT_ENTRIES // 2


def cosines_of(domain: Domain) -> list[float]:
    """Where a table is looked at: at points of all lines."""
    places = (number / POINTS for number in range(_LINES * POINTS + 1))
    return [place / _LINES if domain.is_positive else place / _HALF - 1 for place in places]


def host_table(name: str, use: TableUse, functions: Functions) -> HostTable:
    """The array of a table."""

    def make(writer: PreambleWriter, index: Value) -> Value:
        return Content(writer, use, functions).value(place_of(writer, index, use.domain))

    return HostTable(name, _LINES + 1, make)


def place_of(writer: PreambleWriter, index: Value, domain: Domain) -> Value:
    """The cosine at an entry: 0 to 1, or -1 to 1."""
    number = writer.builder.op(ops.ITOF, index)
    if domain.is_positive:
        return writer.builder.op(ops.FMUL, number, float_constant(1 / _LINES))
    return writer.builder.op(
        ops.FADD, writer.builder.op(ops.FMUL, number, float_constant(1 / _HALF)), float_constant(-1.0)
    )


class Content:
    """The instructions of a table's content."""

    def __init__(self, writer: PreambleWriter, use: TableUse, functions: Functions) -> None:
        self._writer = writer
        self._use = use
        self._functions = functions

    def value(self, cosine: Value) -> Value:
        """The content at a cosine."""
        writer, builder = self._writer, self._writer.builder
        held = self._functions.distances.get(self._use.domain.cosine)
        if held is not None:
            distance, most = held
            writer.given(distance, builder.op(ops.FMUL, cosine, writer.value(most)))
        for instruction, (domain, factor) in self._functions.leaves.items():
            is_ours = domain.cosine == self._use.domain.cosine
            if is_ours and domain.is_positive == self._use.domain.is_positive:
                writer.given(instruction, builder.op(ops.FMUL, writer.polynomial(factor), cosine))
        values = {
            atom: self._number(atom, cosine)
            for m in self._use.content.terms
            for atom in m
            if isinstance(atom, LitNumber)
        }
        total: Value = float_constant(0.0)
        for monomial, number in self._use.content.terms.items():
            rest = tuple(atom for atom in monomial if not isinstance(atom, LitNumber))
            term = writer.polynomial(Polynomial({rest: number}))
            for atom in monomial:
                if isinstance(atom, LitNumber):
                    term = builder.op(ops.FMUL, term, values[atom])
            total = builder.op(ops.FADD, total, term)
        return total

    def _number(self, number: LitNumber, cosine: Value) -> Value:
        """The value of a function, scaled to 0 to 1."""
        builder = self._writer.builder
        if number.value is None and number.domain.is_positive:
            return cosine if self._use.domain.is_positive else builder.op(ops.FMAX, cosine, float_constant(0.0))
        if number.value is None:
            half = float_constant(0.5)
            return builder.op(ops.FADD, builder.op(ops.FMUL, cosine, half), half)
        value = self._writer.component(number.value, number.component)
        if number.is_complement:
            return builder.op(ops.FSUB, float_constant(1.0), value)
        moved = builder.op(ops.FSUB, value, float_constant(float(number.low)))
        return builder.op(ops.FMUL, moved, float_constant(float(1 / number.width)))


class Evaluator:
    """The contents of the tables of a shader."""

    def __init__(self, functions: Functions, host: Host) -> None:
        self._functions = functions
        self._host = host
        self._known: dict[tuple[str, str, str], list[float] | None] = {}

    def values(self, use: TableUse, sample: Sample | None) -> list[float] | None:
        """At the points of all lines; None where uniforms count and none are given."""
        key = str(use.domain), str(use.content), str(sample)
        if key not in self._known:

            def make(writer: PreambleWriter, cosine: Value) -> Value:
                return Content(writer, use, self._functions).value(cosine)

            self._known[key] = values_at(self._host, make, cosines_of(use.domain), sample)
        return self._known[key]

    def number(self, make: Callable[[PreambleWriter], Value]) -> float | None:
        """Compute a number of the host; None where uniforms count."""
        values = values_at(self._host, lambda writer, _: make(writer), [0.0], None)
        return None if values is None else values[0]
