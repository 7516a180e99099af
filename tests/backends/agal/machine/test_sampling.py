"""`tex`: what the sampler's words do to a lookup."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.agal.machine.simulate import simulate
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.textures import Texture
from tests.backends.agal.helpers import bytes_of

#: Columns of a texture of 4x1 texels, and of its smaller levels.
TEXELS, HALF, WHOLE = [[0.0, 1.0, 2.0, 3.0]], [[10.0, 11.0]], [[20.0]]


def look_up(options: str, places: list[float], version: int = 2, texture: Texture | None = None) -> list[float]:
    """The red component at (place, 0.5); four places are a quad."""
    text = f"tex ft0, v0, fs0 <{options}>\nmov oc, ft0"
    image = texture or Texture(np.array(TEXELS), mips=[np.array(HALF), np.array(WHOLE)])
    coordinates = [[place, 0.5] for place in places]
    data = bytes_of(text, "fragment", version)
    found = simulate(data, {"v0": coordinates}, {}, {"fs0": image}, lanes=len(places), quads=len(places) % 4 == 0)
    result: list[float] = found.outputs["oc"][:, 0].tolist()
    return result


@pytest.mark.parametrize(
    ("options", "place", "expected"),
    [
        ("nearest,clamp", 0.3, 1.0),
        ("nearest,clamp", -0.1, 0.0),
        ("nearest,clamp", 1.1, 3.0),
        ("nearest,repeat", -0.1, 3.0),
        ("nearest,repeat", 1.1, 0.0),
        ("nearest,repeat_u_clamp_v", 1.1, 0.0),
        ("nearest,clamp_u_repeat_v", 1.1, 3.0),
        ("linear,clamp", 0.25, 0.5),
        ("linear,clamp", 0.05, 0.0),
        ("linear,repeat", 0.0, 1.5),
        ("anisotropic4x,clamp", 0.25, 0.5),
    ],
)
def test_filter_and_wrap(options: str, place: float, expected: float) -> None:
    assert look_up(options, [place]) == [pytest.approx(expected)]


def test_the_level_comes_from_the_quad_and_the_bias() -> None:
    one_texel_apart = [0.30, 0.55, 0.30, 0.55]
    two_texels_apart = [0.05, 0.55, 0.05, 0.55]
    assert look_up("mipnearest", one_texel_apart) == [1, 2, 1, 2]
    assert look_up("mipnearest", two_texels_apart) == [10, 11, 10, 11]
    assert look_up("mipnearest,1", one_texel_apart) == [10, 11, 10, 11]
    assert look_up("mipnearest,-1", two_texels_apart) == [0, 2, 0, 2]
    assert look_up("miplinear,0.5", one_texel_apart) == [5.5, 6.5, 5.5, 6.5]
    assert look_up("mipnone,1", two_texels_apart) == [0, 2, 0, 2]


def test_ignoresampler_leaves_the_state_to_the_host() -> None:
    texture = Texture(np.array(TEXELS), "linear", "repeat")
    assert look_up("nearest,clamp,ignoresampler", [0.0], texture=texture) == [1.5]


def test_cube_maps_take_a_direction() -> None:
    faces = np.arange(6.0).reshape(6, 1, 1, 1)
    text = "tex ft0, v0, fs0 <cube,mipnearest>\nmov oc, ft0"
    directions = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]
    data = bytes_of(text, "fragment")
    found = simulate(data, {"v0": directions}, {}, {"fs0": Texture(faces)}, lanes=4, quads=True)
    assert found.outputs["oc"][:, 0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("options", "textures", "code"),
    [
        ("2d", {}, "E0651"),
        ("2d,miplinear", {"fs0": Texture(np.array(TEXELS))}, "E0655"),
        ("2d", {"fs0": Texture(np.zeros((6, 1, 1, 1)))}, "E0655"),
        ("2d,miplinear", {"fs0": Texture(np.array(TEXELS), mips=True)}, "E0653"),
        ("2d", {"fs8": Texture(np.array(TEXELS))}, "E0650"),
    ],
)
def test_textures_that_cannot_be_read(options: str, textures: dict[str, Texture], code: str) -> None:
    data = bytes_of(f"tex ft0, v0, fs0 <{options}>\nmov oc, ft0", "fragment")
    with pytest.raises(CompileError) as error:
        simulate(data, {"v0": [[0.5, 0.5]]}, {}, textures, lanes=1)
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == [code]
