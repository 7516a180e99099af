"""Angles of sines and cosines: the scalar unit is told none beyond half a turn, for which alone it is accurate.

`sin(x)` outside of -pi to pi is what the driver first computes fract(x / 2 pi + 1/2) * 2 pi - pi for.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic

#: Far from 0, and on both sides of each half turn.
ANGLES = np.concatenate([np.linspace(-40.0, 40.0, 401), [-3.1416, -3.1415, 3.1415, 3.1416, 6.2831, 6.2832]])


class _Asked:
    """The angles that the machine's sine and cosine get."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.angles: list[Array] = []
        plain = LaneArithmetic.elementary

        def elementary(arithmetic: LaneArithmetic, name: str, *arguments: Array) -> Array:
            if name in ("sin", "cos"):
                self.angles.append(arguments[0])
            return plain(arithmetic, name, *arguments)

        monkeypatch.setattr(LaneArithmetic, "elementary", elementary)


@pytest.mark.parametrize(
    ("expression", "meaning"),
    [
        ("sin(v.x)", np.sin),
        ("cos(v.x)", np.cos),
        ("sin(v.x * 1.5 + 0.25)", lambda x: np.sin(1.5 * x + 0.25)),
        ("sin(0.25 - v.x * 1.5)", lambda x: np.sin(0.25 - 1.5 * x)),
        ("cos((v.x - 0.75) * -2.0)", lambda x: np.cos(2.0 * (x - 0.75))),
        ("sin((v.x * 2.0 + v.x) * 0.5 + 3.0)", lambda x: np.sin(1.5 * x + 3.0)),
        ("sin(v.x) * 1000.0", lambda x: 1000.0 * np.sin(x)),
        ("cos(v.x * 3.0) * -256.0", lambda x: -256.0 * np.cos(3.0 * x)),
    ],
)
@pytest.mark.parametrize("opt", [0, 2])
def test_the_unit_is_asked_for_angles_within_half_a_turn(
    expression: str, meaning: np.ufunc, opt: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = f"precision highp float; varying vec2 v;\nvoid main() {{ gl_FragColor = vec4({expression}, v.y, v); }}"
    shader = glslc_multi.compile(source, target="adreno", stage="fragment", opt=opt)
    asked = _Asked(monkeypatch)
    found = np.asarray(shader.run({"v": np.stack([ANGLES, ANGLES], axis=1)}, {})["gl_FragColor"])[:, 0]
    wanted = meaning(ANGLES.astype(np.float32).astype(np.float64))
    scale = max(1.0, np.abs(wanted).max())
    # The angle of the driver's formula loses 2^-24 of its turns.
    assert np.abs(found - wanted).max() < scale * 1e-4
    (angles,) = asked.angles
    assert np.abs(angles).max() <= math.pi * (1 + 1e-6)
    # The whole range is in use: an angle that is reduced too far would be another one.
    assert angles.min() < -3.0
    assert angles.max() > 3.0


def test_a_sine_that_is_magnified_keeps_more_of_its_angle() -> None:
    """Random numbers out of a sine: whole turns are subtracted exactly."""
    source = "precision highp float; varying vec2 v;\nvoid main() { gl_FragColor = vec4(sin(v.x) * %s, v.y, v); }"
    angles = np.linspace(3000.0, 4000.0, 500).astype(np.float32)
    errors = []
    for factor in ("255.0", "256.0"):
        shader = glslc_multi.compile(source % factor, target="adreno", stage="fragment")
        found = np.asarray(shader.run({"v": np.stack([angles, angles], axis=1)}, {})["gl_FragColor"])[:, 0]
        errors.append(np.abs(found / float(factor) - np.sin(angles.astype(np.float64))).max())
    ordinary, exact = errors
    assert exact < 4e-6 < ordinary


def test_scales_of_an_angle_cost_nothing() -> None:
    """The machine multiplies the angle anyhow: three vector operations beside the sine."""

    def slots(expression: str) -> int:
        source = (
            f"precision highp float; varying vec4 v; uniform vec4 u; void main() {{ gl_FragColor = {expression}; }}"
        )
        return (glslc_multi.compile(source, target="adreno", stage="fragment").stats.extra or {})["alu_slots"]

    plain = slots("vec4(sin(v.x))")
    for scaled in ("v.x * 3.0", "v.x + 3.0", "v.x * 3.0 + 2.0", "2.0 - v.x * 0.5"):
        assert slots(f"vec4(sin({scaled}))") == plain
    # What something else reads has to be computed all the same.
    assert slots("vec4(sin(v.x * 3.0), v.x * 3.0, 0.0, 0.0)") > plain
