"""Host code for libxenon: built against our own declarations of its interface, run on a stub that records the calls."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.backends.xenos.isa import container
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos.isa.usages import USAGES
from glslc_multi.backends.xenos_family.host.parts import attributes_of, samplers_of
from glslc_multi.backends.xenos_family.isa.container import unpack
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from glslc_multi.runtime.textures import Texture
from tests.backends.xenos.patch import patched
from tests.backends.xenos_family.hosts import (
    Drawn,
    lines_printed,
    link_real,
    real_pairs,
    words_of_line,
)
from tests.host_values import Flat, stages_of

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

FOLDER = Path(__file__).parent
VERTEX = """#version 300 es
in vec3 a_position; in vec4 a_colour; in vec2 a_place; in float a_size; in mat2 a_turn;
uniform mat4 u_matrix; uniform mat2x3 u_bones[3]; uniform bool u_on; uniform ivec2 u_pair; uniform float u_shared;
uniform sampler2D u_heights;
out vec4 v_colour; out vec2 v_place;
void main() {
    vec3 moved = u_bones[2] * a_place + u_bones[0][1] + textureLod(u_heights, a_place, 0.0).xyz;
    v_colour = u_on ? a_colour * float(u_pair.y) : a_colour * u_shared + 0.625;
    v_place = a_turn * a_place * a_size;
    gl_Position = u_matrix * vec4(a_position + moved, 1.0);
}"""
FRAGMENT = """#version 300 es
precision highp float;
in vec4 v_colour; in vec2 v_place; uniform sampler2D u_pictures[3], u_mask; uniform float u_shared;
uniform uint u_count; uniform vec4 defaults; out vec4 colour;
void main() {
    colour = texture(u_pictures[1], v_place) * v_colour * u_shared + texture(u_mask, v_place);
    colour += texture(u_pictures[2], v_place) * 0.375 + float(u_count) * defaults;
}"""


def _printed(
    folder: Path,
    stages: Mapping[str, Artifact],
    calls: Sequence[str],
    before: Sequence[str] = (),
    vertex: Sequence[str] = (),
) -> list[str]:
    program = HostProgram(stages, "lit")
    files = load_target("xenos").host_code(program, "libxenon", DiagnosticSink())
    (folder / "xenos").mkdir(exist_ok=True)
    shutil.copy(FOLDER / "stub.h", folder / "xenos" / "xe.h")
    main = fill(
        FOLDER / "main.c.in",
        {
            "PREFIX": "lit",
            "FORMAT": ", NULL" if "vertex" in stages else "",
            "BEFORE": before,
            "CALLS": calls,
            "VERTEX": vertex,
        },
    )
    return lines_printed(folder, files, main)


def _compare(folder: Path, made: CompiledProgram | CompiledShader, *, early: bool) -> int:
    """Sets every uniform, before or after the program is bound, and reads the constants back."""
    given = Drawn.of(made, 11)
    calls = given.calls("lit")
    lines = _printed(folder, stages_of(made), [] if early else calls, calls if early else [])
    constants = words_of_line(lines[0]).reshape(2, 256, 4)
    return given.compare({"vertex": constants[0], "fragment": constants[1]})


def _pair(**options: object) -> CompiledProgram:
    return glslc_multi.link(VERTEX, FRAGMENT, target="xenos", options=options)


@pytest.mark.parametrize("early", [False, True])
def test_every_uniform_is_in_its_constants(tmp_path: Path, early: bool) -> None:
    assert _compare(tmp_path, _pair(), early=early) > 30


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_a_stage_alone(tmp_path: Path, stage: str) -> None:
    source = VERTEX if stage == "vertex" else FRAGMENT
    assert _compare(tmp_path, glslc_multi.compile(source, target="xenos", stage=stage), early=False) > 1


def test_what_a_preamble_computes(tmp_path: Path) -> None:
    vertex = VERTEX.replace("* u_shared +", "* sqrt(abs(u_shared)) +")
    made = glslc_multi.link(vertex, FRAGMENT, target="xenos", preamble=True)
    assert any(artifact.preamble is not None for artifact in stages_of(made).values())
    assert _compare(tmp_path, made, early=False) > 30


def test_initializers_are_set_when_the_program_is_bound(tmp_path: Path) -> None:
    source = "#version 330\nuniform vec3 a = vec3(1.0, -2.0, 0.5); in vec4 p; void main() { gl_Position = p * a.xyzz; }"
    made = glslc_multi.compile(source, target="xenos", stage="vertex")
    constants = words_of_line(_printed(tmp_path, stages_of(made), [])[0]).view(np.float32).reshape(512, 4)
    assert constants[made.reflection.uniforms[0].locations[0].index, :3].tolist() == [1.0, -2.0, 0.5]


def test_textures_are_at_their_units_and_uploaded(tmp_path: Path) -> None:
    stages = stages_of(_pair())
    wanted: dict[int, int] = {}
    calls: list[str] = []
    for sampler in samplers_of(stages):
        for element in range(sampler.count):
            number = 10 + len(wanted)
            wanted[sampler.unit + element] = number
            place = "" if sampler.binding.length is None else f"{element}, "
            calls.append(f"lit_bind_{sampler.name}(program, {place}&surfaces[{number}]);")
    assert len(wanted) == 5
    calls += ["lit_bind_u_pictures(program, -1, surfaces);", "lit_bind_u_pictures(program, 3, surfaces);"]
    for name, before, after in (("early", calls, []), ("late", [], calls)):
        (tmp_path / name).mkdir()
        lines = _printed(tmp_path / name, stages, after, before)
        found = [tuple(map(int, item.split(":"))) for item in lines[3].split()]
        assert found == [(unit, number, 1) for unit, number in sorted(wanted.items())]
    for stage in stages.values():
        for binding in stage.reflection.samplers:
            (sampler,) = [s for s in samplers_of(stages) if s.binding.name == binding.name]
            assert [place.index - sampler.unit for place in binding.locations] == list(range(sampler.count))


def test_vertices_of_the_structure_bring_their_values(tmp_path: Path) -> None:
    """The bytes of one vertex as C lays it out, fetched by the program that libxenon has patched with the format."""
    stages = stages_of(_pair(usages="a_colour=COLOR,a_position=POSITION"))
    names = {attribute.glsl_name: attribute for attribute in attributes_of(stages["vertex"])}
    random = np.random.default_rng(2)
    values: dict[str, Flat] = {
        name: [float(x) for x in random.integers(-8, 8, size)]
        for name, size in (("a_position", 3), ("a_colour", 4), ("a_place", 2), ("a_size", 1), ("a_turn", 4))
    }
    lines = ["lit_vertex v; memset(&v, 0, sizeof v);"]
    for name, numbers in values.items():
        lines += [f"((float *)v.{names[name].name})[{n}] = {number}f;" for n, number in enumerate(numbers)]
    lines += ["print(&v, sizeof v / 4);", "const struct XenosVBFFormat *f = device.shaders[0]->format;"]
    lines += ['for (int i = 0; i < f->num; i++) printf(" %d %d %d", f->e[i].usage, f->e[i].index, f->e[i].fmt);']
    *_, buffer, rows = _printed(tmp_path, stages, [], vertex=lines)
    format_ = np.array(rows.split(), int).reshape(-1, 3).tolist()
    keys: Any = stages["vertex"].map_keys["vertex_format"]
    assert format_ == [[USAGES.index(row["usage"]), row["index"], row["fmt"]] for row in keys]
    file = container.read(stages["vertex"].binary)
    program = patched(unpack(XENOS, stages["vertex"].binary), file.elements, format_)
    literals = {
        first: struct.unpack(f"<{len(words)}f", struct.pack(f"<{len(words)}I", *words)) for first, words in file.floats
    }
    uniforms = {binding.name: binding.locations[0].index for binding in stages["vertex"].reflection.uniforms}
    constants = {uniforms["u_on"]: (1.0, 0, 0, 0), uniforms["u_pair"]: (0, 2.0, 0, 0), **literals}
    units = [place.index for b in stages["vertex"].reflection.samplers for place in b.locations]
    textures = dict.fromkeys(units, Texture(np.zeros((1, 1, 4))))
    found = simulate(
        program, Inputs(constants, buffers={95: words_of_line(buffer).tobytes()}, textures=textures)
    ).outputs
    place = {binding.name: binding.locations[0].index for binding in stages["vertex"].reflection.varyings}
    np.testing.assert_allclose(found[place["v_colour"]][:, 0], 2 * np.array(values["a_colour"]))
    turn, there = np.array(values["a_turn"]).reshape(2, 2), np.array(values["a_place"])
    np.testing.assert_allclose(found[place["v_place"]][:2, 0], there @ turn * values["a_size"][0])


def test_more_elements_than_a_format_has_are_refused() -> None:
    names = [f"a{number}" for number in range(11)]
    source = "".join(f"attribute vec2 {name};" for name in names)
    source += f"void main() {{ gl_Position = vec4({' + '.join(names)}, 0.0, 1.0); }}"
    stages = stages_of(glslc_multi.compile(source, target="xenos", stage="vertex"))
    with pytest.raises(CompileError, match="needs 11 elements of a vertex in libxenon's formats, xenos has 10"):
        load_target("xenos").host_code(HostProgram(stages, "lit"), "libxenon", DiagnosticSink())


@pytest.mark.parametrize("fragment", real_pairs(), ids=lambda path: path.stem)
def test_every_uniform_of_real_shaders(fragment: Path, tmp_path: Path) -> None:
    made = link_real(fragment, "xenos")
    try:
        _compare(tmp_path, made, early=False)
    except CompileError as error:
        assert [found.code for found in error.diagnostics] == ["E0701"]
        pytest.skip("libxenon's formats of vertices cannot hold it")
