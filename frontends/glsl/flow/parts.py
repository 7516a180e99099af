"""Components of variables as bits of an int, so that a set of them is one number.

A variable whose value is followed has a bit for each component of each of its elements and fields.  One that has very
many has one bit for all: then whatever is written stands for the whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.ast import Expression, Field, Index, Name
from glslc_multi.frontends.glsl.symbols import VariableSymbol
from glslc_multi.frontends.glsl.types import ArrayType, GlslType, NumericType, StructType

#: More components of a variable are not told apart.
MOST_COMPONENTS = 4096


@dataclass(frozen=True, slots=True)
class Part:
    """Some components of a variable."""

    symbol: VariableSymbol
    bits: int
    #: False where an index that is not constant leaves open which of them.
    is_sure: bool = True


class Parts:
    """The bits of the variables that are followed."""

    def __init__(self) -> None:
        self._first: dict[VariableSymbol, int] = {}
        self._end = 0

    def follow(self, symbol: VariableSymbol) -> None:
        self._first[symbol] = self._end
        self._end += _size(symbol.type)

    def __bool__(self) -> bool:
        return bool(self._first)

    def whole(self, symbol: VariableSymbol) -> int:
        """All bits of a variable, 0 for one that is not followed."""
        first = self._first.get(symbol)
        return 0 if first is None else _run(first, _size(symbol.type))

    def part(self, expression: Expression) -> Part | None:
        """What an l-value names; None where its variable is not followed."""
        path: list[Field | Index] = []
        while isinstance(expression, Field | Index):
            path.append(expression)
            expression = expression.base
        symbol = expression.symbol if isinstance(expression, Name) else None
        if symbol is None or symbol not in self._first:
            return None
        if _components(symbol.type) > MOST_COMPONENTS:
            return Part(symbol, self.whole(symbol))
        return _select(symbol, self._first[symbol], path[::-1])


def _select(symbol: VariableSymbol, first: int, path: Sequence[Field | Index]) -> Part:
    """Follow fields and indices from the whole variable to the part."""
    type_ = symbol.type
    places: Sequence[int] = range(first, first + _size(type_))
    for step in path:
        if isinstance(step, Field) and step.swizzle is not None:
            places = [places[component] for component in step.swizzle]
        elif isinstance(step, Field):
            places = _field(places, type_, step)
        elif step.index.constant is None:
            return Part(symbol, _bits(places), is_sure=False)
        else:
            size = _components(step.type)
            number = min(max(0, int(step.index.constant[0])), len(places) // size - 1)
            places = places[number * size : (number + 1) * size]
        type_ = step.type
    return Part(symbol, _bits(places))


def _field(places: Sequence[int], type_: GlslType, step: Field) -> Sequence[int]:
    assert isinstance(type_, StructType)
    before = 0
    for field in type_.fields:
        if field.name == step.name:
            return places[before : before + _components(field.type)]
        before += _components(field.type)
    raise AssertionError("the checker knows the field")


def _size(type_: GlslType) -> int:
    count = _components(type_)
    return count if count <= MOST_COMPONENTS else 1


def _components(type_: GlslType) -> int:
    if isinstance(type_, NumericType):
        return type_.component_count
    if isinstance(type_, ArrayType):
        return type_.length * _components(type_.element)
    if isinstance(type_, StructType):
        return sum(_components(field.type) for field in type_.fields)
    return 1


def _run(first: int, count: int) -> int:
    return (1 << count) - 1 << first


def _bits(places: Sequence[int]) -> int:
    if isinstance(places, range):
        return _run(places.start, len(places))
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits
