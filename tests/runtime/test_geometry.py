"""Triangles of strips, by the rule of OpenGL ES 3.2 section 10.1 and slots of vertex k mod 3."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.ir.evaluate import Emission
from glslc_multi.runtime.geometry import as_triangles, emitted_values, strip_corners


def _emitted(*rows: str) -> list[Emission]:
    """One emission for each column of the rows, of which each is a lane: `v` a vertex, `e` the end of a strip."""
    found = []
    for number, column in enumerate(zip(*rows, strict=True)):
        (kind,) = set(column) - {"."}
        outputs = {"x": np.array([10.0 * lane + number for lane in range(len(rows))])} if kind == "v" else None
        found.append(Emission(outputs, np.array([word == kind for word in column])))
    return found


#: Emissions by lane -> lane and emissions of each triangle.
_STRIPS: dict[tuple[str, ...], list[tuple[int, list[int]]]] = {
    ("vvv",): [(0, [0, 1, 2])],
    ("vv",): [],
    # Every other triangle is turned; the third begins with vertex 3, in slot 0.
    ("vvvvv",): [(0, [0, 1, 2]), (0, [3, 2, 1]), (0, [3, 4, 2])],
    ("vvvvvv",): [(0, [0, 1, 2]), (0, [3, 2, 1]), (0, [3, 4, 2]), (0, [3, 5, 4])],
    # A strip ends, and another one begins with its own first vertex.
    ("vvvevvv",): [(0, [0, 1, 2]), (0, [4, 5, 6])],
    ("vvevvv",): [(0, [3, 4, 5])],
    ("vvvvevvv",): [(0, [0, 1, 2]), (0, [3, 2, 1]), (0, [5, 6, 7])],
    # A lane that leaves nothing at a time goes on with its own strip.
    ("vv.v", "vvvv"): [(0, [0, 1, 3]), (1, [0, 1, 2]), (1, [3, 2, 1])],
    ("vv.v", "..v."): [(0, [0, 1, 3])],
    ("vvvevvv", "vvv.vvv"): [
        (0, [0, 1, 2]),
        (0, [4, 5, 6]),
        (1, [0, 1, 2]),
        (1, [4, 2, 1]),
        (1, [4, 5, 2]),
        (1, [4, 6, 5]),
    ],
}


@pytest.mark.parametrize("rows", _STRIPS)
def test_strips_become_triangles(rows: tuple[str, ...]) -> None:
    corners = strip_corners(_emitted(*rows))
    triangles = [corners[first : first + 3] for first in range(0, len(corners), 3)]
    found = [({corner.lane for corner in three}, [corner.emission for corner in three]) for three in triangles]
    assert found == [({lane}, numbers) for lane, numbers in _STRIPS[rows]]


def test_a_triangle_has_the_values_of_its_corners() -> None:
    """Ten times the lane, and the number of the emission."""
    emitted = _emitted("vvvv", "vvvv")
    corners = strip_corners(emitted)
    values = emitted_values(emitted, corners, "x", np.zeros(1))
    found = as_triangles({"x": values}, [corner.lane for corner in corners[::3]])
    assert found["x"].tolist() == [[0, 1, 2], [3, 2, 1], [10, 11, 12], [13, 12, 11]]
    assert found["gl_PrimitiveID"].tolist() == [0, 0, 1, 1]


def test_nothing_has_the_shape_of_a_value() -> None:
    assert strip_corners([]) == []
    found = as_triangles({"x": emitted_values([], [], "x", np.zeros((1, 4)))}, [])
    assert (found["x"].shape, found["gl_PrimitiveID"].shape) == ((0, 3, 4), (0,))
