"""What every schedule of straight-line code keeps to: bounds, critical paths, registers that values can be in."""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.machine_ops import (
    ACCUMULATORS,
    GENERAL,
    IMM,
    IN_B,
    LOAD_R4,
    ONLY_A,
    OUT,
    PORT,
    R4,
    A,
    B,
    operation,
)
from glslc_multi.backends.vc4.codegen.register_files import Registers
from glslc_multi.backends.vc4.codegen.schedule.machine_model import QpuModel
from glslc_multi.backends.vc4.codegen.schedule.straight_line import StraightLineCode
from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.compiler.codegen.machine import Def, Literal32, MachineInstruction, Use, VirtualRegister

_MODEL = QpuModel(is_fragment=True)


def _new(number: int) -> VirtualRegister:
    return VirtualRegister(number, 1, GENERAL)


def _alone(name: str, count: int) -> list[MachineInstruction]:
    """Instructions that do not depend on each other."""
    source = Use(ACCUMULATORS[0])
    return [
        MachineInstruction(operation(name), [Def(_new(n))], [source, source][: 1 + (name != "mov")])
        for n in range(count)
    ]


def _bound(instructions: list[MachineInstruction]) -> int:
    return StraightLineCode(instructions, _MODEL).lower_bound


def test_a_word_has_one_instruction_of_each_alu() -> None:
    assert _bound(_alone("fadd", 5)) == 5
    assert _bound(_alone("fmul", 4)) == 4
    assert _bound(_alone("mov", 6)) == 3
    assert _bound(_alone("mov", 7)) == 4
    assert _bound([*_alone("fadd", 3), *_alone("fmul", 3)]) == 3
    assert _bound([*_alone("fadd", 3), *_alone("fmul", 5), *_alone("mov", 4)]) == 6


def test_bounds_are_those_of_what_is_left() -> None:
    code = StraightLineCode([*_alone("fadd", 3), *_alone("fmul", 2)], _MODEL)
    assert code.lower_bound_for(0b11111) == 3
    assert code.lower_bound_for(0b11001) == 2
    assert code.lower_bound_for(0) == 0


def test_chains_take_a_word_for_each_link_and_the_latency_of_special_functions() -> None:
    first, second, third = _new(0), _new(1), _new(2)
    chain = [
        MachineInstruction(operation("mov"), [Def(first)], [Use(ACCUMULATORS[0])]),
        MachineInstruction(operation("fadd"), [Def(second)], [Use(first), Use(first)]),
        MachineInstruction(operation("fmul"), [Def(third)], [Use(second), Use(first)]),
    ]
    assert StraightLineCode(chain, _MODEL).heights == [2, 1, 0]
    special = [
        MachineInstruction(operation("mov", plain=False), [Def(R4)], [Use(ACCUMULATORS[0])], attributes={"waddr": 52}),
        MachineInstruction(operation("fadd"), [Def(second)], [Use(R4), Use(R4)]),
    ]
    # Two words are between the request and the first that reads the result.
    assert StraightLineCode(special, _MODEL).heights == [3, 0]


def test_values_keep_out_of_the_registers_that_no_last_word_may_touch() -> None:
    def candidates(model: QpuModel, **given: object) -> set[str]:
        register = VirtualRegister(0, 1, ONLY_A if given else GENERAL)
        made = MachineInstruction(operation("mov"), [Def(register)], [Use(ACCUMULATORS[0])])
        code = StraightLineCode([made], model)
        (value,) = [value for value in code.values if value.register is register]
        return {str(bit) for bit in range(value.candidates.bit_length()) if value.candidates >> bit & 1}

    # Locations: 0 to 31 of file A, 64 to 95 of file B, 128 to 131 the accumulators.
    everything = {*range(32), *range(64, 96), *range(128, 132)} - {14, 64 + 14}
    assert candidates(_MODEL) == set(map(str, everything))
    assert candidates(_MODEL, only_a=True) == {str(number) for number in everything if number < 32}
    threads = QpuModel(is_fragment=True, threads=2)
    half = {*range(16), *range(64, 80), *range(128, 132)} - {14, 64 + 14}
    assert candidates(threads) == set(map(str, half))


def test_results_of_lookups_come_in_the_order_of_requests() -> None:
    def lookup(number: int) -> list[MachineInstruction]:
        request = MachineInstruction(
            operation("mov", effect=True),
            [Def(OUT[56])],
            [Use(ACCUMULATORS[number])],
            attributes={"queue": "tmu", "entry": number, "slots": (("texture_config0", ""),)},
        )
        load = MachineInstruction(
            LOAD_R4, [Def(R4)], [], attributes={"queue": "tmu", "entry": number, "signal": Signal.LDTMU0}
        )
        return [request, load]

    code = StraightLineCode([*lookup(0), *lookup(1)], _MODEL)
    later = [{number for number, _ in after} for after in code.successors]
    assert 1 in later[0] and 3 in later[2] and 3 in later[1] and 2 in later[0]
    # The second request need not wait for the first result.
    assert 2 not in later[1]
    # What waits for a texture unit comes first.
    assert code.priorities[0] > code.priorities[2] > code.priorities[3]


def test_ports_as_the_allocator_sees_them() -> None:
    bank = Registers().bank
    assert [bank(register) for register in (A[3], B[3], IMM[2], ACCUMULATORS[1], R4)] == ["A", "B", "B", None, None]
    # The lane's number, x and the sample mask in file A; y and the side in file B.
    assert [bank(PORT[number]) for number in (38, 41, 42)] == ["A"] * 3
    assert [bank(PORT[IN_B + number]) for number in (41, 42)] == ["B"] * 2
    assert [bank(PORT[number]) for number in (registers.VARYING_READ, registers.VPM)] == [None] * 2


def test_what_the_driver_follows_to_a_direct_load_stays_where_it_is() -> None:
    """The clamps of an address, but not what they clamp."""
    index, above, clamped, other = (_new(number) for number in range(4))
    address = Use(Literal32((0x1000,)))
    request = MachineInstruction(
        operation("add", effect=True),
        [Def(OUT[registers.TMU_S[0]])],
        [Use(clamped), address],
        attributes={"queue": "tmu", "entry": 0, "half": "add"},
    )
    code = StraightLineCode(
        [
            MachineInstruction(operation("fadd"), [Def(index)], [Use(ACCUMULATORS[0]), Use(ACCUMULATORS[1])]),
            MachineInstruction(operation("fadd"), [Def(other)], [Use(index), Use(ACCUMULATORS[1])]),
            MachineInstruction(operation("max"), [Def(above)], [Use(index), Use(IMM[0])]),
            MachineInstruction(operation("min"), [Def(clamped)], [Use(above), Use(Literal32((12,)))]),
            request,
            MachineInstruction(
                LOAD_R4, [Def(R4)], [], attributes={"queue": "tmu", "entry": 0, "signal": Signal.LDTMU0}
            ),
        ],
        _MODEL,
    )
    numbers = {value.register: number for number, value in enumerate(code.values)}
    movable = [code.is_movable(numbers[register]) for register in (index, above, clamped, other)]
    assert movable == [True, False, False, True]
