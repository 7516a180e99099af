"""Blending: what a pixel becomes of the shader's colour and the one that is there.

The result is source * factor + there * factor, as OpenGL ES has it (section 4.1.6 of OpenGL ES 2.0), with numbers
between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

#: 0, 1, the source's alpha, 1 less that, or the colour that is there.
Factor = Literal["zero", "one", "alpha", "rest", "there"]


class Blend(NamedTuple):
    """Factors of the shader's colour and of the one that is there."""

    source: Factor
    there: Factor


#: By the value of the option `blend`.
BLENDS: Mapping[str, Blend] = {
    "none": Blend("one", "zero"),
    "alpha": Blend("alpha", "rest"),
    "premultiplied": Blend("one", "rest"),
    "add": Blend("one", "one"),
    "add_alpha": Blend("alpha", "one"),
    "multiply": Blend("there", "zero"),
}
