"""What the lighting unit is set up to do: its registers as the simulator needs them.

What a draw may change without another program (colours, positions, tables) is among the words that pixels share
(`words.py`); here is the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.records import dataclass

#: Which cosine a table is over, by code.
SELECTORS = ("nh", "vh", "nv", "ln", "sp", "cp")
#: Tables by the layer configuration that has them; those of distance all have.
LAYERS: Mapping[int, frozenset[str]] = {
    code: frozenset(tables.split())
    for code, tables in {
        0: "d0 rr sp",
        1: "fr rr sp",
        2: "d0 d1 rr",
        3: "d0 d1 fr",
        4: "d0 d1 rr rg rb sp",
        5: "d0 fr rr rg rb sp",
        6: "d0 d1 fr rr sp",
        8: "d0 d1 fr rr rg rb sp",
    }.items()
}
#: The one in which tables can be over `cp`.
ALL_TABLES = 8


@dataclass(frozen=True, slots=True)
class Light:
    """One of the lights that count."""

    number: int
    is_directional: bool
    is_two_sided: bool
    #: Whether each of the two specular parts has the geometric factor.
    geometric: tuple[bool, bool]
    has_shadow: bool
    has_spot: bool
    has_distance: bool


@dataclass(frozen=True, slots=True)
class Lookup:
    """How a table is read: the cosine, whether the index has a sign, and what the entry is multiplied by."""

    selector: str
    is_signed: bool
    scale: float


@dataclass(frozen=True, slots=True)
class Bump:
    """A texture that bends the normal, or the tangent."""

    unit: int
    bends_tangent: bool
    #: z follows from x and y.
    makes_z: bool


@dataclass(frozen=True, slots=True)
class Shadow:
    """A texture that shades: which of the two colours, and whether their alpha."""

    unit: int
    is_inverted: bool
    primary: bool
    secondary: bool
    alpha: bool


@dataclass(frozen=True, slots=True)
class Lighting:
    """The unit, switched on."""

    lights: tuple[Light, ...]
    #: The tables in use by their names; that of spots is of all lights.
    lookups: Mapping[str, Lookup]
    bump: Bump | None
    shadow: Shadow | None
    clamps_highlights: bool
    #: Whether the Fresnel factor becomes the alpha of each of the two colours.
    fresnel: tuple[bool, bool]
    #: Whether it is the layer configuration in which tables can be over `cp`.
    has_projections: bool
