"""Images that the host makes of uniforms: their channels, as the register map has them, to textures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment.artifact import IMAGE_SPACE
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Reflection


def generated_images(reflection: Reflection, given: Mapping[str, Mapping[int, Sequence[Any]]]) -> dict[int, Texture]:
    """By texture unit."""
    channels = given.get(IMAGE_SPACE, {})
    state = reflection.host_state or {}
    return {
        unit: _texture(unit, channels, state) for unit in dict.fromkeys(number // len(CHANNELS) for number in channels)
    }


def _texture(unit: int, channels: Mapping[int, Sequence[Any]], state: Mapping[str, bool | int | str]) -> Texture:
    width, height, is_linear = (int(state[f"image{unit}_{name}"]) for name in ("width", "height", "linear"))
    texels = np.full((height, width, len(CHANNELS)), WHOLE, np.uint8)
    for channel in range(len(CHANNELS)):
        values = channels.get(len(CHANNELS) * unit + channel)
        if values is not None:
            rows = np.nan_to_num(np.asarray(values, np.float64)).reshape(height, width)
            texels[:, :, channel] = np.floor(np.clip(rows, 0.0, 1.0) * WHOLE + 0.5)
    return Texture(texels, "linear" if is_linear else "nearest", "clamp")
