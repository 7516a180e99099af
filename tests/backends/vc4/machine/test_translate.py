"""Translated code has the results of the interpreter where it works differently."""

from __future__ import annotations

import numpy as np
import pytest

from backends.vc4.machine.simulate import Inputs, simulate
from backends.vc4.machine.translate import TranslatedProgram
from tests.backends.vc4.helpers import END, program_of

LANES = np.arange(16)


@pytest.mark.parametrize("operand", ["r0", "ra0"])
@pytest.mark.parametrize("register", ["r5rep", "r5quad"])
def test_rotation_by_r5(operand: str, register: str) -> None:
    setup = "ldi vr_setup, 0x00201a00\nldi vw_setup, 0x1a04\n"
    text = f"{setup}mov {register}, vpm\nmov {operand}, vpm\nnop\nmov r2, {operand} << r5\nnop\nmov vpm, r2"
    words = program_of(text + END).words
    inputs = Inputs(groups=3, vpm={0: np.arange(48) * 7 % 19 + 3, 1: np.arange(48)})
    wanted = simulate(words, inputs).vpm[4]
    assert (wanted[0] != LANES).any()
    np.testing.assert_array_equal(simulate(words, inputs, execute=TranslatedProgram(words, ())).vpm[4], wanted)


def test_registers_that_hold_values_at_the_start() -> None:
    """Of the files, and accumulators; also where only some lanes are written over."""
    registers = {"ra1": LANES, "rb15": LANES + 100, "r0": LANES + 200, "r3": LANES % 2}
    words = program_of("mov.setf -, r3\nadd.ifz r0, ra1, rb15\nmov tlbc, r0" + END).words
    inputs = Inputs(registers=registers)
    (wanted,) = simulate(words, inputs).tlb
    (found,) = simulate(words, inputs, execute=TranslatedProgram(words, (), tuple(registers))).tlb
    assert wanted.values[0].tolist() == [2 * lane + 100 if lane % 2 == 0 else lane + 200 for lane in LANES]
    np.testing.assert_array_equal(found.values, wanted.values)
