"""What the lighting unit is set up to do: its registers as the simulator needs them.

What a draw may change without another program (colours, positions, tables) is among the words that pixels share
(`words.py`); here is the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.backends.pica200.isa.fragment.registers.lighting import (
    CONFIGURATIONS,
    INPUT_TABLES,
    LIGHT_COLOURS,
    SPOT_ONE,
)
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile
from glslc_multi.compiler.records import dataclass


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
    """How a table is read: at which cosine, whether that has a sign, and what the entry is multiplied by."""

    input: str
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
    #: Whether tables can be over `cos_phi`.
    has_projections: bool


_CONFIG0, _CONFIG1 = "LIGHTING_CONFIG0", "LIGHTING_CONFIG1"
#: The configuration in which tables can be over `cos_phi`.
_WITH_PROJECTIONS = max(CONFIGURATIONS)


def lighting_of(registers: RegisterFile) -> Lighting | None:
    """The unit as registers set it up; None where it is off."""
    if not registers.fields("LIGHTING_ENABLE0")["enable"] or registers.fields("LIGHTING_ENABLE1")["off"]:
        return None
    config = registers.fields(_CONFIG0)
    registers.choice(_CONFIG0, "configuration")
    return Lighting(
        tuple(_light(registers, number) for number in _numbers(registers)),
        dict(_lookups(registers)),
        _bump(registers),
        _shadow(config),
        bool(config["clamp_highlights"]),
        (bool(config["fresnel_primary"]), bool(config["fresnel_secondary"])),
        config["configuration"] == _WITH_PROJECTIONS,
    )


def _numbers(registers: RegisterFile) -> list[int]:
    """The lights that count, in the order of their slots."""
    slots = registers.fields("LIGHTING_LIGHT_PERMUTATION")
    return [slots[f"slot{slot}"] for slot in range(registers.fields("LIGHTING_NUM_LIGHTS")["last"] + 1)]


def _light(registers: RegisterFile, number: int) -> Light:
    config, left_out = registers.fields(f"LIGHT{number}_CONFIG"), registers.fields(_CONFIG1)
    return Light(
        number,
        bool(config["directional"]),
        bool(config["two_sided"]),
        (bool(config["geometric_factor0"]), bool(config["geometric_factor1"])),
        *(not left_out[f"no_{what}{number}"] for what in ("shadow", "spot", "distance")),
    )


def _lookups(registers: RegisterFile) -> Iterator[tuple[str, Lookup]]:
    """The tables that the configuration has, and that are not left out."""
    left_out, is_signed = registers.fields(_CONFIG1), registers.fields("LIGHTING_LUTINPUT_ABS")
    for name in INPUT_TABLES:
        if name in CONFIGURATIONS[registers.fields(_CONFIG0)["configuration"]] and not left_out.get(f"no_{name}"):
            scale = float(registers.choice("LIGHTING_LUTINPUT_SCALE", name).removeprefix("x"))
            yield (
                name,
                Lookup(registers.choice("LIGHTING_LUTINPUT_SELECT", name), bool(is_signed[f"signed_{name}"]), scale),
            )


def _bump(registers: RegisterFile) -> Bump | None:
    config, mode = registers.fields(_CONFIG0), registers.choice(_CONFIG0, "bump")
    return None if mode == "off" else Bump(config["bump_unit"], mode == "tangent", not config["bump_z"])


def _shadow(config: Mapping[str, int]) -> Shadow | None:
    if not config["shadow"]:
        return None
    flags = ("invert_shadow", "shadow_primary", "shadow_secondary", "shadow_alpha")
    return Shadow(config["shadow_unit"], *(bool(config[flag]) for flag in flags))


def light_words(registers: RegisterFile) -> Iterator[tuple[int, list[float]]]:
    """Numbers of the lights that count, with their first words."""
    yield words.AMBIENT, _colour(registers, "LIGHTING_AMBIENT")
    for number in _numbers(registers):
        light = f"LIGHT{number}_"
        spot = [*registers.fields(f"{light}SPOTDIR_XY").values(), *registers.fields(f"{light}SPOTDIR_Z").values()]
        values = {
            "position": registers.floats(f"{light}XY", f"{light}Z"),
            "spot_direction": [component / SPOT_ONE for component in spot],
            **{name.lower(): _colour(registers, light + name) for name in LIGHT_COLOURS},
            "attenuation": registers.floats(f"{light}ATTENUATION_SCALE", f"{light}ATTENUATION_BIAS"),
        }
        for name, found in values.items():
            yield words.light_value(number, name), found


def _colour(registers: RegisterFile, name: str) -> list[float]:
    """A light's colour; it may be beyond 1."""
    fields = registers.fields(name)
    return [fields[channel] / WHOLE for channel in "rgb"]
