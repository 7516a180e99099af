"""Names that a text defines: labels, registers under names of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from glslc_multi.compiler.diagnostics import Label, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import REDEFINED
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.mistakes import Mistake, Place, undefined

_Value = TypeVar("_Value")


class Names(Generic[_Value]):
    """What the names of one kind stand for; `known` ones come from elsewhere and can be defined anew."""

    def __init__(self, kind: str, known: Mapping[str, _Value] | None = None) -> None:
        self.kind = kind
        self.values = dict(known or {})
        self._spans: dict[str, Span] = {}

    def claim(self, line: Line, name: str, place: Place) -> None:
        """Note that a name is taken; raises `Mistake` where it is already."""
        earlier = self._spans.setdefault(name, span := line.span(place))
        if earlier is not span:
            labels = (Label(earlier, "first defined here"),)
            raise Mistake(REDEFINED, place, labels=labels, kind=self.kind, name=name)

    def define(self, line: Line, name: str, place: Place, value: _Value) -> None:
        """What a name stands for; one that is defined already keeps its value, and the mistake is reported."""
        try:
            self.claim(line, name, place)
            self.values[name] = value
        except Mistake as mistake:
            line.report(mistake)

    def find(self, name: str, place: Place) -> _Value:
        """What a name stands for; raises `Mistake` where that is nothing."""
        if name not in self.values:
            raise undefined(self.kind, place, name, self.values)
        return self.values[name]
