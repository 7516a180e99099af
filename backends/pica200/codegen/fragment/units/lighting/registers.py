"""The registers of the lighting unit for a set-up: what is known now as writes, the rest as results of the host.

The places of the host's results are those of the register map: a space for each kind of number, its index the light;
and `lut`, its index the number of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from glslc_multi.backends.pica200.codegen.fragment.read.hosting import (
    HostResult,
    HostTable,
    PreambleWriter,
    polynomial_of,
)
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Polynomial
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.tables import Evaluator, content_of
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.unit import (
    TABLE_SCALES,
    LightUse,
    TableUse,
    Unit,
    raised_tables,
)
from glslc_multi.backends.pica200.codegen.fragment.units.tables import UnitCode
from glslc_multi.backends.pica200.isa.fragment.entries import LIGHT_ENTRIES, fitted_light_entries
from glslc_multi.backends.pica200.isa.fragment.floats import F16, F20
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import INPUT_TABLES, INPUTS, SPOT_ONE
from glslc_multi.backends.pica200.isa.fragment.rounding import byte_above
from glslc_multi.backends.pica200.isa.fragment.tables import LIGHTS, TABLES
from glslc_multi.compiler.artifact import Location, Transform
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.records import replace

_INPUT_CODES = {name: code for code, name in INPUTS.items()}
#: What CONFIG1 can leave out of the tables.
_OPTIONAL = tuple(name for name in INPUT_TABLES if name != "sp")
#: Where light is that no light gives; the other colours are by the number of their light.
SCENE_AMBIENT = "scene_ambient"
_COLOURS = ("specular0", "specular1", "diffuse", "ambient")


def lighting_code(unit: Unit, evaluator: Evaluator) -> UnitCode:
    code = UnitCode()
    code.writes += _common(unit)
    _colour(code, "LIGHTING_AMBIENT", SCENE_AMBIENT, 0, unit.ambient)
    raised = raised_tables(unit)
    for name, table in unit.tables.items():
        _table(code, name, table, raised.get(name, Fraction(0)), evaluator)
    for number, use in enumerate(unit.lights):
        _light(code, number, use, evaluator)
    return code


def _write(register: str, fields: Mapping[str, int]) -> Write:
    register_ = BY_NAME[register]
    return Write(register_.address, register_.format.encode(fields))


# --- What all lights share --------------------------------------------------------------------------------------------


def _common(unit: Unit) -> Iterator[Write]:
    # Where spots are looked up is the same for all of them.
    spots = [light.dimmers["spot"] for light in unit.lights if "spot" in light.dimmers]
    used = {**unit.tables, **dict(zip(["sp"], spots, strict=False))}
    yield _write("LIGHTING_ENABLE0", {"enable": 1})
    yield _write("LIGHTING_ENABLE1", {"off": 0})
    yield _write("LIGHTING_NUM_LIGHTS", {"last": len(unit.lights) - 1})
    yield _write("LIGHTING_CONFIG0", _config0(unit))
    yield _write("LIGHTING_CONFIG1", _config1(unit))
    # A table that is not in use is as citro3d leaves it.
    signed = {f"signed_{name}": int(name not in used or not used[name].domain.is_positive) for name in INPUT_TABLES}
    yield _write("LIGHTING_LUTINPUT_ABS", signed)
    inputs = {"sp": "l_dot_spot", **{name: use.domain.cosine.input for name, use in used.items()}}
    yield _write("LIGHTING_LUTINPUT_SELECT", {name: _INPUT_CODES[input_] for name, input_ in inputs.items()})
    yield _write("LIGHTING_LUTINPUT_SCALE", {name: TABLE_SCALES.index(use.scale) for name, use in used.items()})
    yield _write("LIGHTING_LIGHT_PERMUTATION", {f"slot{slot}": slot for slot in range(len(unit.lights))})


def _config0(unit: Unit) -> dict[str, int]:
    configuration = unit.configuration
    assert configuration is not None, "a set-up has one"
    bump = {} if unit.bump is None else {"bump": 1, "bump_unit": unit.bump.unit, "bump_z": int(unit.bump.has_z)}
    return {
        "configuration": configuration,
        "fixed": 4,
        "fixed_high": 1,
        "clamp_highlights": int(unit.clamps_highlights),
        **bump,
    }


def _config1(unit: Unit) -> dict[str, int]:
    """Everything is left out but what is in use."""
    used = {f"{name}{number}" for number, light in enumerate(unit.lights) for name in light.dimmers}
    return {
        "fixed": 1,
        "unused": 1,
        **{f"no_{name}": int(name not in unit.tables) for name in _OPTIONAL},
        **{
            f"no_{what}{light}": int(f"{what}{light}" not in used)
            for what in ("shadow", "spot", "distance")
            for light in range(LIGHTS)
        },
    }


# --- Lights -----------------------------------------------------------------------------------------------------------


def _light(code: UnitCode, number: int, use: LightUse, evaluator: Evaluator) -> None:
    prefix = f"LIGHT{number}_"
    for name in _COLOURS:
        _colour(code, f"{prefix}{name.upper()}", name, number, getattr(use, name))
    position = _numbers(code, number, "position", use.light.vector, "f16")
    x, y, z = (F16.nearest(component) for component in position)
    code.writes += [_write(f"{prefix}XY", {"x": x, "y": y}), _write(f"{prefix}Z", {"z": z})]
    _spot(code, number, use)
    code.writes.append(_write(f"{prefix}CONFIG", {"directional": int(use.light.is_directional)}))
    for name, table in use.dimmers.items():
        _table(code, f"{name}{number}", table, Fraction(0), evaluator)
    if "distance" in use.dimmers:
        _, most = evaluator.functions.distances[use.dimmers["distance"].domain.cosine]
        _attenuation(code, number, most, evaluator)


def _attenuation(code: UnitCode, number: int, most: Value, evaluator: Evaluator) -> None:
    """Set what brings distances to their places in the table."""

    def scale(writer: PreambleWriter) -> Value:
        return writer.builder.op(ops.FDIV, float_constant(1.0), writer.value(most))

    literal = evaluator.number(scale)
    if literal is None:
        result = HostResult(f"$light{number}.attenuation", (scale, lambda _: float_constant(0.0)))
        code.add_result(result, Location("attenuation", number, "xy", "f20"), registers=2)
    code.writes.append(_write(f"LIGHT{number}_ATTENUATION_SCALE", {"scale": F20.nearest(literal or 0.0)}))
    code.writes.append(_write(f"LIGHT{number}_ATTENUATION_BIAS", {"bias": F20.nearest(0.0)}))


def _spot(code: UnitCode, number: int, use: LightUse) -> None:
    place = [0.0, 0.0, 0.0] if use.spot is None else _numbers(code, number, "spot_direction", use.spot, "snorm12")
    x, y, z = (round(min(max(part, -1.0), 1.0) * SPOT_ONE) for part in place)
    prefix = f"LIGHT{number}_SPOTDIR_"
    code.writes += [_write(f"{prefix}XY", {"x": x, "y": y}), _write(f"{prefix}Z", {"z": z})]


def _colour(code: UnitCode, register: str, space: str, number: int, value: Sequence[Polynomial]) -> None:
    parts = map(byte_above, _numbers(code, number, space, value, "unorm8-up"))
    code.writes.append(_write(register, dict(zip("rgb", parts, strict=True))))


def _numbers(code: UnitCode, number: int, name: str, value: Sequence[Polynomial], transform: Transform) -> list[float]:
    """The numbers if they are known; else the host's result has a place in the register map, and is 0 here."""
    constants = [part.constant for part in value]
    if None not in constants:
        return [float(part) for part in constants if part is not None]
    owner = "lighting" if name == SCENE_AMBIENT else f"light{number}"
    result = HostResult(f"${owner}.{name}", tuple(polynomial_of(part) for part in value))
    code.add_result(result, Location(name, number, "xyz", transform), 1 if transform == "unorm8-up" else 2)
    return [0.0] * len(value)


# --- Tables -----------------------------------------------------------------------------------------------------------


def _table(code: UnitCode, name: str, use: TableUse, raised: Fraction, evaluator: Evaluator) -> None:
    """One that needs no uniform is evaluated now."""
    values = evaluator.values(use, None)
    if values is not None:
        code.tables[name] = fitted_light_entries(
            [value + float(raised) for value in values], signed=not use.domain.is_positive
        )
        return
    content = content_of(replace(use, content=use.content + raised), evaluator.functions)

    def element(writer: PreambleWriter, index: Value) -> Value:
        """Compute the content at the cosine of an entry: 0 to 1, or -1 to 1."""
        op, number = writer.builder.op, writer.builder.op(ops.ITOF, index)
        if use.domain.is_positive:
            return content(writer, op(ops.FMUL, number, float_constant(1 / LIGHT_ENTRIES)))
        doubled = op(ops.FMUL, number, float_constant(2 / LIGHT_ENTRIES))
        return content(writer, op(ops.FADD, doubled, float_constant(-1.0)))

    table = HostTable(f"$table.{name}", LIGHT_ENTRIES + 1, element)
    code.add_table(table, "lut", TABLES[name].number, LIGHT_ENTRIES)
    # What is there until the host sets it.
    code.tables[name] = (0,) * LIGHT_ENTRIES
