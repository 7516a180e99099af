"""The results of a geometry shader: the triangles of all its runs.

A result has an array for each output, its axes triangles, three corners, then those of the value; and `gl_PrimitiveID`,
the run (lane) that each triangle comes from.  Corners are in winding order: that of the strip's vertices, and
reversed for every other triangle of a strip (OpenGL ES 3.2 section 10.1).  Of the three possible first
corners, a triangle has that of hardware that keeps vertex k of a strip in slot k mod 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.ir.evaluate import Emission

CORNERS = 3
_PRIMITIVE = "gl_PrimitiveID"


class Corner(NamedTuple):
    """A vertex of a triangle: which emission made it, in which lane."""

    emission: int
    lane: int


def strip_corners(emitted: Sequence[Emission]) -> list[Corner]:
    """Three corners for each triangle of all strips, lane by lane."""
    lanes = len(emitted[0].lanes) if emitted else 0
    corners: list[Corner] = []
    for lane in range(lanes):
        strip: list[Corner] = []
        for number, emission in enumerate(emitted):
            if not emission.lanes[lane]:
                continue
            if emission.outputs is None:
                strip = []
                continue
            strip.append(Corner(number, lane))
            if len(strip) >= CORNERS:
                # The last triangle of a strip, in winding order.
                last = range(len(strip) - CORNERS, len(strip))
                corners += wound(
                    [strip[k] for k in sorted(last, key=lambda k: k % CORNERS)], is_turned=len(strip) % 2 == 0
                )
    return corners


def wound(slots: Sequence[Any], *, is_turned: bool) -> list[Any]:
    """The corners in three slots, in winding order."""
    first, second, third = slots
    return [first, third, second] if is_turned else [first, second, third]


def emitted_values(emitted: Sequence[Emission], corners: Sequence[Corner], name: str, empty: Array) -> Array:
    """The values of an output at all corners; `empty` has its shape where there are none."""
    values = []
    for emission, lane in corners:
        outputs = emitted[emission].outputs
        assert outputs is not None
        values.append(outputs[name][lane])
    return np.stack(values) if values else empty[:0]


def as_triangles(values: Mapping[str, Array], lanes: Sequence[int]) -> dict[str, Array]:
    """The result, from values by corner and the lane of each triangle."""
    shaped = {name: value.reshape(len(lanes), CORNERS, *value.shape[1:]) for name, value in values.items()}
    return shaped | {_PRIMITIVE: np.array(lanes, np.int32)}
