"""Operands and results as numbers: the addresses of the manual, and the files that have them."""

from __future__ import annotations

import pytest

from glslc_multi.backends.vc4.codegen.machine_ops import ACCUMULATORS, IMM, IN_B, OUT, PORT, R4, R5, A, B
from glslc_multi.backends.vc4.codegen.schedule.ports import (
    FIRST_A,
    FIRST_ACCUMULATOR,
    FIRST_B,
    FIRST_IMMEDIATE,
    IN_FILE_A,
    IN_FILE_B,
    NO_TARGET,
    PORTS_TAKEN,
    is_in_file,
    location_of,
    location_of_register,
    port_of,
    ports_of,
    register_at,
    register_written,
    target_of,
    target_of_location,
)
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, MachineOp, Use
from glslc_multi.compiler.codegen.registers import Register

_VARYING, _VPM, _ELEMENT = 35, 48, 38


def test_registers_have_locations_by_file() -> None:
    found = [location_of_register(each) for each in (A[0], A[31], B[0], B[31], ACCUMULATORS[3], IMM[5])]
    assert found == [
        FIRST_A,
        FIRST_A + 31,
        FIRST_B,
        FIRST_B + 31,
        FIRST_ACCUMULATOR + 3,
        FIRST_IMMEDIATE + 5,
    ]
    assert [location_of_register(each) for each in (R4, R5)] == [FIRST_ACCUMULATOR + 4, FIRST_ACCUMULATOR + 5]
    assert [port_of(location) for location in found] == [0, 0, 1, 1, None, 1]
    assert [register_at(location) for location in found[:5]] == [A[0], A[31], B[0], B[31], ACCUMULATORS[3]]


@pytest.mark.parametrize(
    ("register", "port"),
    [(PORT[_VARYING], None), (PORT[_VPM], None), (PORT[_ELEMENT], 0), (PORT[IN_B + _ELEMENT], 1), (PORT[IN_B + 41], 1)],
)
def test_queues_are_read_by_either_port_and_others_by_their_own(register: Register, port: int | None) -> None:
    location = location_of(Use(register, (0,)), {})
    if port is not None:
        assert location == (FIRST_B if port else FIRST_A) + register.index % IN_B
    assert port_of(location) == port
    needed = ports_of((location,), None)
    assert needed is not None
    assert (needed.mask & PORTS_TAKEN).bit_count() == 1


@pytest.mark.parametrize(
    ("reads", "fits"),
    [
        ((A[1], B[2]), True),
        ((A[1], A[1]), True),
        ((A[1], A[2]), False),
        ((B[1], B[2]), False),
        # A small immediate is where file B's address is.
        ((A[1], IMM[2]), True),
        ((B[1], IMM[2]), False),
        ((IMM[1], IMM[2]), False),
        ((IMM[1], IMM[1]), True),
        ((PORT[_VARYING], A[1]), True),
        ((PORT[_VARYING], B[1]), True),
        ((PORT[_VARYING], A[1], B[1]), False),
        ((PORT[_VARYING], PORT[_VPM]), True),
        ((PORT[_VARYING], PORT[_VPM], IMM[1]), False),
        ((PORT[_ELEMENT], A[1]), False),
        ((PORT[IN_B + _ELEMENT], A[1]), True),
        ((ACCUMULATORS[0], ACCUMULATORS[1], A[1], B[1]), True),
    ],
    ids=str,
)
def test_two_ports_read_one_address_each(reads: tuple[Register, ...], fits: bool) -> None:
    found = ports_of(tuple(location_of(Use(each, (0,)), {}) for each in reads), None)
    assert (found is not None) is fits


def _writing(register: Register) -> MachineInstruction:
    return MachineInstruction(MachineOp("mov", "each", ("each",)), [Def(register, (0,))], [Use(A[0], (0,))])


def test_peripherals_of_one_file_are_written_by_it_alone() -> None:
    """Uniforms address, coordinates, flags, set-up and address of the VPM differ between the files."""
    both = IN_FILE_A | IN_FILE_B
    for address in range(32, 64):
        files = IN_FILE_A if address in (40, 41, 42, 49, 50) else both
        assert target_of(_writing(OUT[address])) == address | files
        assert target_of(_writing(OUT[IN_B + address])) == address | IN_FILE_B
    assert target_of(MachineInstruction(MachineOp("nop", "none", ()), [], [])) == NO_TARGET


@pytest.mark.parametrize(("register", "target"), [(A[7], 7 | IN_FILE_A), (B[7], 7 | IN_FILE_B)])
def test_a_register_is_written_in_its_file(register: Register, target: int) -> None:
    assert target_of(_writing(register)) == target_of_location(location_of_register(register)) == target
    assert is_in_file(target)
    assert register_written(target) == register


def test_either_half_writes_accumulators() -> None:
    """They are the addresses 32 to 35 of both files."""
    for number in range(4):
        target = target_of(_writing(ACCUMULATORS[number]))
        assert target == 32 + number | IN_FILE_A | IN_FILE_B
        assert not is_in_file(target)
        assert register_written(target) == ACCUMULATORS[number]
