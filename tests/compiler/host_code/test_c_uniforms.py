"""Uniforms in C, on a machine whose registers are an array of words: what generated functions leave there is what
`glslc_multi.runtime.program`, which shares no code with them, uploads."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.host_code.c_uniforms import CMachine, CUniforms, RegisterWrite, c_uniforms
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import host_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.records import replace
from glslc_multi.runtime.program import Program, UniformValues
from glslc_multi.runtime.shader import CompiledShader
from tests.host_values import SANITIZED, SANITIZERS, Flat, drawn, give, setter_call, stages_of

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-ffp-contract=off", *SANITIZERS)
TEMPLATE = Path(__file__).parent / "words.c"

EVERYTHING = """#version 300 es
precision highp float;
struct Lamp { mat3 turn; float power; vec2 size[2]; bool lit; };
uniform mat4 m; uniform mat4 bones[3]; uniform Lamp lamps[2]; uniform vec3 v; uniform float f[5];
uniform int number; uniform ivec2 pair; uniform uint word; uniform bool flag; uniform bvec3 flags;
layout(std140) uniform Block { vec4 colour; mat2 tilt; };
in vec4 p;
void main() {
    vec3 sum = v;
    for (int i = 0; i < 3; i++) sum += (bones[i] * p).xyz;
    for (int i = 0; i < 2; i++) sum += lamps[i].lit ? lamps[i].turn * p.xyz * lamps[i].power : lamps[i].size[1].xyx;
    for (int i = 0; i < 5; i++) sum *= f[i];
    if (flag) sum.x += float(number) + float(pair.y);
    if (flags.y) sum.yz += tilt * colour.xy + float(pair.x);
    for (int i = 0; i < number; i++) sum.z += float(word);
    gl_Position = m * vec4(sum, 1.0);
}
"""

COMPUTED = """#version 330
uniform mat3 turn = mat3(2.0); uniform vec3 way = vec3(0.0, -3.0, 4.0); uniform float power; uniform bool on;
in vec3 p;
void main() {
    vec3 there = turn * normalize(way);
    gl_Position = vec4(p * there * (on ? power : sqrt(abs(power))), way.z);
}
"""


class Words:
    """A machine of words, four in each register."""

    def __init__(self) -> None:
        self.spaces: list[str] = []

    def store(self, write: RegisterWrite) -> Iterator[str]:
        array = f"{write.stage}_{write.space}"
        if array not in self.spaces:
            self.spaces.append(array)
        for letter, number in write.numbers.items():
            # A bool is all ones.
            function = {"float": "bits", "int": "(uint32_t)-"}.get(number.type, "(uint32_t)")
            yield f"program->{array}[{write.register}][{'xyzw'.index(letter)}] = {function}({number.text});"


def text_of(made: CUniforms, spaces: Sequence[str], calls: Sequence[str]) -> str:
    return fill(
        TEMPLATE,
        {
            "TYPES": made.types,
            "STATE": made.state,
            "SPACES": [f"uint32_t {array}[1024][4];" for array in spaces],
            "PROTOTYPES": made.prototypes,
            "FUNCTIONS": made.functions,
            "CALLS": calls,
            "PRINTS": [f"print(program->{array});" for array in spaces],
        },
    )


def run(tmp_path: Path, stages: Mapping[str, Artifact], values: Mapping[str, Flat]) -> dict[str, Any]:
    """Words by stage and space after setting `values`, by names of the register map."""
    machine = Words()
    made = c_uniforms(HostProgram(stages, "lit"), CMachine(machine.store))
    known = {uniform.name: uniform for uniform in host_uniforms(stages)}
    calls = [setter_call(f"lit_set_{made.members[name]}", known[name], value) for name, value in values.items()]
    return words_printed(printed(tmp_path, text_of(made, machine.spaces, calls)), machine)


def words_printed(lines: Sequence[str], machine: Words) -> dict[str, Any]:
    """Words by stage and space."""
    again, *found = lines
    assert again == "0", "what has not changed is not computed again"
    words = np.array([int(word, 16) for word in found], np.uint32).reshape(len(machine.spaces), 1024, 4)
    return dict(zip(machine.spaces, words, strict=True))


def printed(tmp_path: Path, text: str) -> list[str]:
    """What a program in C prints."""
    (tmp_path / "lit.c").write_text(text)
    subprocess.run(["cc", *FLAGS, str(tmp_path / "lit.c"), "-o", str(tmp_path / "lit"), "-lm"], check=True)
    done = subprocess.run([str(tmp_path / "lit")], env=SANITIZED, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def check(found: Mapping[str, Any], program: Program, uploaded: UniformValues) -> None:
    """All registers of uniforms, word by word."""
    compared = 0
    for space in program.spaces:
        words = uploaded.words(space.stage, space.name)
        for binding in program.stages[space.stage].reflection.uniforms:
            for place in (place for place in binding.locations if place.space == space.name):
                for column in map("xyzw".index, place.components):
                    register = found[f"{space.stage}_{space.name}"][place.index]
                    assert register[column] == words[place.index, column], (binding.name, place)
                    compared += 1
    assert compared, "there are registers"


def compare(tmp_path: Path, shader: CompiledShader) -> None:
    program, uniforms = Program.of(shader), host_uniforms(stages_of(shader))
    uploaded, values = program.new_values(), drawn(uniforms, 7)
    give(uploaded, uniforms, values)
    check(run(tmp_path, stages_of(shader), values), program, uploaded)


@pytest.mark.parametrize("target", ["pica200", "adreno", "vc4", "xenos"])
def test_registers_hold_what_the_runtime_uploads(tmp_path: Path, target: str) -> None:
    compare(tmp_path, glslc_multi.compile(EVERYTHING, target=target, stage="vertex"))


@pytest.mark.parametrize("target", ["pica200", "adreno", "vc4"])
def test_what_preambles_compute_follows(tmp_path: Path, target: str) -> None:
    shader = glslc_multi.compile(COMPUTED, target=target, stage="vertex", preamble=True)
    assert shader.artifact.preamble is not None
    compare(tmp_path, shader)


def test_initializers_are_there_from_the_start(tmp_path: Path) -> None:
    """Also of uniforms that the preamble alone reads."""
    shader = glslc_multi.compile(COMPUTED, target="adreno", stage="vertex", preamble=True)
    program = Program.of(shader)
    check(run(tmp_path, stages_of(shader), {}), program, program.new_values())


CROWDED = """#version 300 es
precision highp float;
struct S { vec4 b; };
uniform S a; uniform vec4 a_b; uniform vec4 unix; uniform float xor[4]; uniform float all_, defaults;
in vec4 p;
void main() { gl_Position = (p + a.b + a_b + unix * xor[1]) * all_ * defaults; }
"""


def test_names_that_c_has_taken_and_that_meet(tmp_path: Path) -> None:
    stages = stages_of(glslc_multi.compile(CROWDED, target="adreno", stage="vertex"))
    vertex = stages["vertex"]
    # Two names of GLSL that are one in C: no source has them, but linking may.
    (twin, *rest) = vertex.reflection.uniforms
    assert twin.name == "a.b"
    twins = replace(vertex.reflection, uniforms=(twin, replace(twin, name="a$.b"), *rest))
    made = c_uniforms(HostProgram({"vertex": replace(vertex, reflection=twins)}, "lit"), CMachine(Words().store))
    wanted = {"a.b": "a__b", "a$.b": "a__b_2", "a_b": "a_b", "unix": "unix_", "xor": "xor_", "all_": "all_"}
    assert made.members == {**wanted, "defaults": "defaults_2"}


def test_elements_of_an_array_alone_and_never_beyond_it(tmp_path: Path) -> None:
    stages = stages_of(glslc_multi.compile(CROWDED, target="adreno", stage="vertex"))
    machine = Words()
    made = c_uniforms(HostProgram(stages, "lit"), CMachine(machine.store))
    numbers = "(const float[]){1.0f, 2.0f, 3.0f}"
    calls = [f"lit_set_xor_(program, {first}, 3, {numbers});" for first in (1, -1, 4, 2147483647)]
    calls += [f"lit_set_xor_(program, 3, 2147483647, {numbers});", f"lit_set_xor_(program, 0, -1, {numbers});"]
    calls += ['for (int i = 0; i < 4; i++) printf("%g ", (double)program->uniforms.xor_[i]);']
    assert printed(tmp_path, text_of(made, machine.spaces, calls))[:4] == ["0", "1", "2", "1"]
