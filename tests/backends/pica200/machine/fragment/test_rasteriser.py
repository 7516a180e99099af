"""What is interpolated between vertices, as the public notes on the rasteriser have it."""

from __future__ import annotations

import numpy as np

from glslc_multi.backends.pica200.target import TARGET


def test_colours_have_no_sign_and_end_at_one() -> None:
    corners = np.array([[[-0.5, 0.25, 3.0, -2.0]] * 3])
    assert TARGET.at_corners("color", corners).tolist() == [[[0.5, 0.25, 1.0, 1.0]] * 3]


def test_quaternions_take_the_sign_of_the_first_corner() -> None:
    first, near, far = [0.0, 0.6, 0.0, 0.8], [0.0, 0.8, 0.0, 0.6], [0.1, -0.6, 0.0, -0.8]
    corners = np.array([[first, near, far], [far, near, first]])
    found = TARGET.at_corners("normalquat", corners)
    assert found.tolist() == [[first, near, [-x for x in far]], [far, [-x for x in near], [-x for x in first]]]


def test_coordinates_stay_as_they_are() -> None:
    corners = np.array([[[-3.0, 7.0]] * 3])
    assert TARGET.at_corners("texcoord0", corners) is corners
