"""Cube maps: how the axes of their faces lie."""

from __future__ import annotations

#: Face of a cube map -> (axis and sign of s, axis and sign of t): GL ES 2.0 table 3.21.
FACES = ((2, -1, 1, -1), (2, 1, 1, -1), (0, 1, 2, 1), (0, 1, 2, -1), (0, 1, 1, -1), (0, -1, 1, -1))
