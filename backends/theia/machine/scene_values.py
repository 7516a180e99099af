"""Values of the scene in the rows that code computes them from: what a lifter reads there.

The same as `scene_rows.py` over slots in place of arrays.  A value that code computes of several rows stands in one of
them, and the others are such that nothing else remains of the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from glslc_multi.backends.theia.isa.conventions import MISS, SCENE_SPACE, SCENE_VALUES
from glslc_multi.backends.theia.isa.registers import BY_NAME, Variant, physical
from glslc_multi.backends.theia.machine.constants import LANES
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.execution.machine_code import Computed, Given, ReadSlot, Slot

_Lanes = Sequence[Given]
_Rows = Mapping[str, _Lanes]


def address_of_row(row: str, variant: Variant) -> int:
    """The address of a row of the firmware, named with its offset."""
    base, _, offset = row.partition("+")
    return BY_NAME[variant]["CREG_" + base] + int(offset or 0)


def values_of_scene(reflection: Reflection) -> set[int]:
    """The values that a shader reads, by their numbers."""
    bindings = (*reflection.varyings, *reflection.inputs, *reflection.uniforms)
    return {at.index for binding in bindings for at in binding.locations if at.space == SCENE_SPACE}


def rows_of_scene(reflection: Reflection, variant: Variant) -> dict[tuple[int, int], Given]:
    """What stands in lanes of registers."""
    numbers = values_of_scene(reflection)
    rows: dict[str, _Lanes] = {}
    for name, make in _ROWS.items():
        if (number := SCENE_VALUES.index(name)) in numbers:
            for row, lanes in make([Slot(SCENE_SPACE, number, lane) for lane in range(LANES)]).items():
                rows.setdefault(row, lanes)
    return {
        (physical(address_of_row(row, variant), variant), lane): given
        for row, lanes in rows.items()
        for lane, given in enumerate(lanes)
    }


def _below_centre(slot: Slot) -> Computed:
    """Return a pixel's place of that of its centre."""

    def corner(a: LaneOperations, read: ReadSlot) -> Any:
        centre = read(slot)
        return a.fconst(0.0) if centre is None else a.fsub(centre, a.fconst(0.5))

    return corner


def _choice(slot: Slot, if_true: float, if_false: float) -> Computed:
    """Choose between two numbers by a number that is 0 or 1."""

    def choice(a: LaneOperations, read: ReadSlot) -> Any:
        flag = read(slot)
        if flag is None:
            return a.fconst(if_false)
        number = flag if a.is_float(flag) else a.itof(flag)
        return a.select(a.feq(number, a.fconst(0.0)), a.fconst(if_false), a.fconst(if_true))

    return choice


def _row(name: str) -> Callable[[_Lanes], _Rows]:
    return lambda lanes: {name: lanes}


def _splat(given: Given) -> _Lanes:
    return (given,) * LANES


_ZEROS = _splat(0.0)
#: By value, in the order in which rows are made: the first maker of a row counts.
_ROWS: Mapping[str, Callable[..., _Rows]] = {
    "FragCoord": lambda at: {"PIXEL_2D_POSITION": [_below_centre(at[0]), _below_centre(at[1]), 0.0]},
    "RayDirection": _row("RAY_DIRECTION"),
    "CameraPosition": _row("CAMERA_POSITION"),
    "HitDistance": lambda at: {"LAST_t": _splat(at[0])},
    "Barycentric": lambda at: {"LAST_u": _splat(at[0]), "LAST_v": _splat(at[1])},
    "TexCoord": lambda at: {f"UV{number}_LAST": at for number in range(3)},
    "Hit": lambda at: {"LAST_t": _splat(_choice(at[0], 0.0, float(MISS)))},
    "HitPosition": lambda at: {"CAMERA_POSITION": at, "RAY_DIRECTION": _ZEROS, "LAST_t": _ZEROS},
    "Diffuse": _row("TRI_DIFFUSE_LAST"),
    "TextureColor": _row("TEXTURE_COLOR"),
    "LightPosition": _row("FIRST_LIGTH"),
    "LightDiffuse": _row("FIRST_LIGTH+1"),
    "Resolution": _row("RESOLUTION"),
    # A triangle in the plane of x and y, seen from its front (along -z) or from its back.
    "FrontFacing": lambda at: {
        "E1_LAST": (1.0, 0.0, 0.0),
        "E2_LAST": (0.0, 1.0, 0.0),
        "RAY_DIRECTION": (0.0, 0.0, _choice(at[0], -1.0, 1.0)),
    },
}
