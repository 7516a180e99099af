"""The checks of recorded pixels: what they accept, and that they notice every kind of change."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest

from tests.golden import pica200_pixels as pixels
from tests.golden.kinds import labelled_cases, recognise
from tests.golden.runner import Failure, Skip
from tests.shared_data import shared_path

Record = Mapping[str, Any]
Check = Callable[[Record, Any], Any]

#: Of the largest files so many cases are checked here, spread over the whole; the runner checks all.
_MOST = 1200

#: One stage that makes texture 0 times primary, twice, written by hand; the others hand on.
_INERT = [0x000F000F, 0, 0, 0xFFFFFFFF, 0]
COMBINERS: Record = {
    "id": "modulate",
    "stages": [[0x00000003, 0, 0x00000001, 0, 1], *[_INERT] * 5],
    "e0": 0x0100,
    "fd": [1, 2, 3, 4],
    "runs": [
        {
            "in": [[100, 255, 0, 9], *[[0] * 4] * 3, [255, 100, 7, 50], *[[0] * 4] * 2],
            "out": [[200, 200, 0, 50]] * 6,
            "buffer": [[0] * 4, [1, 2, 3, 4], *[[200, 200, 0, 4]] * 4],
        }
    ],
}
FUNCTION: Record = {"function": "ADD", "scale": 2, "operand1": 10, "operand2": 20, "operand3": 0, "result": 60}
CONSOLE: Record = {"first": [60, 60, 60], "second": [60, 60, 60], "measured": 210}
ALPHA: Record = {"register": 0x00FE0061, "passes": "0" * 1 + "1" * 255}
BLEND: Record = {
    "100": 0x0100,
    "101": 0x01010000,
    "102": 0,
    "103": [0] * 4,
    "107": 0x0F00,
    "source": [10, 20, 30, 40],
    "destination": [1, 2, 3, 4],
    "result": [10, 20, 30, 40],
}


@pytest.mark.parametrize(
    ("check", "record", "path", "value"),
    [
        (pixels.combiners, COMBINERS, ["runs", 0, "out", 0, 0], 199),
        (pixels.combiners, COMBINERS, ["runs", 0, "out", 5, 3], 49),
        (pixels.combiners, COMBINERS, ["runs", 0, "buffer", 2, 0], 1),
        (pixels.combiners, COMBINERS, ["runs", 0, "in", 4, 3], 51),
        (pixels.combiners, COMBINERS, ["stages", 0, 4], 0),
        (pixels.combiners, COMBINERS, ["e0"], 0x0200),
        (pixels.combiners, COMBINERS, ["fd", 3], 5),
        (pixels.combiner_functions, FUNCTION, ["result"], 61),
        (pixels.combiner_functions, FUNCTION, ["function"], "ADD_SIGNED"),
        (pixels.console_dot3, CONSOLE, ["measured"], 213),
        (pixels.alpha_test, ALPHA, ["register"], 0x00FE0161),
        (pixels.blending, BLEND, ["result", 2], 31),
        (pixels.blending, BLEND, ["107"], 0x0E00),
    ],
)
def test_wrong_records_fail(check: Check, record: Record, path: list[Any], value: object) -> None:
    assert check(record, None) is None
    changed = deepcopy(dict(record))
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert isinstance(check(changed, None), Failure)


def test_what_sources_read_differently_is_no_failure() -> None:
    case = {"registers": {"1C4": 1 << 20}, "luts": {}, "samples": []}
    assert isinstance(pixels.lighting(case, {"luts": {}}), Skip)


_CHECKS: dict[str, Check] = {
    name: getattr(pixels, name.replace("-", "_"))
    for name in (
        "combiners",
        "combiner-buffer",
        "combiner-operands",
        "combiner-functions",
        "combiner-dot3",
        "console-dot3",
        "fog",
        "alpha-test",
        "blending",
        "texture-units",
        "lighting",
    )
}


@pytest.mark.parametrize("name", _CHECKS)
def test_recorded_pixels(name: str) -> None:
    found = 0
    for path in sorted(shared_path("golden/pica200-fragment").glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        kind = recognise(document, "pica200")
        if kind is None or kind.name != name:
            continue
        cases = list(labelled_cases(kind, document))
        for label, case in cases[:: max(1, len(cases) // _MOST)]:
            verdict = _CHECKS[name](case, document)
            assert not isinstance(verdict, Failure), f"{path.name}: {label}: {verdict.reason}"
            found += verdict is None
    assert found
