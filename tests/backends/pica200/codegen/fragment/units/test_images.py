"""Where an image is compared with the function that it stands for: between four texels, of a row between two."""

from __future__ import annotations

import pytest

from glslc_multi.backends.pica200.codegen.fragment.units.images import SIZES, _probes


@pytest.mark.parametrize("axes", [1, 2])
def test_a_place_between_texels_has_these_around_it(axes: int) -> None:
    """In half texels: centres of texels are odd, what is between them is even, and the last place is the far edge."""
    width, height = (2 * size for size in SIZES[axes])
    found = list(_probes(axes))
    for (x, y), *around in found:
        columns = {1} if x == 0 else {width - 1} if x == width else {x - 1, x + 1}
        rows = {1} if y == 0 else {height - 1} if y == height else {y - 1, y + 1}
        assert set(around) == {(column, row if axes > 1 else 0) for column in columns for row in rows}
        # At an edge, texels count twice, so that their mean is that of the middle.
        assert len(around) == 2**axes
    places = [place for place, *_ in found]
    assert len(set(places)) == len(places)
    assert {x % 2 for x, _ in places} == {0}
    assert {(0, 0), (width, height if axes > 1 else 0)} <= set(places)
