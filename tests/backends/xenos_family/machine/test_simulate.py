"""Clauses, predicates, fetches and exports over lanes, with results worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, interpreter, maker, simulate
from glslc_multi.backends.xenos_family.machine.state import SimulationFault
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.execution.arrays import BLOCK
from glslc_multi.compiler.execution.program import Engine
from glslc_multi.compiler.native.programs import TranslatedCode
from tests.backends.xenos_family.helpers import alu, program_of, run, words_of

ONES, TENS = (1.0,) * 4, (10.0,) * 4
CONSTANTS = {0: ONES, 1: TENS, 2: (0.0,) * 4}


def lanes_of(*values: float) -> Array:
    """A register whose components are all these lanes."""
    return np.broadcast_to(np.array(values, np.float32), (4, len(values)))


@pytest.mark.parametrize(("bits", "wanted"), [(1 << 5, 1.0), (0, 10.0)])
def test_bool_constants(bits: int, wanted: float) -> None:
    text = """COND_EXEC_END BOOL_ADDR(0x25) COND(1)
        ALU: MAXv R1 = C0, C0
        EXEC_END
        ALU: MAXv R1 = C1, C1"""
    assert run(text, Inputs(CONSTANTS, bools={1: bits})).registers[1, 0, 0] == wanted


def test_a_predicated_clause_runs_for_the_wave_and_its_instructions_for_their_lanes() -> None:
    text = """EXEC
        ALU: MAXv R9.____ = R0, R0
        PRED_SETGTs R9.____ = R0.xxxx
        COND_PRED_EXEC COND(1)
        ALU: MAXvEQ R1 = C0, C0
        ALU: MAXvNE R1 = C1, C1
        EXEC_END"""
    assert run(text, Inputs(CONSTANTS, {0: lanes_of(1, -1)}), 2).registers[1, 0].tolist() == [1.0, 10.0]
    assert run(text, Inputs(CONSTANTS, {0: lanes_of(-1, -1)}), 2).registers[1, 0].tolist() == [0.0, 0.0]


def test_a_loop_of_jumps_runs_while_any_lane_wants_it() -> None:
    text = """EXEC
        ALU: MAXv R9.____ = R0, R0
        PRED_SETGTs R9.____ = R0.xxxx
        EXEC
        ALU: ADDvEQ R1 = R1, C1
        ALU: ADDvEQ R0 = R0, -C0
        ALU: MAXv R9.____ = R0, R0
        PRED_SETGTs R9.____ = R0.xxxx
        COND_JMP ADDR(0x1) DIR(0) COND(1)
        EXEC_END"""
    assert run(text, Inputs(CONSTANTS, {0: lanes_of(3, 1, 0)}), 3).registers[1, 0].tolist() == [30.0, 10.0, 0.0]


def test_counted_loops_and_their_counter() -> None:
    text = """LOOP_START ADDR(0x3) LOOP_ID(2)
        EXEC
        ALU: ADDv R1 = R1, C[aL+0]
        LOOP_END ADDR(0x1) LOOP_ID(2)
        EXEC_END"""
    constants = {number: (float(number),) * 4 for number in range(20)}
    # Three times, from 4 in steps of -2: C4 + C2 + C0; from 4 in steps of 3: C4 + C7 + C10.
    for step, total in ((0xFE, 6.0), (3, 21.0)):
        result = run(text, Inputs(constants, loops={2: 3 | 4 << 8 | step << 16}))
        assert result.registers[1, 0, 0] == total
    assert run(text, Inputs(constants)).registers[1, 0, 0] == 0


def test_calls_come_back() -> None:
    text = """COND_CALL ADDR(0x4) DIR(1) FORCE_CALL
        COND_CALL ADDR(0x4) DIR(1) FORCE_CALL
        EXEC_END
        NOP
        EXEC
        ALU: ADDv R1 = R1, C1
        RETURN ADDR(0x0) DIR(0)"""
    assert run(text, Inputs(CONSTANTS)).registers[1, 0, 0] == 20


@pytest.mark.parametrize(
    "text",
    [
        "EXEC",
        "COND_CALL ADDR(0x0) DIR(0) FORCE_CALL\nEXEC_END",
        "LOOP_END ADDR(0x0) LOOP_ID(0)\nEXEC_END",
        "LOOP_START ADDR(0x0) LOOP_ID(3)\nCOND_JMP ADDR(0x0) DIR(0) FORCE_CALL\nEXEC_END",
        "EXEC_END\nFETCH: SAMPLE R0.xyzw = R0.xyx CONST(0)",
        "EXEC_END\nFETCH: GET_WEIGHTS R0.xyzw = R0.xyx CONST(0)",
        "EXEC_END\nFETCH: VERTEX R1.xyzw = R0.x FMT_8 CONST(0, 0)",
        "EXEC_END\nALU: OP(30) R1 = R0, R0",
    ],
)
def test_what_the_machine_leaves_undefined_is_a_fault(text: str) -> None:
    with pytest.raises(SimulationFault):
        run(text, Inputs(loops={3: 2}))


def test_the_number_of_clauses_is_limited() -> None:
    with pytest.raises(CompileError) as caught:
        run("COND_JMP ADDR(0x0) DIR(0) FORCE_CALL\nEXEC_END")
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0656"]


def test_clauses_past_the_instructions_are_a_fault() -> None:
    program = Program(A2XX, words_of(alu()).clauses, ())
    with pytest.raises(SimulationFault):
        simulate(program, Inputs())


def fetched(options: str, data: bytes, index: float = 0.0) -> list[float]:
    text = f"EXEC_END\nFETCH: VERTEX R1.xyzw = R0.x {options} CONST(20, 1)"
    result = run(text, Inputs(registers={0: lanes_of(index)}, buffers={61: data}))
    values: list[float] = result.registers[1, :, 0].tolist()
    return values


@pytest.mark.parametrize(
    ("options", "data", "wanted"),
    [
        ("FMT_32_32_FLOAT", np.array([1.5, -2], "<f4").tobytes(), [1.5, -2.0, 0.0, 1.0]),
        ("TYPE(0x20)", np.array([1, 2, -3, 0.5], "<f2").tobytes(), [1.0, 2.0, -3.0, 0.5]),
        ("FMT_8_8_8_8 NORMALIZED", bytes([0, 255, 51, 102]), [0.0, 1.0, 0.2, 0.4]),
        ("FMT_8_8_8_8 SIGNED", bytes([0, 255, 127, 128]), [0.0, -1.0, 127.0, -128.0]),
        ("FMT_8_8_8_8 SIGNED NORMALIZED", bytes([0, 129, 127, 128]), [0.0, -1.0, 1.0, -1.0]),
        ("FMT_16_16", bytes([1, 2, 255, 255]), [513.0, 65535.0, 0.0, 1.0]),
        ("FMT_32 SIGNED EXP_ADJUST(-16)", (-0x18000).to_bytes(4, "little", signed=True), [-1.5, 0.0, 0.0, 1.0]),
        ("TYPE(0x7)", (1 | 2 << 10 | 3 << 20 | 2 << 30).to_bytes(4, "little"), [1.0, 2.0, 3.0, 2.0]),
        ("TYPE(0x4)", (17 | 42 << 5 | 9 << 11).to_bytes(2, "little"), [17.0, 42.0, 9.0, 1.0]),
        ("FMT_32_FLOAT", b"", [0.0, 0.0, 0.0, 1.0]),
    ],
)
def test_vertex_formats(options: str, data: bytes, wanted: list[float]) -> None:
    assert fetched(options, data) == pytest.approx(wanted, rel=1e-6)


def test_addresses_of_vertices() -> None:
    data = np.arange(12, dtype="<f4").tobytes()
    assert fetched("FMT_32_FLOAT STRIDE(12) OFFSET(4)", data, 2.9)[0] == 7.0
    assert fetched("FMT_32_FLOAT STRIDE(12) OFFSET(4)", data, 9.0)[0] == 0.0


def test_components_of_a_fetch() -> None:
    text = "EXEC_END\nFETCH: VERTEX R1.1_y0 = R0.x FMT_32_32_FLOAT CONST(0, 0)"
    inputs = Inputs(registers={1: lanes_of(7)}, buffers={0: np.array([3, 4], "<f4").tobytes()})
    assert run(text, inputs).registers[1, :, 0].tolist() == [1.0, 7.0, 4.0, 0.0]


def sampled(text: str, texture: Texture, engine: str, *rows: float) -> list[float]:
    """What a program leaves in export 0, with so many numbers in R0."""
    program = program_of(f"EXEC_END\n{text}\nALU: MAXv export0 = R1, R1")
    inputs = Inputs(registers={0: np.array(rows, np.float32).reshape(4, 1)}, textures={2: texture})
    translated = TranslatedCode(maker(program)) if engine == "translated" else None
    colour: list[float] = simulate(program, inputs, engine=translated).outputs[0][:, 0].tolist()
    return colour


@pytest.mark.parametrize("engine", ["simulator", "translated"])
def test_textures_get_coordinates(engine: str) -> None:
    places = np.array([[(s, t, 0, 1) for s in range(4)] for t in range(4)], np.float32)
    text = "FETCH: SAMPLE R1.xyzw = R0.zyx CONST(2)"
    # s is R0.z, t is R0.y.
    assert sampled(text, Texture(places), engine, 0.1, 0.3, 0.8, 0.6) == [3.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("engine", ["simulator", "translated"])
@pytest.mark.parametrize(("reads_level", "wanted"), [(1, 3.5), (0, 0.0)])
def test_textures_get_the_level_of_detail(reads_level: int, wanted: float, engine: str) -> None:
    """4 from the register, 120 - 128 sixteenths of bias."""
    levels = [np.full((16 >> number, 16 >> number, 4), number, np.float32) for number in range(5)]
    texture = Texture(levels[0], ("nearest_mipmap_linear", "nearest"), mips=levels[1:])
    text = f"""FETCH: SET_TEX_LOD R9.xyzw = R0.wzz CONST(2)
        FETCH: SAMPLE R1.xyzw = R0.zyx CONST(2) LOD(0) LOD_BIAS(120) REG_LOD({reads_level})"""
    assert sampled(text, texture, engine, 1.0, 2.0, 3.0, 4.0) == [wanted] * 4


@pytest.mark.parametrize("option", ["DENORM", "MAG(LINEAR)", "MIP(BASEMAP)"])
def test_options_of_texture_fetches_that_are_not_simulated(option: str) -> None:
    text = f"FETCH: SAMPLE R1.xyzw = R0.zyx CONST(2) {option}"
    with pytest.raises(SimulationFault, match=rf"option {option.partition('(')[0].lower()} .* not simulated"):
        sampled(text, Texture(np.zeros((1, 1))), "simulator", 0.0, 0.0, 0.0, 0.0)


def test_gradients_need_quads() -> None:
    text = "EXEC_END\nFETCH: GET_GRADIENTS R1.xyzw = R0.xyx CONST(0)"
    values = lanes_of(1, 2, 4, 8)
    with pytest.raises(SimulationFault, match="2x2"):
        run(text, Inputs(registers={0: values}), 4)
    found = run(text, Inputs(registers={0: values}, quads=True), 4).registers[1]
    # To the right in xz, upwards in yw.
    assert found[0].tolist() == found[2].tolist() == [1.0, 1.0, 4.0, 4.0]
    assert found[1].tolist() == found[3].tolist() == [3.0, 6.0, 3.0, 6.0]


def test_killed_lanes_and_outputs() -> None:
    text = """EXEC_END
        ALU: KILLGTv R1 = R0, C0
        ALU: MAXv export0.xy__ = R0, R0
        ALU: MAXv export0.x___ = C1, C1"""
    result = run(text, Inputs(CONSTANTS, {0: lanes_of(0.5, 2)}), 2)
    assert result.killed.tolist() == [False, True]
    assert result.registers[1, 3].tolist() == [0.0, 1.0]
    assert result.outputs[0].tolist() == [[10.0, 10.0], [0.5, 2.0], [0.0, 0.0], [0.0, 0.0]]


def test_predicated_exports_of_lanes() -> None:
    text = """EXEC_END
        ALU: MAXv R9.____ = R0, R0
        PRED_SETGTs R9.____ = R0.xxxx
        ALU: MAXvEQ export0 = C1, C1"""
    result = run(text, Inputs(CONSTANTS, {0: lanes_of(1, -1)}), 2)
    assert result.exports[0].lanes.tolist() == [True, False]
    assert result.outputs[0][0].tolist() == [10.0, 0.0]


def test_exports_come_in_the_order_of_their_writes() -> None:
    text = """EXEC_END
        ALU: MAXv export0.xy__ = C0, C0
        ALU: MAXv export62 = C1, C1
        ALU: MAXv export0.x__w = C1, C1"""
    result = run(text, Inputs(CONSTANTS))
    assert [(export.number, export.mask) for export in result.exports] == [(0, 0b0011), (62, 0b1111), (0, 0b1001)]
    assert [export.values[0, 0] for export in result.exports] == [1.0, 10.0, 10.0]
    assert (result.clauses, result.issued) == (1, 3)


@pytest.mark.parametrize("make_engine", [interpreter, lambda program: TranslatedCode(maker(program))])
def test_what_was_known_of_a_factor_ends_with_its_value(make_engine: Callable[[Program], Engine]) -> None:
    """Infinity times a register that becomes zero, and times a constant that is zero in the next run."""
    program = program_of("""EXEC_END
        ALU: MULv export0 = R0, R1
        ALU: MAXv R0 = C1, C1
        ALU: MULv export1 = R0, R1
        ALU: MULv export2 = C0, R1""")
    engine, infinity = make_engine(program), float("inf")
    registers = {0: lanes_of(1, 2), 1: lanes_of(infinity, infinity)}
    for constant, wanted in ((2.0, infinity), (0.0, 0.0), (1e-40, 0.0)):
        found = simulate(program, Inputs({0: (constant,) * 4}, registers), 2, engine=engine).outputs
        assert [found[number].tolist() for number in range(3)] == [[[x] * 2] * 4 for x in (infinity, 0.0, wanted)]


def test_blocks_of_lanes_are_waves() -> None:
    """Each decides for itself, which a predicated program does not show."""
    program = program_of("""EXEC
        ALU: MAXv R9.____ = R0, R0
        PRED_SETGTs R9.____ = R0.xxxx
        COND_PRED_EXEC COND(1)
        ALU: MAXvEQ export0 = C1, C1
        EXEC_END""")
    values = np.arange(BLOCK + 5, dtype=np.float32) - BLOCK - 2
    inputs = Inputs(CONSTANTS, {0: lanes_of(*values)})
    for engine in (None, interpreter(program)):
        found = simulate(program, inputs, len(values), engine=engine).outputs[0]
        np.testing.assert_array_equal(found, np.broadcast_to(np.where(values > 0, 10.0, 0.0), (4, len(values))))


def test_all_lanes_run_together() -> None:
    program = program_of("ALLOC POSITION\nEXEC_END\nALU: MULADDv export62 = C1, R0, C0")
    result = simulate(program, Inputs(CONSTANTS, {0: lanes_of(2, 3)}), 2)
    assert result.outputs[62][0].tolist() == [12.0, 13.0]
