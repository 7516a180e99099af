"""Procedures that take indices and single components: the bones of a vertex, one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.backends.pica200.compiled import check, compiled, dyadic

BONES = """
attribute vec4 position; attribute vec4 bones; attribute vec4 weights;
uniform vec4 bone[12]; uniform vec4 shift;
varying vec4 color;
vec3 sum;
void add(float index, float weight) {
    if (CONDITION) {
        int i = int(index);
        vec3 moved = vec3(dot(bone[i], position), dot(bone[i + 1], position), dot(bone[i + 2], position));
        sum += weight * max(moved * moved.yzx, moved);
    }
}
void main() {
    sum = shift.xyz;
    add(bones.x, weights.x);
    add(bones.y, weights.y);
    add(bones.z, weights.z);
    add(bones.w, weights.w);
    gl_Position = vec4(sum, 1.0);
    color = position;
}
"""
LANES = 8


def bent(moved: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is added of a position that a bone has moved."""
    return np.maximum(moved * moved[[1, 2, 0]], moved)


def procedure_of(source: str) -> list[str]:
    """The words of the first procedure beside main."""
    lines = [line.strip() for line in compiled(source).assembly.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith(".proc") and line != ".proc main")
    return [line.split()[0] for line in lines[start + 1 : lines.index(".end", start)]]


@pytest.mark.parametrize("condition", ["true", "weight > 0.0"])
def test_bones_are_added_by_one_procedure(condition: str) -> None:
    source = BONES.replace("CONDITION", condition)
    assert procedure_of(source)[:4] == ["mova", "dp4", "dp4", "dp4"]
    position, weights, bone, shift = dyadic(1, LANES, 4), dyadic(2, LANES, 4), dyadic(3, 12, 4), dyadic(4, 4)
    bones = np.random.default_rng(5).integers(0, 10, (LANES, 4))
    wanted = np.tile(shift[:3], (LANES, 1))
    for lane in range(LANES):
        for k in range(4):
            if condition == "true" or weights[lane, k] > 0:
                first = bones[lane, k]
                wanted[lane] += weights[lane, k] * bent(bone[first : first + 3] @ position[lane])
    inputs = {"position": position, "bones": bones.astype(float), "weights": weights}
    position_out = np.concatenate([wanted, np.ones((LANES, 1))], axis=1)
    check(source, inputs, {"bone": bone, "shift": shift}, {"gl_Position": position_out, "color": position})


def test_an_index_before_a_call_is_set_again_after_it() -> None:
    source = (
        BONES.replace("CONDITION", "true")
        .replace("color = position;", "color = bone[int(weights.x)] + bone[int(bones.x)];")
        .replace("sum = shift.xyz;", "sum = bone[int(weights.x)].xyz;")
    )
    position, bone = dyadic(1, LANES, 4), dyadic(3, 12, 4)
    rng = np.random.default_rng(5)
    bones, weights = rng.integers(0, 10, (LANES, 4)), rng.integers(0, 12, (LANES, 4))
    assert "mova" in procedure_of(source)
    wanted = bone[weights[:, 0], :3].copy()
    for lane in range(LANES):
        for k in range(4):
            wanted[lane] += weights[lane, k] * bent(bone[bones[lane, k] : bones[lane, k] + 3] @ position[lane])
    inputs = {"position": position, "bones": bones.astype(float), "weights": weights.astype(float)}
    both = bone[weights[:, 0]] + bone[bones[:, 0]]
    position_out = np.concatenate([wanted, np.ones((LANES, 1))], axis=1)
    check(source, inputs, {"bone": bone, "shift": np.zeros(4)}, {"gl_Position": position_out, "color": both})
