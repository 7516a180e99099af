"""Registers of the lighting unit for tests: one light by its values, tables by functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor

from glslc_multi.backends.pica200.isa.fragment.floats import F16, F20
from glslc_multi.backends.pica200.isa.fragment.program import Configuration, Write
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import INPUT_TABLES
from glslc_multi.compiler.records import replace
from tests.backends.pica200.machine.fragment.helpers import configuration, of, write

#: What the driver library begins with: no table counts, all inputs have a sign.
_CONFIG1 = {
    **{f"no_{name}": 1 for name in INPUT_TABLES if name != "sp"},
    **{f"no_{what}{light}": 1 for what in ("shadow", "spot", "distance") for light in range(8)},
}


def colour(name: str, red: float, green: float, blue: float) -> Write:
    """A light's colour, 255 for 1."""
    return write(name, r=floor(255 * red), g=floor(255 * green), b=floor(255 * blue))


def light(number: int, position: Sequence[float], **config: int) -> list[Write]:
    """A light without colours; the position is a direction where `directional` is given."""
    x, y, z = (F16.pattern_of(value) for value in position)
    prefix = f"LIGHT{number}_"
    return [write(f"{prefix}XY", x=x, y=y), write(f"{prefix}Z", z=z), write(f"{prefix}CONFIG", **config)]


def distance(number: int, scale: float, bias: float) -> list[Write]:
    """How a distance becomes a place in its table."""
    return [
        write(f"LIGHT{number}_ATTENUATION_SCALE", scale=F20.pattern_of(scale)),
        write(f"LIGHT{number}_ATTENUATION_BIAS", bias=F20.pattern_of(bias)),
    ]


def unit(
    *writes: Write, last: int = 0, used: Sequence[str] = (), config0: dict[str, int | str] | None = None
) -> list[Write]:
    """The unit switched on, with all tables to be had of which those `used` count."""
    counts = {name: bit for name, bit in _CONFIG1.items() if name.removeprefix("no_") not in used}
    fixed = {"configuration": 8, "fixed": 4, "fixed_high": 1}
    return [
        write("LIGHTING_ENABLE0", enable=1),
        write("LIGHTING_ENABLE1"),
        write("LIGHTING_NUM_LIGHTS", last=last),
        Write(write("LIGHTING_CONFIG0").register, _config0({**fixed, **(config0 or {})})),
        write("LIGHTING_CONFIG1", **counts),
        write("LIGHTING_LIGHT_PERMUTATION", **{f"slot{slot}": slot for slot in range(8)}),
        *writes,
    ]


def _config0(fields: dict[str, int | str]) -> int:
    number = {name: value for name, value in fields.items() if name == "configuration"}
    others = {name: value for name, value in fields.items() if name != "configuration"}
    return write("LIGHTING_CONFIG0", **others).value | int(number.get("configuration", 0)) << 4


def table(function: Callable[[float], float], *, signed: bool = False) -> tuple[int, ...]:
    """The entries of a function; steep ones reach as far as a difference does."""
    places = [i / 128 if i < 128 else (i - 256) / 128 for i in range(256)] if signed else [i / 256 for i in range(256)]
    step = 1 / 128 if signed else 1 / 256
    return tuple(_entry(function(x), function(x + step)) for x in places)


def _entry(value: float, following: float) -> int:
    difference = min(2047, round(2047 * abs(following - value)))
    return min(4095, round(4095 * value)) | difference << 12 | (following < value) << 23


def lit(writes: Sequence[Write], tables: dict[str, tuple[int, ...]] | None = None) -> Configuration:
    """The primary colour after the first stage, the secondary one after the second."""
    found = configuration(of("lighting0"), of("lighting1"))
    return replace(found, unit_writes=tuple(writes), tables=tables or {})
