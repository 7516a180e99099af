"""Meshes to draw: made here, or read from Wavefront .obj files.

A mesh has a value of every attribute for each vertex, and the vertices of each triangle, anticlockwise seen from the
front.  The attributes are `position`, `normal` and `uv`; whoever draws says which of the shader's attributes they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.records import dataclass

Floats = NDArray[np.float64]


class MeshError(ValueError):
    """Text that is no mesh; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles."""

    #: Three coordinates a vertex.
    position: Floats
    #: Three a vertex, of length 1.
    normal: Floats
    #: Two a vertex.
    uv: Floats
    #: Numbers of three vertices a triangle.
    triangles: NDArray[np.intp]


def quad() -> Mesh:
    """The square from -1 to 1 in the plane z = 0."""
    return _surface(lambda u, v: (2 * u - 1, 2 * v - 1, 0.0 * u), 1, 1)


def sphere(columns: int = 48, rows: int = 24) -> Mesh:
    """Radius 1, poles on the y axis."""

    def place(u: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        around, up = 2 * math.pi * u, math.pi * v
        return np.sin(up) * np.sin(around), -np.cos(up), np.sin(up) * np.cos(around)

    mesh = _surface(place, columns, rows)
    return Mesh(mesh.position, mesh.position, mesh.uv, mesh.triangles)


def torus(columns: int = 48, rows: int = 24, thickness: float = 0.4) -> Mesh:
    """A ring of radius 1 around the y axis."""

    def place(u: Floats, v: Floats, size: float = thickness) -> tuple[Floats, Floats, Floats]:
        around, across = 2 * math.pi * u, 2 * math.pi * v
        radius = 1 + size * -np.cos(across)
        return radius * np.sin(around), size * -np.sin(across), radius * np.cos(around)

    mesh = _surface(place, columns, rows)
    around = 2 * math.pi * mesh.uv[:, 0]
    middle = np.stack([np.sin(around), 0 * around, np.cos(around)], axis=1)
    return Mesh(mesh.position, (mesh.position - middle) / thickness, mesh.uv, mesh.triangles)


def cube() -> Mesh:
    """From -1 to 1 along each axis; every face has its own vertices."""
    face = quad()
    turns = [np.roll(np.eye(3), shift, axis=1) for shift in range(3)]
    sides = [turn * sign for turn in turns for sign in (1, -1)]
    # A negated turn mirrors, which turns triangles round; so one of its axes is negated back.
    sides = [side if np.linalg.det(side) > 0 else side * np.array([[-1], [1], [1]]) for side in sides]
    position = np.concatenate([(face.position + np.array([0, 0, 1])) @ side for side in sides])
    normal = np.concatenate([np.tile(side[2], (4, 1)) for side in sides])
    triangles = np.concatenate([face.triangles + 4 * number for number in range(6)])
    return Mesh(position, normal, np.tile(face.uv, (6, 1)), triangles)


#: Name -> mesh.
BUILT_IN: dict[str, Callable[[], Mesh]] = {"cube": cube, "quad": quad, "sphere": sphere, "torus": torus}


def _surface(place: Callable[[Floats, Floats], tuple[Floats, Floats, Floats]], columns: int, rows: int) -> Mesh:
    """A grid of u and v from 0 to 1, put in its place; normals are those of a plane facing z."""
    grid_v, grid_u = np.meshgrid(np.linspace(0, 1, rows + 1), np.linspace(0, 1, columns + 1), indexing="ij")
    u, v = grid_u.ravel(), grid_v.ravel()
    position = np.stack(place(u, v), axis=1)
    corner = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    right, above, across = corner + 1, corner + columns + 1, corner + columns + 2
    triangles = np.concatenate([np.stack([corner, right, across], 1), np.stack([corner, across, above], 1)])
    return Mesh(position, np.tile([0.0, 0.0, 1.0], (len(u), 1)), np.stack([u, v], axis=1), triangles)


# -------------------------------------------------------------------------------------- .obj files
def read_obj(text: str) -> Mesh:
    """The faces of a .obj file (v, vt, vn, f); polygons become fans, and missing normals those of the faces."""
    reader = _ObjReader()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            reader.read(line.partition("#")[0].split())
        except (ValueError, IndexError) as error:
            raise MeshError(f"line {number}: {error}") from None
    return reader.mesh()


class _ObjReader:
    """Numbers of the file, and the vertices made of them: one for each combination that a face names."""

    def __init__(self) -> None:
        self.numbers: dict[str, list[list[float]]] = {"v": [], "vt": [], "vn": []}
        self.vertices: dict[tuple[int, int, int], int] = {}
        self.triangles: list[tuple[int, int, int]] = []

    def read(self, words: list[str]) -> None:
        """One line; groups, materials and the like are passed over."""
        if not words:
            return
        kind, *rest = words
        if kind in self.numbers:
            count = 2 if kind == "vt" else 3
            numbers = [float(word) for word in rest[:count]]
            if len(numbers) < count:
                raise ValueError(f"{kind} needs {count} numbers, found {len(numbers)}")
            self.numbers[kind].append(numbers)
        elif kind == "f":
            corners = [self._vertex(word) for word in rest]
            if len(corners) < 3:
                raise ValueError(f"a face needs 3 corners, found {len(corners)}")
            self.triangles += [(corners[0], *pair) for pair in pairwise(corners[1:])]

    def _vertex(self, word: str) -> int:
        """The number of the vertex `place/uv/normal`, where the last two may be missing."""
        parts = [*word.split("/"), "", ""][:3]
        place, uv, normal = (self._index(kind, part) for kind, part in zip(self.numbers, parts, strict=True))
        if place < 0:
            raise ValueError("a corner needs a position")
        return self.vertices.setdefault((place, uv, normal), len(self.vertices))

    def _index(self, kind: str, part: str) -> int:
        """Which of the numbers so far, from 0; -1 where none is named.  Negative ones count from the end."""
        if not part:
            return -1
        number, count = int(part), len(self.numbers[kind])
        index = number - 1 if number > 0 else count + number
        if not 0 <= index < count:
            raise ValueError(f"there is no {kind} number {number}")
        return index

    def mesh(self) -> Mesh:
        if not self.triangles:
            raise MeshError("the file has no faces")
        # One more entry stands for what is missing, since its number is -1.
        places, uvs, normals = (
            np.array([*self.numbers[kind], [0.0] * (2 if kind == "vt" else 3)]) for kind in ("v", "vt", "vn")
        )
        corner = np.array(list(self.vertices))
        triangles = np.array(self.triangles, dtype=np.intp)
        position, normal = places[corner[:, 0]], normals[corner[:, 2]]
        if (corner[:, 2] < 0).any():
            normal = _face_normals(position, triangles)
        return Mesh(position, normal, uvs[corner[:, 1]], triangles)


def _face_normals(position: Floats, triangles: NDArray[np.intp]) -> Floats:
    """At each vertex the mean of its faces' normals, weighted by their areas."""
    a, b, c = (position[triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    sums = np.zeros_like(position)
    for k in range(3):
        np.add.at(sums, triangles[:, k], faces)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    normals: Floats = sums / np.where(lengths == 0, 1, lengths)
    return normals
