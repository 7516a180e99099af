"""Lights and materials as citro3d keeps them.

Colours are multiplied when they are sent, and the tables in use choose the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.backends.pica200.isa.fragment.registers.lighting import CONFIGURATIONS, INPUT_TABLES
from glslc_multi.compiler.arithmetic.protocol import round_to_float32 as f32
from glslc_multi.compiler.records import dataclass, field

#: Blue, green and red, as the library has colours.
Colour = tuple[float, float, float]
_BLACK: Colour = (0.0, 0.0, 0.0)
_WHITE: Colour = (1.0, 1.0, 1.0)
#: The code of the configuration that has all tables.
_ALL_TABLES = 8


def colour(numbers: Sequence[float]) -> Colour:
    """A colour of three numbers in the library's order."""
    first, second, third = (f32(number) for number in numbers)
    return first, second, third


def colour_word(parts: Iterable[int]) -> int:
    """A colour as lighting registers have it."""
    return sum(part << 10 * place for place, part in enumerate(parts))


@dataclass(slots=True)
class Material:
    """What the surface makes of light."""

    ambient: Colour = _BLACK
    diffuse: Colour = _BLACK
    specular0: Colour = _BLACK
    specular1: Colour = _BLACK
    emission: Colour = _BLACK

    def product(self, name: str, light: Colour) -> int:
        """The word of a light's colour; nothing keeps it within 255."""
        own: Colour = getattr(self, name)
        return colour_word(int(f32(f32(255 * a) * b)) for a, b in zip(own, light, strict=True))

    def everywhere(self, scene: Colour) -> int:
        """The word of what no light makes."""
        parts = (f32(glow + f32(a * b)) for glow, a, b in zip(self.emission, self.ambient, scene, strict=True))
        return colour_word(min(max(int(f32(255 * part)), 0), 255) for part in parts)


@dataclass(slots=True)
class Light:
    """The colours of a light, and its tables."""

    ambient: Colour = _BLACK
    diffuse: Colour = _WHITE
    specular0: Colour = _WHITE
    specular1: Colour = _WHITE
    enabled: bool = True
    spot: Sequence[int] | None = None
    distance: Sequence[int] | None = None


@dataclass(slots=True)
class Environment:
    """What all lights share."""

    material: Material = field(default_factory=Material)
    scene: Colour = _WHITE
    tables: dict[str, Sequence[int]] = field(default_factory=dict)
    #: What tables are looked up at, by code.
    inputs: dict[str, int] = field(default_factory=dict)
    lights: dict[int, Light] = field(default_factory=dict)


def configuration_of(tables: Iterable[str], *, tangent: bool) -> int:
    """The code of the lowest configuration that has these tables; only the last one knows the tangent."""
    wanted = set(tables)
    fitting = (code for code, has in CONFIGURATIONS.items() if wanted <= set(has))
    return _ALL_TABLES if tangent else next(fitting)


#: Tables in the order in which the library sends them.
SENT_TABLES = tuple(name for name in INPUT_TABLES if name != "sp")
