"""Where programs read and write (section 8 of the reference), what the register map says of it, and the limits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from unittest.mock import ANY

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.fixed_function import DEPTH_STEPS
from glslc_multi.backends.vc4.isa.instructions import word_of_float
from glslc_multi.backends.vc4.machine.run import run
from glslc_multi.backends.vc4.machine.simulate import Inputs, simulate
from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.target import MachineInputs
from glslc_multi.frontends.registry import make_source
from tests.backends.vc4.helpers import floats

_LANES = 16
_NUMBERS = np.random.default_rng(7)
#: Scales of x and y in sixteenths of a pixel, scale and offset of the depth.
_DRIVER = {
    "viewport_x_scale": 160.0,
    "viewport_y_scale": -96.0,
    "viewport_z_scale": 0.375,
    "viewport_z_offset": 0.625,
}


def _compile(source: str, stage: str, **options: object) -> Artifact:
    suffix = "frag" if stage == "fragment" else "vert"
    request = Request(target_options=options)
    return compile_source(make_source(source, f"test.{suffix}", stage), TARGET, request, DiagnosticSink())


def _rows(artifact: Artifact, inputs: Sequence[Array]) -> list[Array]:
    """The rows that a program leaves, as words of 16 lanes."""
    stream = [_word(kind, source) for kind, source in artifact.reflection.stream]
    vpm = {row: values.astype(np.float32).view(np.uint32) for row, values in enumerate(inputs)}
    result = simulate(unpack(artifact.binary).words, Inputs(uniforms=stream, vpm=vpm))
    return [row[0] for row in result.vpm]


def _word(kind: str, source: str) -> int:
    if kind == "uniform":
        name, column, row = source.split(".")
        return word_of_float(float(_MATRICES[name][int(column)]["xyzw".index(row)]))
    return word_of_float(_DRIVER[kind]) if kind in _DRIVER else int(source, 16)


#: Elements of uniforms by the names of the stream, as columns.
_MATRICES = {f"m[{element}]": _NUMBERS.uniform(-1.0, 1.0, (4, 4)) for element in range(2)}
_POSITION = _NUMBERS.uniform(-1.0, 1.0, (4, _LANES)) + np.array([[0.0], [0.0], [0.0], [3.0]])
_INPUTS = [*_POSITION, *_NUMBERS.uniform(-2.0, 2.0, (4, _LANES))]


def _fixed(position: Array) -> tuple[Array, Array, Array, Array]:
    """Window coordinates in sixteenths, depth and 1/w, as section 8 has them."""
    x, y, z, w = position
    window = [np.trunc(one * scale / w) for one, scale in ((x, 160.0), (y, -96.0))]
    return window[0], window[1], z * 0.375 / w + 0.625, 1.0 / w


@pytest.mark.parametrize("sized", [False, True])
@pytest.mark.parametrize("stage", ["vertex", "coordinate"])
@pytest.mark.parametrize("divides", [False, True])
def test_rows_are_where_the_hardware_expects_them(stage: str, sized: bool, divides: bool) -> None:
    size = "gl_PointSize = q.x;" if sized else ""
    end = "p" if divides else "vec4(p.xyz, 1.0)"
    source = f"attribute vec4 p, q; varying vec3 v; void main() {{ v = q.yzw; {size} gl_Position = {end}; }}"
    rows = _rows(_compile(source, stage), _INPUTS)
    position = _POSITION if divides else np.stack([*_POSITION[:3], np.ones(_LANES)])
    if stage == "coordinate":
        assert np.allclose([floats(row) for row in rows[:4]], position)
        rows = rows[4:]
    x, y, depth, inverse = _fixed(position)
    found = rows[0].view(np.int16).reshape(-1, 2)
    assert np.abs(found[:, 0] - x).max() <= 1 and np.abs(found[:, 1] - y).max() <= 1
    assert np.allclose(floats(rows[1]), depth, atol=1e-4)
    assert np.allclose(floats(rows[2]), inverse, atol=1e-4)
    if sized:
        assert np.allclose(floats(rows[3]), np.maximum(_INPUTS[4], 0.125))
    if stage == "vertex":
        first = 4 if sized else 3
        assert np.allclose([floats(row) for row in rows[first : first + 3]], _INPUTS[5:8])


@pytest.mark.parametrize("product", ["p * {}", "{} * p"])
@pytest.mark.parametrize("element", [0, 1])
def test_the_stream_names_components_as_glsl_does(product: str, element: int) -> None:
    """`name[element].column.component`, however the code keeps the matrix."""
    source = f"attribute vec4 p; uniform mat4 m[2]; void main() {{ gl_Position = {product.format(f'm[{element}]')}; }}"
    columns = _MATRICES[f"m[{element}]"]
    expected = columns @ _POSITION if product == "p * {}" else columns.T @ _POSITION
    rows = _rows(_compile(source, "coordinate"), _POSITION)
    assert np.allclose([floats(row) for row in rows[:4]], expected, atol=1e-5)


def test_points_have_a_size_of_one_where_the_shader_gives_none() -> None:
    source = "attribute vec4 p; varying float v; void main() { v = p.x; gl_Position = p; }"
    rows = _rows(_compile(source, "vertex", primitive="points"), _INPUTS)
    assert np.allclose(floats(rows[3]), 1.0)
    assert np.allclose(floats(rows[4]), _INPUTS[0])


def test_a_position_that_is_not_written_is_the_centre() -> None:
    rows = _rows(_compile("attribute vec4 p; varying float v; void main() { v = p.x; }", "vertex"), _INPUTS)
    assert not rows[0].any()
    assert np.allclose(floats(rows[1]), 0.625) and np.allclose(floats(rows[2]), 1.0)
    assert np.allclose(floats(rows[3]), _INPUTS[0])


def test_rows_beyond_one_read_are_read_by_a_second() -> None:
    names = [f"a{n}" for n in range(6)]
    source = (
        f"attribute vec4 {', '.join(names)}; varying vec4 v; void main() {{ v = a1 - a5 + a0 * a2; gl_Position = a4; }}"
    )
    inputs = [*_NUMBERS.uniform(-2.0, 2.0, (24, _LANES))]
    artifact = _compile(source, "vertex")
    used = [row for binding in artifact.reflection.attributes for row in _indices(binding)]
    assert used == list(range(20))
    rows = _rows(artifact, inputs)
    by_name = {binding.name: _indices(binding) for binding in artifact.reflection.attributes}
    a0, a1, a2, a5 = (np.array([inputs[row] for row in by_name[name]]) for name in ("a0", "a1", "a2", "a5"))
    assert np.allclose([floats(row) for row in rows[3:7]], a1 - a5 + a0 * a2, atol=1e-4)


def _indices(binding: Binding) -> list[int]:
    return [location.index for location in binding.locations]


# ------------------------------------------------------------------------------------------------ fragments
def test_the_position_of_a_pixel_is_its_centre_its_depth_and_the_reciprocal_of_w() -> None:
    artifact = _compile("precision highp float; void main() { gl_FragColor = gl_FragCoord; }", "fragment", output="raw")
    lanes = np.arange(_LANES)
    window = np.stack([lanes + 3.5, 40.5 - lanes, lanes / 16.0, 0.25 + lanes / 8.0], axis=1)
    found = run(artifact, MachineInputs(_LANES, inputs={"window": {0: window}}), {}).outputs["tlb"][0]
    assert np.allclose(found, window, atol=1e-4)
    assert [location.space for binding in artifact.reflection.inputs for location in binding.locations] == ["window"]


@pytest.mark.parametrize("value", [-0.5, 0.0, 0.25, 0.8125, 1.0, 1.75])
def test_depth_is_in_steps_of_24_bits(value: float) -> None:
    text = (
        f"#extension GL_EXT_frag_depth : require\nprecision highp float; void main() {{ gl_FragDepthEXT = {value}; }}"
    )
    artifact = _compile(text, "fragment")
    found = run(artifact, MachineInputs(_LANES), {}).outputs["tlb"][1][:, 0]
    assert np.abs(found - np.clip(value, 0.0, 1.0)).max() <= 1.0 / DEPTH_STEPS
    assert (artifact.reflection.host_state or {})["depth"] is True


def test_the_word_of_a_colour_without_values_is_0() -> None:
    artifact = _compile("precision highp float; void main() { vec4 c; gl_FragColor = c; }", "fragment")
    assert (run(artifact, MachineInputs(_LANES), {}).outputs["tlb"][0] == 0.0).all()


# --------------------------------------------------------------------------------------------- register map
_LARGE = """
attribute vec4 p; attribute mat2 q; attribute float unused;
uniform mat3 m; uniform vec4 k[3]; uniform bool on; uniform ivec2 n; uniform mat2 t[2]; uniform sampler2D s[2];
varying vec3 v; varying vec2 w[2]; varying mat2 x;
void main() {
    gl_PointSize = p.x;
    v = m * p.xyz + k[int(p.y)].wyz + texture2D(s[1], p.xy).xyz;
    w[1] = q[1] * (on ? 1.0 : float(n.y)) + t[int(p.z)][1] + t[1][int(p.w)];
    x = q;
    gl_Position = p * k[1];
}
"""


def _locations(binding: Binding) -> list[tuple[str, int, int, int, int]]:
    return [(place.space, place.index, place.element, place.column, place.first) for place in binding.locations]


def test_the_register_map_names_every_component() -> None:
    artifact = _compile(_LARGE, "vertex")
    found = artifact.reflection
    all_bindings = (*found.attributes, *found.uniforms, *found.varyings, *found.samplers, *found.outputs)
    bindings = {binding.name: binding for binding in all_bindings}
    assert "unused" not in bindings
    assert _locations(bindings["p"]) == [("vpm_in", row, 0, 0, row) for row in range(4)]
    assert _locations(bindings["q"]) == [("vpm_in", 4 + n, 0, n // 2, n % 2) for n in range(4)]
    # Position packed, depth, 1/w and the size of points come before.
    assert _locations(bindings["v"]) == [("vpm_out", 4 + n, 0, 0, n) for n in range(3)]
    assert _locations(bindings["w"]) == [("vpm_out", 7 + n, n // 2, 0, n % 2) for n in range(4)]
    assert _locations(bindings["x"]) == [("vpm_out", 11 + n, 0, n // 2, n % 2) for n in range(4)]
    assert _locations(bindings["gl_PointSize"]) == [("vpm_out", 3, 0, 0, 0)]
    assert _locations(bindings["gl_Position"]) == []
    assert _locations(bindings["s"]) == [("texture", n, n, 0, 0) for n in range(2)]
    types = {name: binding.type for name, binding in bindings.items() if not name.startswith("gl_")}
    assert types == {
        "p": "vec4",
        "q": "mat2",
        "m": "mat3",
        "k": "vec4",
        "on": "bool",
        "n": "ivec2",
        "t": "mat2",
        "v": "vec3",
        "w": "vec2",
        "x": "mat2",
        "s": "sampler2D",
    }
    lengths = {name: binding.length for name, binding in bindings.items() if binding.length is not None}
    assert lengths == {"k": 3, "t": 2, "w": 2, "s": 2}
    assert found.stage == "vertex" and found.target == "vc4"
    assert found.limits == {
        "registers": (artifact.stats.registers, 64),
        "attribute_arrays": (3, 8),
        "attribute_rows": (8, 63),
        "varyings": (11, 32),
        "samplers": (2, 16),
    }
    expected = {"primitive": "triangles", "point_size": True, "depth": False, "threads": 1}
    assert found.host_state == expected


def test_the_stream_is_what_its_words_say() -> None:
    """A uniform's place in the map is its place in the list; slices of arrays follow each other in memory."""
    found = _compile(_LARGE, "vertex").reflection
    buffers: dict[int, tuple[str, int, int, int]] = {}
    for binding in found.uniforms:
        for place in binding.locations:
            if place.space == "stream":
                text = f"{binding.name}[{place.element}].{place.column}.{'xyzw'[place.first]}"
                assert found.stream[place.index] == ("uniform", text)
            else:
                assert place.index not in buffers
                buffers[place.index] = binding.name, place.element, place.column, place.first
    assert sorted(buffers) == list(range(len(buffers)))
    starts = {int(source) for kind, source in found.stream if kind == "buffer"}
    slices = [
        *([("k", element, 0, component) for element in range(2)] for component in (1, 2, 3)),
        *([("t", element, 1, component) for element in range(2)] for component in (0, 1)),
        # `t[1][i]` reads a slice with all columns of all elements.
        *([("t", 0, column, component) for column in range(2)] for component in (0, 1)),
    ]
    assert sorted([buffers[start], buffers[start + 1]] for start in starts) == sorted(slices)
    assert {kind for kind, _ in found.stream} == {
        *("uniform", "constant", "buffer", "texture_config0_lod", "texture_config1_lod", "texture_config2_lod"),
        *_DRIVER,
    }


def test_the_map_of_a_pair_leaves_out_what_no_one_reads() -> None:
    artifact = _compile(_LARGE, "coordinate")
    found = artifact.reflection
    assert {binding.name for binding in found.attributes} == {"p"}
    assert found.varyings == ()
    places = {binding.name: _locations(binding) for binding in found.outputs}
    assert places["gl_Position"] == [("vpm_out", n, 0, 0, n) for n in range(4)]
    assert places["gl_PointSize"] == [("vpm_out", 7, 0, 0, 0)]


def test_outputs_of_fragments_are_bytes_or_floats_of_the_tile_buffer() -> None:
    text = "#extension GL_EXT_frag_depth : require\nprecision highp float; varying vec4 v; uniform sampler2D s;"
    source = f"{text} void main() {{ gl_FragColor = v + texture2D(s, v.xy); gl_FragDepthEXT = v.x; }}"
    places: dict[str, Mapping[str, list[tuple[str, int, str, str]]]] = {}
    for output in ("raw", "rgba8"):
        found = _compile(source, "fragment", output=output).reflection
        places[output] = {
            b.name: [(place.space, place.index, place.components, place.transform) for place in b.locations]
            for b in found.outputs
        }
        assert [_locations(b) for b in found.varyings] == [[("varying", n, 0, 0, n) for n in range(4)]]
    assert places["raw"] == {
        "gl_FragColor": [("tlb", 0, "xyzw", "identity")],
        "gl_FragDepthEXT": [("tlb", 1, "x", "identity")],
    }
    assert places["rgba8"] == {"gl_FragColor": [("tlb", 0, "xyzw", "unorm8")], "gl_FragDepthEXT": []}


# ----------------------------------------------------------------------------------------------- statistics
def test_statistics_are_those_of_the_text() -> None:
    shader = glslc_multi.compile(_LARGE, target="vc4", stage="vertex")
    lines = shader.assembly.strip().splitlines()
    both = [line for line in lines if re.match(r"(?!nop)\w[^;]*; (?!nop|ldtmu|thr|load)\w", line)]
    stats = shader.stats
    extra = stats.extra or {}
    assert stats.instructions == stats.code_words == extra["alu_slots"] == len(lines)
    assert extra["dual_slots"] == len(both)
    assert stats.registers == len(set(re.findall(r"\br[ab]\d+\b", shader.assembly)))
    parts = [part for line in lines for part in line.split("; ") if part != "nop"]
    assert extra["operations"] == len(parts)
    assert sum(count for name, count in extra.items() if name.startswith("nops_")) == lines.count("nop")
    stream = shader.reflection.stream
    assert extra["uniform_words"] == len(stream)
    assert stats.constants == sum(kind == "constant" for kind, _ in stream)


# --------------------------------------------------------------------------------------------------- limits
_LIMITS = {
    "varyings": (33, 32, "varying vec4 v[8]; varying float w;", "v[0] + v[7] + w", "components of varyings"),
    "samplers": (17, 16, "varying vec4 v[1]; uniform sampler2D s[17];", "texture2D(s[0], v[0].xy)", "samplers"),
}


@pytest.mark.parametrize("name", _LIMITS)
def test_limits_are_said_with_what_is_needed(name: str) -> None:
    need, limit, declarations, value, what = _LIMITS[name]
    with pytest.raises(CompileError) as caught:
        _compile(f"precision highp float; {declarations} void main() {{ gl_FragColor = {value}; }}", "fragment")
    (error,) = caught.value.diagnostics
    assert error.code == "E0701"
    assert (error.values["need"], error.values["limit"], error.values["what"]) == (str(need), str(limit), what)


@pytest.mark.parametrize("stage", ["vertex", "coordinate"])
def test_a_program_without_attributes_reads_a_number_of_the_array_that_a_record_must_have(stage: str) -> None:
    shader = _compile("void main() { gl_Position = vec4(1.0); }", stage)
    limits = _limits(shader)
    assert limits["attribute_arrays"] == (1, 8) and limits["attribute_rows"] == (1, 63)
    assert shader.reflection.attributes == ()
    # One row of words from row 0 on: section 8.2.
    assert "ldi vr_setup, 0x101a00" in shader.assembly and _reads(shader, "vpm") == 1


@pytest.mark.parametrize("stage", ["vertex", "coordinate"])
def test_attributes_come_from_8_arrays(stage: str) -> None:
    """A shader record has room for eight, and a column of a matrix takes one."""

    def source(last: str, read: str) -> str:
        names = [f"a{n}" for n in range(6)]
        total = " + ".join([*names, read])
        return f"attribute vec4 {', '.join(names)}; attribute {last}; void main() {{ gl_Position = {total}; }}"

    assert _compile(source("mat2 z", "z[1].xyxy"), stage).reflection.limits == {
        "registers": ANY,
        "attribute_arrays": (8, 8),
        "attribute_rows": (28, 63),
        "varyings": (0, 32),
        "samplers": (0, 16),
    }
    assert _limits(_compile(source("mat4 z", "z[1]"), stage))["attribute_arrays"] == (8, 8)
    with pytest.raises(CompileError) as caught:
        _compile(source("mat4 z", "z[2]"), stage)
    (error,) = caught.value.diagnostics
    assert error.code == "E0701" and (error.values["need"], error.values["limit"]) == ("9", "8")


def test_the_map_has_what_is_read_of_the_inputs() -> None:
    """A shader record says how many rows and varyings the program takes; those in between are taken, too."""
    declarations = "precision highp float; attribute vec4 p, q, r; varying vec4 v, w;"
    vertex = _compile(f"{declarations} void main() {{ gl_Position = p * q.y + r.z; }}", "vertex")
    assert [len(binding.locations) for binding in vertex.reflection.attributes] == [4, 4, 3]
    assert _limits(vertex)["attribute_rows"] == (_reads(vertex, "vpm"), 63) == (11, 63)
    source = "precision highp float; varying vec4 v, w, x; void main() { gl_FragColor = vec4(v.z, w.y, 0, 1); }"
    fragment = _compile(source, "fragment")
    assert [len(binding.locations) for binding in fragment.reflection.varyings] == [4, 2]
    assert _limits(fragment)["varyings"] == (_reads(fragment, "vary"), 32) == (6, 32)


@pytest.mark.parametrize(("primitive", "count"), [("triangles", 0), ("lines", 1), ("points", 2)])
@pytest.mark.parametrize("used", [0, 1])
def test_varyings_that_the_hardware_puts_in_front_are_taken(primitive: str, count: int, used: int) -> None:
    source = f"precision highp float; varying float v; void main() {{ gl_FragColor = vec4({'v' if used else 1.0}); }}"
    assert _reads(_compile(source, "fragment", primitive=primitive), "vary") == count + used


def _limits(artifact: Artifact) -> Mapping[str, tuple[int, int]]:
    return artifact.reflection.limits or {}


def _reads(artifact: Artifact, queue: str) -> int:
    """How many words of the code take something from a queue."""
    return sum(bool(re.search(rf", {queue}\b", line)) for line in artifact.assembly.splitlines())


_REFUSED = {
    "gradients": ("EXT_shader_texture_lod", "gl_FragColor = texture2DGradEXT(s, v.xy, v.zw, v.yx);"),
    "several colours": ("EXT_draw_buffers", "gl_FragData[0] = v; gl_FragData[1] = v.wzyx;"),
}


@pytest.mark.parametrize("what", _REFUSED)
def test_what_the_machine_cannot_do_is_refused(what: str) -> None:
    with pytest.raises(CompileError) as caught:
        extension, body = _REFUSED[what]
        declarations = "precision highp float; varying vec4 v; uniform sampler2D s;"
        _compile(f"#extension GL_{extension} : enable\n{declarations} void main() {{ {body} }}", "fragment")
    assert [error.code for error in caught.value.diagnostics] == ["E0702"]
    assert what in str(caught.value.diagnostics[0].values["construct"])
