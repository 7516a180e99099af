"""Programs of ours do on an independent reader of AGAL and an independent GPU what our simulator says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.target import MachineInputs, MachineOutputs
from glslc_multi.runtime.simulator import Simulated, run_artifact
from glslc_multi.runtime.textures import Texture
from tests.backends.agal.compiled import build, dyadic
from tests.generators.glsl import LANES, Program, Stage, generate
from tests.generators.run_glsl import textures_of

pytest.importorskip("moderngl", reason="needs moderngl, which renders without a window")

from tests.backends.agal.independent.opengl import OpenGl, for_opengl
from tests.backends.agal.independent.reader import convert, what_is_missing

#: Programs to make, and those of them that the reader must take at least.
_COUNT, _LEAST = 80, 60
_TOLERANCE = 1e-5


@cache
def gpu() -> OpenGl:
    """The GPU; the test is skipped where something that it needs is missing."""
    if missing := what_is_missing():
        pytest.skip(f"needs {missing}")
    try:
        return OpenGl()
    except Exception as error:
        pytest.skip(f"needs a software GPU behind EGL (Debian: libegl1, libgl1-mesa-dri): {error}")


@dataclass(frozen=True, slots=True)
class OnGpu:
    """A target whose programs run elsewhere than on our simulator."""

    stage: str
    glsl: str
    whole_numbers: ClassVar[WholeNumbers | None] = None

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        return gpu().run(for_opengl(self.glsl), self.stage, inputs)


def compiled(count: int) -> list[tuple[Program, Simulated]]:
    """Generated shaders that fit version 1, without cube maps."""
    found: list[tuple[Program, Simulated]] = []
    random = Random(7)
    stages: tuple[Stage, ...] = ("vertex", "fragment")
    while len(found) < count:
        program = generate(random, stages[len(found) % 2])
        if any(texture["kind"] == "cube" for texture in program.textures.values()):
            continue
        try:
            found.append((program, build(program.source, program.stage)))
        except CompileError:
            continue
    return found


#: Shapes of which generated programs have few: indices of constants, matrices of three rows, discards, textures.
_SKINNING = """
uniform vec4 u_bones[12]; attribute vec4 a_position; attribute float a_bone; varying vec3 v_normal;
void main() {
    int bone = int(a_bone) * 3;
    vec4 a = a_position;
    vec4 p = vec4(dot(u_bones[bone], a), dot(u_bones[bone + 1], a), dot(u_bones[bone + 2], a), 1.0);
    v_normal = normalize(p.xyz + vec3(9.0));
    gl_Position = p;
}"""
_PALETTE = """
uniform mat4 u_bones[4]; uniform mat3 u_normal;
attribute vec4 a_position; attribute float a_bone; varying vec3 v_normal;
void main() {
    gl_Position = u_bones[int(a_bone)] * a_position;
    v_normal = u_normal * a_position.yzx;
}"""
_DISCARD = """
precision highp float;
uniform sampler2D u_map; varying vec4 v_a;
void main() {
    vec4 colour = texture2D(u_map, v_a.xy * 0.25 + 0.5);
    if (colour.x + v_a.z < 0.4) discard;
    gl_FragColor = pow(abs(v_a.z) + 1.0, 1.5) * colour + reflect(v_a, vec4(0.5)).wzyx;
}"""


@pytest.mark.parametrize(
    ("source", "stage", "inputs"),
    [(_SKINNING, "vertex", ("a_position",)), (_PALETTE, "vertex", ("a_position",)), (_DISCARD, "fragment", ("v_a",))],
)
def test_a_shader_agrees(source: str, stage: Stage, inputs: tuple[str, ...]) -> None:
    gpu()
    shader = build(source, stage)
    (glsl,) = convert([shader.artifact.binary])
    assert glsl is not None
    values: dict[str, Any] = {name: dyadic(3, LANES, 4).tolist() for name in inputs}
    shapes = {"u_bones": 4 * 16 if "mat4 u_bones" in source else 12 * 4, "u_normal": 9}
    uniforms = {name: dyadic(5, size).tolist() for name, size in shapes.items() if name in source}
    if stage == "vertex":
        values["a_bone"] = [lane % 4 for lane in range(LANES)]
    image = np.arange(64, dtype=np.uint8).reshape(4, 4, 4) * 4
    program = Program(stage, source, uniforms, values, {}, {}, False)
    assert (
        farthest(program, shader, glsl, {"u_map": Texture(image, wrap="clamp")} if "u_map" in source else {})
        <= _TOLERANCE
    )


@pytest.mark.thorough
def test_generated_programs_agree() -> None:
    gpu()
    programs = compiled(_COUNT)
    texts = convert([shader.artifact.binary for _, shader in programs])
    apart = {}
    for (program, shader), glsl in zip(programs, texts, strict=True):
        if glsl is not None:
            apart[program.source] = farthest(program, shader, glsl, textures_of(program))
    assert {source: error for source, error in apart.items() if error > _TOLERANCE} == {}
    assert len(apart) >= _LEAST


def farthest(program: Program, shader: Simulated, glsl: str, textures: Mapping[str, Texture]) -> float:
    """How far the GPU's results are from the simulator's at most."""
    there = Simulated(OnGpu(program.stage, glsl), shader.artifact, shader.module)  # type: ignore[arg-type]
    given = program.inputs, program.uniforms, textures
    wanted, found = (
        run_artifact(engine, *given, lanes=LANES, quads=program.quads, fill=True) for engine in (shader, there)
    )
    lost = np.asarray(wanted.pop("discarded", np.zeros(LANES, np.bool_)))
    assert np.array_equal(found.pop("discarded", lost), lost)
    return max((_distance(found[name][~lost], values[~lost]) for name, values in wanted.items()), default=0.0)


def _distance(theirs: Array, ours: Array) -> float:
    """The largest difference, relative where numbers are large."""
    finite = np.isfinite(ours)
    apart = np.abs(theirs - ours)[finite] / np.maximum(1.0, np.abs(ours[finite]))
    return float(apart.max(initial=0.0))
