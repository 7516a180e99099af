"""Meshes: closed, turned outwards, with normals of their surface; .obj files."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.runtime.meshes import BUILT_IN, MeshError, read_obj


@pytest.mark.parametrize("name", BUILT_IN)
def test_triangles_face_where_their_normals_point(name: str) -> None:
    mesh = BUILT_IN[name]()
    a, b, c = (mesh.position[mesh.triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    sizes = np.linalg.norm(faces, axis=1)
    is_flat = sizes < 1e-9
    mean = mesh.normal[mesh.triangles].mean(axis=1)
    assert is_flat.mean() < 0.1
    assert (np.einsum("tk,tk->t", faces, mean)[~is_flat] > 0.5 * sizes[~is_flat]).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normal, axis=1), 1, atol=1e-9)
    assert mesh.uv.min() >= 0 and mesh.uv.max() <= 1


@pytest.mark.parametrize(("name", "volume"), [("cube", 8.0), ("sphere", 4 / 3 * np.pi), ("torus", 2 * np.pi**2 * 0.16)])
def test_volumes(name: str, volume: float) -> None:
    """The divergence theorem: a closed surface that faces outwards has its solid's volume."""
    mesh = BUILT_IN[name]()
    a, b, c = (mesh.position[mesh.triangles[:, k]] for k in range(3))
    assert np.einsum("tk,tk->", a, np.cross(b, c)) / 6 == pytest.approx(volume, rel=0.02)


OBJ = """
# a square and a triangle
o thing
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 1
vn 0 0 1
usemtl stone
f 1/1/1 2/2/1 3/2/1 4/1/1
f -4//1 -3//1 -2//1
"""


def test_obj_files() -> None:
    mesh = read_obj(OBJ)
    corners = mesh.position[mesh.triangles]
    assert corners[:, :, :2].tolist() == [
        [[0, 0], [1, 0], [1, 1]],
        [[0, 0], [1, 1], [0, 1]],
        [[0, 0], [1, 0], [1, 1]],
    ]
    assert mesh.uv[mesh.triangles[0]].tolist() == [[0, 0], [1, 1], [1, 1]]
    assert (mesh.normal == [0, 0, 1]).all()


def test_missing_normals_are_those_of_the_faces() -> None:
    mesh = read_obj("v 0 0 0\nv 0 2 0\nv 0 0 2\nf 1 2 3")
    assert mesh.normal.tolist() == [[1, 0, 0]] * 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v 1 2", "line 1: v needs 3 numbers, found 2"),
        ("v 1 2 x", "line 1: could not convert"),
        ("v 0 0 0\nf 1 2 3", "line 2: there is no v number 2"),
        ("v 0 0 0\nf 1 1", "line 2: a face needs 3 corners, found 2"),
        ("v 0 0 0\nf 0 0 0", "line 2: there is no v number 0"),
        ("vn 0 0 1\nf //1 //1 //1", "line 2: a corner needs a position"),
        ("", "the file has no faces"),
    ],
)
def test_bad_obj_files(text: str, message: str) -> None:
    with pytest.raises(MeshError, match=message):
        read_obj(text)
