"""What translated code does in ways of its own gives what the interpreter gives, bit for bit."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import CONSTANTS
from glslc_multi.backends.xenos_family.isa.vertex_formats import LAYOUTS
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, maker, simulate
from glslc_multi.compiler.native.programs import TranslatedCode
from tests.backends.xenos_family.helpers import FULL, R, alu
from tests.backends.xenos_family.helpers import program_of as assembled
from tests.compiler.ir.numbers_for_tests import FLOATS, random_floats

LANES = 40
#: Signed, as numbers, without a zero; adjusted exponents; strides and offsets that are whole words or not.
VARIANTS = ((0, 0, 0, 0, 16, 0), (0, 1, 0, -16, 12, 5), (1, 0, 0, 0, 7, 4), (1, 1, 0, 3, 16, 4), (1, 0, 1, 0, 12, 0))


#: Computed by polynomials of the host, which may give the neighbour of the interpreter's float.
APPROXIMATE = ("EXP_IEEE", "LOG_CLAMP", "LOG_IEEE", "SIN", "COS")
#: Shows what an operation leaves: its result, the predicate, a0.
SHOWN = assembled("""EXEC_END
    ALU: MAXvNE R4 = R5, R5
    ALU: MAXv export0 = R3, R3
    ALU: MAXv export1 = R4, R4
    ALU: MAXv export2 = C[a0+128], C[a0+128]""")
EDGES = np.array([*FLOATS, 1e6, 1e9, 1e20, -1e30, *random_floats(1, 60)], np.float32)


def program_of(code: int, variant: tuple[int, ...]) -> Program:
    """Fetches R1 by R0.x and exports it."""
    defaults = {part.name: part.default for part in A2XX.formats.vertex.fields}
    names = ("signed", "num_format", "signed_rf", "exp_adjust", "stride", "offset")
    own = {"dst_reg": 1, "dst_swizzle": 0o3210, "const_index": 20, "format": code}
    fetch = A2XX.formats.vertex.encode({**defaults, **own, **dict(zip(names, variant, strict=True))})
    move = instructions.VECTOR_BY_NAME["MAXv"].code
    export = alu(vector_op=move, src1=1, src2=1, src1_bank=R, src2_bank=R, export=1, vector_mask=FULL)
    return Program(A2XX, (A2XX.encode_clause("EXEC_END", addr=1, cnt=2, sequence=1), 0), (fetch, export))


@pytest.mark.parametrize("code", LAYOUTS)
def test_vertex_formats(code: int) -> None:
    data = np.random.default_rng(code).integers(0, 256, 301, dtype=np.uint8).tobytes()
    index = np.zeros((4, LANES), np.float32)
    # Also before the buffer, after it, and no index at all.
    index[0] = [*range(-3, LANES - 5), np.nan, 1e20]
    inputs = Inputs(registers={0: index}, buffers={60: data})
    for variant in VARIANTS:
        program = program_of(code, variant)
        wanted = simulate(program, inputs, LANES).outputs[0]
        found = simulate(program, inputs, LANES, engine=TranslatedCode(maker(program))).outputs[0]
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("exponent", [-32, -3, -1, 1, 3, 31])
def test_a_fetched_number_is_multiplied_with_a_power_of_2(exponent: int) -> None:
    """The format 33 is one word; as a signed number, neither normalised nor a fraction."""
    numbers = [1, -1, 3, -1000]
    index = np.zeros((4, len(numbers)), np.float32)
    index[0] = range(len(numbers))
    inputs = Inputs(registers={0: index}, buffers={60: struct.pack("<4i", *numbers)})
    found = simulate(program_of(33, (1, 1, 0, exponent, 4, 0)), inputs, len(numbers)).outputs[0]
    assert found[0].tolist() == [math.ldexp(number, exponent) for number in numbers]


@pytest.mark.parametrize("start", [0, 4, 58, 255])
def test_registers_relative_to_the_loop_counter(start: int) -> None:
    """Written and read; also where some of them are none."""
    text = """LOOP_START ADDR(0x3) LOOP_ID(1)
        EXEC
        ALU: ADDv R[aL+3] = R[aL+0], C0
        ADDs R[aL+5].x___ = R0.xxxx
        LOOP_END ADDR(0x1) LOOP_ID(1)
        EXEC_END
        ALU: MAXv export0 = R3, R3
        ALU: MAXv export1 = R5, R5
        ALU: MAXv export2 = R7, R7
        ALU: MAXv export3 = R62, R62"""
    program = assembled(text)
    registers = {number: np.full((4, LANES), number, np.float32) + np.arange(LANES) for number in range(64)}
    inputs = Inputs({0: (0.5, 1.0, 2.0, 4.0)}, registers, loops={1: 5 | start << 8 | 1 << 16})
    wanted = simulate(program, inputs, LANES).outputs
    found = simulate(program, inputs, LANES, engine=TranslatedCode(maker(program))).outputs
    assert found.keys() == wanted.keys()
    for number, values in wanted.items():
        np.testing.assert_array_equal(found[number], values)


def compare(operation: int, most_units: int = 0) -> None:
    """Run it on pairs of all edges: translated code leaves the same but for this many units in the last place."""
    clauses = A2XX.encode_clause("EXEC_END", addr=1, cnt=5), 0
    program = Program(A2XX, clauses, (operation, *SHOWN.instructions))
    x, y = (grid.ravel() for grid in np.meshgrid(EDGES, EDGES))
    registers = {0: np.stack([y, x[::-1], x, x]), 1: np.stack([x, y, -y, y]), 2: np.stack([x, x, y, -x])}
    constants = {number: (float(number),) * 4 for number in range(CONSTANTS)}
    inputs = Inputs(constants, {**registers, 5: np.ones((4, len(x)), np.float32)})
    wanted = simulate(program, inputs, len(x))
    found = simulate(program, inputs, len(x), engine=TranslatedCode(maker(program)))
    np.testing.assert_array_equal(found.killed, wanted.killed)
    for number, values in wanted.outputs.items():
        np.testing.assert_array_equal(np.isnan(found.outputs[number]), np.isnan(values))
        places = ~np.isnan(values)
        units = found.outputs[number][places].view(np.int32).astype(np.int64) - values[places].view(np.int32)
        assert np.abs(units).max() <= most_units


@pytest.mark.parametrize("name", instructions.SCALAR_BY_NAME)
def test_scalar_operations_at_the_edges_of_the_format(name: str) -> None:
    """Zeros with their signs, denormals, infinities, NaN, and angles of any size."""
    code = instructions.SCALAR_BY_NAME[name].code
    operation = alu(
        vector_op=instructions.VECTOR_BY_NAME["MAXv"].code, src3=0, scalar_op=code, scalar_dest=3, scalar_mask=FULL
    )
    compare(operation, most_units=name in APPROXIMATE)


@pytest.mark.parametrize("clamp", [0, 1])
@pytest.mark.parametrize("name", instructions.VECTOR_BY_NAME)
def test_vector_operations_at_the_edges_of_the_format(name: str, clamp: int) -> None:
    compare(alu(vector_op=instructions.VECTOR_BY_NAME[name].code, vector_dest=3, vector_mask=FULL, vector_clamp=clamp))
