"""Code generation: shaders with values computed here, what the code looks like, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.xenos_family.isa.validate import validate
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.runtime.textures import Texture

LEVELS = (0, 1, 2, 3)


def _fragment(body: str, declarations: str = "", opt: int = 2) -> glslc_multi.CompiledShader:
    lines = declarations.splitlines()
    extensions = "".join(f"{line}\n" for line in lines if line.startswith("#"))
    rest = "".join(f"{line}\n" for line in lines if not line.startswith("#"))
    source = f"{extensions}precision highp float;\n{rest}void main() {{\n{body}\n}}\n"
    return glslc_multi.compile(source, target="adreno", stage="fragment", opt=opt)


def _vertex(body: str, declarations: str, opt: int = 2) -> glslc_multi.CompiledShader:
    return glslc_multi.compile(
        f"{declarations}\nvoid main() {{\n{body}\n}}\n", target="adreno", stage="vertex", opt=opt
    )


def _colour(shader: glslc_multi.CompiledShader, uniforms: dict[str, object] | None = None, **inputs: Array) -> Array:
    return np.asarray(shader.run(inputs, uniforms or {})["gl_FragColor"])


# ------------------------------------------------------------------------------------------------------- values
@pytest.mark.parametrize("opt", LEVELS)
def test_matrix_times_position(opt: int) -> None:
    shader = _vertex("v = uv * 2.0; gl_Position = m * vec4(p, 1.0);", _TRANSFORM, opt)
    points, places, matrix = _random((7, 3)), _random((7, 2)), _random((4, 4))
    found = shader.run({"p": points, "uv": places}, {"m": matrix})
    expected = np.hstack([points, np.ones((7, 1))]) @ matrix.T
    np.testing.assert_allclose(found["gl_Position"], expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found["v"], places * 2, rtol=1e-6)


_TRANSFORM = "attribute vec3 p; attribute vec2 uv; uniform mat4 m; varying vec2 v;"


@pytest.mark.parametrize("opt", LEVELS)
def test_lanes_leave_a_loop_at_different_times(opt: int) -> None:
    shader = _fragment(_COUNTING, "varying float v;", opt)
    limits = np.array([0.5, 3.5, 10.0, 90.0])

    def expected(limit: float) -> float:
        return sum(1.0 if i % 2 == 0 else i for i in range(60) if i <= limit)

    found = _colour(shader, v=limits)
    np.testing.assert_allclose(found[:, 0], [expected(limit) for limit in limits])


_COUNTING = """
  float t = 0.0;
  for (int i = 0; i < 60; i++) {
    if (float(i) > v) break;
    if (mod(float(i), 2.0) < 0.5) { t += 1.0; } else { t += float(i); }
  }
  gl_FragColor = vec4(t);"""


@pytest.mark.parametrize("opt", LEVELS)
def test_nested_branches_take_the_path_of_each_lane(opt: int) -> None:
    body = """
  float r = 0.0;
  if (v.x > 0.0) {
    if (v.y > 0.0) { r = 1.0; for (int i = 0; i < 40; i++) { if (float(i) >= v.z) break; r *= 1.5; r -= 0.25; } }
    else { r = 2.0 + sqrt(abs(v.y)); r = r * r + v.z; r = floor(r * 4.0) + exp2(r * 0.125); }
  } else {
    if (v.y > 0.0) { r = 4.0 - v.z; } else { for (int i = 0; i < 30; i++) { if (r > v.z) break; r += 0.75; } }
  }
  gl_FragColor = vec4(r);"""
    shader = _fragment(body, "varying vec3 v;", opt)
    values = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-2.25, 0.5) for z in (0.5, 3.0, 7.5)])
    reference = np.asarray(shader.run({"v": values}, {}, engine="reference")["gl_FragColor"])
    np.testing.assert_allclose(_colour(shader, v=values), reference, rtol=1e-5)


def test_discarded_pixels() -> None:
    shader = _fragment("if (v.x < 0.25) discard; gl_FragColor = vec4(v, 0.0, 1.0);", "varying vec2 v;")
    values = np.array([[0.0, 1.0], [0.5, 1.0], [0.25, 0.0]])
    assert np.asarray(shader.run({"v": values}, {})["discarded"]).tolist() == [True, False, False]


def test_uniforms_are_indexed_by_a0() -> None:
    shader = _fragment(
        "gl_FragColor = u[int(v)] + m[k][1].xxxx;",
        "varying float v; uniform vec4 u[5]; uniform mat2 m[2]; uniform int k;",
    )
    numbers, matrices = _random((5, 4)), _random((2, 2, 2))
    indices = np.array([0.0, 4.0, 2.5])
    found = _colour(shader, {"u": numbers, "m": matrices, "k": 1}, v=indices)
    np.testing.assert_allclose(found, numbers[indices.astype(int)] + matrices[1][0, 1], rtol=1e-5)


def test_built_in_inputs() -> None:
    shader = _fragment("gl_FragColor = gl_FrontFacing ? gl_FragCoord : vec4(gl_PointCoord, 0.0, 0.0);")
    window = np.array([[10.5, 20.5, 0.25, 0.5], [3.5, 0.5, 0.75, 2.0]])
    inputs = {"gl_FragCoord": window, "gl_FrontFacing": [True, False], "gl_PointCoord": [[0.0, 0.0], [0.25, 0.5]]}
    found = _colour(shader, None, **{name: np.asarray(value) for name, value in inputs.items()})
    np.testing.assert_allclose(found, [window[0], [0.25, 0.5, 0.0, 0.0]], rtol=1e-6)


def test_derivatives_in_blocks_of_pixels() -> None:
    shader = _fragment(
        "gl_FragColor = vec4(dFdx(v), dFdy(v));", "#extension GL_OES_standard_derivatives : enable\nvarying vec2 v;"
    )
    corners = np.array([[0.0, 1.0], [2.0, 1.5], [0.5, 4.0], [2.5, 4.5]])
    found = np.asarray(shader.run({"v": corners}, {}, quads=True)["gl_FragColor"])
    np.testing.assert_allclose(found, [[2.0, 0.5, 0.5, 3.0]] * 4)


def test_cube_maps_are_sampled_at_every_face() -> None:
    shader = _fragment("gl_FragColor = textureCube(s, v);", "varying vec3 v; uniform samplerCube s;")
    faces = np.arange(6 * 2 * 2 * 4, dtype=np.uint8).reshape(6, 2, 2, 4) * 2
    textures = {"s": Texture(faces, filter="nearest", wrap="clamp")}
    directions = np.concatenate([_random((40, 3)), np.vstack([np.eye(3), -np.eye(3)]) + 0.125])
    found = np.asarray(shader.run({"v": directions}, {}, textures)["gl_FragColor"])
    reference = np.asarray(shader.run({"v": directions}, {}, textures, engine="reference")["gl_FragColor"])
    np.testing.assert_allclose(found, reference, atol=1e-6)


# --------------------------------------------------------------------------------------------------------- code
def test_scalar_functions_run_beside_vector_operations() -> None:
    shader = _fragment("gl_FragColor = vec4(v.xyz * u.xyz, inversesqrt(v.w));", "varying vec4 v; uniform vec4 u;")
    assert (shader.stats.extra or {})["alu_slots"] == 1


def test_a_matrix_meets_a_position_whose_last_component_is_1_in_three_operations() -> None:
    shader = _vertex("gl_Position = m * vec4(p, 1.0);", "attribute vec3 p; uniform mat4 m;")
    assert (shader.stats.extra or {})["alu_slots"] == 3


def test_samples_around_a_place_compute_their_coordinates_together() -> None:
    body = "gl_FragColor = texture2D(s, v + d) + texture2D(s, v - d);"
    shader = _fragment(body, "varying vec2 v; uniform vec2 d; uniform sampler2D s;")
    assert (shader.stats.extra or {})["alu_slots"] == 2


def test_limits_cost_nothing() -> None:
    shader = _fragment("gl_FragColor = clamp(v * u, 0.0, 1.0);", "varying vec4 v; uniform vec4 u;")
    assert "CLAMP" in shader.assembly
    assert (shader.stats.extra or {})["alu_slots"] == 1


def test_text_assembles_to_the_same_program() -> None:
    shader = _fragment(_COUNTING, "varying float v;")
    assert glslc_multi.assemble(shader.assembly, "adreno") == shader.binary
    assert validate(unpack(shader.binary), "fragment") == []


def test_an_output_that_is_not_written_is_exported_all_the_same() -> None:
    shader = _fragment("if (v > 0.0) discard;", "varying float v;")
    assert np.asarray(shader.run({"v": np.array([1.0, -1.0])}, {})["discarded"]).tolist() == [True, False]


# ------------------------------------------------------------------------------------------------------- limits
def _codes(failure: pytest.ExceptionInfo[CompileError]) -> list[str]:
    return [found.code for found in failure.value.diagnostics if found.severity == "error"]


@pytest.mark.parametrize(
    ("declarations", "body", "code"),
    [
        ("uniform vec4 u[230]; varying float v;", "gl_FragColor = u[int(v)];", "E0701"),
        ("varying vec4 v[17];", "gl_FragColor = v[0] + v[16];", "E0701"),
        ("#extension GL_EXT_frag_depth : enable", "gl_FragDepthEXT = 0.5; gl_FragColor = vec4(1.0);", "E0702"),
    ],
)
def test_what_does_not_fit_is_refused(declarations: str, body: str, code: str) -> None:
    with pytest.raises(CompileError) as failure:
        _fragment(body, declarations)
    assert _codes(failure) == [code]


def test_a_program_that_is_too_long_says_how_long_it_is() -> None:
    lines = "\n".join(f"r = sin(r * v.x + {n}.0) * cos(r + v.y * {n}.5);" for n in range(100))
    with pytest.raises(CompileError, match="instruction slots, adreno has 384") as failure:
        _fragment(f"float r = v.z;\n{lines}\ngl_FragColor = vec4(r);", "varying vec3 v;")
    (found,) = failure.value.diagnostics
    assert "must go" in (found.help or "")
    # The first lines have their place, and the last ones have none.
    assert found.span is not None and 25 < found.span.line < 100


def _random(shape: tuple[int, ...]) -> Array:
    return np.random.default_rng(7).uniform(-2.0, 2.0, shape)


def test_a_linked_vertex_program_hands_on_the_depth() -> None:
    vertex = "attribute vec4 p; varying vec4 v; void main() { v = p.wzyx; gl_Position = p; }"
    fragment = "precision highp float; varying vec4 v; void main() { gl_FragColor = v + gl_FragCoord.zzww; }"
    pair = glslc_multi.link(vertex, fragment, target="adreno")
    inputs = simulate_exports(pair.stages["vertex"].binary, np.array([[1.0, 2.0, 3.0, 2.0], [0.5, 1.0, -1.0, 4.0]]))
    # Viewport: z is scaled by 0.5, then 0.25 is added.
    np.testing.assert_allclose(inputs[1][:2], [[0.5 * 1.5 + 0.25, 0.5 * -0.25 + 0.25], [2.0, 4.0]], rtol=1e-6)
    state = pair.stages["fragment"].reflection.host_state or {}
    assert state["depth_register"] == 1


def simulate_exports(binary: bytes, positions: Array) -> Mapping[int, Array]:
    """The exports of a vertex program with one attribute, and the constants of a viewport."""
    index = np.zeros((4, len(positions)), np.float32)
    index[0] = np.arange(len(positions))
    constants = {65: (0.0, 0.0, 0.25, 0.0), 66: (1.0, 1.0, 0.5, 0.0)}
    buffers = {60: positions.astype(np.float32).tobytes()}
    run = Inputs(constants=constants, registers={0: index}, buffers=buffers)
    return simulate(unpack(binary), run, len(positions)).outputs


# ------------------------------------------------------------------------------------------------------ dual issue
def _alu_slots(shader: glslc_multi.CompiledShader) -> int:
    return (shader.stats.extra or {})["alu_slots"]


def test_a_constant_is_exported_beside_an_operation_of_three_sources() -> None:
    shader = _fragment("gl_FragColor = vec4(mix(u.rgb, v.rgb, v.a), 1.0);", "varying vec4 v; uniform vec4 u;")
    assert _alu_slots(shader) == 2
    assert "RETAIN_PREV" in shader.assembly
    values, fog = _random((5, 4)), _random((4,))
    mixed = fog[:3] + (values[:, :3] - fog[:3]) * values[:, 3:]
    np.testing.assert_allclose(_colour(shader, {"u": fog}, v=values), np.hstack([mixed, np.ones((5, 1))]), rtol=1e-5)


def test_the_scalar_unit_goes_on_from_its_previous_result() -> None:
    body = "float s = sqrt(a.w) * b.x; gl_FragColor = vec4(a.xyz * u.xyz + b.yzw * u.yzx, s);"
    shader = _fragment(body, "varying vec4 a, b; uniform vec4 u;")
    assert "MUL_PREVs" in shader.assembly
    first, second, factor = np.abs(_random((6, 4))), _random((6, 4)), _random((4,))
    expected = first[:, :3] * factor[:3] + second[:, 1:] * factor[[1, 2, 0]]
    found = _colour(shader, {"u": factor}, a=first, b=second)
    np.testing.assert_allclose(found[:, :3], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[:, 3], np.sqrt(first[:, 3]) * second[:, 0], rtol=1e-5)


def test_a_normalised_vector_in_a_dot_product_costs_no_vector_operation() -> None:
    shader = _fragment("gl_FragColor = vec4(dot(u.xyz, normalize(v)));", "varying vec3 v; uniform vec4 u;")
    # Two dot products, beside the second the root, and the product of both results.
    assert _alu_slots(shader) == 3


def test_how_many_slots_are_full_is_counted() -> None:
    extra = _fragment("gl_FragColor = vec4(v.xyz * u.xyz, sqrt(v.w));", "varying vec4 v; uniform vec4 u;").stats.extra
    assert extra is not None
    assert (extra["dual_slots"], extra["alu_slots"], extra["dual_percent"]) == (1, 1, 100)


@pytest.mark.parametrize("opt", [0, 2, "s"])
@pytest.mark.parametrize("target", ["adreno", "xenos"])
def test_a_comparison_chooses_and_one_of_its_components_is_a_number(target: str, opt: int | str) -> None:
    source = """#version 300 es
in vec4 p, q;
void main() { bvec4 c = lessThan(p, q); gl_Position = mix(p, q * 2.0, c) + float(c.y); }"""
    p = np.array([[1.0, 2.0, 3.0, 4.0], [4.0, 1.0, -2.0, 0.5]])
    q = np.array([[2.0, 1.0, 5.0, 4.0], [3.0, 2.0, -3.0, 1.5]])
    found = glslc_multi.compile(source, target=target, stage="vertex", opt=opt).run({"p": p, "q": q}, {})
    np.testing.assert_array_equal(found["gl_Position"], [[4.0, 2.0, 10.0, 4.0], [5.0, 5.0, -1.0, 4.0]])
