"""Initializers of uniforms (GLSL 1.20 section 4.3.5): what a shader computes with before a host sets anything."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.report.reflection import register_map
from glslc_multi.runtime.program import Program
from glslc_multi.runtime.shader import CompiledShader, Engine

SHADER = """#version 120
struct Lamp { float power; vec2 reach[2]; };
uniform vec4 tint = vec4(1, 2, 3, 4) * 0.5;
uniform mat2 turn = mat2(1.0, 2.0, 3.0, 4.0);
uniform float weights[3] = float[3](5.0, 6.0, 7.0);
uniform Lamp lamps[2] = Lamp[2](Lamp(1.0, vec2[2](vec2(2.0), vec2(3.0))),
                                Lamp(4.0, vec2[2](vec2(5.0, 6.0), vec2(7.0))));
uniform float plain;
void main() {
    gl_Position = vec4(tint.w + plain, turn[0].y * 10.0 + turn[1].x, weights[2] - weights[0],
                       lamps[1].power * 100.0 + lamps[1].reach[0].y * 10.0 + lamps[0].reach[1].x);
}
"""
#: tint.w = 2; turn has the columns (1, 2) and (3, 4).
EXPECTED = [2.0, 23.0, 2.0, 463.0]


def compiled(source: str = SHADER, target: str = "vc4") -> CompiledShader:
    return glslc_multi.compile(source, target=target, stage="vertex")


@pytest.mark.parametrize("engine", ["reference", "jit", "simulator", "translated"])
def test_what_no_value_is_given_for_has_its_initializer(engine: Engine) -> None:
    shader = compiled()
    assert shader.run({}, {"plain": 0.0}, engine=engine)["gl_Position"].tolist() == [EXPECTED]
    given = {"plain": 0.0, "weights[0]": 1.0, "lamps[1].power": 0.0, "turn": [[0, 0], [0, 0]]}
    assert shader.run({}, given, engine=engine)["gl_Position"].tolist() == [[2.0, 0.0, 6.0, 63.0]]


@pytest.mark.parametrize("engine", ["reference", "simulator"])
def test_other_uniforms_still_need_a_value(engine: Engine) -> None:
    with pytest.raises(CompileError, match="plain"):
        compiled().run({}, {}, engine=engine)


def test_the_map_has_them() -> None:
    found: list[dict[str, Any]] = json.loads(register_map(compiled().artifact))["uniforms"]
    assert {uniform["name"]: uniform.get("default") for uniform in found} == {
        "tint": [0.5, 1.0, 1.5, 2.0],
        "turn": [1.0, 2.0, 3.0, 4.0],
        "weights": [5.0, 6.0, 7.0],
        "lamps[].power": [1.0, 4.0],
        "lamps[].reach": [2.0, 2.0, 3.0, 3.0, 5.0, 6.0, 7.0, 7.0],
        "plain": None,
    }


def test_programs_upload_them_until_they_are_set() -> None:
    values = Program.of(
        compiled("#version 120\nuniform float x = 3;\nvoid main() { gl_Position = vec4(x); }")
    ).new_values()
    assert values.get("x").tolist() == 3.0
    assert struct.pack("<f", 3.0) in b"".join(update.words.tobytes() for update in values.take_updates())
    values["x"] = 5.0
    assert struct.pack("<f", 5.0) in b"".join(update.words.tobytes() for update in values.take_updates())


def test_ints_and_bools_keep_their_kind() -> None:
    source = """#version 130
    uniform uint mask = 4294967295u; uniform bvec2 on = bvec2(true, false); uniform int n = -3;
    void main() { gl_Position = vec4(mask >> 31u, float(on.x && !on.y), n, float(mask == ~0u)); }"""
    shader = compiled(source)
    for engine in ("reference", "simulator"):
        assert shader.run({}, engine=engine)["gl_Position"].tolist() == [[1.0, 1.0, -3.0, 1.0]]
    defaults = {uniform.name: uniform.default for uniform in shader.reflection.uniforms}
    assert defaults == {"mask": (4294967295,), "on": (True, False), "n": (-3,)}


VERTEX = "#version 120\nuniform float a;\nvoid main() { gl_Position = vec4(a); }"


def _fragment(initializer: str) -> str:
    return f"#version 120\nuniform float a{initializer};\nvoid main() {{ gl_FragColor = vec4(a); }}"


def test_of_a_linked_pair_one_initializer_is_enough() -> None:
    program = glslc_multi.link(VERTEX, _fragment(" = 2.5"), target="vc4")
    for shader in program.stages.values():
        (uniform,) = shader.reflection.uniforms
        assert uniform.default == (2.5,)
    assert np.all(Program.of(program).new_values().get("a") == 2.5)


def test_two_initializers_are_equal() -> None:
    vertex = VERTEX.replace("a;", "a = 2.5;")
    glslc_multi.link(vertex, _fragment(" = 5.0 / 2.0"), target="vc4")
    with pytest.raises(CompileError, match="E0523"):
        glslc_multi.link(vertex, _fragment(" = 2.0"), target="vc4")
