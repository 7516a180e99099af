"""Control flow, memory, forwarding, cycles, and everything that hangs."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.theia.isa.program import ORIGIN
from glslc_multi.backends.theia.isa.registers import VARIANTS, Variant, address_of
from glslc_multi.backends.theia.machine.outcomes import Outcome
from glslc_multi.backends.theia.machine.simulate import run_block, simulate
from glslc_multi.backends.theia.machine.state import Machine
from tests.backends.theia.helpers import program_of

_ONE = 0x20000


def run(*lines: str, variant: Variant = "trunk", **registers: tuple[int, int, int]) -> tuple[Outcome, Machine]:
    named = {address_of(name, variant) or 0: row for name, row in registers.items()}
    return simulate(program_of(*lines, variant=variant), named, max_steps=500)


def register(machine: Machine, name: str) -> tuple[int, int, int]:
    return machine.patterns(address_of(name, machine.program.variant) or 0)


RELATIONS = {
    "JG": lambda a, b: a > b,
    "JL": lambda a, b: a <= b,
    "JEQ": lambda a, b: abs(a) == abs(b),
    "JNE": lambda a, b: abs(a) != abs(b),
    "JGE": lambda a, b: a > b or abs(a) == abs(b),
    "JLE": lambda a, b: a <= b or abs(a) == abs(b),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_jumps_compare_as_the_hardware_does(name: str) -> None:
    values = (0, 1, -1, 5, -5, 2**31 - 1, -(2**31))
    for lane, letter in enumerate("XYZ"):
        for a in values:
            for b in values:
                rows = [[0, 0, 0], [0, 0, 0]]
                rows[0][lane], rows[1][lane] = a, b
                program = program_of(f"{name}{letter} E R1 R2", "COPY R3 R2 VOID", "E:", "RETURN RT_TRUE")
                outcome, _ = simulate(program, {71: rows[0], 72: rows[1]})
                assert outcome.taken == RELATIONS[name](a, b), (a, b)
                assert outcome.executed == (1 if outcome.taken else 2)


def test_a_loop_and_its_cycles() -> None:
    outcome, machine = run(
        "ZERO R1 VOID VOID",
        "L:",
        "INC R1 R1 VOID",
        "MUL R2 R1 R1",
        "JGX L R3 R1",
        "RETURN RT_FALSE",
        R3=(3 * _ONE, 0, 0),
    )
    assert register(machine, "R2") == (9 * _ONE,) * 3
    assert (outcome.completes, outcome.return_code, outcome.executed) == (True, 0, 10)
    assert outcome.cycles == 3 + 2 + 3 * (2 + 3 + 2)


@pytest.mark.parametrize(("variant", "cycles"), [("trunk", 3 + 40 + 72 + 6), ("icarus", 3 + 6 + 66 + 66)])
def test_division_is_quick_only_on_trunk(variant: Variant, cycles: int) -> None:
    lines = "MAG R2 R1 VOID", "DIV R3 R1 R2", "DIV R4 R1 CREG_ZERO", "RETURN RT_TRUE"
    outcome, _ = run(*lines, variant=variant, R1=(9 * _ONE, 0, 0))
    assert outcome.cycles == cycles
    assert outcome.tolerance == (6 if variant == "trunk" else 0)


def test_memory() -> None:
    program = program_of("TMREAD R1 R2 VOID", "OMWRITE OREG_PIXEL_COLOR R3 R1", "RETURN RT_TRUE")
    outcome, machine = simulate(
        program, {72: (7, 0xFFFFFFFF, 5), 73: (30, 31, 0xFFFFFFFE)}, texture={7: 70, 0xFFFFFFFF: 71}
    )
    assert outcome.output == [(30, 70), (31, 71), (0xFFFFFFFE, 0)]
    assert machine.patterns(71) == (70, 71, 0)
    assert outcome.cycles == 3 + 6 + 4


def test_omwrite_clears_its_destination() -> None:
    _, machine = run("OMWRITE R4 R1 R2", "RETURN RT_TRUE", R4=(1, 2, 3))
    assert register(machine, "R4") == (0, 0, 0)


def test_writes_to_the_hosts_registers_are_lost_but_forwarded() -> None:
    _, machine = run(
        "COPY OREG_PIXEL_COLOR R1 VOID",
        "COPY R2 OREG_PIXEL_COLOR VOID",
        "COPY R3 OREG_PIXEL_COLOR VOID",
        "RETURN RT_TRUE",
        R1=(1, 2, 3),
        CREG_LIGHT_INFO=(7, 8, 9),
    )
    assert register(machine, "R2") == (1, 2, 3)
    assert register(machine, "R3") == (7, 8, 9)


def test_registers_hold_what_was_written_once_another_instruction_came() -> None:
    _, machine = run("SETX R1 32'h5", "SETY R1 32'h6", "SETZ R1 32'hFFFFFFFF", "COPY R2 R1 VOID", "RETURN RT_TRUE")
    assert register(machine, "R2") == (5, 6, 0xFFFFFFFF)


@pytest.mark.parametrize(
    ("name", "row"),
    [("XXX", (1, 1, 1)), ("YYY", (2, 2, 2)), ("ZZZ", (3, 3, 3)), ("YXZ", (2, 1, 3)), ("XZX", (0, 0, 0))],
)
def test_swizzles(name: str, row: tuple[int, int, int]) -> None:
    _, machine = run(f"SWIZZLE3D R1 SWIZZLE_{name}", "RETURN RT_TRUE", R1=(1, 2, 3))
    assert register(machine, "R1") == row


@pytest.mark.parametrize(("variant", "lane"), [("trunk", 0), ("icarus", 9)])
def test_a_subroutine(variant: Variant, lane: int) -> None:
    lines = "CALL S VOID VOID", "NOP RT_FALSE", "RETURN RT_TRUE", "S:", "INC R1 R1 VOID", "RET R9 32'h9", "NOP RT_FALSE"
    outcome, machine = run(*lines, variant=variant)
    assert outcome.completes
    assert register(machine, "R1") == (_ONE,) * 3
    assert register(machine, "R9") == (lane, 0, 0)
    assert outcome.cycles == 3 + 4 * 2 + 2


def test_the_address_of_the_next_instruction() -> None:
    _, machine = run("NOP RT_FALSE", "LEA R1 VOID VOID", "RETURN RT_TRUE")
    assert register(machine, "R1") == (0x800E,) * 3


def test_lanes_x_and_y_after_mulp() -> None:
    _, machine = run("MULP R3 R1 VOID", "NOP RT_FALSE", "RETURN RT_TRUE", R1=(3 * _ONE, 4 * _ONE, 1))
    assert register(machine, "R3") == (0, 0, 12 * _ONE)
    _, machine = run("MULP R3 R1 VOID", "SETX R4 32'h7", "RETURN RT_TRUE", R1=(3 * _ONE, 4 * _ONE, 1))
    assert register(machine, "R3")[::2] == (7, 12 * _ONE)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["RETURN RT_TRUE"], "first instruction"),
        (["INTP R1 R2 VOID", "RETURN RT_TRUE"], "never completes"),
        (["XCHANGEY R1 R2 R2", "RETURN RT_TRUE"], "never completes"),
        (["TMREAD R1 R2 VOID", "TMREAD R1 R2 VOID", "RETURN RT_TRUE"], "TMREAD directly after TMREAD"),
        (["NOP RT_FALSE"], "outside of the program"),
        (["JMP 0025 VOID VOID"], "outside of the program"),
        (["L:", "JMP L VOID VOID"], "no RETURN in 500 steps"),
        (["RET R1 32'h0"], "outside of the program"),
    ],
)
def test_what_does_not_complete(lines: list[str], reason: str) -> None:
    outcome, _ = run(*lines)
    assert not outcome.completes
    assert reason in outcome.reason


def test_pixels_that_part_ways_are_as_if_each_ran_alone() -> None:
    rng = random.Random(8)
    lines = (
        "JGX A R1 R2",
        "DIV R3 R1 R2",
        "JMP B VOID VOID",
        "A:",
        "L:",
        "SUB R1 R1 R2",
        "JGX L R1 R2",
        "B:",
        "RETURN RT_TRUE",
    )
    rows = [[(rng.randrange(1, 20) * _ONE, 1, 2) for _ in range(2)] for _ in range(12)]
    for variant in VARIANTS:
        program = program_of(*lines, variant=variant)
        machine = Machine(program, count=len(rows))
        for which, address in enumerate((71, 72)):
            machine.load(address, tuple(zip(*(pixel[which] for pixel in rows), strict=True)))
        together = run_block(machine, ORIGIN)
        for number, (first, second) in enumerate(rows):
            outcome, alone = simulate(program, {71: first, 72: second})
            assert together[number] == outcome
            assert [machine.patterns(a, number) for a in (71, 72, 73)] == [alone.patterns(a) for a in (71, 72, 73)]


def test_a_pixel_that_never_ends_does_not_keep_others_from_it() -> None:
    program = program_of("L:", "JGX L R1 R2", "RETURN RT_TRUE")
    machine = Machine(program, count=3)
    machine.load(71, ((5, 1, 3), 0, 0))
    machine.load(72, (2, 0, 0))
    outcomes = list(run_block(machine, ORIGIN, max_steps=50))
    assert [outcome.completes for outcome in outcomes] == [False, True, False]
    assert [outcome.executed for outcome in outcomes] == [50, 1, 50]
    assert outcomes[0].reason == "no RETURN in 50 steps"


def test_a_register_that_some_pixels_write_keeps_the_hosts_values_in_the_others() -> None:
    program = program_of("JGX E R1 R2", "ZERO R3 VOID VOID", "E:", "RETURN RT_TRUE")
    machine = Machine(program, count=3)
    machine.load(71, ((5, 1, 3), 0, 0))
    machine.load(72, (2, 0, 0))
    machine.load(73, ((7, 8, 9), 1, 2))
    assert run_block(machine, ORIGIN).completes.all()
    assert [machine.patterns(73, pixel) for pixel in range(3)] == [(7, 1, 2), (0, 0, 0), (9, 1, 2)]
