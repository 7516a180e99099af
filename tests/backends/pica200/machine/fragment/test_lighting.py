"""The lighting unit, by values that follow from its formulas; a byte may be a step away."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment.program import Configuration, Write
from glslc_multi.backends.pica200.machine.fragment.set_up import set_up_of, words_of
from glslc_multi.backends.pica200.machine.fragment.simulate import Pixels, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from tests.backends.pica200.machine.fragment.helpers import write
from tests.backends.pica200.machine.fragment.lit import colour, distance, light, lit, table, unit

_FACING = (0.0, 0.0, 0.0, 1.0)
_EYE = (0.0, 0.0, 2.0)


def run(
    found: Configuration,
    quaternions: Sequence[Sequence[float]] = (_FACING,),
    view: Sequence[float] = _EYE,
    texel: Sequence[int] = (128, 128, 255, 255),
) -> tuple[Array, Array]:
    """The primary and the secondary colour of pixels."""
    count = len(quaternions)
    varyings = {"normalquat": np.array(quaternions), "view": np.array([view] * count)}
    pixels = Pixels(count, {f"texture{n}": [texel] * count for n in range(3)}, varyings)
    result = simulate(set_up_of(found, is_traced=True), words_of(found), pixels)
    return result.stages[0], result.stages[1]


def assert_near(found: Array, expected: Sequence[float]) -> None:
    """Within a step of numbers 0 to 1, in as many channels."""
    limited = 255 * np.clip(expected, 0, 1)
    assert np.abs(found[: len(expected)] - limited).max() <= 1.01, (found.tolist(), limited.tolist())


def about_x(angle: float) -> tuple[float, float, float, float]:
    """The quaternion that turns (0, 0, 1) by an angle about the x axis: to (0, -sin, cos)."""
    return math.sin(angle / 2), 0.0, 0.0, math.cos(angle / 2)


# --- Diffuse ----------------------------------------------------------------------------------------------------------


def test_diffuse_light_is_the_cosine_with_the_normal() -> None:
    writes = unit(
        *light(0, (0, 0, 1), directional=1),
        colour("LIGHT0_DIFFUSE", 1, 0.5, 0),
        colour("LIGHT0_AMBIENT", 0, 0, 0.2),
        colour("LIGHTING_AMBIENT", 0.1, 0, 0),
    )
    angles = (0.0, 0.5, 1.2, 2.0)
    primary, _ = run(lit(writes), [about_x(angle) for angle in angles])
    for found, angle in zip(primary, angles, strict=True):
        cosine = max(0.0, math.cos(angle))
        assert_near(found, (cosine + 25 / 255, 127 / 255 * cosine, 51 / 255, 1))


def test_both_sides() -> None:
    writes = unit(*light(0, (0, 0, 1), directional=1, two_sided=1), colour("LIGHT0_DIFFUSE", 1, 1, 1))
    primary, _ = run(lit(writes), [about_x(2.5)])
    assert_near(primary[0], (-math.cos(2.5),) * 3)


def test_quaternions_need_not_be_of_length_one() -> None:
    writes = unit(*light(0, (0, 0, 1), directional=1), colour("LIGHT0_DIFFUSE", 1, 1, 1))
    primary, _ = run(lit(writes), [[3 * x for x in about_x(0.7)]])
    assert_near(primary[0], (math.cos(0.7),) * 3)


def test_a_lamp_is_at_a_place_from_which_the_eye_is_seen() -> None:
    # The lamp is at (0, 3, 4) from the eye; the point is at -view = (0, 0, -2): so its light comes from (0, 3, 6).
    writes = unit(*light(0, (0, 3, 4)), colour("LIGHT0_DIFFUSE", 1, 1, 1))
    primary, _ = run(lit(writes))
    assert_near(primary[0], (6 / math.sqrt(45),) * 3)


def test_lights_add_up_and_are_limited_at_the_end_only() -> None:
    lights = [
        *light(0, (0, 0, 1), directional=1),
        *light(1, (0, 0, 1), directional=1),
        colour("LIGHT0_DIFFUSE", 0.75, 0.25, 0),
        colour("LIGHT1_DIFFUSE", 0.75, 0.25, 0),
    ]
    assert_near(run(lit(unit(*lights, last=1)))[0][0], (1, 126 / 255, 0, 1))
    assert_near(run(lit(unit(*lights, last=0)))[0][0], (0.75, 0.25, 0, 1))


def test_slots_choose_lights() -> None:
    writes = unit(*light(5, (0, 0, 1), directional=1), colour("LIGHT5_DIFFUSE", 0.5, 0, 0))
    writes.append(write("LIGHTING_LIGHT_PERMUTATION", slot0=5))
    assert_near(run(lit(writes))[0][0], (127 / 255, 0, 0, 1))


@pytest.mark.parametrize("switch", [write("LIGHTING_ENABLE1", off=1), write("LIGHTING_ENABLE0")])
def test_a_unit_that_is_off_makes_nothing(switch: Write) -> None:
    found = lit([*unit(), switch])
    assert set_up_of(found).lighting is None


# --- Tables -----------------------------------------------------------------------------------------------------------

_HALF_ANGLE = 0.4
#: Light by 0.8 about the x axis, eye along z, so that H is at 0.4; the normal is turned by 0.3 the other way.
_LIGHT = (0.0, -math.sin(2 * _HALF_ANGLE), math.cos(2 * _HALF_ANGLE))
_COSINES = {
    "n_dot_h": math.cos(_HALF_ANGLE + 0.3),
    "v_dot_h": math.cos(_HALF_ANGLE),
    "n_dot_v": math.cos(0.3),
    "l_dot_n": math.cos(2 * _HALF_ANGLE + 0.3),
}


def specular(input: str, function: Callable[[float], float], *, signed: int = 0, scale: str = "x1") -> Configuration:
    """Table d0 of a cosine, in specular colour 0."""
    writes = unit(
        *light(0, _LIGHT, directional=1),
        colour("LIGHT0_SPECULAR0", 1, 0.5, 0),
        write("LIGHTING_LUTINPUT_SELECT", d0=input),
        write("LIGHTING_LUTINPUT_ABS", signed_d0=signed),
        write("LIGHTING_LUTINPUT_SCALE", d0=scale),
        used=["d0"],
    )
    return lit(writes, {"d0": table(function, signed=bool(signed))})


@pytest.mark.parametrize("signed", [0, 1])
@pytest.mark.parametrize("input", _COSINES)
def test_tables_are_over_cosines(input: str, signed: int) -> None:
    found = run(specular(input, lambda x: x * x, signed=signed), [about_x(-0.3)])[1][0]
    assert_near(found, (_COSINES[input] ** 2, _COSINES[input] ** 2 * 127 / 255, 0, 1))


def test_signed_tables_have_what_is_below_zero_in_their_second_half() -> None:
    found = run(specular("l_dot_n", lambda x: (x + 1) / 2, signed=1), [about_x(-1.9)])[1][0]
    assert_near(found, [(math.cos(2 * _HALF_ANGLE + 1.9) + 1) / 2])
    # Without a sign there is nothing below zero.
    assert_near(run(specular("l_dot_n", lambda x: 0.25 + x / 2), [about_x(-1.9)])[1][0], [0.25])


@pytest.mark.parametrize(("scale", "factor"), [("x2", 2), ("x4", 4), ("x8", 8), ("x0.25", 0.25), ("x0.5", 0.5)])
def test_scales(scale: str, factor: float) -> None:
    found = run(specular("n_dot_h", lambda x: x / 10, scale=scale), [about_x(-0.3)])[1][0]
    assert np.abs(found[0] - 255 * min(1, factor * _COSINES["n_dot_h"] / 10)) <= 1 + factor / 8


def test_the_spot_is_over_the_angle_with_its_direction() -> None:
    writes = unit(
        *light(0, (0, 0, 1), directional=1),
        colour("LIGHT0_DIFFUSE", 1, 1, 1),
        write("LIGHT0_SPOTDIR_XY", x=0, y=1228),
        write("LIGHT0_SPOTDIR_Z", z=1638),
        write("LIGHTING_LUTINPUT_SELECT", sp="l_dot_spot"),
        used=["sp", "spot0"],
    )
    assert_near(run(lit(writes, {"spot0": table(lambda x: x / 2)}))[0][0], [0.4, 0.4, 0.4, 1])


def test_distance() -> None:
    writes = unit(
        *light(0, (0, 0, 3)), *distance(0, 0.125, -0.25), colour("LIGHT0_DIFFUSE", 1, 1, 1), used=["distance0"]
    )
    # 5 away: 0.625 - 0.25.
    assert_near(run(lit(writes, {"distance0": table(lambda x: 1 - x)}))[0][0], [0.625] * 3)


def test_reflection_is_by_channel_and_red_stands_in() -> None:
    used = ["d1", "rr", "rg", "rb"]
    tables = {
        "d1": table(lambda x: 0.5),
        "rr": table(lambda x: x),
        "rg": table(lambda x: x / 2),
        "rb": table(lambda x: x / 4),
    }
    inputs = dict.fromkeys(used, "l_dot_n")
    common = (
        *light(0, (0, 0.6, 0.8), directional=1),
        colour("LIGHT0_SPECULAR1", 1, 1, 1),
        write("LIGHTING_LUTINPUT_SELECT", **inputs),
    )
    assert_near(run(lit(unit(*common, used=used), tables))[1][0], [0.4, 0.2, 0.1, 1])
    assert_near(run(lit(unit(*common, used=["d1", "rr", "rb"]), tables))[1][0], [0.4, 0.4, 0.1, 1])


def test_a_table_counts_only_in_configurations_that_have_it() -> None:
    config: dict[str, int | str] = {"configuration": 0}
    writes = unit(
        *light(0, (0, 0, 1), directional=1), colour("LIGHT0_SPECULAR1", 0.5, 0, 0), used=["d1"], config0=config
    )
    assert_near(run(lit(writes, {"d1": table(lambda x: 0.0)}))[1][0], [127 / 255, 0, 0, 1])


def test_the_fresnel_factor_becomes_alpha() -> None:
    config: dict[str, int | str] = {"fresnel_primary": 1}
    writes = unit(
        *light(0, (0, 0.6, 0.8), directional=1),
        write("LIGHTING_LUTINPUT_SELECT", fr="l_dot_n"),
        used=["fr"],
        config0=config,
    )
    primary, secondary = run(lit(writes, {"fr": table(lambda x: x / 2)}))
    assert_near(primary[0], [0, 0, 0, 0.4])
    assert_near(secondary[0], [0, 0, 0, 1])


# --- Geometric factor, highlights, bumps, shadows ---------------------------------------------------------------------


def test_the_geometric_factor() -> None:
    writes = unit(*light(0, _LIGHT, directional=1, geometric_factor0=1), colour("LIGHT0_SPECULAR0", 1, 1, 1))
    # L·N over |V + L| squared, which is 2 + 2 V·L.
    cosine = math.cos(2 * _HALF_ANGLE)
    assert_near(run(lit(writes))[1][0], [cosine / (2 + 2 * cosine)] * 3)


@pytest.mark.parametrize(("clamps", "expected"), [(1, 0.0), (0, 1.0)])
def test_highlights_behind_the_surface(clamps: int, expected: float) -> None:
    config: dict[str, int | str] = {"clamp_highlights": clamps}
    writes = unit(*light(0, (0, 0, -1), directional=1), colour("LIGHT0_SPECULAR0", 1, 1, 1), config0=config)
    assert_near(run(lit(writes), view=(1.0, 0.0, 0.0))[1][0], [expected] * 3)


@pytest.mark.parametrize(("bump_z", "z"), [(0, math.sqrt(1 - 0.6**2)), (1, 1.0)])
def test_bump_maps_turn_the_normal(bump_z: int, z: float) -> None:
    config: dict[str, int | str] = {"bump": "normal", "bump_unit": 1, "bump_z": bump_z}
    writes = unit(*light(0, (0, 0.6, 0.8), directional=1), colour("LIGHT0_DIFFUSE", 1, 1, 1), config0=config)
    texel = (127, round((0.6 + 1) * 127.5), 255, 0)
    assert_near(run(lit(writes), texel=texel)[0][0], [0.6 * 0.6 + 0.8 * z] * 3)


def test_the_tangent_is_projected_on() -> None:
    # H is (0, 1, 1) / sqrt 2, its part in the plane of the surface along y, and the tangent is turned to y.
    config: dict[str, int | str] = {"bump": "tangent", "bump_unit": 0}
    writes = unit(
        *light(0, (0, 1, 0), directional=1),
        colour("LIGHT0_SPECULAR0", 1, 1, 1),
        write("LIGHTING_LUTINPUT_SELECT", d0="cos_phi"),
        used=["d0"],
        config0=config,
    )
    found = lit(writes, {"d0": table(lambda x: x)})
    assert_near(run(found, texel=(127, 255, 127, 0))[1][0], [math.sqrt(0.5)] * 3)


def test_shadows() -> None:
    config: dict[str, int | str] = {
        "shadow": 1,
        "shadow_unit": 2,
        "shadow_primary": 1,
        "shadow_alpha": 1,
        "fresnel_primary": 1,
    }
    parts = (
        *light(0, (0, 0, 1), directional=1),
        colour("LIGHT0_DIFFUSE", 1, 1, 1),
        colour("LIGHT0_SPECULAR0", 1, 1, 1),
        colour("LIGHT0_AMBIENT", 0.2, 0.2, 0.2),
    )
    texel = (51, 102, 153, 204)
    primary, secondary = run(lit(unit(*parts, used=["shadow0"], config0=config)), texel=texel)
    assert_near(primary[0], [0.4, 0.6, 0.8, 0.8])
    assert_near(secondary[0], [1, 1, 1, 1])
    inverted = {**config, "invert_shadow": 1, "shadow_primary": 0, "shadow_secondary": 1}
    primary, secondary = run(lit(unit(*parts, used=["shadow0"], config0=inverted)), texel=texel)
    assert_near(primary[0], [1, 1, 1, 0.2])
    assert_near(secondary[0], [0.8, 0.6, 0.4, 1])
    # Lights that cast none.
    assert_near(run(lit(unit(*parts, config0=config)), texel=texel)[0][0], [1, 1, 1, 0.8])
