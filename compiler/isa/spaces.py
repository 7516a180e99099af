"""Spaces of the register map for what a machine itself brings to a fragment: the same on all that have such inputs."""

from __future__ import annotations

from collections.abc import Mapping

#: Position in the window, facing, coordinates of a point.
WINDOW_SPACE, FACING_SPACE, POINT_SPACE = "window", "facing", "point"
#: By the role of the input.
INPUT_SPACES: Mapping[str, str] = {
    "frag_coord": WINDOW_SPACE,
    "front_facing": FACING_SPACE,
    "point_coord": POINT_SPACE,
}
