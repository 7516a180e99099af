"""Translated code and the interpreter agree on numbers that are computed otherwise than most: those near the ends."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.theia.isa.program import ORIGIN, Program
from glslc_multi.backends.theia.isa.registers import VARIANTS, Variant, address_of
from glslc_multi.backends.theia.machine.execute import lanes_of
from glslc_multi.backends.theia.machine.simulate import maker, run_block
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.native.programs import TranslatedCode
from tests.backends.theia.helpers import program_of

_ENDS = (0, 1, -1, 0x20000, -0x20000, 1431655765, 1431655766, -1431655765, -1431655766, 2**31 - 1, -(2**31))
_PIXELS = 500
_R1, _R2, _R3 = (address_of(name, "trunk") or 0 for name in ("R1", "R2", "R3"))
_NAMES = "ADD SUB MUL DIV DOT CROSS IMUL MOD XCHANGEX".split()
_OF_ONE = "MAG INC DEC NEG FRAC UNSCALE INCX COPY".split()


def numbers(random: np.random.Generator) -> Array:
    """Rows of ends, and of numbers of all magnitudes."""
    scaled = random.integers(-(2**31), 2**31, (3, _PIXELS)) >> random.integers(0, 31, (3, _PIXELS))
    return np.where(random.random((3, _PIXELS)) < 0.2, random.choice(_ENDS, (3, _PIXELS)), scaled)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("line", [f"{name} R3 R1 R2" for name in _NAMES] + [f"{name} R3 R1 VOID" for name in _OF_ONE])
def test_same_numbers(line: str, variant: Variant) -> None:
    random = np.random.default_rng(11)
    program = program_of(line, "COPY R4 R3 VOID", "RETURN RT_TRUE", variant=variant)
    shared = numbers(random)[:, :1]
    for second in (numbers(random), shared):
        rows = {_R1: numbers(random), _R2: second}
        varying = [register for register, row in rows.items() if row.shape[1] > 1]
        machine = machine_of(program, rows)
        code = TranslatedCode(maker(program, ORIGIN, lanes_of([_R3]), varying))
        found = code.run(machine.state(varying, 100))
        assert run_block(machine, ORIGIN).completes.all()
        wanted = np.broadcast_to(machine.row(_R3), (3, _PIXELS))
        np.testing.assert_array_equal([found[_R3, lane] for lane in range(3)], wanted)


def test_same_words_of_texture_memory() -> None:
    """It has 2^32 words, and zeros where nothing was put."""
    texture = {0: 5, 3: 6, 0xFFFF: 7, 0x10000: 8, 0x7FFFFFFF: 9, 0x80000001: 10, 0xFFFFFFFF: 0xFFFFFFFE}
    addresses = [*texture, 1, 0xFFFE, 0x10001, 0x20000, 0x80000000, 0xFFFFFFFD]
    program = program_of("TMREAD R3 R1 VOID", "NOP RT_FALSE", "RETURN RT_TRUE")
    machine = Machine(program, len(addresses), texture)
    machine.load(_R1, (addresses, 0, 3))
    found = TranslatedCode(maker(program, ORIGIN, lanes_of([_R3]), [_R1])).run(machine.state([_R1], 100))
    assert run_block(machine, ORIGIN).completes.all()
    wanted = [(texture.get(address, 0), 5, 6) for address in addresses]
    assert [machine.patterns(_R3, pixel) for pixel in range(len(addresses))] == wanted
    translated = np.array([found[_R3, lane] for lane in range(3)]).T
    assert [tuple(row) for row in (translated.astype(np.int64) & 0xFFFFFFFF).tolist()] == wanted


def test_same_results_read_ahead_of_registers() -> None:
    """What is lost is forwarded, a jump leaves zeros, and MULP's other lanes are settled later."""
    program = program_of(
        *("MULP R3 R1 VOID", "ADD R4 R3 R2", "COPY OREG_PIXEL_COLOR R1 VOID", "ADD R5 OREG_PIXEL_COLOR R2"),
        *("NOP RT_FALSE", "ADD R6 VOID R2", "CALL S VOID VOID", "NOP RT_FALSE", "RETURN RT_TRUE"),
        *("S:", "RET R1 32'h9", "NOP RT_FALSE"),
    )
    machine = Machine(program, 2)
    machine.load(_R1, ((0x20000, 0x60000), (0x40000, 0x20000), 3))
    machine.load(_R2, (1, 2, 3))
    machine.load(0, (70, 80, 90))
    registers = range(_R1, _R1 + 6)
    found = TranslatedCode(maker(program, ORIGIN, lanes_of(registers), [_R1])).run(machine.state([_R1], 100))
    assert run_block(machine, ORIGIN).completes.all()
    for register in registers:
        wanted = np.broadcast_to(machine.row(register), (3, 2))
        np.testing.assert_array_equal([found[register, lane] for lane in range(3)], wanted)
    assert machine.patterns(_R3) == (0x20000, 0x40000, 0x40000)
    assert machine.patterns(_R1 + 3) == (0x20001, 0x40002, 0x40003)
    assert machine.patterns(_R1 + 4) == (0x20001, 0x40002, 6)
    assert machine.patterns(_R1 + 5) == (1, 2, 3)


def machine_of(program: Program, rows: dict[int, Array]) -> Machine:
    machine = Machine(program, _PIXELS)
    for register, row in rows.items():
        machine.load(register, list(row))
    return machine
