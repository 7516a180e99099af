"""What the page draws: meshes and a texture as lists of numbers."""

from __future__ import annotations

import numpy as np

from glslc_multi.playground.scene import pictures_data
from glslc_multi.runtime.meshes import BUILT_IN

DARK, LIGHT = [64, 102, 153], [242, 230, 204]


def test_meshes_are_those_of_rendered_pictures() -> None:
    found = pictures_data()["meshes"]
    assert found.keys() == BUILT_IN.keys()
    for name, make in BUILT_IN.items():
        mesh = make()
        for part, wanted in (("position", mesh.position), ("normal", mesh.normal), ("uv", mesh.uv)):
            np.testing.assert_allclose(found[name][part], wanted.ravel(), atol=1e-6)
        np.testing.assert_allclose(found[name]["colour"], (mesh.position.ravel() + 1) / 2, atol=1e-6)
        assert found[name]["triangles"] == mesh.triangles.ravel().tolist()


def test_the_texture_has_eight_checks_in_a_row() -> None:
    texture = pictures_data()["texture"]
    size = texture["size"]
    check = size // 8
    wanted = [[LIGHT if (x // check + y // check) % 2 else DARK for x in range(size)] for y in range(size)]
    assert texture["texels"] == [texel for row in wanted for texel in row]
