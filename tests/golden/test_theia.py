"""The checks of recorded THEIA: what is right passes, and each thing that can be wrong fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden import theia
from tests.golden.runner import Failure, Verdict, check_file
from tests.shared_data import shared_path

LABELS = {"labels": {"LAB0": "801d"}}
ENCODING = {"asm": "JLX LAB0 C4 C7", "word": "0009801d00430046"}
_SUM = ["00040000", "00000000", "00000003"]
_DONE = {"completes": True, "alu_cycles": 1, "total_cycles": 2}
EXECUTION: dict[str, Any] = {
    "asm": "ADD R3 R1 R1",
    "word": "0001004900470047",
    "regs": {"R1": ["00020000", "00000000", "00000001"], "R3": ["00000001"] * 3},
    "dst": "R3",
    "trunk": _DONE | {"result": ["00040000", "00000000", "00000002"]},
}
JUMP: dict[str, Any] = {
    "asm": "JGX 800f R1 R2",
    "word": "0008800f00470048",
    "regs": {"R1": ["00000001"] * 3},
    "trunk": _DONE | {"taken": True},
}
_RUN = {"completes": True, "out": {"R1": ["00020000"] * 3}, "output_memory": [], "cycles": 5}
PROGRAM: dict[str, Any] = {
    "source": ["ENTRYPOINT_ADRR_PIXELSHADER:", "INC R1 R1 VOID", "RETURN RT_TRUE"],
    "words": ["000e004700470000", "0040000000000001"],
    "entry_ip": "800c",
    "count_field": "28",
    "runs": [{"in": {}, "trunk": _RUN | {"return_code": "1", "instructions_executed": 1}}],
}
HAZARD: dict[str, Any] = {
    "rule": "return-first",
    "source": ["RETURN RT_TRUE"],
    "words": ["0040000000000001"],
    "in": {},
    "violates": ["trunk", "icarus"],
    "trunk": {"completes": False},
    "icarus": {},
}
KEPT = HAZARD | {"source": PROGRAM["source"], "words": PROGRAM["words"], "violates": [], "trunk": _RUN}
IMAGE: dict[str, Any] = {
    "source": [
        "ENTRYPOINT_ADRR_PIXELSHADER:",
        "OMWRITE OREG_PIXEL_COLOR CREG_CURRENT_OUTPUT_PIXEL CREG_RESOLUTION",
        "RETURN RT_TRUE",
    ],
    "words": ["002f008000780004", "0040000000000001"],
    "entry_pixelshader": "800c",
    "width": 2,
    "height": 1,
    "cores": 1,
    "registers": {"CREG_RESOLUTION": ["00010000", "00020000", "00000200"]},
    "pixels": [[[128, 255, 1], [128, 255, 1]]],
}


def of_run(**changes: Any) -> dict[str, Any]:
    """The program with its one record changed."""
    return PROGRAM | {"runs": [{"in": {}, "trunk": PROGRAM["runs"][0]["trunk"] | changes}]}


def test_right_records_pass() -> None:
    assert theia.check_encoding(ENCODING, LABELS) is None
    assert theia.check_execution(EXECUTION, None) is None
    assert theia.check_execution(JUMP, None) is None
    assert theia.check_program(PROGRAM, None) is None
    assert theia.check_program(of_run(cycles=99, instructions_executed=99) | {"timing": "uncertain"}, None) is None
    assert theia.check_hazard(HAZARD, None) is None
    assert theia.check_hazard(KEPT, None) is None
    assert theia.check_image(IMAGE, None) is None


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (theia.check_encoding(ENCODING | {"word": "0009801d00430047"}, LABELS), "words: expected"),
        (theia.check_encoding(ENCODING | {"asm": "JLX 801d C4 C7"}, LABELS), "text: expected"),
        (theia.check_execution(EXECUTION | {"word": "0001004900470046"}, None), "words: expected"),
        (theia.check_execution(EXECUTION | {"trunk": _DONE | {"result": _SUM}}, None), "trunk result"),
        (theia.check_execution(EXECUTION | {"trunk": {"completes": False}}, None), "trunk completes"),
        (theia.check_execution(EXECUTION | {"trunk": _DONE | {"total_cycles": 3}}, None), "cycles"),
        (theia.check_execution(JUMP | {"trunk": _DONE | {"taken": False}}, None), "trunk taken"),
        (theia.check_execution(JUMP | {"trunk": _DONE | {"output_memory": [["0", "0"]]}}, None), "trunk output"),
        (theia.check_program(PROGRAM | {"words": []}, None), "words: expected"),
        (theia.check_program(PROGRAM | {"entry_ip": "800d"}, None), "entry: expected"),
        (theia.check_program(PROGRAM | {"count_field": "27"}, None), "count: expected"),
        (theia.check_program(of_run(out={}), None), "run 0 on trunk: out"),
        (theia.check_program(of_run(output_memory=[["0", "0"]]), None), "output"),
        (theia.check_program(of_run(return_code="0"), None), "return code"),
        (theia.check_program(of_run(instructions_executed=2), None), "executed"),
        (theia.check_program(of_run(cycles=6), None), "cycles"),
        (theia.check_program(of_run(completes=False), None), "completes"),
        (theia.check_hazard(HAZARD | {"violates": ["trunk"]}, None), "icarus: refused: return-first"),
        (theia.check_hazard(KEPT | {"violates": ["icarus"]}, None), "icarus: accepted although"),
        (theia.check_hazard(KEPT | {"trunk": _RUN | {"cycles": 9}}, None), "trunk: cycles"),
        (theia.check_hazard(KEPT | {"words": []}, None), "words: expected"),
        (theia.check_image(IMAGE | {"pixels": [[[128, 255, 1], [128, 255, 2]]]}, None), "1 pixels differ, first row 0"),
        (theia.check_image(IMAGE | {"entry_pixelshader": "800d"}, None), "PIXELSHADER: expected"),
    ],
)
def test_wrong_records_fail(verdict: Verdict, reason: str) -> None:
    assert isinstance(verdict, Failure)
    assert reason in verdict.reason


def test_no_shared_record_fails() -> None:
    results = [
        result for path in sorted(shared_path("golden/theia").glob("*.json")) for result in check_file(path, "theia")
    ]
    assert len(results) > 1000
    assert [result for result in results if result.verdict is not None] == []
