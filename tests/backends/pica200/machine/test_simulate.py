"""The simulator: operands, flow control, geometry, and what it refuses to run."""

from __future__ import annotations

import random

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.instructions import encode
from glslc_multi.backends.pica200.isa.program import Executable, Program
from glslc_multi.backends.pica200.machine.simulate import SimulationFault
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.helpers import program_of, run

K = ".constf k(0, 1, 2, 4)\n"


def output(body: str, declarations: str = K, after: str = "", **more: object) -> list[float]:
    """o0 of the first lane."""
    result = run(program_of(f"{body}\nend", declarations, after), **more)  # type: ignore[arg-type]
    values: list[float] = result.outputs[0][0].tolist()
    return values


# --- Operands ---------------------------------------------------------------------------------------------------------


def test_masks_swizzles_and_negation() -> None:
    assert output("mov o0, k\nmov o0.yw, -k.wzyx") == [0.0, -2.0, 2.0, 0.0]


def test_the_mask_of_a_dot_product_limits_what_is_written_only() -> None:
    assert output("mov r0, k.yyyy\ndp4 o0.x, k, r0") == [7.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("address", "index"),
    [(3.0, 43), (-3.0, 37), (2.9, 42), (-2.9, 38), (127.0, 39), (-128.0, 40), (128.0, 40), (-129.0, 40)],
)
def test_relative_addressing_wraps_at_128_and_ignores_wild_values(address: float, index: int) -> None:
    floats = {number: [float(number)] * 4 for number in range(96)}
    got = output("mova a0.y, v0\nmov o0, c40[a0.y]", inputs={0: [[0.0, address, 0, 0]]}, floats=floats)
    # 40 + 127 = 167, modulo 128; 40 - 128 = -88, which is 40.
    assert got == [float(index)] * 4


def test_uniforms_from_96_to_127_read_as_ones() -> None:
    assert output("mova a0.x, v0\nmov o0, c90[a0.x]", inputs={0: [[6.0, 0, 0, 0]]}) == [1.0] * 4


def test_each_lane_has_its_own_address() -> None:
    floats = {number: [float(number)] * 4 for number in range(8)}
    result = run(
        program_of("mova a0.x, v0\nmov o0, c0[a0.x]\nend"), {0: [[n, 0, 0, 0] for n in range(8)]}, floats=floats
    )
    assert result.outputs[:, 0, 0].tolist() == list(range(8))


def test_address_registers_are_added_to_uniforms_alone() -> None:
    """Words may name one although they read another register."""
    text = "mova a0.x, v0\nmov r1, k.wwww\nmov o0, r1\nend"
    program = program_of(text, K)
    code = [word | 1 << 19 if index == 2 else word for index, word in enumerate(program.code)]
    named = Program(code, program.descriptors, program.executables)
    assert run(named, {0: [[1.0, 0, 0, 0]]}).outputs[0][0].tolist() == [4.0] * 4


# --- Flow control -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("cmp.x", "0011"),
        ("!cmp.x", "1100"),
        ("cmp.y", "0101"),
        ("cmp.x && cmp.y", "0001"),
        ("cmp.x || !cmp.y", "1011"),
        ("!cmp.x && cmp.y", "0100"),
    ],
)
def test_conditions_split_the_lanes(condition: str, truth: str) -> None:
    lanes = [[x, y, 0.0, 0.0] for x in (0.0, 1.0) for y in (0.0, 1.0)]
    body = f"cmp v0, eq, eq, r0\nifc {condition}\nmov o0, k.yyyy\n.else\nmov o0, k.zzzz\n.end\nend"
    result = run(program_of("mov r0, k.yyyy\n" + body, K), {0: lanes})
    assert ["1" if value == 1.0 else "0" for value in result.outputs[:, 0, 0].tolist()] == list(truth)


@pytest.mark.parametrize(("holds", "want"), [(True, 1.0), (False, 2.0)])
def test_bools(holds: bool, want: float) -> None:
    assert output("ifu b5\nmov o0, k.yyyy\n.else\nmov o0, k.zzzz\n.end", bools={5: holds}) == [want] * 4
    assert output("mov o0, k.y\njmpu !b5, l\nmov o0, k.z\nl: nop", bools={5: not holds}) == [want] * 4
    assert output("mov o0, k.z\ncallu b5, f", after=".proc f\nmov o0, k.y\n.end", bools={5: holds}) == [want] * 4


@pytest.mark.parametrize("repetitions", [0, 1, 7, 255])
def test_a_loop_runs_once_more_than_its_count(repetitions: int) -> None:
    program = program_of("mov r0, k.xxxx\nfor i1\nadd r0, k.y, r0\n.end\nmov o0, r0\nend", K)
    result = run(program, integers={1: (repetitions, 3, 2, 0)})
    assert result.outputs[0][0][0] == repetitions + 1
    assert result.counter.tolist() == [3 + 2 * (repetitions + 1)]
    assert result.steps.tolist() == [4 + repetitions + 1]


def test_the_loop_counter_indexes_uniforms() -> None:
    floats = {number: [float(number)] * 4 for number in range(32)}
    body = "mov r0, k.xxxx\nfor i0\nadd r0, c4[aL], r0\n.end\nmov o0, r0"
    assert output(body, integers={0: (3, 2, 5, 0)}, floats=floats) == [float(6 + 11 + 16 + 21)] * 4


def test_break_leaves_the_innermost_loop() -> None:
    body = """mov r0, k.xxxx
for i0
    for i1
        add r0.x, k.y, r0
        cmp r0, ge, eq, r2
        breakc cmp.x
        add r0.y, k.y, r0
    .end
    add r0.z, k.y, r0
.end
mov o0, r0"""
    got = output("mov r2, k.wwww\n" + body, integers={0: (1, 0, 1, 0), 1: (5, 0, 1, 0)})
    # Until x is 4; after that the inner loop breaks in its first round.
    assert got == [5.0, 3.0, 2.0, 0.0]


def test_break_at_the_end_of_two_loops() -> None:
    """The outer loop counts after BREAK, and steps from the start of the inner one's aL."""
    code = [
        encode("LOOP", id=0, target=3),
        encode("LOOP", id=1, target=3),
        encode("NOP"),
        encode("BREAK"),
        encode("END"),
    ]
    result = run(Program(code, [], [Executable(0, len(code))]), integers={0: (2, 5, 1, 0), 1: (9, 40, 2, 0)})
    assert result.steps.tolist() == [1 + 3 * 3 + 1]
    assert result.counter.tolist() == [41]


def test_a_fifth_loop_pushes_the_outermost_off_the_stack() -> None:
    code = [*(encode("LOOP", id=number % 4, target=5) for number in range(5)), encode("NOP"), encode("END")]
    integers = {number: (number, 0, 1, 0) for number in range(4)}
    # Word 5 ends all loops: the innermost runs once (i0 has no repetitions), and then the word after it comes.
    result = run(Program(code, [], [Executable(0, len(code))]), integers=integers)
    assert result.steps.tolist() == [7]


def test_calls_return_through_several_levels() -> None:
    procedures = "\n".join(
        f".proc f{n}\ncall f{n + 1}\nadd r0, k.y, r0\n.end" if n < 3 else f".proc f{n}\nadd r0, k.y, r0\n.end"
        for n in range(1, 4)
    )
    assert output("mov r0, k.x\ncall f1\ncall f3\nmov o0, r0", after=procedures) == [4.0] * 4


def test_a_jump_at_the_end_of_a_block_is_lost() -> None:
    program = program_of("ifu b0\njmpu b0, l\n.else\nnop\n.end\nmov o0, k.yyyy\nl: end", K, pads=False)
    assert run(program, bools={0: True}).outputs[0][0][0] == 1.0
    padded = program_of("ifu b0\njmpu b0, l\n.else\nnop\n.end\nmov o0, k.yyyy\nl: end", K)
    assert run(padded, bools={0: True}).outputs[0][0][0] == 0.0


def test_the_fourth_return_in_a_row_loses_its_address() -> None:
    # Every procedure ends with a call, so that four returns fall together.
    procedures = "".join(f".proc f{n}\ncall f{n + 1}\n.end\n" for n in range(1, 4)) + ".proc f4\nnop\n.end"
    program = program_of("call f1\nmov o0, k.yyyy\nend", K, procedures, pads=False)
    with pytest.raises(SimulationFault):
        run(program)
    assert run(program_of("call f1\nmov o0, k.yyyy\nend", K, procedures)).outputs[0][0][0] == 1.0


def test_lanes_do_not_disturb_one_another() -> None:
    """Many lanes on different paths give what each gives alone."""
    body = """mov r1, v0
mov r0, k.xxxx
for i0
    add r0.x, k.y, r0
    cmp r0, ge, gt, r1
    breakc cmp.x
    cmp r0, gt, gt, r1.zwxy
    ifc cmp.y
        add r0.y, k.z, r0
    .else
        add r0.z, k.y, r0
        callc cmp.x, f
    .end
.end
jmpc !cmp.y, l
add r0.w, k.w, r0
l: mov o0, r0
end"""
    program = program_of(body, K, ".proc f\nadd r0.yw, k.y, r0\n.end")
    rng = random.Random(11)
    lanes = [[float(rng.randint(0, 9)) for _ in range(4)] for _ in range(40)]
    together = run(program, {0: lanes}, integers={0: (6, 0, 1, 0)})
    for lane, values in enumerate(lanes):
        alone = run(program, {0: [values]}, integers={0: (6, 0, 1, 0)})
        np.testing.assert_array_equal(alone.outputs[0], together.outputs[lane])
        np.testing.assert_array_equal(alone.flags[0], together.flags[lane])
        assert (alone.steps[0], alone.counter[0]) == (together.steps[lane], together.counter[lane])


# --- Geometry ---------------------------------------------------------------------------------------------------------


def test_emit_stores_slots_issues_triangles_and_swaps_banks() -> None:
    body = """mov o0, k.yyyy
setemit 0
emit
mov o0, k.zzzz
setemit 1
emit
setemit 2, prim inv
emit
end"""
    result = run(program_of(body, ".gsh point c0\n" + K))
    (triangle,) = result.emitted[0]
    assert triangle.winding
    # The third vertex was not written: it has the value from two EMITs before.
    assert triangle.vertices[:, 0, 0].tolist() == [1.0, 2.0, 1.0]


# --- Number formats and faults ----------------------------------------------------------------------------------------


def test_24_bits_round_what_float32_keeps() -> None:
    from glslc_multi.backends.pica200.machine.simulate import simulate

    program = program_of("add o0, k.y, v0\nend", K)
    inputs = {0: np.full((1, 4), 2.0**-20)}
    assert simulate(program, inputs, f32=True).outputs[0, 0, 0] == 1.0 + 2.0**-20
    assert simulate(program, inputs).outputs[0, 0, 0] == 1.0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([encode("NOP")], "runs past its last word"),
        ([0x40000000], "is no instruction"),
        ([encode("MOV")], "no operand descriptor 0"),
        ([encode("BREAK"), encode("END")], "BREAK outside"),
    ],
)
def test_broken_programs_are_refused(words: list[int], reason: str) -> None:
    with pytest.raises(SimulationFault, match=reason):
        run(Program(words, [], [Executable(0, len(words))]), max_steps=50)


def test_endless_programs_are_stopped() -> None:
    words = [encode("LOOP", target=0), encode("JMPU", target=0, num=1)]
    with pytest.raises(CompileError, match="did not finish within 50 steps"):
        run(Program(words, [], [Executable(0, len(words))]), max_steps=50)
