"""Translated code has the results of the interpreter where it works differently."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.vc4.isa.uniforms import Slot
from glslc_multi.backends.vc4.machine.execute import maker
from glslc_multi.backends.vc4.machine.simulate import Inputs, Result, simulate
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.native.programs import TranslatedCode
from tests.backends.vc4.helpers import END, program_of

LANES = np.arange(16)


def translated(words: tuple[int, ...], inputs: Inputs) -> Result:
    return simulate(words, inputs, engine=TranslatedCode(maker(words, inputs.uniforms, tuple(inputs.registers)), 16))


@pytest.mark.parametrize("operand", ["r0", "ra0"])
@pytest.mark.parametrize("register", ["r5rep", "r5quad"])
def test_rotation_by_r5(operand: str, register: str) -> None:
    setup = "ldi vr_setup, 0x00201a00\nldi vw_setup, 0x1a04\n"
    text = f"{setup}mov {register}, vpm\nmov {operand}, vpm\nnop\nmov r2, {operand} << r5\nnop\nmov vpm, r2"
    words = program_of(text + END).words
    inputs = Inputs(groups=3, vpm={0: np.arange(48) * 7 % 19 + 3, 1: np.arange(48)})
    wanted = simulate(words, inputs).vpm[4]
    assert (wanted[0] != LANES).any()
    np.testing.assert_array_equal(translated(words, inputs).vpm[4], wanted)


def test_registers_that_hold_values_at_the_start() -> None:
    """Of the files, and accumulators; also where only some lanes are written over."""
    registers = {"ra1": LANES, "rb15": LANES + 100, "r0": LANES + 200, "r3": LANES % 2}
    words = program_of("mov.setf -, r3\nadd.ifz r0, ra1, rb15\nmov tlbc, r0" + END).words
    inputs = Inputs(registers=registers)
    (wanted,) = simulate(words, inputs).tlb
    (found,) = translated(words, inputs).tlb
    assert wanted.values[0].tolist() == [2 * lane + 100 if lane % 2 == 0 else lane + 200 for lane in LANES]
    np.testing.assert_array_equal(found.values, wanted.values)


def test_floats_and_words_share_registers() -> None:
    """What is written as a float first may be read as a word, and the other way around."""
    text = (
        "ldi vr_setup, 0x00201a00\nldi vw_setup, 0x1a04\nmov r1, vpm\nmov r2, vpm\nfadd ra0, r1, r2\nmov.setf -, r2\n"
        "ldi.ifn ra0, 1\nnop\nfmul r0, ra0, 2.0\nmov vpm, r0\nadd r3, r0, 1\nfmul r3, r3, r3\nmov vpm, r3\nmov vpm, ra0"
    )
    words = program_of(text + END).words
    x, y = (LANES + 1).astype(np.float32), np.where(LANES % 3, LANES, -LANES).astype(np.float32)
    inputs = Inputs(vpm={0: x, 1: y})
    wanted = simulate(words, inputs).vpm[4:7, 0]
    sums = np.where(y < 0, np.float32(0), x + y)
    assert wanted[0].view(np.float32).tolist() == (2 * sums).tolist()
    assert wanted[2].tolist() == np.where(y < 0, 1, (x + y).view(np.uint32)).tolist()
    np.testing.assert_array_equal(translated(words, inputs).vpm[4:7, 0], wanted)


def test_a_stream_that_is_moved_goes_on_behind_the_words_that_were_read() -> None:
    """A small immediate is none of them, though 1.0 has the number of the register that reads a word."""
    text = (
        "ldi vr_setup, 0x00201a00\nldi vw_setup, 0x1a04\nmov r1, vpm\nmov r2, unif\nfmul r1, r1, 1.0\nldi r0, 8\n"
        "add unif_addr, r0, unif\nnop\nnop\nadd vpm, r2, unif\nmov vpm, r1"
    )
    words = program_of(text + END).words
    inputs = Inputs(uniforms=[1000, Slot("stream"), 77, 88, 99], vpm={0: LANES.astype(np.float32)})
    for result in (simulate(words, inputs), translated(words, inputs)):
        assert (result.vpm[4, 0] == 1077).all()


@pytest.mark.parametrize("count", [0, 1, 20])
def test_loads_from_buffers(count: int) -> None:
    """Outside of them is a fault where somebody looks."""
    text = "ldi vr_setup, 0x00101a00\nldi vw_setup, 0x1a04\nmov r0, vpm\nadd t1s, r0, unif\nnop; ldtmu1\nmov vpm, r4"
    words = program_of(text + END).words
    inputs = Inputs(
        uniforms=[Slot("buffer", 2), Slot("buffer", 3)],
        vpm={0: LANES % max(count, 1) * 4},
        buffers={2: range(1000, 1000 + count), 3: [5]},
    )
    found = translated(words, inputs).vpm[4, 0]
    if count:
        np.testing.assert_array_equal(found, simulate(words, inputs).vpm[4, 0])
        assert found.tolist() == [1000 + lane % count for lane in LANES]


def test_tile_writes_in_a_loop_are_left_to_the_interpreter() -> None:
    words = program_of(
        "ldi r0, 2\n:again\nsub.setf r0, r0, 1\nmov tlbc, r0\nbrr.anynn -, r:again" + "\nnop" * 3 + END
    ).words
    assert [write.values[0, 0] for write in simulate(words, Inputs()).tlb] == [1, 0, 0xFFFFFFFF]
    with pytest.raises(CompileError) as caught:
        translated(words, Inputs())
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0660"]


def test_tile_writes_that_no_group_comes_to_are_none() -> None:
    """In both engines; those that all lanes of a group leave out are listed."""
    text = "mov.setf -, ra0\nbrr.allz -, r:end\nnop\nnop\nnop\nmov tlbz, 1\n:end\nmov.ifn tlbc, 2"
    words = program_of(text + END).words
    for value, wanted in ((0, [(46, False)]), (1, [(44, True), (46, False)])):
        inputs = Inputs(registers={"ra0": value})
        for result in (simulate(words, inputs), translated(words, inputs)):
            assert [(write.waddr, bool(write.lanes.any())) for write in result.tlb] == wanted
