"""C for citro3d, compiled and run here: the texels of its textures are those that the simulated machine reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import glslc_multi
from backends.pica200.machine.fragment.images import generated_images
from backends.pica200.target import TARGET
from glslc_multi.report.c_text import c_source
from runtime.preamble import run_preamble
from tests.backends.pica200.fragment.images.shaders import BODIES, DECLARED
from tests.backends.pica200.fragment.link.stub import COMPILER, run

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

#: What the stub lacks; binding prints unit, size, filter, and all texels as they lie in memory.
_TEXTURES = r"""
#include <citro3d.h>
#include <stdlib.h>
typedef uint16_t u16;
typedef struct { void *data; u16 width, height; int filter; } C3D_Tex;
enum { GPU_RGBA8 = 0, GPU_NEAREST = 0, GPU_LINEAR = 1, GPU_CLAMP_TO_EDGE = 0 };
static bool C3D_TexInit(C3D_Tex *image, u16 width, u16 height, int format) {
    image->data = format == GPU_RGBA8 ? malloc((size_t)width * height * 4) : NULL;
    image->width = width, image->height = height;
    return image->data != NULL;
}
static void C3D_TexSetFilter(C3D_Tex *image, int large, int small) { image->filter = large == small ? large : -1; }
static void C3D_TexSetWrap(C3D_Tex *image, int s, int t) { (void)image; (void)s; (void)t; }
static void C3D_TexFlush(C3D_Tex *image) { (void)image; }
static void C3D_TexBind(int unit, C3D_Tex *image) {
    printf("[\"image\", %d, %d, %d, %d", unit, image->width, image->height, image->filter);
    for (int n = 0; n < image->width * image->height; n++) printf(", %lu", (unsigned long)((u32 *)image->data)[n]);
    printf("]\n");
}
"""


@pytest.mark.parametrize("name", ["vignette", "below zero", "one image with four channels"])
def test_a_texture_has_the_texels_of_the_image(name: str, tmp_path: Path) -> None:
    body, _, _, _ = BODIES[name]
    shader = glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment", options={"images": True})
    source = c_source(shader.artifact, "q", TARGET).replace("#include <citro3d.h>", _TEXTURES)
    strength = 0.75 if name == "vignette" else None
    uniforms = {"u_tint": np.array([0.9, 0.2, 0.4]), "u_strength": np.array(strength or 0.0)}
    values = "" if strength is None else "{0.9f, 0.2f, 0.4f}, {0.75f}"
    if strength is not None and source.index("/* u_strength */") < source.index("/* u_tint */"):
        values = "{0.75f}, {0.9f, 0.2f, 0.4f}"
    calls = run(tmp_path, source, f"q_uniforms u = {{{values or 0}}}; q_bind(); q_set(&u);")
    ((_, unit, width, height, is_linear, *texels),) = (call for call in calls if call[0] == "image")
    assert shader.artifact.preamble is not None
    computed = run_preamble(shader.artifact.preamble, uniforms)
    places = {b.name: b.locations[0] for b in shader.reflection.uniforms if b.locations[0].space == "image"}
    given = {"image": {place.index: computed[n].reshape(-1).tolist() for n, place in places.items()}}
    (wanted_unit, wanted), *_ = generated_images(shader.reflection, given).items()
    assert (unit, width, is_linear) == (wanted_unit, wanted.levels[0].shape[2], 1)
    found = _rows(np.array(texels, np.uint32), width, height)
    # A row is repeated, since a texture has 8 at least.
    expected = np.broadcast_to(np.round(255 * wanted.levels[0][0]), found.shape)
    assert np.abs(found.astype(int) - expected).max() <= 1, "floats of C are those of 32 bits"


def _rows(texels: np.ndarray, width: int, height: int) -> np.ndarray:
    """From the lowest row on: a block of 8 by 8 is made of four of 4 by 4, these of four of 2 by 2, those of four."""
    blocks = texels.reshape(height // 8, width // 8, 2, 2, 2, 2, 2, 2)
    # Of each pair of bits the second one is the column's.
    rows = blocks.transpose(0, 2, 4, 6, 1, 3, 5, 7).reshape(height, width)[::-1]
    return np.stack([rows >> shift & 255 for shift in (24, 16, 8, 0)], axis=-1)
