"""What is Xenos's own in compiled shaders: files, usages, patches, depth, the window."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.xenos.isa import container
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos.isa.usages import USAGES
from glslc_multi.backends.xenos_family.isa.container import unpack
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.xenos.patch import patched

VERTEX = """attribute vec3 p; attribute vec4 c; attribute vec2 t; attribute float f; attribute mat2 m;
uniform vec4 u[2]; varying vec4 v; varying vec2 w;
void main() { gl_Position = vec4(p, 1.0) + u[1]; v = c * 0.25 + u[0]; w = m * t + f; }
"""


def compile_(source: str, stage: str = "vertex", **options: object) -> glslc_multi.CompiledShader:
    return glslc_multi.compile(source, target="xenos", stage=stage, options=options)


def fragment(body: str) -> str:
    return f"""#extension GL_EXT_frag_depth : enable
precision highp float; varying vec4 v; uniform vec4 u; void main() {{ {body} }}"""


# --- Attributes -------------------------------------------------------------------------------------------------------


def elements_of(shader: glslc_multi.CompiledShader) -> list[tuple[str, int]]:
    return [(USAGES[row.usage], row.usage_index) for row in container.read(shader.binary).elements]


def test_the_first_attribute_is_the_position_and_others_are_texture_coordinates() -> None:
    found = elements_of(compile_(VERTEX))
    assert sorted(found) == [("POSITION", 0), *(("TEXCOORD", number) for number in range(1, 6))]


def test_usages_are_an_option() -> None:
    """A matrix takes one a column; what is not named keeps its own."""
    shader = compile_(VERTEX, usages="c=COLOR, p=POSITION, t=TEXCOORD9, m=TANGENT2")
    wanted = [("POSITION", 0, 57), ("COLOR", 0, 38), ("TEXCOORD", 9, 37), ("TEXCOORD", 3, 37), ("TANGENT", 2, 37),
              ("TANGENT", 3, 37)]  # fmt: skip
    assert sorted(elements_of(shader)) == sorted((usage, index) for usage, index, _ in wanted)
    rows: Any = shader.artifact.map_keys["vertex_format"]
    assert [(row["usage"], row["index"], row["fmt"]) for row in rows] == wanted


@pytest.mark.parametrize(
    "usages",
    ["p=PLACE", "x=COLOR", "p", "p=COLOR16", "m=TANGENT15", "p=COLOR,c=COLOR0", "c=POSITION", "t=TEXCOORD3"],
)
def test_usages_that_cannot_be(usages: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_(VERTEX, usages=usages)
    assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"E0907"}


def test_vertices_in_another_order_bring_the_same_values_once_libxenon_has_patched_the_fetches() -> None:
    """The format has its elements in another order than the shader, and one more."""
    shader = compile_(VERTEX)
    file = container.read(shader.binary)
    random = np.random.default_rng(1)
    values = {
        (0, 0): random.uniform(-1, 1, 3),
        (5, 1): random.uniform(-1, 1, 4),
        (5, 2): random.uniform(-1, 1, 2),
        (5, 3): random.uniform(-1, 1, 2),
        (5, 4): random.uniform(-1, 1, 2),
        (5, 5): random.uniform(-1, 1, 2),
        (10, 0): random.uniform(-1, 1, 4),
    }
    order = [(5, 4), (10, 0), (0, 0), (5, 1), (5, 5), (5, 3), (5, 2)]
    rows = [(*usage, {2: 37, 3: 57, 4: 38}[len(values[usage])]) for usage in order]
    buffer = b"".join(values[usage].astype(np.float32).tobytes() for usage in order)
    program = patched(unpack(XENOS, shader.binary), file.elements, rows)
    floats = {
        first: struct.unpack(f"<{len(words)}f", struct.pack(f"<{len(words)}I", *words)) for first, words in file.floats
    }
    uniforms = {0: (0.5, 0.25, -1.0, 2.0), 1: (1.0, 2.0, 3.0, 4.0)}
    assert not uniforms.keys() & floats.keys()
    result = simulate(program, Inputs({**uniforms, **floats}, buffers={95: buffer}))
    p, c, t, f, m0, m1 = (values[usage] for usage in ((0, 0), (5, 1), (5, 2), (5, 3), (5, 4), (5, 5)))
    np.testing.assert_allclose(result.outputs[62][:, 0], np.append(p, 1.0) + uniforms[1], rtol=1e-6)
    np.testing.assert_allclose(result.outputs[0][:, 0], c * 0.25 + uniforms[0], rtol=1e-6)
    np.testing.assert_allclose(result.outputs[1][:2, 0], m0 * t[0] + m1 * t[1] + f[0], rtol=1e-5, atol=1e-6)


# --- Files ------------------------------------------------------------------------------------------------------------


def test_literals_are_in_the_file_at_the_constants_of_the_stage() -> None:
    body = "gl_FragColor = v * vec4(0.125, 0.25, 0.5, 3.0) + u;"
    (vertex,) = container.read(compile_(VERTEX).binary).floats
    (pixel,) = container.read(compile_(fragment(body), "fragment").binary).floats
    assert vertex[0] == 2
    assert pixel[0] == 256 + 1
    numbers = struct.unpack("<4f", struct.pack("<4I", *pixel[1]))
    assert sorted(numbers) == [0.125, 0.25, 0.5, 3.0]


@pytest.mark.parametrize(("stage", "number"), [("vertex", 0), ("fragment", 16)])
def test_counts_of_loops_are_in_the_file(stage: str, number: int) -> None:
    loop = "vec4 s = u; for (int i = 0; i < 60; i++) s = s * s + u;"
    source = fragment(f"{loop} gl_FragColor = s;") if stage == "fragment" else (
        f"uniform vec4 u; void main() {{ {loop} gl_Position = s; }}")  # fmt: skip
    assert container.read(compile_(source, stage).binary).integers == ((0x2320 + 4 * number, (60,)),)


def test_interpolators_and_outputs_are_in_the_file() -> None:
    source = fragment("if (v.x > u.x) discard; gl_FragColor = v; gl_FragDepthEXT = v.y;")
    file = container.read(compile_(source, "fragment").binary)
    assert (file.program_control >> 27, file.outputs, file.interpolators_word) == (3, 0x31, 1 | 1 << 5 | 4 << 10)
    vertex = container.read(compile_(VERTEX).binary)
    assert [(row.register, row.mask) for row in vertex.interpolators] == [(0, 15), (1, 3)]
    assert len([slot for slot in vertex.exports if slot >> 12]) == 2


def test_files_of_stages_have_suffixes_of_their_own(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from glslc_multi.cli.main import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.vert").write_text(VERTEX)
    (tmp_path / "a.frag").write_text(fragment("gl_FragColor = v;"))
    assert (
        main(["a.vert", "--target", "xenos", "--no-cache"]) == main(["a.frag", "--target", "xenos", "--no-cache"]) == 0
    )
    assert {path.suffix for path in tmp_path.iterdir()} == {".vert", ".frag", ".vsu", ".psu", ".json"}


# --- The chip ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colours", [1, 4])
def test_a_depth_of_the_shaders_own(colours: int) -> None:
    body = "".join(f"gl_FragData[{number}] = v * {number + 1}.0;" for number in range(colours))
    source = "#extension GL_EXT_draw_buffers : enable\n" + fragment(f"{body} gl_FragDepthEXT = v.y * 0.5;")
    found = compile_(source, "fragment").run({"v": [[1.0, 0.5, 0.25, 2.0], [0.0, 1.0, 3.0, 4.0]]}, {})
    np.testing.assert_allclose(found["gl_FragDepthEXT"], [0.25, 0.5])
    np.testing.assert_allclose(np.asarray(found["gl_FragData"])[:, colours - 1, 1], np.array([0.5, 1.0]) * colours)


@pytest.mark.parametrize(("converts", "z"), [(False, 0.5), (True, 1.25)])
def test_clip_space_is_converted_where_asked(converts: bool, z: float) -> None:
    shader = compile_("attribute vec4 p; void main() { gl_Position = p; }", xenos_clip_z=converts)
    found = shader.run({"p": [[1.0, 2.0, 0.5, 2.0]]}, {})
    np.testing.assert_allclose(found["gl_Position"], [[1.0, 2.0, z, 2.0]])


def test_the_depth_of_a_pixel_is_z_divided_by_w() -> None:
    vertex = "attribute vec4 p; varying vec4 v; void main() { v = p; gl_Position = p; }"
    pair = glslc_multi.link(vertex, fragment("gl_FragColor = v + gl_FragCoord.z;"), target="xenos")
    program = unpack(XENOS, pair.stages["vertex"].binary)
    result = simulate(program, Inputs(buffers={95: np.array((1.0, 2.0, 0.5, 2.0), np.float32).tobytes()}))
    np.testing.assert_allclose(result.outputs[1][:2, 0], [0.25, 2.0])


def test_shaders_that_are_too_long_for_adreno_fit() -> None:
    body = "vec4 s = v;" + "".join(f"s = s * s + u * {number}.5;" for number in range(500)) + "gl_FragColor = s;"
    with pytest.raises(CompileError) as caught:
        glslc_multi.compile(fragment(body), target="adreno", stage="fragment")
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0701"]
    assert compile_(fragment(body), "fragment").stats.instructions > 384


@pytest.mark.parametrize(("stage", "qualifier", "output"), [("vertex", "attribute", "gl_Position"),
                                                           ("fragment", "varying", "gl_FragColor")])  # fmt: skip
@pytest.mark.parametrize("count", [128, 129, 255, 256])
def test_all_constants_may_be_literals(stage: str, qualifier: str, output: str, count: int) -> None:
    """Each adds a vector of its own to what is turned from step to step."""
    rows = [[1.0 + number / 8, 2.0 + number / 16, -3.0 + number / 4, 0.5 - number / 2] for number in range(count)]
    body = "".join(f"c = c.yzwx + vec4({', '.join(map(str, row))});\n" for row in rows)
    source = f"precision highp float; {qualifier} vec4 v; void main() {{ vec4 c = v; {body} {output} = c; }}"
    expected = np.array([[0.25, 1.5, -2.0, 3.0]])
    found = glslc_multi.compile(source, target="xenos", stage=stage, opt=0).run({"v": expected}, {})[output]
    for row in rows:
        expected = np.roll(expected, -1, axis=1) + row
    np.testing.assert_array_equal(found, expected)
