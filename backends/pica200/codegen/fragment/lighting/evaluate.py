"""Functions of cosines evaluated by the compiler: for tables that need no uniform, and to see how well tables fit."""

from __future__ import annotations

from collections.abc import Callable

from backends.pica200.codegen.fragment.host_tables import Sample, values_at
from backends.pica200.codegen.fragment.hosting import Host, PreambleWriter
from backends.pica200.codegen.fragment.lighting.functions import Functions
from backends.pica200.codegen.fragment.lighting.tables import Content, cosines_of
from backends.pica200.codegen.fragment.lighting.unit import TableUse
from compiler.ir.module import Value


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

    def number(self, make: Callable[[PreambleWriter], Value], sample: Sample | None) -> float | None:
        """A number of the host; None where uniforms count and none are given."""
        found = values_at(self._host, lambda writer, _: make(writer), [0.0], sample)
        return None if found is None else found[0]

    def bias(self, use: TableUse, sample: Sample | None) -> float:
        """What is added to the scaled distance that a table is looked up at."""
        reach = self._functions.distances.reaches.get(use.domain.cosine)
        return (reach and self.number(reach.bias, sample)) or 0.0
