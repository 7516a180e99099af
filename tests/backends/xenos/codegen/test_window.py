"""Where the window's rows are counted from: the chip's upper edge, or OpenGL's lower one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa.container import unpack
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.runtime.shader import CompiledShader, Engine

HEIGHT, ROW = 480.0, 100.0
#: Row 100 from the top of a window of 480 rows, by its centre.
FROM_TOP, FROM_BOTTOM = 100.5, 379.5
DERIVED = "#extension GL_OES_standard_derivatives : enable\n"


def _compile(body: str, head: str = "", **options: object) -> CompiledShader:
    source = f"{head}precision highp float; varying vec2 v; void main() {{ gl_FragColor = {body}; }}"
    return glslc_multi.compile(source, target="xenos", stage="fragment", options=options)


def _on_the_chip(shader: CompiledShader) -> Any:
    """The colour of the pixel in column 7, row 100: what the parameter register brings, and the uniforms."""
    place = next((b.locations[0].index for b in shader.reflection.uniforms if b.name == "gl_WindowHeight"), None)
    constants: dict[int, tuple[float, ...]] = {} if place is None else {place: (HEIGHT, 0.0, 0.0, 0.0)}
    for literal in shader.reflection.literals:
        constants[literal.location.index] = tuple(np.array(literal.words, np.uint32).view(np.float32)) + (0.0,) * 3
    constants = {number: row[:4] for number, row in constants.items()}
    register = int((shader.reflection.host_state or {})["parameter_register"])
    registers = {register: np.array([[7.0], [ROW], [0.0], [0.0]], np.float32)}
    return simulate(unpack(XENOS, shader.binary), Inputs(constants, registers)).outputs[0][:, 0]


@pytest.mark.parametrize(("option", "y"), [(False, FROM_TOP), (True, FROM_BOTTOM)])
def test_rows_are_counted_from_where_the_option_says(option: bool, y: float) -> None:
    shader = _compile("vec4(gl_FragCoord.xy, 0.0, 1.0)", xenos_lower_left=option)
    assert list(_on_the_chip(shader)[:2]) == [7.5, y]
    assert ((shader.reflection.host_state or {}).get("window_origin") == "lower-left") == option
    assert [b.name for b in shader.reflection.uniforms] == ["gl_WindowHeight"] * option


def test_columns_need_no_height() -> None:
    shader = _compile("vec4(gl_FragCoord.x)", xenos_lower_left=True)
    assert shader.reflection.uniforms == ()
    assert _on_the_chip(shader)[0] == 7.5


@pytest.mark.parametrize("option", [False, True])
@pytest.mark.parametrize(
    ("layout", "y"), [("origin_upper_left", FROM_TOP), ("origin_upper_left, pixel_center_integer", FROM_TOP - 0.5)]
)
def test_a_shader_that_asks_for_the_upper_corner_gets_it(layout: str, y: float, option: bool) -> None:
    source = f"""#version 150
layout({layout}) in vec4 gl_FragCoord; out vec4 c; void main() {{ c = gl_FragCoord; }}"""
    shader = glslc_multi.compile(source, target="xenos", stage="fragment", options={"xenos_lower_left": option})
    assert _on_the_chip(shader)[1] == y


@pytest.mark.parametrize("engine", ["simulator", "translated"])
def test_a_run_is_that_of_opengl(engine: Engine) -> None:
    """Values by GLSL's names are GLSL's: the simulated chip gets its rows, and the height of the window."""
    shader = _compile("vec4(gl_FragCoord.xy, dFdx(v.x), dFdy(v.y) * gl_FragCoord.y)", DERIVED, xenos_lower_left=True)
    window = np.array([[8.5, 20.5, 0, 1], [9.5, 20.5, 0, 1], [8.5, 21.5, 0, 1], [9.5, 21.5, 0, 1]])
    inputs = {"gl_FragCoord": window, "v": [[0.0, 1.0], [2.0, 1.5], [0.5, 4.0], [2.5, 4.5]]}
    found = shader.run(inputs, {"gl_WindowHeight": HEIGHT}, quads=True, engine=engine)["gl_FragColor"]
    wanted = [[x, y, 2.0, 3.0 * y] for x, y in window[:, :2]]
    np.testing.assert_allclose(found, wanted)


def test_derivatives_along_y_have_the_other_sign_on_the_chip() -> None:
    """Lanes 2 and 3 of a block are in the next row of the chip's window, which is below."""
    results = []
    for option in (False, True):
        program = unpack(XENOS, _compile("vec4(dFdy(v), dFdx(v))", DERIVED, xenos_lower_left=option).binary)
        v = np.array([[0.0, 2.0, 0.5, 2.5], [1.0, 1.5, 4.0, 4.5], [0.0] * 4, [0.0] * 4], np.float32)
        results.append(simulate(program, Inputs(registers={0: v}, quads=True), 4).outputs[0][:, 0])
    assert results[0].tolist() == [0.5, 3.0, 2.0, 0.5]
    assert results[1].tolist() == [-0.5, -3.0, 2.0, 0.5]


def test_linked_stages_have_the_height_too() -> None:
    vertex = "attribute vec4 p; varying vec2 v; void main() { v = p.xy; gl_Position = p; }"
    fragment = "precision highp float; varying vec2 v; void main() { gl_FragColor = gl_FragCoord + v.xyxy; }"
    pair = glslc_multi.link(vertex, fragment, target="xenos", options={"xenos_lower_left": True})
    shader = pair.stages["fragment"]
    window = np.array([[8.5, 20.5, 0.25, 1.0]])
    found = shader.run({"gl_FragCoord": window, "v": [[0, 0]]}, {"gl_WindowHeight": HEIGHT})["gl_FragColor"]
    np.testing.assert_allclose(found, window)
