"""The simulator: what instructions, branches and peripherals do to all lanes."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.vc4.isa.uniforms import Slot, texture_source
from glslc_multi.backends.vc4.machine.alu import LOST
from glslc_multi.backends.vc4.machine.simulate import Inputs, SimulationFault, simulate
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.vc4.helpers import END, floats, pattern, program_of, run

LANES = np.arange(16)


def test_all_reads_come_before_all_writes() -> None:
    result = run("mov ra1, rb2; mov rb2, ra1", registers={"ra1": 5, "rb2": 7})
    assert (result.files[0, 1] == 7).all()
    assert (result.files[1, 2] == 5).all()


def test_conditions_and_flags_go_lane_by_lane() -> None:
    result = run("sub.setf -, ra0, 5\nmov.ifz r0, 1\nldi.ifn r1, 2\nldi.ifcc r2, 3", registers={"ra0": LANES})
    assert result.accumulators[0, 0].tolist() == [int(lane == 5) for lane in LANES]
    assert result.accumulators[1, 0].tolist() == [2 * int(lane < 5) for lane in LANES]
    assert result.accumulators[2, 0].tolist() == [3 * int(lane >= 5) for lane in LANES]


def test_flags_change_where_the_condition_holds() -> None:
    result = run("mov.setf -, ra0\nmov.setf.ifnz -, 0\nldi.ifz r0, 1", registers={"ra0": LANES % 2})
    assert (result.accumulators[0] == 1).all()
    result = run("mov.setf -, ra0\nmov.setf.ifz -, 1\nldi.ifz r0, 1", registers={"ra0": LANES % 2})
    assert (result.accumulators[0] == 0).all()


def test_rotation_moves_lanes_up() -> None:
    result = run("mov r1 << 3, r0\nmov r5rep, 2\nnop\nmov r2, r0 << r5", registers={"r0": LANES})
    assert result.accumulators[1, 0].tolist() == [(lane - 3) % 16 for lane in LANES]
    assert result.accumulators[2, 0].tolist() == [(lane - 2) % 16 for lane in LANES]
    inside_quads = run("mov r1 << 1, ra0", registers={"ra0": LANES})
    assert inside_quads.accumulators[1, 0].tolist() == [lane // 4 * 4 + (lane - 1) % 4 for lane in LANES]


def test_r5_takes_one_lane() -> None:
    result = run("mov r5quad, ra0\nmov r0, r5\nmov r5rep, ra0\nmov r1, r5", registers={"ra0": LANES + 100})
    assert result.accumulators[0, 0].tolist() == [100 + lane // 4 * 4 for lane in LANES]
    assert (result.accumulators[1] == 100).all()


def test_numbers_of_lanes() -> None:
    result = run("ldi r0, [0,1,-2,-1,0,0,0,0,0,0,0,0,0,0,0,1]\nldi r1, [0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,3]")
    assert result.accumulators[0, 0].view(np.int32).tolist() == [0, 1, -2, -1, *[0] * 11, 1]
    assert result.accumulators[1, 0].tolist() == [0, 1, 2, 3, *[0] * 11, 3]


def test_saturating_sums() -> None:
    registers = {"r0": 0x7FFFFFFF, "r1": 0x80000000, "r2": 1}
    result = run("add ra0.32s, r0, r2\nsub ra1.32s, r1, r2\nsub ra2, r1, r2", registers=registers)
    assert result.files[0, :3, 0, 0].tolist() == [0x7FFFFFFF, 0x80000000, 0x7FFFFFFF]


def test_packs_keep_the_rest_of_the_register() -> None:
    result = run(
        "mov ra0.8bi, r0\nfmul r1.8csf, r2, 1.0", registers={"ra0": 0x11223344, "r0": 0xFF, "r2": pattern(1.0)}
    )
    assert (result.files[0, 0] == 0x1122FF44).all()
    assert (result.accumulators[1] == 0x00FF0000).all()


def test_a_register_is_read_once_through_both_ports() -> None:
    result = run("add r0, ra32, rb32\nadd r1, unif, unif", uniforms=[3, 10])
    assert (result.accumulators[0] == 6).all()
    assert (result.accumulators[1] == 20).all()


def test_varyings_bring_their_other_part_one_instruction_later() -> None:
    result = run("mov r0, vary\nmov r1, r5; mov r2, vary\nmov r3, r5", varyings=[(1, 2), (3, 4)])
    assert [int(row[0, 0]) for row in result.accumulators[:4]] == [1, 2, 3, 4]


def test_rows_of_the_vpm() -> None:
    text = "ldi vr_setup, 0x00202a01\nldi vw_setup, 0x1a08\nmov r0, vpm\nadd vpm, r0, vpm\nmov vpm, 1"
    result = run(text, vpm={1: LANES, 3: 100})
    assert result.vpm[8, 0].tolist() == [100 + lane for lane in LANES]
    assert (result.vpm[9] == 1).all()


def test_tile_writes_know_their_lanes() -> None:
    result = run("mov.setf -, ra0\nmov.ifz tlbz, 3\nmov tlbc, r1", registers={"ra0": LANES % 2, "r1": LANES})
    depth, colour = result.tlb
    assert (depth.waddr, colour.waddr) == (44, 46)
    assert depth.lanes[0].tolist() == [lane % 2 == 0 for lane in LANES]
    assert colour.values[0].tolist() == LANES.tolist()


def test_colours_of_the_tile_buffer_reach_the_next_instruction() -> None:
    result = run("mov r0, r4; loadc\nmov r1, r4", registers={"r4": 5}, colour=9)
    assert (result.accumulators[0] == 5).all()
    assert (result.accumulators[1] == 9).all()


def test_special_functions() -> None:
    result = run("mov recip, ra0\nnop\nnop\nmov r0, r4", registers={"ra0": np.full(16, 4.0, np.float32)})
    assert (floats(result.accumulators[0]) == 0.25).all()


def test_textures_get_coordinates_and_level() -> None:
    """Of two textures, the one of the slot; its first smaller level, whose texels say where they are."""
    texels = np.zeros((4, 4, 4), np.uint8)
    texels[:, :, 0], texels[:, :, 1] = np.arange(4), np.arange(4)[:, None]
    smaller = [np.full((size, size, 4), 9 + size, np.uint8) for size in (4, 2, 1)]
    texture = Texture(np.zeros((8, 8, 4), np.uint8), "nearest_mipmap_nearest", mips=[texels, *smaller[1:]])
    other = Texture(np.full((1, 1, 4), 77, np.uint8))
    source, unused = texture_source(1, 5), texture_source(0, 5)
    text = "mov t0t, rb0\nmov t0b, 1.0\nmov t0s, ra0\nnop; ldtmu0\nmov r0, r4\nmov r1, unif"
    result = run(
        text,
        uniforms=[Slot("texture", source), Slot("texture", source), 0x55, 3, Slot("texture", unused)],
        textures={source: texture, unused: other},
        registers={"ra0": (LANES % 4 + 0.5).astype(np.float32) / 4, "rb0": (LANES // 4 + 0.5).astype(np.float32) / 4},
    )
    assert result.accumulators[0, 0].tolist() == [lane % 4 | lane // 4 << 8 for lane in LANES]
    assert (result.accumulators[1] == 3).all()


@pytest.mark.parametrize("quads", [False, True])
def test_the_level_follows_from_the_neighbours_in_quads(quads: bool) -> None:
    levels = [np.full((size, size, 4), size, np.uint8) for size in (4, 2, 1)]
    texture = Texture(levels[0], "nearest_mipmap_nearest", mips=levels[1:])
    s, t = LANES % 2 / 2, LANES // 2 % 2 / 2
    for kind, wanted in ((0, 2 if quads else 4), (5, 4)):
        result = run(
            "mov t1t, rb0\nmov t1s, ra0\nnop; ldtmu1\nmov r0, r4",
            uniforms=[Slot("texture", kind), Slot("texture", kind)],
            textures={kind: texture},
            quads=quads,
            registers={"ra0": s.astype(np.float32), "rb0": t.astype(np.float32)},
        )
        assert set(result.accumulators[0, 0].tolist()) == {wanted * 0x01010101}


def test_direct_loads_read_buffers() -> None:
    text = "mov r0, ra0\nadd t0s, r0, unif\nnop; ldtmu0\nmov r1, r4"
    buffers = {2: range(1000, 1020)}
    result = run(text, uniforms=[Slot("buffer", 2)], buffers=buffers, registers={"ra0": 4 * LANES})
    assert result.accumulators[1, 0].tolist() == [1000 + lane for lane in LANES]


def test_uniforms_can_be_read_again() -> None:
    text = "ldi r0, 4\nadd unif_addr, r0, unif\nnop\nnop\nmov r1, unif\nmov unif_addr, r2\nnop\nnop\nmov r3, unif"
    result = run(text, uniforms=[Slot("stream"), 77, 88], registers={"r2": 0x20000008})
    assert (result.accumulators[1] == 77).all()
    assert (result.accumulators[3] == 88).all()


# --- Control flow -----------------------------------------------------------------------------------------------------

COUNT = ":again\nsub.setf r0, r0, 1\nadd.ifnn r1, r1, 1\nbrr.anynn -, r:again\nnop\nnop\nnop"


def test_three_instructions_after_a_branch_are_executed() -> None:
    result = run("brr ra3, 8\nadd r0, r0, 1\nadd r0, r0, 2\nadd r0, r0, 4\nadd r0, r0, 8\nadd r0, r0, 15")
    assert (result.accumulators[0] == 22).all()
    assert (result.files[0, 3] == 32).all()


def test_groups_part_and_all_have_their_results() -> None:
    counts = np.array([3, 0, 5, 1]).repeat(16)
    result = run(COUNT, groups=4, registers={"r0": counts})
    assert result.accumulators[1].tolist() == [[count] * 16 for count in (3, 0, 5, 1)]
    single = [run(COUNT, registers={"r0": count}).steps for count in (3, 0, 5, 1)]
    assert result.steps == max(single)


def test_groups_with_different_lanes_agree_with_single_runs() -> None:
    counts = np.random.default_rng(2).integers(0, 9, (5, 16))
    together = run(COUNT, groups=5, registers={"r0": counts})
    for group in range(5):
        alone = run(COUNT, registers={"r0": counts[group]})
        assert (together.accumulators[:, group] == alone.accumulators[:, 0]).all()
        assert alone.accumulators[1, 0].tolist() == counts[group].tolist()


def test_tile_writes_of_parted_groups_are_apart() -> None:
    text = "mov.setf -, ra0\nbrr.allz -, r:end\nnop\nnop\nnop\nmov tlbc, 1\n:end\nnop"
    result = run(text, groups=2, registers={"ra0": np.array([0, 1]).repeat(16)})
    (write,) = result.tlb
    assert write.lanes.tolist() == [[False] * 16, [True] * 16]


def test_branches_by_register_use_lane_15() -> None:
    registers = {"ra2": np.where(LANES == 15, 8, 0)}
    result = run("brr -, ra2\nnop\nnop\nnop\nadd r0, r0, 1\nadd r0, r0, 2", registers=registers)
    assert (result.accumulators[0] == 2).all()


def test_a_thread_switch_loses_accumulators_two_instructions_later() -> None:
    result = run("mov ra1, r0; thrsw\nmov ra2, r0\nmov ra3, r0\nmov ra4, r0", registers={"r0": 5})
    assert result.files[0, 1:5, 0, 0].tolist() == [5, 5, 5, LOST]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mov r0, unif", "uniform 0 of 0"),
        ("mov r0, vary", "varyings"),
        ("mov r0, vpm", "without a setup"),
        ("ldi vr_setup, 0x00101a00\nmov r0, vpm\nmov r0, vpm", "more rows"),
        ("mov vpm, r0", "without a setup"),
        ("ldi vw_setup, 0x0", "is not of horizontal rows"),
        ("mov vw_addr, r0", "not simulated"),
        ("nop; ldtmu1", "wait forever"),
        ("nop; loadcv", "not simulated"),
        ("mov t0s, r0", "outside of all buffers"),
        ("bra -, 4\nnop\nnop\nnop", "between instructions"),
        ("brr -, 0\nbrr -, 0\nnop\nnop", "delay slots"),
        ("bra -, ra1\nnop\nnop\nnop", "flags"),
        ("sacq r0, 1", "semaphore"),
        (".quad 0x1000082709000000", "no operation 9"),
        ("brr -, 800\nnop\nnop\nnop", "instruction 104 of"),
    ],
)
def test_what_is_undefined_is_a_fault(text: str, message: str) -> None:
    with pytest.raises(SimulationFault, match=message):
        simulate(program_of(text + END).words, Inputs(), max_steps=1000)


def test_the_number_of_steps_is_limited() -> None:
    with pytest.raises(CompileError) as caught:
        simulate(program_of(":a\nbrr -, r:a\nnop\nnop\nnop" + END).words, Inputs(), max_steps=1000)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0656"]
