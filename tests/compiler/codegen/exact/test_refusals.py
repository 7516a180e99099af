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
    refused = list(refused_placements(_BANKS, 2, _accepts))
    assert sorted(refused) == [((5, 0), (6, 0)), ((5, 0), (8, 0)), ((6, 0), (8, 0))]
    for chosen in product(*_BANKS.values()):
        placement = dict(zip(_BANKS, chosen, strict=True))
        assert _accepts(placement) == (not any(set(each) <= set(placement.items()) for each in refused))


def test_values_that_cannot_be_where_little_is_asked() -> None:
    # 5 and 6 are in one of two banks each, which neither may share with the other; nor may 8 be with 6.
    banks = {5: (0, 1), 6: (0, 1), 8: (2, 0)}

    def accepts(placement: Placement) -> bool:
        return placement[5] != placement[6] and placement[8] != placement[6]

    refused = list(refused_placements(banks, 2, accepts))
    for chosen in product(*banks.values()):
        placement = dict(zip(banks, chosen, strict=True))
        assert accepts(placement) == (not any(set(each) <= set(placement.items()) for each in refused))


def test_what_is_always_refused() -> None:
    assert list(refused_placements(_BANKS, 2, lambda placement: False)) == [()]


def test_asked_of_no_values() -> None:
    assert list(refused_placements({}, 2, lambda placement: True)) == []
