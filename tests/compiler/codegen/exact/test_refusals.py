"""Refused placements: the smallest ones, of any machine."""

from __future__ import annotations

from itertools import product

from glslc_multi.compiler.codegen.exact.problem import Placement
from glslc_multi.compiler.codegen.exact.refusals import refused_placements

#: Bank 2 asks nothing; no more than two values are in one of the others.
_BANKS = {5: (2, 0, 1), 6: (2, 0), 7: (0,), 8: (2, 0, 1)}


def _accepts(placement: Placement) -> bool:
    return all(sum(bank == each for bank in placement.values()) <= 2 for each in (0, 1))


def test_the_smallest_refusals_say_all() -> None:
    refused = list(refused_placements(_BANKS, _accepts))
    assert sorted(refused) == [((5, 0), (6, 0)), ((5, 0), (8, 0)), ((6, 0), (8, 0))]
    for chosen in product(*_BANKS.values()):
        placement = dict(zip(_BANKS, chosen, strict=True))
        assert _accepts(placement) == (not any(set(each) <= set(placement.items()) for each in refused))


def test_what_is_always_refused() -> None:
    assert list(refused_placements(_BANKS, lambda placement: False)) == [()]


def test_asked_of_no_values() -> None:
    assert list(refused_placements({}, lambda placement: True)) == []
