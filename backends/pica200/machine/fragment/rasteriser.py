"""What the rasteriser makes of the outputs of vertices before it interpolates them over a triangle."""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array


def at_corners(space: str, corners: Array) -> Array:
    """The values of an output at the corners of triangles, [triangle][corner][component].

    Colours are taken without a sign and end at 1.  Quaternions of the second and third corner take the sign that makes
    them near to that of the first: with either sign they turn alike, but not what lies between.
    """
    if space == "color":
        return np.minimum(np.abs(corners), 1.0)
    if space == "normalquat":
        along = np.einsum("pc,pvc->pv", corners[:, 0], corners)
        return np.where(along[:, :, None] < 0, -corners, corners)
    return corners
