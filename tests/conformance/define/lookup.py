"""Cases that look up one texture called `map`: the forms a coordinate takes, and the inputs they read.

The inputs `st` (2D) or `r` (cube) say where, `q` is what projective forms divide by, `level` the level of detail.
Lanes stay away from the edges of texels, faces and levels, where rounding decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.conformance.define.domains import COORDINATE, Domain
from tests.conformance.define.images import Image
from tests.conformance.define.value_case import ValueCase, value


class Form(NamedTuple):
    """A 2D lookup without perspective or with it: its function, coordinate type and coordinate."""

    function: str
    parameter: str
    coordinate: str


FORMS = (
    Form("texture2D", "vec2", "st"),
    Form("texture2DProj", "vec3", "vec3(st * q, q)"),
    Form("texture2DProj", "vec4", "vec4(st * q, 9.0, q)"),
)

#: On one face: directions whose third component, 1, is the longest.
INSIDE = Domain(-0.875, 0.75, 8, offset=1 / 32)
_DOMAINS = {
    "st": COORDINATE,
    "r": Domain(-2, 2, 16, offset=1 / 64),
    "x": INSIDE,
    "y": INSIDE,
    "level": Domain(0, 3, 1, offset=0.125),
    "q": Domain(0.5, 2, 2, least=0.5),
}


def lookup(
    name: str, text: str, image: Image, formula: Callable[..., Any], inputs: str, *, overload: str = "", **more: Any
) -> list[ValueCase]:
    """The case of a text that reads the sampler `map`; `overload` is the signature that it proves."""
    kind = "samplerCube" if image.kind == "cube" else "sampler2D"
    return value(
        name,
        "vec4",
        text,
        formula,
        inputs,
        images={"map": image},
        domains=_DOMAINS | more.pop("domains", {}),
        before=more.pop("before", f"uniform {kind} map;"),
        tags=("texture", *([f"overload:{overload}"] if overload else [])),
        **more,
    )
