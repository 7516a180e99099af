"""The checks of recorded VC4: what is right passes, and each thing that can be wrong fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden import vc4
from tests.golden.runner import Failure, Skip, Verdict, check_file
from tests.shared_data import shared_path

_END = ["0x300009e7009e7000", "0x100009e7009e7000", "0x100009e7009e7000"]
_END_TEXT = ["nop; thrend", "nop", "nop"]
LINE = {"category": "add_op", "asm": "fadd r0, r3, ra1", "word": "0x1002082701067780"}
CALCULATED = {"category": "mov_const", "asm": "mov r0, 1", "word": "0x1002082701067780"}
HAZARD: dict[str, Any] = {
    "stage": "vs",
    "asm": ["mov ra1, r0", "mov r1, ra1", *_END_TEXT],
    "words": ["0x10020067159e7000", "0x1002086715067d80", *_END],
    "documented_legal": False,
    "kernel": {"ok": True, "uniforms_size": 0},
}
EXECUTION: dict[str, Any] = {
    "category": "alu_add",
    "asm": ["add r0, ra1, 1", *_END_TEXT],
    "words": ["0xd00208270c041dc0", *_END],
    "init": {"regs": {"ra1": "00000005"}},
    "expect": {"regs": {"r0": "00000006"}},
}
_TILE = {"waddr": 46, "v": ["00000007"] * 16}
PROGRAM: dict[str, Any] = {
    "stage": "fragment",
    "words": ["0x100009e7009e7000"] * 2 + ["0x10020ba715827d80"] + ["0x100009e7009e7000"] + _END,
    "uniform_stream": ["00000007"],
    "kernel_validator": "OK",
    "varyings": [],
    "w_ra15": ["3f800000"] * 16,
    "z_rb15": ["00000000"] * 16,
    "x_coord": [0] * 16,
    "y_coord": [0] * 16,
    "tlb_writes": [_TILE],
}


def test_right_records_pass() -> None:
    assert vc4.encoding(LINE, None) is None
    assert vc4.reject({"asm": "fadd r0, ra1, ra2"}, None) is None
    assert vc4.hazard(HAZARD, None) is None
    assert vc4.execution(EXECUTION, None) is None


def test_what_says_nothing_is_a_skip() -> None:
    assert isinstance(vc4.encoding(CALCULATED, None), Skip)
    assert isinstance(vc4.hazard(HAZARD | {"documented_legal": None}, None), Skip)


def test_programs_run_as_recorded() -> None:
    assert vc4.program(PROGRAM, None) is None


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (vc4.encoding(LINE | {"asm": "fadd r0, r3, ra2"}, None), "the word is 0x1002082701"),
        (vc4.encoding(LINE | {"asm": "fadd"}, None), "the word is none"),
        (vc4.reject(LINE, None), "is taken for"),
        (vc4.hazard(HAZARD | {"documented_legal": True}, None), "the hardware's rules: ['instruction 1"),
        (vc4.hazard(HAZARD | {"kernel": {"ok": False, "why": "x"}}, None), "the driver: None"),
        (vc4.hazard(HAZARD | {"kernel": {"ok": True, "uniforms_size": 4}}, None), "have 0 bytes, recorded 4"),
        (vc4.hazard(HAZARD | {"asm": ["nop"] * 5}, None), "'nop' is another word"),
        (vc4.execution(EXECUTION | {"expect": {"regs": {"r0": "00000007"}}}, None), "r0, lane 0: 00000006"),
        (vc4.execution(EXECUTION | {"expect": {"tlb": [_TILE]}}, None), "0 tile writes, recorded 1"),
        (vc4.program(PROGRAM | {"tlb_writes": []}, None), "1 tile writes, recorded 0"),
        (vc4.program(PROGRAM | {"uniform_stream": ["0000000b"]}, None), "tile write 0, lane 0: 0000000b"),
        (vc4.program(PROGRAM | {"uniform_stream": ["00000007"] * 2}, None), "have 4 bytes, recorded 8"),
        (vc4.program(PROGRAM | {"words": HAZARD["words"]}, None), "the hardware's rules"),
    ],
)
def test_wrong_records_fail(verdict: Verdict, reason: str) -> None:
    assert isinstance(verdict, Failure)
    assert reason in verdict.reason


def test_tolerances_are_of_their_kind() -> None:
    near = EXECUTION | {"category": "unpack", "expect": {"regs": {"r0": "00000007"}}}
    assert vc4.execution(near | {"tol_ulp": 1}, None) is None
    assert isinstance(vc4.execution(near | {"tol_ulp": 0}, None), Failure)
    assert vc4.execution(near | {"tol_byte": 1}, None) is None
    bytes_apart = near | {"expect": {"regs": {"r0": "00000106"}}}
    assert vc4.execution(bytes_apart | {"tol_byte": 1}, None) is None
    assert isinstance(vc4.execution(bytes_apart | {"tol_ulp": 200}, None), Failure)


def test_recorded_data() -> None:
    for path in sorted(shared_path("golden/vc4").glob("*.json")):
        failures = [result for result in check_file(path, "vc4") if isinstance(result.verdict, Failure)]
        assert failures == []
