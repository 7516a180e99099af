"""Generated images as C for citro3d: textures that the host fills from the arrays that the preamble computes.

    NAME_image1             the texture of unit 1
    NAME_fill_image(...)    arrays of channels to its texels

In: the artifact of a fragment stage.  Out: lines of C99, to stand before the functions that bind and set, and in them.

A texture of the machine has 8 rows at least, so that the one row of an image of one number is repeated.  Its texels lie
in blocks of 8 by 8, within which the bits of column and row take turns; the upper row comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.host_code.templates import fill

#: The space of the register map: number 4 * unit + channel.
IMAGE_SPACE = "image"
_FEWEST_ROWS = 8

_FUNCTIONS = Path(__file__).parent / "images.c"


def image_declarations(artifact: Artifact, prefix: str) -> Iterator[str]:
    """The textures, and what fills them; `PREFIX_byte` stands before."""
    for unit in _images(artifact):
        yield f"static C3D_Tex {prefix}_image{unit};"
    if _images(artifact):
        yield from fill(_FUNCTIONS, {"PREFIX": prefix}).splitlines()


def image_setting(artifact: Artifact, prefix: str, computed: Mapping[str, str]) -> Iterator[str]:
    """Make, fill and bind them; `computed` has expressions for arrays of what the preamble computes."""
    state = artifact.reflection.host_state or {}
    for unit, channels in _images(artifact).items():
        image = f"{prefix}_image{unit}"
        columns, rows = (int(state[f"image{unit}_{name}"]) for name in ("width", "height"))
        filter = "GPU_LINEAR" if state[f"image{unit}_linear"] else "GPU_NEAREST"
        arrays = [computed[channels[channel]] if channel in channels else "0" for channel in range(len(CHANNELS))]
        yield f"const float *const channels{unit}[4] = {{{', '.join(arrays)}}};"
        height = max(rows, _FEWEST_ROWS)
        yield f"if (!{image}.data && C3D_TexInit(&{image}, {columns}, {height}, GPU_RGBA8)) {{"
        yield f"    C3D_TexSetFilter(&{image}, {filter}, {filter});"
        yield f"    C3D_TexSetWrap(&{image}, GPU_CLAMP_TO_EDGE, GPU_CLAMP_TO_EDGE);"
        yield "}"
        yield f"if ({image}.data) {{"
        yield f"    {prefix}_fill_image(&{image}, {columns}, {rows}, channels{unit});"
        yield f"    C3D_TexBind({unit}, &{image});"
        yield "}"


def _images(artifact: Artifact) -> Mapping[int, Mapping[int, str]]:
    """Unit -> channel -> the name of its array."""
    images: dict[int, dict[int, str]] = {}
    for binding in artifact.reflection.uniforms:
        for location in binding.locations:
            if location.space == IMAGE_SPACE:
                unit, channel = divmod(location.index, len(CHANNELS))
                images.setdefault(unit, {})[channel] = binding.name
    return images
