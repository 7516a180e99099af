"""Values of the scene as rows of the firmware, so that the code of a shader computes them again.

In: values of `SCENE_VALUES` for all pixels.  Out: the rows that the firmware would have left for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from glslc_multi.backends.theia.isa.conventions import MISS, SCENE_SPACE, SCENE_VALUES
from glslc_multi.backends.theia.isa.registers import Variant, physical
from glslc_multi.backends.theia.machine.fixed_point import FIXED_POINT
from glslc_multi.backends.theia.machine.scene_values import address_of_row
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.target import MachineInputs


def patterns_of(values: Any, variant: Variant) -> Array:
    return FIXED_POINT[variant].encode("float", values)


def row_of(values: Array, variant: Variant) -> Array:
    """Three components of each pixel as a row."""
    return patterns_of(np.ascontiguousarray(values[:, :3].T), variant)


@cache
def scene_registers(variant: Variant) -> frozenset[int]:
    """The addresses of all rows that values of the scene may set."""
    given = {value: np.zeros((1, 4)) for value in SCENE_VALUES}
    return frozenset(address_of_row(name, variant) for make in _ROWS.values() for name in make(given))


def load_scene(machine: Machine, inputs: MachineInputs) -> None:
    """Rows that make the code compute the values given; those of one source alone can always be made."""
    given: dict[str, Array] = {}
    for space in (inputs.inputs, inputs.constants):
        for number, values in space.get(SCENE_SPACE, {}).items():
            given[SCENE_VALUES[number]] = np.broadcast_to(np.asarray(values, dtype=np.float64), (inputs.lanes, 4))
    rows: dict[str, Array] = {}
    for name, make in _ROWS.items():
        if name in given:
            for row, values in make(given).items():
                rows.setdefault(row, values)
    variant = machine.program.variant
    for name, values in rows.items():
        machine.set_row(physical(address_of_row(name, variant), variant), row_of(values, variant))


_Given = Mapping[str, Array]
_Rows = Mapping[str, Array]


def _splat(values: Array) -> Array:
    return np.repeat(values[:, :1], 3, axis=1)


def _row(name: str, source: str) -> Callable[[_Given], _Rows]:
    return lambda given: {name: given[source]}


def _barycentric(given: _Given) -> _Rows:
    values = given["Barycentric"]
    return {"LAST_u": _splat(values), "LAST_v": _splat(values[:, 1:])}


def _hit(given: _Given) -> _Rows:
    return {"LAST_t": _splat(np.where(given["Hit"] != 0, 0.0, float(MISS)))}


def _hit_position(given: _Given) -> _Rows:
    """Where camera and ray are not given, the ray has no length and the camera is there."""
    zeros = np.zeros_like(given["HitPosition"])
    distance = given.get("RayDirection", zeros)[:, :3] * _splat(given.get("HitDistance", zeros))
    return {
        "CAMERA_POSITION": given["HitPosition"][:, :3] - distance,
        "RAY_DIRECTION": zeros[:, :3],
        "LAST_t": zeros[:, :3],
    }


def _normal(given: _Given) -> _Rows:
    """Two sides of a triangle with this normal: two vectors perpendicular to it."""
    normal = given["Normal"][:, :3]
    axis = np.eye(3)[np.argmin(np.abs(normal), axis=1)]
    first = np.cross(normal, axis)
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-9)
    return {"E1_LAST": first, "E2_LAST": np.cross(normal, first)}


def _front_facing(given: _Given) -> _Rows:
    """A triangle in the plane of x and y, seen from its front (along -z) or from its back."""
    is_front = given["FrontFacing"][:, :1] != 0
    lanes = len(is_front)
    sides = {"E1_LAST": np.tile([1.0, 0.0, 0.0], (lanes, 1)), "E2_LAST": np.tile([0.0, 1.0, 0.0], (lanes, 1))}
    return {**sides, "RAY_DIRECTION": np.where(is_front, [[0.0, 0.0, -1.0]], [[0.0, 0.0, 1.0]])}


#: Source -> the rows that make it; the first maker of a row counts.
_ROWS: Mapping[str, Callable[[_Given], _Rows]] = {
    "FragCoord": lambda given: {"PIXEL_2D_POSITION": given["FragCoord"] - [0.5, 0.5, 0.0, 0.0]},
    "RayDirection": _row("RAY_DIRECTION", "RayDirection"),
    "CameraPosition": _row("CAMERA_POSITION", "CameraPosition"),
    "HitDistance": lambda given: {"LAST_t": _splat(given["HitDistance"])},
    "Barycentric": _barycentric,
    "TexCoord": lambda given: {f"UV{number}_LAST": given["TexCoord"] for number in range(3)},
    "Hit": _hit,
    "HitPosition": _hit_position,
    "Normal": _normal,
    "Diffuse": _row("TRI_DIFFUSE_LAST", "Diffuse"),
    "TextureColor": _row("TEXTURE_COLOR", "TextureColor"),
    "LightPosition": _row("FIRST_LIGTH", "LightPosition"),
    "LightDiffuse": _row("FIRST_LIGTH+1", "LightDiffuse"),
    "Resolution": _row("RESOLUTION", "Resolution"),
    "FrontFacing": _front_facing,
}
