"""Uniform blocks in C, from whole buffers: registers hold what the runtime uploads, which reads buffers by itself."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

import glslc_multi
from glslc_multi.compiler.host_code.c_uniforms import CMachine, c_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.runtime.blocks import spread_buffers
from glslc_multi.runtime.program import Program
from glslc_multi.runtime.shader import CompiledShader
from tests.compiler.host_code.test_c_uniforms import Words, check, printed, text_of, words_printed
from tests.generators.matrix_blocks import matrix_blocks
from tests.host_values import stages_of

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

#: Places of numbers that are no floats: the bool of Scene, and the uint of each Part.
_ON, _N = 72 * 4, 0
TEXT = """#version 300 es
precision highp float;
struct Lamp { float unread; vec3 at; mat2 turn[2]; };
layout(std140) uniform Scene {
    float scale; vec3 up; float after; vec2 pair[2]; layout(row_major) mat3x2 wide; Lamp lamps[2]; bool on;
} scene;
layout(std140) uniform Part { uint n; vec4 tint; } parts[2];
layout(std140) uniform Unread { vec4 nothing; };
in vec4 p;
void main() {
    vec4 sum = vec4(scene.scale, scene.up.z + scene.after, scene.pair[1].y + scene.pair[0].x, scene.wide[1][0]);
    for (int i = 0; i < 2; i++) {
        sum.xy += scene.lamps[i].turn[i] * scene.lamps[i].at.yz + scene.lamps[1].turn[0][1];
    }
    sum += parts[0].tint * float(parts[0].n) + parts[1].tint * float(parts[1].n);
    gl_Position = p * sum + (scene.on ? 1.0 : scene.wide[2][1]);
}
"""


def buffers_of_text() -> dict[str, bytearray]:
    random = Random(26)
    buffers = {name: _floats(random, words) for name, words in {"Scene": 76, "Part[0]": 8, "Part[1]": 8}.items()}
    struct.pack_into("<I", buffers["Scene"], _ON, 2)
    struct.pack_into("<I", buffers["Part[0]"], _N, 3)
    struct.pack_into("<I", buffers["Part[1]"], _N, 70000)
    return buffers


def compare(
    folder: Path, shader: CompiledShader, buffers: Mapping[str, bytes | bytearray], edit: Callable[[str], str] = str
) -> None:
    """`edit` changes the program in C."""
    machine = Words()
    made = c_uniforms(HostProgram(stages_of(shader), "lit"), CMachine(machine.store))
    calls = []
    for name, data in buffers.items():
        setter = name.replace("[", "_").replace("]", "")
        numbers = ", ".join(f"0x{word:08x}" for (word,) in struct.iter_unpack("<I", data))
        calls.append(f"{{ static const uint32_t buffer[] = {{{numbers}}};")
        calls.append(f"if (lit_set_{setter}(program, buffer, sizeof buffer - 1)) return 1;")
        calls.append(f"if (!lit_set_{setter}(program, buffer, sizeof buffer)) return 2; }}")
    text = edit(text_of(made, machine.spaces, calls))
    program = Program.of(shader)
    uploaded = program.new_values()
    given = {name: bytes(data) for name, data in buffers.items()}
    uploaded.set(spread_buffers(shader.reflection.blocks, given))
    check(words_printed(printed(folder, text), machine), program, uploaded)
    assert "lit_set_Unread" not in text


def _floats(random: Random, words: int) -> bytearray:
    return bytearray(struct.pack(f"<{words}f", *(random.randrange(-99, 300) / 8 for _ in range(words))))


@pytest.mark.parametrize("target", ["pica200", "adreno", "vc4", "xenos"])
def test_a_buffer_is_spread_over_the_registers(tmp_path: Path, target: str) -> None:
    compare(tmp_path, glslc_multi.compile(TEXT, target=target, stage="vertex"), buffers_of_text())


def test_what_preambles_compute_of_a_block_follows(tmp_path: Path) -> None:
    compare(tmp_path, glslc_multi.compile(TEXT, target="adreno", stage="vertex", preamble=True), buffers_of_text())


@pytest.mark.parametrize("by_rows", [False, True])
def test_matrices_of_all_shapes(tmp_path: Path, by_rows: bool) -> None:
    blocks = [block for block in matrix_blocks() if block.form == "array" and block.by_rows == by_rows]
    declared = "".join(block.glsl(str(number)) for number, block in enumerate(blocks))
    reads = [f"b{number}{path}" for number, block in enumerate(blocks) for path in block.laid.places]
    terms = "".join(f"sum += {read} * p.{'xyzw'[number % 4]};\n" for number, read in enumerate(reads))
    text = (
        f"#version 300 es\n{declared}in vec4 p;\nvoid main() {{ float sum = 0.0;\n{terms}gl_Position = vec4(sum); }}\n"
    )
    buffers = {f"B{number}": block.buffer() for number, block in enumerate(blocks)}
    compare(tmp_path, glslc_multi.compile(text, target="adreno", stage="vertex"), buffers)


FAULTS = {
    "rows for columns": (r"\{0, 4, 16\}", "{0, 8, 4}"),
    "arrays without gaps": (r"\{16, 0, 4\}", "{8, 0, 4}"),
    "a member at another place": (r"buffer \+ 208", "buffer + 192"),
    "elements of a structure on one place": (r"lamps__turn \+ 8", "lamps__turn + 0"),
    "blocks of an array on one place": (r"Part__n \+ 1", "Part__n + 0"),
    "a member that is not put": (r"(lit_set_Scene\((.|\n)*?)    lit_put_Scene__up\(program\);\n", r"\1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen(fault: str, tmp_path: Path) -> None:
    pattern, replacement = FAULTS[fault]

    def edit(text: str) -> str:
        planted, count = re.subn(pattern, replacement, text)
        if not count:
            pytest.fail(f"nothing to plant it in: {text}")
        return planted

    with pytest.raises(AssertionError):
        compare(tmp_path, glslc_multi.compile(TEXT, target="adreno", stage="vertex"), buffers_of_text(), edit)
