"""Host code for libdrm's freedreno: built against our own declarations, packets read back by rule."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.adreno.isa.formats import VERTEX
from glslc_multi.backends.registry import load_target
from glslc_multi.backends.xenos_family.host.parts import fetches_of, samplers_of
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from tests.backends.adreno.host.command_processor import Chip, read_packets
from tests.backends.xenos_family.hosts import (
    Drawn,
    lines_printed,
    link_real,
    literals_of,
    real_pairs,
    words_of_line,
)
from tests.host_values import stages_of

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

FOLDER = Path(__file__).parent
NUMBERS = {"vertex": 0, "fragment": 1}
VERTEX_SOURCE = """#version 300 es
in vec3 a_position; in vec4 a_colour; in mat2 a_turn;
uniform mat4 u_matrix; uniform mat2x3 u_bones[3]; uniform bool u_on; uniform float u_shared;
uniform sampler2D u_heights; out vec4 v_colour;
void main() {
    vec3 moved = u_bones[2] * a_turn[1] + u_bones[0][1] + textureLod(u_heights, a_position.xy, 0.0).xyz;
    v_colour = u_on ? a_colour : a_colour * u_shared + 0.625;
    for (int i = 0; i < 90; i++) v_colour = fract(v_colour * 1.25 + u_shared);
    gl_Position = u_matrix * vec4(a_position + moved, 1.0);
}"""
FRAGMENT = """#version 300 es
precision highp float;
in vec4 v_colour; uniform sampler2D u_pictures[2]; uniform float u_shared; uniform uint u_count; out vec4 colour;
void main() {
    colour = texture(u_pictures[1], v_colour.xy) * u_shared + float(u_count) * 0.375 + gl_FragCoord.z;
}"""


def _chip(
    folder: Path, stages: Mapping[str, Artifact], calls: Sequence[str], more: Sequence[str] = ()
) -> tuple[Chip, list[str]]:
    files = load_target("adreno").host_code(HostProgram(stages, "lit"), "freedreno", DiagnosticSink())
    for name in ("freedreno_drmif.h", "freedreno_ringbuffer.h"):
        shutil.copy(FOLDER / "stub.h", folder / name)
    main = fill(FOLDER / "main.c.in", {"PREFIX": "lit", "CALLS": calls, "MORE": more})
    first, *rest = lines_printed(folder, files, main)
    return read_packets([int(word) for word in words_of_line(first)]), rest


def _compare(folder: Path, made: CompiledProgram | CompiledShader) -> int:
    """Sets every uniform and reads the constants back from the packets; literals too, and the code."""
    stages, given = stages_of(made), Drawn.of(made, 5)
    chip, _ = _chip(folder, stages, given.calls("lit"))
    found = {stage: _Window(chip, NUMBERS[stage]) for stage in stages}
    for stage, artifact in stages.items():
        assert np.array(chip.code[NUMBERS[stage]], "<u4").tobytes() == artifact.binary
        for (index, letter), word in literals_of(artifact).items():
            assert chip.constant(NUMBERS[stage], index)["xyzw".index(letter)] == word
        for literal in artifact.reflection.literals:
            if literal.location.space == "loop":
                assert chip.registers[0x4908 + literal.location.index] == literal.words[0]
    for register, key in ((0x2180, "program_control"), (0x2181, "context_misc"), (0x2182, "interpolator_control")):
        words = [artifact.map_keys.get(key, 0) for artifact in stages.values()]
        if any(key in artifact.map_keys for artifact in stages.values()):
            assert chip.registers[register] == sum(word for word in words if isinstance(word, int))
    return given.compare(found)


class _Window:
    def __init__(self, chip: Chip, stage: int) -> None:
        self._chip, self._stage = chip, stage

    def __getitem__(self, number: int) -> np.ndarray:
        return np.array(self._chip.constant(self._stage, number), np.uint32)


def _pair(**options: object) -> CompiledProgram:
    return glslc_multi.link(VERTEX_SOURCE, FRAGMENT, target="adreno", options=options)


def test_every_uniform_is_in_its_constants(tmp_path: Path) -> None:
    assert _compare(tmp_path, _pair()) > 30


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_a_stage_alone(tmp_path: Path, stage: str) -> None:
    source = VERTEX_SOURCE if stage == "vertex" else FRAGMENT
    assert _compare(tmp_path, glslc_multi.compile(source, target="adreno", stage=stage)) > 1


def test_loops_have_registers_of_their_own(tmp_path: Path) -> None:
    source = """attribute vec4 p;
        void main() {
            vec4 q = p;
            for (int i = 0; i < 90; i++) for (int j = 0; j < 80; j++) q = fract(q + q);
            gl_Position = q;
        }"""
    stages = stages_of(glslc_multi.compile(source, target="adreno", stage="vertex"))
    places = [literal.location for literal in stages["vertex"].reflection.literals]
    assert {place.index for place in places if place.space == "loop"} == {0, 1}
    constants = {place.index for place in places if place.space == "C"}
    chip, _ = _chip(tmp_path, stages, [])
    assert len([register for register in chip.registers if 0x4000 <= register < 0x4800]) == 4 * len(constants)


def test_both_windows_have_their_places(tmp_path: Path) -> None:
    """Those that the driver sets: 256 constants from 0x20 on, and 224 from 0x120 on."""
    chip, _ = _chip(tmp_path, stages_of(_pair()), [])
    assert [(word & 0x1FF, word >> 12) for word in chip.words(0x2307, 2)] == [(0x20, 0x100), (0x120, 0xE0)]


@pytest.mark.parametrize("interleaved", [False, True])
def test_vertex_buffers_are_where_fetches_read(tmp_path: Path, interleaved: bool) -> None:
    stages = stages_of(_pair(attributes="interleaved" if interleaved else "separate"))
    names = [("a_position", ""), ("a_colour", ""), ("a_turn", "0, "), ("a_turn", "1, ")]
    calls = [
        f"lit_attribute_{name}(program, {column}(lit_buffer){{&memory[{k}], {16 * k}, {1000 + 4 * k}}});"
        for k, (name, column) in enumerate(names)
    ]
    if interleaved:
        calls = ["lit_vertices(program, (lit_buffer){&memory[0], 0, 1000});"]
    chip, _ = _chip(tmp_path, stages, calls)
    program = unpack(np.array(chip.code[0], "<u4").tobytes())
    rows = {(row["name"], row["column"]): row for row in fetches_of(stages["vertex"])}
    for k, (name, column) in enumerate(names):
        row = rows[name, int(column.rstrip(", ") or 0)]
        memory = 0 if interleaved else k
        address = 0x10000000 + memory * 0x10000 + 16 * memory
        assert chip.vertex_buffer(row["vertex_constant"]) == (address, 1000 + 4 * memory)
        for slot in row["slots"]:
            fields = VERTEX.decode(program.instruction(slot) or 0)
            assert 3 * fields["const_index"] + fields["const_index_sel"] == row["vertex_constant"]


def test_textures_have_their_addresses(tmp_path: Path) -> None:
    stages = stages_of(_pair())
    units = {sampler.name: sampler.unit for sampler in samplers_of(stages)}
    words = "{1, 2, 3, 4, 5, 6}"
    calls = [
        f"lit_bind_u_heights(program, (lit_texture){{&memory[1], 0x100, {words}}});",
        f"lit_bind_u_pictures(program, 1, (lit_texture){{&memory[2], 0, {words}}});",
        f"lit_bind_u_pictures(program, 2, (lit_texture){{&memory[3], 0, {words}}});",
    ]
    chip, _ = _chip(tmp_path, stages, calls)
    assert chip.texture(units["u_heights"]) == [1, 0x10010102, 3, 4, 5, 6]
    assert chip.texture(units["u_pictures"] + 1) == [1, 0x10020002, 3, 4, 5, 6]
    assert 0x4800 + 6 * units["u_pictures"] not in chip.registers


def test_a_fetch_can_have_another_layout(tmp_path: Path) -> None:
    """The words are those that the compiler itself writes for this layout."""
    stages = stages_of(_pair(attributes="interleaved", attribute_formats="a_colour=ubyte-norm"))
    wanted = unpack(stages["vertex"].binary)
    calls = []
    for row in fetches_of(stages["vertex"]):
        name = row["name"] + (f"_{row['column']}" if row["name"] == "a_turn" else "")
        fields = VERTEX.decode(wanted.instruction(row["slots"][0]) or 0) if row["slots"] else {}
        if fields:
            flags = f"{fields['signed']}, {1 - fields['num_format']}"
            place = f"{row['vertex_constant']}, {row['format']}, {row['stride']}, {row['offset']}"
            calls.append(f"lit_lay_out(program, LIT_FETCH_{name}, (lit_layout){{{place}, {flags}}});")
    assert len(calls) >= 3
    chip, _ = _chip(tmp_path, stages_of(_pair()), calls)
    patched = unpack(np.array(chip.code[0], "<u4").tobytes())

    def fetches(program: object) -> list[int]:
        rows = fetches_of(stages["vertex"])
        return sorted(unpack_word(program, slot) for row in rows for slot in row["slots"])

    def unpack_word(program: object, slot: int) -> int:
        fields = dict(VERTEX.decode(program.instruction(slot)))  # type: ignore[attr-defined]
        return VERTEX.encode({**fields, "reserved0": 0, "reserved3": 0})

    assert len(patched.slots) == len(wanted.slots)
    assert fetches(patched) == fetches(wanted)


def test_sizes_of_the_code(tmp_path: Path) -> None:
    stages = stages_of(_pair())
    macros = ("LIT_VERTEX_WORDS", "LIT_VERTEX_CF_SLOTS", "LIT_FRAGMENT_WORDS", "LIT_FRAGMENT_CF_SLOTS")
    more = [f'printf("%d %d %d %d\\n", {", ".join(macros)});']
    _, (line,) = _chip(tmp_path, stages, [], more)
    programs = [unpack(stages[stage].binary) for stage in ("vertex", "fragment")]
    assert list(map(int, line.split())) == [n for one in programs for n in (3 * len(one.slots), one.first_slot)]


@pytest.mark.parametrize("fragment", real_pairs(), ids=lambda path: path.stem)
def test_every_uniform_of_real_shaders(fragment: Path, tmp_path: Path) -> None:
    _compare(tmp_path, link_real(fragment, "adreno"))
