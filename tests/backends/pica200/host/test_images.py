"""C for citro3d, compiled and run here: the texels of its textures are those that the simulated machine reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.pica200.machine.fragment.images import generated_images
from glslc_multi.runtime.preamble import run_preamble
from tests.backends.pica200.codegen.fragment.units.images.shaders import BODIES, DECLARED
from tests.backends.pica200.host.stub import COMPILER, run_stages
from tests.backends.pica200.host.texels import rows_of_texels

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


@pytest.mark.parametrize("name", ["vignette", "below zero", "one image with four channels"])
def test_a_texture_has_the_texels_of_the_image(name: str, tmp_path: Path) -> None:
    body, _, _, _ = BODIES[name]
    shader = glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment", options={"images": True})
    strength = 0.75 if name == "vignette" else None
    uniforms = {"u_tint": np.array([0.9, 0.2, 0.4]), "u_strength": np.array(strength or 0.0)}
    setters = "q_set_u_tint(&q, (const float[]){0.9f, 0.2f, 0.4f}); q_set_u_strength(&q, 0.75f);"
    main = f"q_program q; q_init(&q); q_bind(&q); {'' if strength is None else setters} q_update(&q);"
    calls = run_stages(tmp_path, {"q": {"fragment": shader.artifact}}, main)
    calls = [call for call in calls if call[0] == "image"][-1:]
    ((_, unit, width, height, is_linear, *texels),) = calls
    assert shader.artifact.preamble is not None
    computed = run_preamble(shader.artifact.preamble, uniforms)
    places = {b.name: b.locations[0] for b in shader.reflection.uniforms if b.locations[0].space == "image"}
    given = {"image": {place.index: computed[n].reshape(-1).tolist() for n, place in places.items()}}
    (wanted_unit, wanted), *_ = generated_images(shader.reflection, given).items()
    assert (unit, width, is_linear) == (wanted_unit, wanted.levels[0].shape[2], 1)
    found = rows_of_texels(np.array(texels, np.uint32), width, height)
    # A row is repeated, since a texture has 8 at least.
    expected = np.broadcast_to(np.round(255 * wanted.levels[0][0]), found.shape)
    assert np.abs(found.astype(int) - expected).max() <= 1, "floats of C are those of 32 bits"
