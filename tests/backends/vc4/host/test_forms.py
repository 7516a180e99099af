"""The files of both forms: they compile without a warning, the kernel takes their jobs, and faults are found."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.host_code.uniforms import host_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.runtime.drivers import Vc4Texture, Vc4Viewport, vc4_relocations, vc4_words
from glslc_multi.runtime.program import Program
from tests.backends.vc4.host import harness, painter
from tests.backends.vc4.host.pairs import VARIANTS, Pair, all_pairs, check_pair, link, random_scene
from tests.host_values import give
from tests.shared_data import PROJECT_ROOT

EXAMPLES = PROJECT_ROOT / "examples/shaders"
#: Pairs of the sample, each in one variant.
SAMPLE = 6
ARM = "arm-linux-gnueabihf-gcc"

NOTHING = ("void main() { gl_Position = vec4(0.5); }", "void main() { gl_FragColor = vec4(1.0); }")
EVERYTHING = (
    """#version 300 es
uniform vec4 u_rows[40]; uniform bool u_on; uniform bvec2 u_flags; uniform ivec3 u_number; uniform uint u_word;
uniform highp sampler2D u_heights;
in mat2 a_turn; in vec3 a_place; in ivec2 a_index; in float a_weight; out vec2 v_uv; flat out int v_number;
void main() {
    vec4 row = u_rows[a_index.x] * a_weight + u_rows[a_index.y] + textureLod(u_heights, a_place.xy, 1.0);
    v_uv = u_on && u_flags.y ? a_turn * row.xy : row.zw;
    v_number = u_number.z + int(u_word);
    gl_Position = vec4(a_place, 1.0) + row;
}""",
    """#version 300 es
precision highp float;
uniform sampler2D u_maps[3]; uniform samplerCube u_sky; uniform mat4 u_table[6]; uniform highp uint u_word;
in vec2 v_uv; flat in int v_number; out vec4 colour;
void main() {
    colour = texture(u_maps[0], v_uv) + texture(u_maps[2], v_uv, 2.0) + textureLod(u_sky, v_uv.xyx, 1.5);
    for (int i = 0; i < int(u_word); i++) colour += u_table[v_number][1];
}""",
)


def example(name: str) -> Pair:
    return Pair(name, (EXAMPLES / f"{name}.vert").read_text(), (EXAMPLES / f"{name}.frag").read_text())


@pytest.mark.parametrize("texts", [NOTHING, EVERYTHING], ids=["nothing", "everything"])
def test_the_kernel_takes_what_is_rare(texts: tuple[str, str], tmp_path: Path, driver: Sequence[str]) -> None:
    for variant in VARIANTS:
        check_pair(link(Pair("rare", *texts), variant), tmp_path, driver, Random(3))


def sample() -> list[tuple[Pair, str]]:
    """Real pairs and examples, drawn with a fixed seed, in variants in turn."""
    pairs = all_pairs()
    chosen = Random(26).sample(pairs, min(3 * SAMPLE, len(pairs)))
    return [(pair, tuple(VARIANTS)[number % len(VARIANTS)]) for number, pair in enumerate(chosen)]


def test_the_kernel_takes_real_pairs(tmp_path: Path, driver: Sequence[str]) -> None:
    """`python -m tests.backends.vc4.host.pairs` does it for all."""
    taken = 0
    for number, (pair, variant) in enumerate(sample()):
        try:
            made = link(pair, variant)
        except CompileError:
            continue
        check_pair(made, tmp_path / str(number), driver, Random(number))
        taken += 1
        if taken == SAMPLE:
            return
    assert taken


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("drawn.c", "{ 9, 10, VC4_NO_WORD", "{ 10, 9, VC4_NO_WORD"),
        ("drawn.c", ".attribute_count = 3", ".attribute_count = 2"),
        ("drawn.c", ".stream_words = 47", ".stream_words = 48"),
        ("drawn.c", ".threads = 1", ".threads = 2"),
        ("drawn.c", "{ 16, 12, 16, 0 }", "{ 16, 12, 12, 0 }"),
        ("drawn.c", "value[4 * i + j]", "value[4 * j + i]"),
        ("vc4_draw.h", "vc4_put8(list, array.stride)", "vc4_put8(list, array.stride + 1u)"),
        ("vc4_draw.h", "vc4_put_handle(list, vc4_handle(job, code[s]))", "vc4_put_handle(list, 0)"),
        ("vc4_lists.h", "vc4_put8(list, VC4_INCREMENT_SEMAPHORE);", ""),
        ("vc4_lists.h", "return viewport->width * 8.0f", "return viewport->width * 4.0f"),
    ],
)
def test_faults_are_found(
    file: str, right: str, wrong: str, tmp_path: Path, driver: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = harness.write_program

    def broken(folder: Path, *arguments: object) -> Path:
        main = write(folder, *arguments)  # type: ignore[arg-type]
        path = folder / file
        assert right in path.read_text()
        path.write_text(path.read_text().replace(right, wrong))
        return main

    monkeypatch.setattr(harness, "write_program", broken)
    with pytest.raises(AssertionError):
        made = link(example("09_phong"), "")
        check_pair(made, tmp_path, driver, Random(1))
        stages = {name: shader.artifact for name, shader in made.stages.items()}
        painter.paint(harness.draw_with_kernel(tmp_path / "again", stages, random_scene(stages, Random(1)), driver))


# --- What forms cannot do ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stages", "form", "options", "message"),
    [
        (("vertex",), "drm", {}, "host code of the form 'drm' cannot draw with a vertex stage alone"),
        (("fragment",), "drm", {}, "host code of the form 'drm' cannot draw with a fragment stage alone"),
        (("vertex",), "bare", {}, "host code of the form 'bare' cannot draw with a vertex stage alone"),
        (
            ("vertex", "coordinate", "fragment"),
            "drm",
            {"output": "raw"},
            "host code of the form 'drm' cannot draw what was compiled with --output=raw",
        ),
    ],
)
def test_what_a_form_cannot_do(stages: tuple[str, ...], form: str, options: dict[str, str], message: str) -> None:
    pair = example("03_textured")
    made = glslc_multi.link(pair.vertex, pair.fragment, target="vc4", options=options)
    program = HostProgram({name: made.stages[name].artifact for name in stages}, "some")
    with pytest.raises(CompileError) as refused:
        load_target("vc4").host_code(program, form, DiagnosticSink())
    (diagnostic,) = refused.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("E0953", message)


# --- Other compilers --------------------------------------------------------------------------------------------------


def files(tmp_path: Path, form: str) -> Path:
    made = glslc_multi.link(*EVERYTHING, target="vc4")
    program = HostProgram({name: shader.artifact for name, shader in made.stages.items()}, "drawn")
    for file in load_target("vc4").host_code(program, form, DiagnosticSink()):
        (tmp_path / file.name).write_bytes(file.data)
    return tmp_path / "drawn.c"


@pytest.mark.skipif(shutil.which(ARM) is None, reason=f"there is no {ARM}")
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_bare_code_needs_no_library(tmp_path: Path, level: str) -> None:
    warnings = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wno-sign-conversion")
    command = [ARM, "-std=c99", *warnings, level, "-ffreestanding", "-c", str(files(tmp_path, "bare")), "-o"]
    subprocess.run([*command, str(tmp_path / "drawn.o")], check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.skipif(not Path("/usr/include/libdrm/vc4_drm.h").exists(), reason="there is no libdrm")
def test_the_headers_of_the_distribution_do(tmp_path: Path) -> None:
    """Those of the kernel's source, which the other tests use, are older or newer."""
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", str(files(tmp_path, "drm")), "-o"]
    subprocess.run([*command, str(tmp_path / "drawn.o")], check=True)


# --- The same by Python -----------------------------------------------------------------------------------------------


def test_streams_by_python_are_those_of_c(tmp_path: Path, driver: Sequence[str]) -> None:
    made = link(Pair("rare", *EVERYTHING), "")
    stages = {name: shader.artifact for name, shader in made.stages.items()}
    scene = random_scene(stages, Random(5))
    image = harness.draw_with_kernel(tmp_path, stages, scene, driver)
    ((state, _),) = painter.draw_calls(image)
    assert state.record is not None
    program = Program.of(made)
    values = program.new_values()
    give(values, host_uniforms(stages), scene.uniforms)
    for stage, shader in made.stages.items():
        memory = {"fragment": state.record.fragment, "vertex": state.record.vertex}.get(stage, state.record.coordinate)
        assert memory is not None
        reflection = shader.reflection
        relocations = vc4_relocations(reflection)
        # Where the driver of the test has put things.
        textures = {r.source: memory.stream[r.word] & ~0xFFF for r in relocations if r.kind % 4 == 0 and r.kind >= 8}
        known = [
            Vc4Texture(
                textures.get(place.index, 0),
                texels.width,
                texels.height,
                texels.levels,
                cube_stride=_face_bytes(texels) if texels.faces > 1 else 0,
            )
            for binding in reflection.samplers
            for place, texels in zip(binding.locations, scene.textures[binding.name], strict=True)
        ]
        arrays = {memory.stream[r.word] - 4 * r.source for r in relocations if r.kind == 5} or {0}
        viewport = Vc4Viewport(scene.width, scene.height)
        words = values.words(stage, "stream")
        (start,) = arrays
        found = vc4_words(reflection, words, viewport, known, start, memory.stream_address)
        assert tuple(found) == memory.stream


def _face_bytes(texels: harness.Texels) -> int:
    """Levels of a square face, each rounded up to blocks or tiles; level 0 and those before it begin at pages."""

    def size(level: int) -> int:
        side = texels.width >> level
        unit = 4 if side <= 16 else 32
        return (-(-side // unit) * unit) ** 2 * 4

    lead = sum(size(level) for level in range(1, texels.levels))
    return -(-lead // 4096) * 4096 + -(-size(0) // 4096) * 4096


def test_the_map_says_what_a_record_is_made_of() -> None:
    made = glslc_multi.link(*EVERYTHING, target="vc4")
    vertex, fragment = (made.stages[name].artifact for name in ("vertex", "fragment"))
    assert vertex.map_keys["attribute_bytes"] == [8, 8, 12, 8, 4]
    assert fragment.map_keys["varyings_read"] == 3
    requests: Any = fragment.map_keys["requests"]
    stream = fragment.reflection.stream
    assert {request["source"] for request in requests if request["kind"] == "texture"} == {
        "u_maps[0]",
        "u_maps[2]",
        "u_sky[0]",
    }
    for request in requests:
        kinds = [stream[word] for word in request["words"]]
        first = "buffer" if request["kind"] == "buffer" else "texture_config0"
        assert kinds[0][0].startswith(first)
        assert {source for _, source in kinds} == {request["source"]}


@pytest.mark.parametrize("form", ["drm", "bare"])
@pytest.mark.parametrize("order", [1, -1])
def test_each_header_can_come_first_and_alone(form: str, order: int, tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    shader = glslc_multi.link(*NOTHING, target="vc4")
    stages = {name: stage.artifact for name, stage in shader.stages.items()}
    files = load_target("vc4").host_code(HostProgram(stages, "lit"), form, DiagnosticSink())
    headers = [file.name for file in files if file.name.endswith(".h")]
    assert {"lit.h", "vc4_lists.h", "vc4_draw.h", f"vc4_job_{form}.h"} == set(headers)
    for file in files:
        (tmp_path / file.name).write_bytes(file.data)
    for first in headers:
        rest = [name for name in headers if name != first][::order]
        for number, names in enumerate(([first], [first, *rest], [first, first])):
            (tmp_path / f"{number}.c").write_text("".join(f'#include "{name}"\n' for name in names))
            words = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{tmp_path}", f"{number}.c"]
            done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
            if "drm/vc4_drm.h: No such file" in done.stderr:
                pytest.skip("the headers of the kernel's driver are not installed (libdrm-dev)")
            assert done.returncode == 0, (first, done.stderr)
