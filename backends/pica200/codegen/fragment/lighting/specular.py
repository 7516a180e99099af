"""The secondary colour: sums and products of tables, in the one way in which the unit joins them.

    secondary = sum over lights of  specular0 * D0  +  specular1 * D1 * (RR, RG, RB)

In: a lit colour.  Out: the ways in which one light yields it, those with fewer tables first.  A table that is not
there is 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from backends.pica200.codegen.fragment.algebra.polynomials import Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of
from backends.pica200.codegen.fragment.lighting.functions import Domain
from backends.pica200.codegen.fragment.lighting.terms import (
    BLACK,
    WHITE,
    Colour,
    colour,
    difference,
    domains_of,
    part_with,
    separated,
    sum_of,
)
from backends.pica200.codegen.fragment.lighting.unit import REFLECTIONS, TABLE_SCALES, TableUse
from compiler.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Specular:
    """What one light does for the secondary colour."""

    tables: dict[str, TableUse] = field(default_factory=dict)
    specular0: Colour = BLACK
    specular1: Colour = BLACK


def speculars(value: Colour) -> Iterator[Specular]:
    """All ways that are known."""
    domains = domains_of(value)
    if len(domains) > 3:
        return
    constant = colour(part_with(part, ()) for part in value)
    yield from _first_alone(value)
    yield from _second(value)
    if constant != BLACK:
        yield from _both(difference(value, constant), constant)
    for chosen in domains:
        of_one = colour(part_with(part, (chosen,)) for part in value)
        yield from _both(of_one, difference(value, of_one))
        yield from _both(sum_of(of_one, constant), difference(difference(value, of_one), constant))


def _both(first: Colour, second: Colour) -> Iterator[Specular]:
    """One part by distribution 0, the other one by distribution 1."""
    if BLACK in (first, second):
        return
    for one in _first_alone(first):
        for other in _second(second):
            yield Specular({**one.tables, **other.tables}, one.specular0, other.specular1)


def _first_alone(value: Colour) -> Iterator[Specular]:
    """A colour times a function."""
    domains = domains_of(value)
    if len(domains) == 1:
        for table, factor in _colour_times_table(value, domains[0]):
            yield Specular({"d0": table}, factor)


def _second(value: Colour) -> Iterator[Specular]:
    """A colour times a product of functions of two cosines, of which one may differ by channel."""
    domains = domains_of(value)
    if not domains and _is_colour(value):
        yield Specular({}, specular1=value)
    if len(domains) == 1:
        for table, factor in _colour_times_table(value, domains[0]):
            yield Specular({"d1": table}, specular1=factor)
        yield from _by_channel(value, {})
    if len(domains) == 2:
        for first, second in permutations(domains):
            yield from _product(value, first, second)


def _product(value: Colour, first: Domain, second: Domain) -> Iterator[Specular]:
    parts = separated(value, first)
    if parts is None:
        return
    table, rest = _table(first, parts[0]), colour(parts[1])
    if table is None or domains_of(rest) != [second]:
        return
    for other, factor in _colour_times_table(rest, second):
        yield Specular({"d1": table, **dict.fromkeys(REFLECTIONS, other)}, specular1=factor)
    yield from _by_channel(rest, {"d1": table})


def _by_channel(value: Colour, others: dict[str, TableUse]) -> Iterator[Specular]:
    """A function for each channel."""
    (domain,) = domains_of(value)
    tables = [_table(domain, part) for part in value]
    tables_by_name = {name: table for name, table in zip(REFLECTIONS, tables, strict=True) if table is not None}
    if len(tables_by_name) == len(tables):
        yield Specular({**others, **tables_by_name}, specular1=WHITE)


def _colour_times_table(value: Colour, domain: Domain) -> Iterator[tuple[TableUse, Colour]]:
    parts = separated(value, domain)
    if parts is None:
        return
    function, factor = parts[0], colour(parts[1])
    table = _table(domain, function)
    if table is not None and _is_colour(factor):
        yield table, factor


def _is_colour(value: Colour) -> bool:
    """Whether registers hold it, by what is promised."""
    return all(low >= -TOLERANCE and high <= 1 + TOLERANCE for low, high in map(range_of, value))


def _table(domain: Domain, content: Polynomial) -> TableUse | None:
    """The table of a function that is never negative and not too large."""
    if domain.cosine.input == "distance":
        return None  # That has a table of its own, for each light.
    low, high = range_of(content)
    scale = next((scale for scale in TABLE_SCALES if high <= scale * (1 + TOLERANCE)), None)
    if low < -TOLERANCE or scale is None:
        return None
    return TableUse(domain, content / scale, scale)
