"""Blending: the colour of a pixel from the shader's (the source) and the one in the tile buffer (the destination).

The result is source * factor + destination * factor, as OpenGL ES has it (section 4.1.6 of OpenGL ES 2.0), with
numbers between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

#: 0, 1, the source's alpha, one minus that, or the destination's colour.
Factor = Literal["zero", "one", "alpha", "one_minus_alpha", "destination"]


class Blend(NamedTuple):
    """Factors of the source and of the destination."""

    source: Factor
    destination: Factor


#: By the value of the option `blend`.
BLENDS: Mapping[str, Blend] = {
    "none": Blend("one", "zero"),
    "alpha": Blend("alpha", "one_minus_alpha"),
    "premultiplied": Blend("one", "one_minus_alpha"),
    "add": Blend("one", "one"),
    "add_alpha": Blend("alpha", "one"),
    "multiply": Blend("destination", "zero"),
}
