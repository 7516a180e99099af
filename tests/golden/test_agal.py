"""The checks of recorded AGAL: what is right passes, and each thing that can be wrong fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden import agal
from tests.golden.runner import Failure, check_file
from tests.shared_data import shared_path

_POSITION = "a001000000a1000000000000000f03000000e4000000000000000000000000"
_COLOUR = "a001000000a1010000000000000f03000000e4010000000000000000000000"
PROGRAM: dict[str, Any] = {
    "version": 1,
    "vertex": {"text": "mov op, va0", "hex": _POSITION},
    "fragment": {"text": "mov oc, fc0", "hex": _COLOUR},
}
LINE = {"stage": "vertex", "version": 1, "text": "mov op, va0", "hex": _POSITION[14:]}
UNWRITTEN = {"text": "mov op, vt0", "hex": _POSITION.replace("e4000000", "e4020000")}
INVALID = PROGRAM | {"vertex": UNWRITTEN, "rule": "temporary read before any write", "error": [3647, 3648]}
GLSL = {
    "vertex_hex": _POSITION,
    "vertex_glsl": "attribute vec4 va0; void main() { gl_Position = va0; }",
    "fragment_hex": _COLOUR,
    "fragment_glsl": "precision highp float; uniform vec4 fc0; void main() { gl_FragColor = fc0; }",
}


def test_right_records_pass() -> None:
    assert agal.check_encoding(LINE, None) is None
    assert agal.check_refusal(LINE | {"text": "mov op, ft0", "error": "stage"}, None) is None
    assert agal.check_program(PROGRAM, None) is None
    assert agal.check_invalid(INVALID, None) is None
    assert agal.check_invalid({key: value for key, value in INVALID.items() if key != "fragment"}, None) is None
    assert agal.check_glsl(GLSL, None) is None


def test_long_programs_are_recorded_by_their_repeated_line() -> None:
    lines = {"text_repeat": ["mov op, va0", "mov vt0, va0", 200]}
    assert agal.check_invalid(PROGRAM | {"vertex": lines, "rule": "tokens", "error": 3629}, None) is None


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (agal.check_encoding(LINE | {"text": "mov op, va1"}, None), "expected a001"),
        (agal.check_encoding(LINE | {"text": "mov op, va0\nmov op, va0"}, None), "gives 2 tokens"),
        (agal.check_refusal(LINE | {"error": "none"}, None), "accepted as a001"),
        (agal.check_program(PROGRAM | {"vertex": UNWRITTEN}, None), "refused: 3647"),
        (agal.check_program(PROGRAM | {"vertex": UNWRITTEN | {"text": "mov op, va0"}}, None), "expected a001"),
        (agal.check_invalid(INVALID | {"vertex": PROGRAM["vertex"]}, None), "accepted although: temporary"),
        (agal.check_invalid(INVALID | {"error": 3648}, None), "first fault is 3647, recorded [3648]"),
        (agal.check_glsl(GLSL | {"fragment_glsl": GLSL["fragment_glsl"].replace("= fc0", "= fc0.yxzw")}, None), "oc"),
        (agal.check_glsl(GLSL | {"vertex_glsl": GLSL["vertex_glsl"].replace("= va0", "= va0 * 1.001")}, None), "op"),
        (
            agal.check_glsl(GLSL | {"fragment_glsl": GLSL["fragment_glsl"].replace("gl_F", "discard; gl_F")}, None),
            "fragment: other lanes are discarded",
        ),
    ],
)
def test_wrong_records_fail(verdict: object, reason: str) -> None:
    assert isinstance(verdict, Failure)
    assert reason in verdict.reason


def test_no_shared_record_fails() -> None:
    results = [
        result for path in sorted(shared_path("golden/agal").glob("*.json")) for result in check_file(path, "agal")
    ]
    assert len(results) > 1000
    assert [result for result in results if result.verdict is not None] == []
