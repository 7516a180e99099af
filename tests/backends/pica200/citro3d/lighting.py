"""Calls about lights and their environment that do more than set fields, and what is sent of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from glslc_multi.backends.pica200.isa.fragment.encode import table_writes
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import INPUT_TABLES, INPUTS, LIGHT_BASE, LIGHT_STRIDE
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.compiler.arithmetic.protocol import round_to_float32 as f32
from tests.backends.pica200.citro3d.context import Context
from tests.backends.pica200.citro3d.enumerators import number_of
from tests.backends.pica200.citro3d.lights import (
    SENT_TABLES,
    Light,
    Material,
    colour,
    configuration_of,
)

#: Words that are sent of a light, the ninth without a meaning.
_LIGHT_WORDS = 12
_ENVIRONMENT_REGISTERS = (0x1C0, 0x1C2, 0x1C3, 0x1C4, 0x1D0, 0x1D1, 0x1D2, 0x1D9)
_TANGENT = next(code for code, name in INPUTS.items() if name == "cos_phi")
_COLOURS = ("ambient", "diffuse", "specular0", "specular1")


def _start(context: Context, env: str) -> None:
    context.set("LIGHTING_CONFIG0", "", 0x88000400)
    context.set("LIGHTING_CONFIG1", "", 0xFFFFFFFF)
    context.set("LIGHTING_LUTINPUT_ABS", "", 0x2222222)
    context.set("LIGHTING_LUTINPUT_SELECT", "", 0x400)


def _bind(context: Context, env: str) -> None:
    context.is_bound = True
    context.set("LIGHTING_ENABLE0", "enable", 1)
    context.set("LIGHTING_ENABLE1", "off", 0)


def _set_material(context: Context, env: str, numbers: Sequence[float]) -> None:
    parts = [colour(numbers[start : start + 3]) for start in range(0, 15, 3)]
    context.environment.material = Material(*parts)


def _set_scene(context: Context, env: str, red: float, green: float, blue: float) -> None:
    context.environment.scene = colour((blue, green, red))


def _set_table(context: Context, env: str, which: str, input_: str, negative: str, table: str | None) -> None:
    place, selector = number_of("table", which), number_of("table input", input_)
    name = next(name for name, number in INPUT_TABLES.items() if number == place)
    context.set("LIGHTING_LUTINPUT_SELECT", name, selector)
    context.set("LIGHTING_LUTINPUT_ABS", f"signed_{name}", number_of("bool", negative))
    context.environment.inputs[name] = selector
    if name not in SENT_TABLES:
        return
    context.set("LIGHTING_CONFIG1", f"no_{name}", int(table is None))
    if table is None:
        context.environment.tables.pop(name, None)
    else:
        context.environment.tables[name] = context.tables[table]


def _number(light: str) -> int:
    return int(light.removeprefix("light"))


def _of(context: Context, light: str) -> Light:
    return context.environment.lights[_number(light)]


def _start_light(context: Context, light: str, env: str) -> None:
    context.environment.lights[_number(light)] = Light()


def _enable(context: Context, light: str, enable: str) -> None:
    _of(context, light).enabled = bool(number_of("bool", enable))


def _sets_colours(*names: str) -> Callable[..., None]:
    def set_colours(context: Context, light: str, red: float, green: float, blue: float) -> None:
        for name in names:
            setattr(_of(context, light), name, colour((blue, green, red)))

    return set_colours


def _set_spot_direction(context: Context, light: str, *direction: float) -> None:
    numbers = [f32(-number) for number in direction]
    length = math.sqrt(sum(number * number for number in numbers))
    for axis, number in zip("xyz", numbers, strict=True):
        register = f"LIGHT{_number(light)}_SPOTDIR_{'Z' if axis == 'z' else 'XY'}"
        context.set(register, axis, int(2048 * f32(number / length)))


def _set_spot_table(context: Context, light: str, table: str | None) -> None:
    _of(context, light).spot = None if table is None else context.tables[table]
    context.set("LIGHTING_CONFIG1", f"no_spot{_number(light)}", int(table is None))


def _set_attenuation(context: Context, light: str, table: str | None) -> None:
    number = _number(light)
    context.set("LIGHTING_CONFIG1", f"no_distance{number}", int(table is None))
    _of(context, light).distance = None
    if table is not None:
        found = context.attenuations[table]
        _of(context, light).distance = found.entries
        context.set(f"LIGHT{number}_ATTENUATION_BIAS", "bias", found.bias)
        context.set(f"LIGHT{number}_ATTENUATION_SCALE", "scale", found.scale)


LIGHTING_CALLS: Mapping[str, Callable[..., None]] = {
    "C3D_LightEnvInit": _start,
    "C3D_LightEnvBind": _bind,
    "C3D_LightEnvMaterial": _set_material,
    "C3D_LightEnvAmbient": _set_scene,
    "C3D_LightEnvLut": _set_table,
    "C3D_LightInit": _start_light,
    "C3D_LightEnable": _enable,
    "C3D_LightColor": _sets_colours("diffuse", "specular0", "specular1"),
    **{f"C3D_Light{name.capitalize()}": _sets_colours(name) for name in _COLOURS},
    "C3D_LightSpotDir": _set_spot_direction,
    "C3D_LightSpotLut": _set_spot_table,
    "C3D_LightDistAttn": _set_attenuation,
}


# --- Sending ----------------------------------------------------------------------------------------------------------


def lighting_writes(context: Context) -> Iterator[Write]:
    """What is sent of an environment that is bound: itself, its tables, its lights and theirs."""
    if not context.is_bound:
        return
    _finish(context)
    for address in (BY_NAME["LIGHTING_ENABLE0"].address, BY_NAME["LIGHTING_ENABLE1"].address, *_ENVIRONMENT_REGISTERS):
        yield Write(address, context.registers.get(address, 0))
    for name in SENT_TABLES:
        if name in context.environment.tables:
            yield from table_writes(TABLES[name], tuple(context.environment.tables[name]))
    for number, light in sorted(context.environment.lights.items()):
        yield from _light_writes(context, number, light)


def _light_writes(context: Context, number: int, light: Light) -> Iterator[Write]:
    first = LIGHT_BASE + LIGHT_STRIDE * number
    for address in range(first, first + _LIGHT_WORDS):
        yield Write(address, context.registers.get(address, 0))
    if light.spot is not None:
        yield from table_writes(TABLES[f"spot{number}"], tuple(light.spot))
    if light.distance is not None:
        yield from table_writes(TABLES[f"distance{number}"], tuple(light.distance))


def _finish(context: Context) -> None:
    """What is computed when it is sent: colours, the configuration, the slots of the lights that are on."""
    environment = context.environment
    material, lights = environment.material, environment.lights
    context.set("LIGHTING_AMBIENT", "", material.everywhere(environment.scene))
    for number, light in lights.items():
        for name in _COLOURS:
            context.set(f"LIGHT{number}_{name.upper()}", "", material.product(name, getattr(light, name)))
    enabled = sorted(number for number, light in lights.items() if light.enabled)
    context.set("LIGHTING_NUM_LIGHTS", "last", max(len(enabled) - 1, 0))
    context.set("LIGHTING_LIGHT_PERMUTATION", "", sum(number << 4 * slot for slot, number in enumerate(enabled)))
    tables = [*environment.tables, *(["sp"] if any(light.spot is not None for light in lights.values()) else [])]
    tangent = _TANGENT in environment.inputs.values()
    context.set("LIGHTING_CONFIG0", "configuration", configuration_of(tables, tangent=tangent))
