"""Lifted programs leave what the simulator says: own ones on many values, and recorded ones of the open driver."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.backends.vc4.isa.asm import assemble
from glslc_multi.backends.vc4.isa.container import pack, unpack
from glslc_multi.backends.vc4.isa.fixed_function import SMALLEST_POINT
from glslc_multi.backends.vc4.machine.code import machine_code
from glslc_multi.backends.vc4.machine.host_values import words_by_lane
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact, Stats
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Constant, Module, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.lifting.lift import lift
from glslc_multi.compiler.lifting.operations import Unliftable
from glslc_multi.compiler.lifting.parts import Part
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.proof.modules import prove_module
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.records import replace
from glslc_multi.runtime.reference import run_module
from tests.proof.prove import compile_text
from tests.shared_data import shared_parameters, shared_path, shared_root

LANES = 1000
#: On the edges of floors, saturations and comparisons.
EDGES = (0.0, 1.0, -1.0, 0.5, 2.0, -0.25)
#: What another operation would leave as well may be this far away: the unit computes 13 bits.
NEAR = 2e-3

STRAIGHT = """
precision highp float; varying vec4 v; varying vec2 v_uv;
uniform vec4 u; uniform mat3 u_turn; uniform sampler2D u_image;
void main() {
    vec3 n = u_turn * v.xyz;
    float d = dot(n, n) + 0.5;
    gl_FragColor = vec4(n / d + sqrt(d), exp2(v.w)) * u + texture2D(u_image, v_uv).bgra;
    gl_FragColor.x += floor(v.w * 3.0 + 0.15) - fract(u.x + v.y) + ceil(v.w + 0.3) + log2(d) + inversesqrt(d);
}
"""
BRANCHES = """
precision highp float; varying vec4 v; varying vec2 v_uv; uniform vec4 u; uniform bool u_flip; uniform int u_count;
uniform vec4 u_step[6]; uniform sampler2D u_image;
void main() {
    vec4 c = v;
    for (int i = 0; i < u_count; i++) {
        if (c.x > 1.4) break;
        c = abs(c.yzwx) * 0.9 + u_step[i];
        if (c.y < -0.7) continue;
        c.z += 0.25;
    }
    if (u_flip && c.w > 0.3 || v.x < -1.1) c = texture2D(u_image, c.xy) - c;
    if (v.y + v.z < u.x) discard;
    gl_FragColor = c;
}
"""
WORDS = """#version 300 es
precision highp float; precision highp int;
flat in ivec2 v_i; in vec4 v; uniform int u_k; uniform mat3 u_turns[3]; out vec4 colour;
const float weights[7] = float[7](0.1, 0.25, 0.3, 0.4, -0.5, 0.75, 0.8);
void main() {
    int mixed = ((v_i.x << 3) + v_i.y ^ v_i.x * 5) & 0x3f;
    bool far = v.x > 0.5 != v_i.x > 1;
    mixed += v_i.x * (u_k - 9 * v_i.y) - (v_i.x - 30 * v_i.y) / 8;
    vec3 turned = u_turns[u_k] * v.yzw;
    float last = turned.x + turned.y * turned.z + u_turns[v_i.x][v_i.y].z;
    colour = vec4(float(mixed) / 8.0, far ? -v.y : abs(v.z), weights[v_i.x + 3], last);
}
"""
VERTEX = """
attribute vec4 a_position; attribute vec3 a_normal; attribute float a_bone;
uniform mat4 u_matrix; uniform vec4 u_bones[6]; uniform vec3 u_light; varying vec3 v_colour; varying float v_side;
void main() {
    vec3 n = normalize(a_normal + vec3(0.0, 0.0, 3.0));
    vec4 moved = a_position + u_bones[int(a_bone) + 2];
    v_colour = n * max(dot(n, u_light), 0.0);
    v_side = moved.x > 0.0 ? moved.y : -1.0;
    gl_Position = u_matrix * moved;
}
"""
TEXTURE = Texture(np.random.default_rng(2).integers(0, 256, (8, 8, 4), dtype=np.uint8), filter="nearest", wrap="repeat")


def lifted(artifact: Artifact, *, is_complete: bool = True) -> Module:
    """What is lifted of code, optimised."""
    module = lift(machine_code(artifact), artifact.reflection, is_complete=is_complete)
    verify_module(module)
    return optimise(module, 2)


@pytest.mark.parametrize("optimisation", [0, 2])
@pytest.mark.parametrize("text", [STRAIGHT, BRANCHES, WORDS, VERTEX], ids=["straight", "branches", "words", "vertex"])
def test_lifted_programs_leave_what_the_simulator_says(text: str, optimisation: int) -> None:
    stage = "vertex" if text is VERTEX else "fragment"
    options = {"output": "raw"} if stage == "fragment" else {}
    shader = glslc_multi.compile(text, target="vc4", stage=stage, opt=optimisation, options=options)
    found, kept, wanted = values_of(shader, lifted(shader.artifact))
    assert kept.sum() > LANES / 4
    for name, value in found.items():
        is_near = np.isclose(value[kept], wanted[name][kept], rtol=NEAR, atol=NEAR)
        # Where a comparison is decided by the last bits, the other way is as good.
        assert is_near.mean() > 0.995, name


def test_bytes_of_pixels_and_texels_are_shares() -> None:
    shader = glslc_multi.compile(STRAIGHT, target="vc4", stage="fragment")
    module = lifted(shader.artifact)
    assert not {"iand", "ior", "ishl", "ushr", "ftoi", "bitcast_ftoi"} & {i.op.name for i in module.main.instructions()}
    found, kept, wanted = values_of(shader, module)
    (name,) = found
    assert np.isclose(np.clip(found[name][kept], 0.0, 1.0), wanted[name][kept], atol=0.6 / 255).mean() > 0.99


def values_of(shader: Any, module: Module) -> tuple[dict[str, Array], Array, dict[str, Array]]:
    """What a lifted module leaves, which pixels are kept, and what the simulator leaves."""
    random = np.random.default_rng(7)
    own = {v.name: v for v in shader.module.variables.values() if v.storage in ("attribute", "varying", "uniform")}
    if shader.reflection.stage == "vertex":
        own = {name: v for name, v in own.items() if v.storage != "varying"}
    inputs = {name: _numbers(random, v, LANES) for name, v in own.items() if v.storage != "uniform"}
    uniforms = {name: _numbers(random, v, 1)[0] for name, v in own.items() if v.storage == "uniform"}
    images = {name: TEXTURE for name, v in shader.module.variables.items() if v.storage == "sampler"}
    wanted = shader.run(inputs, uniforms, images)
    left = [v.name for v in module.variables.values() if v.storage not in ("output", "sampler")]
    found = run_module(
        module,
        {name: inputs[name] for name in left if name in inputs},
        {name: uniforms[name] for name in left if name in uniforms},
        {v.name: TEXTURE for v in module.of_storage("sampler")},
    )
    own_discarded, discarded = (x.pop("discarded", np.zeros(LANES, bool)).astype(bool) for x in (found, wanted))
    assert (own_discarded != discarded).mean() < 0.005
    return found, ~(discarded | own_discarded), wanted


def _numbers(random: np.random.Generator, variable: Variable, count: int) -> Array:
    """Values of a variable, a third of them on edges; of counts and numbers of elements, small ones."""
    shape = (count, *(v for v in (*variable.dims, variable.columns, variable.type.width) if v > 1))
    if variable.type.kind != "float":
        return random.integers(1 if variable.type.kind == "bool" else 0, 3, shape)
    if variable.name == "a_bone":
        return random.integers(-2, 4, shape).astype(np.float32)
    numbers = random.uniform(-2.0, 2.0, shape).astype(np.float32)
    return np.where(random.random(shape) < 1 / 3, random.choice(np.array(EDGES, np.float32), shape), numbers)


def test_products_and_quotients_of_whole_numbers_are_whole() -> None:
    artifact = glslc_multi.compile(WORDS, target="vc4", stage="fragment", opt=0).artifact
    names = {instruction.op.name for instruction in lifted(artifact).main.instructions()}
    assert {"imul", "idiv", "ixor"} <= names
    assert not {"ishl", "ishr", "ushr"} & names


def test_derivatives_are_found_again() -> None:
    text = """#extension GL_OES_standard_derivatives : enable
    precision highp float; varying vec2 v; void main() { gl_FragColor = vec4(dFdx(v.x), dFdy(v.y * v.x), 0.0, 1.0); }"""
    shader = glslc_multi.compile(text, target="vc4", stage="fragment", options={"output": "raw"})
    v = np.random.default_rng(4).uniform(-2.0, 2.0, (LANES, 2)).astype(np.float32)
    result = evaluate(lifted(shader.artifact), {"v": v}, {}, lanes=LANES, quads=True)
    np.testing.assert_allclose(
        result.outputs["gl_FragColor"], shader.run({"v": v}, quads=True)["gl_FragColor"], atol=1e-5
    )


def test_the_chip_gives_positions_and_sides_of_pixels() -> None:
    text = """precision highp float;
    void main() { gl_FragColor = gl_FrontFacing ? gl_FragCoord : vec4(gl_FragCoord.yx, 0.5, 0.25); }"""
    artifact = glslc_multi.compile(text, target="vc4", stage="fragment", options={"output": "raw"}).artifact
    place = np.array([[3.5, 7.5, 0.25, 0.5], [9.5, 1.5, 0.75, 2.0]])
    result = evaluate(lifted(artifact), {"gl_FragCoord": place, "gl_FrontFacing": np.array([True, False])}, {}, lanes=2)
    np.testing.assert_allclose(
        result.outputs["gl_FragColor"], [[3.5, 7.5, 0.25, 0.5], [1.5, 9.5, 0.5, 0.25]], rtol=1e-6
    )


@pytest.mark.parametrize("own", ["", "gl_FragDepthEXT = v.x * 0.5 + v.y;"])
def test_depths_are_shares(own: str) -> None:
    text = f"""#extension GL_EXT_frag_depth : enable
    precision highp float; varying vec2 v; void main() {{ gl_FragColor = v.xyxy; {own} }}"""
    shader = glslc_multi.compile(text, target="vc4", stage="fragment", options={"depth": True})
    module = lifted(shader.artifact)
    v = np.random.default_rng(4).uniform(0.0, 0.6, (LANES, 2)).astype(np.float32)
    assert not {"ftoi", "itof"} & {instruction.op.name for instruction in module.main.instructions()}
    if own:
        depth = evaluate(module, {"v": v}, {}, lanes=LANES).outputs["gl_FragDepthEXT"]
        np.testing.assert_allclose(depth, v[:, 0] * 0.5 + v[:, 1], rtol=1e-6)


def test_points_have_a_place_inside_before_their_varyings() -> None:
    text = "precision highp float; varying vec2 v; void main() { gl_FragColor = vec4(gl_PointCoord, v); }"
    artifact = glslc_multi.compile(text, target="vc4", stage="fragment", options={"output": "raw"}).artifact
    given = {"gl_PointCoord": np.array([[0.25, 0.75]]), "v": np.array([[2.0, 3.0]])}
    result = evaluate(lifted(artifact), given, {}, lanes=1)
    np.testing.assert_allclose(result.outputs["gl_FragColor"], [[0.25, 0.75, 2.0, 3.0]])


def _as_stored(module: Module) -> Module:
    """A module whose outputs are what the chip keeps: shares of 1, constant ones as bytes, and points of some size."""
    copy = clone_module(module)
    for store in [i for i in copy.main.instructions() if i.op is ops.STORE]:
        role, value = store.address.variable.role, store.operands[-1]
        b = Builder.before(store)
        if role == "point_size":
            store.set_operand(0, b.op(ops.FMAX, value, float_constant(SMALLEST_POINT)))
        elif role in ("frag_color", "frag_data"):
            parts = [Part.of(value, component) for component in range(value.type.width)]
            store.set_operand(len(store.operands) - 1, b.construct(*(_byte(part, b) for part in parts)))
    return copy


def _byte(part: Part, b: Builder) -> Value:
    if isinstance(part.value, Constant):
        return float_constant(int(min(max(part.key, 0.0), 1.0) * 255.0 + 0.5) / 255.0)  # type: ignore[call-overload]
    return b.op(ops.FSATURATE, b.extract(part.value, part.component))


def _real_shaders() -> list[Path]:
    return sorted((shared_root() / "corpus/real").glob("*.[vf]*"))[:: 1 if os.environ.get("GLSLC_MULTI_ALL") else 6]


@pytest.mark.parametrize("path", shared_parameters("corpus/real", _real_shaders()), ids=lambda path: path.name)
def test_code_of_real_shaders_is_lifted_and_says_what_they_say(path: Path) -> None:
    stage = "vertex" if path.suffix == ".vert" else "fragment"
    try:
        source, artifact = compile_text(path.read_text(encoding="utf-8"), "vc4", stage)
    except CompileError:
        pytest.skip("the machine does not have it")
    module = lifted(artifact)
    after = Snapshot(_as_stored(module))
    outputs = {v.name: (after.module.find_variable(v.name), 0) for v in source.outputs()}
    verdict = prove_module(Snapshot(_as_stored(optimise(source, 2))), after, outputs, draws=4)
    # What a source leaves undefined, or is too long for, nobody can compare.
    assert verdict.outcome in ("equal", "near", "unknown"), verdict


# --- Without a register map -------------------------------------------------------------------------------------------


def _artifact(words: bytes) -> Artifact:
    reflection = load_target("vc4").read_interface(words, "<test>", DiagnosticSink())
    assert reflection is not None
    return Artifact(words, str, reflection, Stats(0, 0, 0, 0))


def _recorded() -> list[Mapping[str, Any]]:
    cases: list[Mapping[str, Any]] = json.loads(shared_path("golden/vc4/mesa_programs.json").read_text())["cases"]
    return [case for case in cases if "vpm_out" in case or "tlb_writes" in case]


def _floats(words: list[str]) -> Array:
    return np.array([int(word, 16) for word in words], np.uint32).view(np.float32).astype(np.float64)


def test_recorded_programs_of_a_driver_are_lifted_by_their_words_alone() -> None:
    """Beside what an emulator has left of them."""
    cases = _recorded()
    assert len(cases) > 10
    for case in cases:
        words = b"".join(int(word, 16).to_bytes(8, "little") for word in case["words"])
        artifact = _artifact(words)
        assert artifact.reflection.stage == {"coord": "coordinate"}.get(case["stage"], case["stage"])
        module = lifted(artifact, is_complete=False)
        uniforms = {f"unif{n}": value for n, value in enumerate(_floats(case["uniform_stream"]))}
        uniforms |= {f"viewport_{name}": 512.0 for name in ("x_scale", "y_scale")}
        uniforms |= {f"viewport_z_{name}": 0.5 for name in ("scale", "offset")}
        inputs = {f"vpm{row}": _floats(values) for row, values in case.get("vpm_in", {}).items()}
        for number, varying in enumerate(case.get("varyings", ())):
            added = _floats([varying["c"]])
            inputs[f"vary{number}"] = _floats(varying["interp"]) * _floats(case["w_ra15"]) + added
        own = {v.name: v.storage for v in module.variables.values()}
        result = evaluate(
            module,
            {name: value for name, value in inputs.items() if own.get(name) in ("attribute", "varying")},
            {name: value for name, value in uniforms.items() if name in own},
            {name: TEXTURE for name, storage in own.items() if storage == "sampler"},
            lanes=16,
        )
        if case["stage"] == "fragment":
            _compare_pixels(case, result.outputs, np.asarray(result.discarded, bool))
        else:
            _compare_vertices(case, result.outputs)


def _compare_pixels(case: Mapping[str, Any], outputs: Mapping[str, Array], discarded: Array) -> None:
    (write,) = case["tlb_writes"]
    bytes_ = np.array([int(word, 16) if word else 0 for word in write["v"]], np.uint32).view(np.uint8).reshape(16, 4)
    colour = np.clip(outputs["gl_FragColor"], 0.0, 1.0) * 255.0
    np.testing.assert_allclose(colour[~discarded], bytes_[~discarded], atol=1.01, err_msg=case["name"])


def _compare_vertices(case: Mapping[str, Any], outputs: Mapping[str, Array]) -> None:
    position, rows = outputs["gl_Position"], case["vpm_out"]
    if case["stage"] == "coord":
        np.testing.assert_allclose(position.T, [_floats(row) for row in rows[:4]], rtol=1e-4, err_msg=case["name"])
        return
    halves = words_by_lane([int(word, 16) for word in rows[0]], 1).view(np.int16).reshape(16, 2)
    np.testing.assert_allclose(position[:, :2] / position[:, 3:] * 512.0, halves, atol=1.01, err_msg=case["name"])
    np.testing.assert_allclose(position[:, 2] / position[:, 3] * 0.5 + 0.5, _floats(rows[1]), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(1.0 / position[:, 3], _floats(rows[2]), rtol=1e-3)
    for number, row in enumerate(rows[3:]):
        np.testing.assert_allclose(outputs[f"vary{number}"], _floats(row), rtol=1e-3, atol=1e-3)


END = "\nnop; thrend\nnop\nsbdone\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mov r0, vary\nmov tlbc, r5", "a part of a varying"),
        ("mov r0, elem_num\nmov tlbc, r0", "the number of a lane"),
        ("nop; loadc\nmov tlbc, r4", "the tile buffer"),
        ("mov r1, unif\nnop\nnop; mov r0, r1 << 3\nmov tlbc, r0", "what another lane has"),
    ],
)
def test_what_no_shader_says_is_refused(text: str, reason: str) -> None:
    words = pack(assemble(text + END, "<test>", DiagnosticSink()))
    with pytest.raises(Unliftable, match=reason):
        lifted(_artifact(words), is_complete=False)


FAULTS: list[tuple[str, Callable[[str], str]]] = [
    (STRAIGHT, lambda text: text.replace("fsub r", "fadd r", 1)),
    (STRAIGHT, lambda text: text.replace("recipsqrt", "recip", 1)),
    (WORDS, lambda text: text.replace("xor ", "or ", 1)),
    (BRANCHES, lambda text: text.replace("ifc ", "ifcc ", 1)),
]


@pytest.mark.parametrize(("text", "change"), FAULTS)
def test_changed_code_leaves_something_else(text: str, change: Callable[[str], str]) -> None:
    shader = glslc_multi.compile(text, target="vc4", stage="fragment", options={"output": "raw"})
    changed = change(shader.assembly)
    assert changed != shader.assembly
    binary = pack(assemble(changed, "<test>", DiagnosticSink()))
    assert unpack(binary) != unpack(shader.binary)
    found, kept, wanted = values_of(shader, lifted(replace(shader.artifact, binary=binary)))
    assert any(np.isclose(found[n][kept], wanted[n][kept], rtol=NEAR, atol=NEAR).mean() < 0.99 for n in found)
