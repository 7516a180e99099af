"""By how much a light's colour is off where it is dimmed: as much as its table, or less, down to nothing."""

from __future__ import annotations

from typing import cast

import pytest

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ZERO
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.cosines import Cosine, Light
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.functions import Domain
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.tables import Evaluator, LightingErrors
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.unit import WHITE, LightUse, TableUse, Unit
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.vectors import axis
from glslc_multi.backends.pica200.isa.fragment.entries import LIGHT_ENTRIES

_LIGHT = Light(axis(2).vector, is_directional=True)
_HIGHLIGHT = TableUse(Domain(Cosine("n_dot_h", _LIGHT), is_positive=True), ZERO)
_SPOT = TableUse(Domain(Cosine("l_dot_spot", _LIGHT, axis(0).vector), is_positive=True), ZERO)
#: No entry of 12 bits has it: the nearest one is a little more.
_BRIGHTNESS = 0.23
_OFF = 255 * (round(4095 * _BRIGHTNESS) / 4095 - _BRIGHTNESS)


class _Values:
    """A highlight that is the same everywhere, and a spot that is 1, then falls to 0 along one line of its table."""

    def values(self, use: TableUse, _sample: object) -> list[float]:
        points, half = 4, LIGHT_ENTRIES // 2
        if use is _HIGHLIGHT:
            return [_BRIGHTNESS] * (points * LIGHT_ENTRIES + 1)
        return [1.0] * (points * half) + [1.0, 0.75, 0.5, 0.25] + [0.0] * (points * (half - 1) + 1)


@pytest.mark.parametrize(("is_dimmed", "least"), [(True, 0.0), (False, _OFF)])
def test_what_is_dimmed_may_be_off_by_less(is_dimmed: bool, least: float) -> None:
    assert _OFF > 0.005
    light = LightUse(_LIGHT, specular0=WHITE, dimmers={"spot": _SPOT} if is_dimmed else {})
    # A second highlight, so that no table is raised by half a step.
    light.specular1 = WHITE
    errors = LightingErrors(Unit([light], tables={"d0": _HIGHLIGHT}), cast("Evaluator", _Values()), {})
    low, high = errors.of_channels()["lighting1", "r"]
    # The unit cuts off up to a step; both colours are bytes as they are.
    assert (low, high) == pytest.approx((-1.0 + least, _OFF))
