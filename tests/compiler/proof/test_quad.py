"""Derivatives: differences of neighbours in algebra, on code of every target that has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from glslc_multi.compiler.proof.numbers import Number, Redraw, number_of
from glslc_multi.compiler.proof.quad import Lane, Quad
from tests.proof.prove import prove_text, prove_with_fault

HEAD = """
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 v; uniform vec4 u;
"""
TARGETS: dict[str, Mapping[str, Any]] = {"agal": {"agal_version": "2"}, "adreno": {}, "xenos": {}, "vc4": {}}
BODIES = {
    "of a product": "gl_FragColor = 0.5 + vec4(dFdx(v.x * v.y), dFdy(v.z * u.x), fwidth(v.xy));",
    "as the width of an edge": "float w = fwidth(v.x); gl_FragColor = vec4(smoothstep(0.5 - w, 0.5 + w, v.x));",
    "of a derivative": "gl_FragColor = 0.5 + vec4(dFdx(dFdy(v.x * v.y)), dFdy(dFdx(v.z * v.y)), dFdx(sin(v.x)), 1.0);",
    "of the window": "gl_FragColor = vec4(dFdx(gl_FragCoord.xy), 0.5 * dFdy(gl_FragCoord.xy));",
    "behind a discard": "if (v.w < u.x) discard; gl_FragColor = vec4(fwidth(v.xyz), 1.0);",
    "in a branch": "float d = 0.5; if (v.y > 0.3) d = abs(dFdx(v.x)); gl_FragColor = vec4(d);",
    "of a colour": "gl_FragColor = vec4(normalize(cross(dFdx(v.xyz), dFdy(v.xyz))), 1.0);",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("target", TARGETS)
def test_right_derivatives_are_proven(target: str, body: str) -> None:
    verdict = prove_text(f"{HEAD}void main() {{ {body} }}", target, "fragment", draws=16, options=TARGETS[target])
    assert verdict.outcome in ("equal", "near"), verdict
    assert verdict.distance < 1e-5


#: Targets, and what becomes of the code of `dFdx(v.x)`, which then looks elsewhere; on VC4 in the quad's left or right
#: lanes alone.
FAULTS = [
    ("agal", "ddx", "ddy"),
    ("adreno", "GET_GRADIENTS\tR0.x", "GET_GRADIENTS\tR0.y"),
    ("xenos", "GET_GRADIENTS\tR0.x", "GET_GRADIENTS\tR0.y"),
    ("vc4", "<< 15,", "<< 14,"),
    ("vc4", "<< 1,", "<< 3,"),
]


@pytest.mark.parametrize(("target", "right", "wrong"), FAULTS)
def test_a_look_elsewhere_differs(target: str, right: str, wrong: str) -> None:
    text = f"{HEAD}void main() {{ gl_FragColor = vec4(0.5 + dFdx(v.x), 0.5, 0.25, 1.0); }}"
    verdict = prove_with_fault(
        text, target, lambda code: code.replace(right, wrong), "fragment", draws=4, options=TARGETS[target]
    )
    assert verdict.outcome == "differs", verdict


# --- Lanes that look at one another -----------------------------------------------------------------------------------

VALUES = (3.0, 5.0, 11.0, 23.0)
#: Neighbours along the rows, and along the columns.
ROWS, COLUMNS = (1, 0, 3, 2), (2, 3, 0, 1)


def _seen(lane: Lane, place: object, x: Number, order: tuple[int, ...]) -> Number:
    lane.place = place
    found: Number = lane.permuted(x, order)
    return found


def test_a_look_at_what_follows_from_a_look() -> None:
    def run(lane: Lane) -> float:
        first = _seen(lane, "first", number_of(VALUES[lane.number]), ROWS)
        second = _seen(lane, "second", number_of(10.0 * first.value), COLUMNS)
        return second.value

    assert [Quad(run).run(number) for number in range(4)] == [230.0, 110.0, 50.0, 30.0]


def test_most_lanes_run_once() -> None:
    runs: list[int] = []

    def run(lane: Lane) -> float:
        runs.append(lane.number)
        x = number_of(VALUES[lane.number])
        return sum(_seen(lane, place, x, order).value for place, order in enumerate((ROWS, COLUMNS, ROWS, COLUMNS)))

    assert Quad(run).run(0) == 2 * (5.0 + 11.0)
    assert sorted(runs) == [0, 1, 2]


def test_what_a_lane_does_not_come_to_is_undefined() -> None:
    def run(lane: Lane) -> float:
        return 1.0 if lane.number else _seen(lane, "here", number_of(1.0), ROWS).value

    value = Quad(run).run(0)
    assert value != value


def test_an_edge_behind_what_is_looked_at_counts_in_no_other_lane() -> None:
    def run(lane: Lane) -> float:
        found = _seen(lane, "here", number_of(VALUES[lane.number]), ROWS).value
        if lane.number:
            raise Redraw
        return found

    assert Quad(run).run(0) == 5.0
