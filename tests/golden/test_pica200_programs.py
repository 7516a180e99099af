"""The checks of recorded fragment programs: all pass, and each notices what it is for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from tests.golden.pica200_programs import WIDE_BOUNDS, program
from tests.golden.runner import Failure, Skip
from tests.shared_data import shared_path

Record = Mapping[str, Any]


@cache
def _cases() -> dict[str, Record]:
    document = json.loads(shared_path("golden/pica200-fragment/programs.json").read_text(encoding="utf-8"))
    return {case["name"]: case for case in document["cases"]}


def _changed(name: str, **changes: Any) -> dict[str, Any]:
    return {**deepcopy(_cases()[name]), **changes}


@pytest.mark.thorough
def test_recorded_programs() -> None:
    verdicts = {name: program(case, {}) for name, case in _cases().items()}
    assert {name: verdict for name, verdict in verdicts.items() if isinstance(verdict, Failure)} == {}
    skipped = {name for name, verdict in verdicts.items() if isinstance(verdict, Skip)}
    assert skipped == {"branch_texel", *WIDE_BOUNDS}, "what is open, and bounds that are known to be wide"


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (lambda: _changed("darken", stages_used=1), "takes 2 stages, 1 are enough"),
        (lambda: _changed("fade", max_difference_steps=0.0), "has a bound of"),
        (lambda: _changed("four_textures", kind="range"), "is refused by ['E0721'], not as 'range'"),
        (lambda: _changed("texture", fits=False, why="a mistake"), "fits, though it is recorded as none"),
        (lambda: _changed("two_colors", fits=True), "is refused: "),
    ],
)
def test_other_records_fail(case: Any, reason: str) -> None:
    verdict = program(case(), {})
    assert isinstance(verdict, Failure)
    assert reason in verdict.reason


def test_other_numbers_fail() -> None:
    case = _changed("texture_times_color")
    case["runs"][3]["float"][1] += 3.0
    verdict = program(case, {})
    assert isinstance(verdict, Failure)
    assert verdict.reason.startswith("run 3 differs by")
    case = _changed("texture")
    case["runs"][0]["float_discarded"] = True
    assert program(case, {}) == Failure("run 0 is not discarded")


def test_an_image_in_two_units() -> None:
    """Each place of the same image reads the texel of its own unit, linked or not, in either order."""
    for place, other in (("v_uv0", "v_uv1"), ("v_uv1", "v_uv0"), ("v_uv0 * 2.0", "v_uv1 + 0.25")):
        case = _changed("lightmap", textures={"u_tex0": [0, 1]})
        lines = ("precision mediump float;", "uniform sampler2D u_tex0;", "varying vec2 v_uv0;", "varying vec2 v_uv1;")
        body = f"vec4 a = texture2D(u_tex0, {place}), b = texture2D(u_tex0, {other});"
        is_turned = place == "v_uv1"
        colour = f"vec4(a.rgb * b.rgb, {'b' if is_turned else 'a'}.a)"
        case["glsl"] = "\n".join([*lines, f"void main() {{ {body} gl_FragColor = {colour}; }}"])
        assert program(case, {}) is None
