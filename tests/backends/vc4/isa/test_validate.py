"""Each rule, kept and broken; verdicts on programs that other tools judged are in `test_witnesses.py`."""

from __future__ import annotations

import pytest

from glslc_multi.backends.vc4.isa.program import Stage
from glslc_multi.backends.vc4.isa.rules import DRIVER, HARDWARE
from glslc_multi.backends.vc4.isa.validate import validate
from glslc_multi.backends.vc4.isa.validate_driver import check
from tests.backends.vc4.helpers import END, program_of

#: rule -> (stage, text that breaks it, text that keeps it); a text without `thrend` gets the usual end.
HARDWARE_CASES: dict[str, tuple[Stage, str, str]] = {
    "undefined-bits": ("vertex", ".quad 0x1000082709000000", ".quad 0x100009e7009e7000"),
    "undefined-register": ("vertex", "mov r0, ra33", "mov r0, ra32"),
    "no-end": ("vertex", "nop\nnop", "nop; thrend\nnop\nnop"),
    "register-latency": ("vertex", "mov ra1, r0\nmov r1, ra1", "mov ra1, r0\nmov r1, rb1"),
    "sfu-latency": ("vertex", "mov recip, r0\nnop\nmov r1, r4", "mov recip, r0\nnop\nnop\nmov r1, r4"),
    "noswap-latency": (
        "fragment",
        "mov tmu_noswap, 1\nnop\nmov t0s, r0\nnop; ldtmu0",
        "mov tmu_noswap, 1\nnop\nnop\nmov t0s, r0\nnop; ldtmu0",
    ),
    "tmu-parameters": (
        "fragment",
        "mov t0t, r0\nmov t0t, r0\nmov t0s, r0\nnop; ldtmu0",
        "mov t0t, r0\nmov t0r, r0\nmov t0b, r0\nmov t0s, r0\nnop; ldtmu0",
    ),
    "tmu-queue": ("fragment", "mov t0s, r0\n" * 5 + "nop; ldtmu0\n" * 5, "mov t0s, r0\n" * 4 + "nop; ldtmu0\n" * 4),
    "tmu-no-result": ("fragment", "nop; ldtmu0", "mov t0s, r0\nnop; ldtmu0"),
    "rotate-source": ("vertex", "mov r0, r4 << 1", "mov r0, r3 << 1"),
    "rotate-latency": ("vertex", "mov r0, 1\nmov r1, r0 << 1", "mov r0, 1\nnop\nmov r1, r0 << 1"),
    "uniform-address": (
        "vertex",
        "mov unif_addr, r0\nnop\nmov r1, unif",
        "mov unif_addr, r0\nnop\nnop\nmov r1, unif",
    ),
    "branch-spacing": (
        "vertex",
        "brr -, 0\nnop\nbrr -, 0\nnop\nnop\nnop",
        "brr -, 0\nnop\nnop\nnop\nbrr -, 0\nnop\nnop\nnop",
    ),
    "branch-target": ("vertex", "brr -, 12\nnop\nnop\nnop", "brr -, 0\nnop\nnop\nnop"),
    "end-peripherals": ("vertex", "nop; thrend\nmov r0, unif\nnop", "mov r0, unif\nnop; thrend\nnop\nnop"),
    "end-register-14": ("vertex", "nop; thrend\nnop\nmov r0, rb14", "mov r0, rb14\nnop; thrend\nnop\nnop"),
    "end-register-write": ("vertex", "mov ra1, r0; thrend\nnop\nnop", "mov r1, r0; thrend\nnop\nnop"),
    "end-depth": ("fragment", "nop; thrend\nnop\nmov tlbz, r0", "nop; thrend\nmov tlbz, r0\nnop"),
    "end-scoreboard": (
        "fragment",
        "nop\nnop\nmov tlbc, r0; thrend\nnop\nnop",
        "nop\nnop\nnop; sbwait\nmov tlbc, r0; thrend\nnop\nnop",
    ),
    "early-scoreboard": ("fragment", "nop\nnop; sbwait", "nop\nnop\nnop; sbwait"),
    "switch-scoreboard": (
        "fragment",
        "nop\nnop\nmov tlbz, r0\nnop; lthrsw\nnop\nnop",
        "nop\nnop\nnop; lthrsw\nnop\nnop\nmov tlbz, rb15",
    ),
    "depth-mask": (
        "fragment",
        "nop\nnop\nmov tlbz, r0\nnop\nmov r0, ms_mask",
        "nop\nnop\nmov tlbz, r0\nnop\nnop\nmov r0, ms_mask",
    ),
    "tile-order": (
        "fragment",
        "nop\nnop\nmov tlbc, r0\nmov tlbz, r0",
        "nop\nnop\nmov stencil, r0\nmov tlbz, r0\nmov tlbc, r0",
    ),
    "one-access": ("vertex", "mov r0, mutex; mov exp, r1", "mov r0, mutex\nmov exp, r1"),
    "conditional-write": ("vertex", "mov.ifz vpm, r0", "mov vpm, r0"),
    "same-register": ("vertex", "add.ifz r0, r1, r2; fmul.ifn r0, r1, r2", "add.ifn r0, r1, r2; fmul.ifnn r0, r1, r2"),
    "partial-pack": ("vertex", "fmul vpm.8asf, r1, r2", "fmul r0.8asf, r1, r2"),
    "switch-spacing": (
        "fragment",
        "nop; thrsw\nnop\nnop; lthrsw\nnop\nnop",
        "nop; thrsw\nnop\nnop\nnop; lthrsw\nnop\nnop",
    ),
    "switch-last": ("fragment", "nop; thrsw\nnop\nnop", "nop; lthrsw\nnop\nnop"),
    "switch-registers": ("fragment", "mov ra16, r0; lthrsw\nnop\nnop", "mov ra15, r0; lthrsw\nnop\nnop"),
    "switch-lost": (
        "fragment",
        "nop; lthrsw\nnop\nnop\nmov ra1, r0",
        "nop; lthrsw\nnop\nmov ra1, r0\nmov r0, 1\nmov r1, r0",
    ),
    "vpm-setup": ("vertex", "mov vr_setup, r0; mov vw_setup, r1", "mov vr_setup, r0\nmov vw_setup, r1"),
    "vpm-reads": (
        "vertex",
        "ldi vr_setup, 0x00201a00\nmov r0, vpm\nldi vr_setup, 0x00101a00\nmov r0, vpm",
        "ldi vr_setup, 0x00201a00\nmov r0, vpm\nmov r0, vpm\nldi vr_setup, 0x00101a00\nmov r0, vpm",
    ),
}
_CLAMP = "max r0, r0, 0\nmin r0, r0, unif\n"
#: rule -> (text that breaks it, text that keeps it).
DRIVER_CASES: dict[str, tuple[str, str]] = {
    "driver-signal": ("nop; bkpt", "nop; sbwait"),
    "driver-end": ("nop\nnop", "nop; thrend\nnop\nnop"),
    "driver-branch-slots": ("nop\nbrr -, 0\nnop\nnop\nnop", "nop\nnop\nbrr -, 0\nnop\nnop\nnop"),
    "driver-branch-kind": ("nop\nnop\nbrr ra3, 0\nnop\nnop\nnop", "nop\nnop\nbrr -, 0\nnop\nnop\nnop"),
    "driver-branch-target": ("nop\nnop\nbrr -, 24\nnop\nnop\nnop", "nop\nnop\nbrr -, 0\nnop\nnop\nnop"),
    "driver-register": ("mov irq, r0", "mov vpm, r0"),
    "driver-two-tmu-writes": ("mov t0t, r0; mov t0s, r1", "mov t0t, r0\nmov t0s, r1"),
    "driver-tmu-uniform": ("mov t0t, unif\nmov t0s, r0", "mov t0t, r1\nmov t0s, r0"),
    "driver-tmu-parameters": (
        "mov t0t, r0\nmov t0r, r0\nmov t0b, r0\nmov t0t, r0\nmov t0s, r0",
        "mov t0t, r0\nmov t0r, r0\nmov t0b, r0\nmov t0s, r0",
    ),
    "driver-direct-load": ("max r0, r0, 0\nadd t0s, r0, unif", _CLAMP + "add t0s, r0, unif"),
    "driver-direct-unit": (
        _CLAMP + "add t0s, r0, unif\nmov t0t, r1\nmov t0s, r1",
        "mov t0t, r1\nmov t0s, r1\n" + _CLAMP + "add t0s, r0, unif\nmov t1t, r1\nmov t1s, r1\nadd t0s, r0, unif",
    ),
    "driver-uniform-reset": (
        "ldi.ifz r0, 4\nadd unif_addr, r0, unif",
        "ldi r0, 4\nadd unif_addr, r0, unif",
    ),
    "driver-uniform-read": (
        "nop\nnop\nbrr -, 0\nnop\nnop\nnop\nmov r0, unif",
        "nop\nnop\nbrr -, 0\nnop\nnop\nnop\nldi r0, 4\nadd unif_addr, r0, unif\nnop\nnop\nmov r0, unif",
    ),
    "driver-switch": ("nop; thrsw\nnop\nnop; thrsw", "nop; thrsw\nnop\nnop\nnop; thrsw"),
    "driver-switch-registers": ("mov r0, ra16; thrsw\nnop\nnop", "mov r0, ra15; thrsw\nnop\nnop"),
}


def words_of(text: str, rule: str) -> tuple[int, ...]:
    has_end = "thrend" in text or rule.endswith("-end")
    return program_of(text if has_end else text + "\nnop" + END).words


def test_every_rule_is_tested() -> None:
    assert HARDWARE_CASES.keys() == HARDWARE.keys()
    assert DRIVER_CASES.keys() == DRIVER.keys()


@pytest.mark.parametrize("rule", HARDWARE_CASES)
def test_rules_of_the_hardware(rule: str) -> None:
    stage, broken, kept = HARDWARE_CASES[rule]
    assert rule in {fault.rule for fault in validate(words_of(broken, rule), stage)}
    assert rule not in {fault.rule for fault in validate(words_of(kept, ""), stage)}


@pytest.mark.parametrize("rule", DRIVER_CASES)
def test_rules_of_the_driver(rule: str) -> None:
    broken, kept = DRIVER_CASES[rule]
    fault = check(words_of(broken, rule)).fault
    assert fault is not None
    assert fault.rule == rule
    assert check(words_of(kept, "")).fault is None


def test_neighbours_across_a_branch() -> None:
    text = "nop\nnop\nbrr -, 8\nnop\nnop\nmov ra1, r0\nnop\nmov r1, ra1"
    assert [fault.rule for fault in validate(words_of(text, ""), "vertex")] == ["register-latency"]
    text = "mov ra1, r0\nbrr -, 8\nmov r1, ra1\nnop\nnop\nmov r2, ra9"
    assert validate(words_of(text, ""), "vertex") == []


def test_paths_around_a_loop_are_followed() -> None:
    loop = ":again\nmov r0, vpm\nsub.setf r1, r1, 1\nbrr.anynz -, r:again\nnop\nnop\nnop"
    text = f"ldi vr_setup, 0x00201a00\nmov r0, vpm\n{loop}"
    assert [fault.rule for fault in validate(words_of(text, ""), "vertex")] == ["vpm-reads"]


def test_uniforms_are_counted() -> None:
    assert check(words_of("mov r0, unif\nmov t0t, r0\nmov t0s, r1\nadd r0, unif, unif", "")).uniforms_size == 16
    loop = "nop\nnop\n:again\nnop\nbrr.anynz -, r:again\nnop\nnop\nnop"
    assert check(words_of(loop, "")).uniforms_size == 4


def test_a_small_immediate_is_no_register_that_was_clamped() -> None:
    clamp = "max rb5, r0, 0\nnop\nmin r1, {}, unif\nadd t0s, r1, unif\nnop; ldtmu0"
    assert check(words_of(clamp.format("rb5"), "")).fault is None
    refused = check(words_of(clamp.format("5"), "")).fault
    assert refused is not None and refused.rule == "driver-direct-load"


@pytest.mark.parametrize("beside", ["; fmul r1, r2, r3", "; v8min rb1, r2, r2", "; ldtmu0", "; loadc"])
def test_a_reset_of_the_stream_has_nothing_beside_it(beside: str) -> None:
    refused = check(words_of(f"ldi r0, 4\nadd unif_addr, r0, unif{beside}", "")).fault
    assert refused is not None and refused.rule == "driver-uniform-reset"


def test_faults_name_their_instruction() -> None:
    (fault,) = validate(words_of("nop\nmov ra1, r0\nmov r1, ra1", ""), "vertex")
    assert str(fault).startswith("instruction 2: a register of a file is not read")


def test_nothing_is_no_program() -> None:
    assert [fault.rule for fault in validate((), "vertex")] == ["no-end"]
    assert check(()).fault is not None
