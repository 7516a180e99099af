"""Lifted code against its source, in algebra; planted faults of the code show in what is lifted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.artifact import Artifact, Verdict
from glslc_multi.compiler.assembly import assemble_text
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.lifting.lift import lift
from glslc_multi.compiler.lifting.operations import Unliftable
from glslc_multi.compiler.proof.modules import prove_module
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.records import replace
from tests.proof.prove import compile_text

VERTEX_TARGETS = ("agal", "pica200", "adreno", "xenos", "vc4")
PIXEL_TARGETS = ("agal", "adreno", "xenos", "vc4")

VERTEX = """
attribute vec4 a_position; attribute vec3 a_normal; attribute vec2 a_uv;
uniform mat4 u_matrix; uniform vec3 u_light[3]; uniform mat3 u_turn; uniform bool u_flip; uniform int u_count;
varying vec3 v_colour; varying vec2 v_uv; varying float v_count;
void main() {
    vec3 n = normalize(u_turn * a_normal);
    v_colour = vec3(0.1);
    for (int i = 0; i < 3; i++) {
        float d = dot(n, u_light[i]);
        if (d > 0.0) v_colour += d * vec3(0.5, 0.25, 0.125) + pow(d, 3.0);
    }
    v_uv = u_flip ? vec2(a_uv.x, 1.0 - a_uv.y) : a_uv;
    v_count = float(u_count) + exp2(a_uv.x) + floor(a_uv.y * 4.0);
    gl_Position = u_matrix * a_position;
}
"""
FRAGMENT = """
precision highp float;
uniform sampler2D u_image; uniform samplerCube u_sky; uniform vec4 u_tint; uniform float u_level;
varying vec3 v_direction; varying vec2 v_uv;
void main() {
    vec4 colour = texture2D(u_image, v_uv * 2.0 + u_tint.xy);
    if (colour.a < u_level) discard;
    vec3 reflected = reflect(v_direction, vec3(0.0, 0.6, 0.8));
    colour.rgb = mix(colour.rgb, textureCube(u_sky, reflected, 1.5).rgb, smoothstep(0.2, 0.9, colour.r));
    gl_FragColor = vec4(sqrt(colour.rgb * colour.rgb + u_tint.rgb * u_tint.rgb), fract(v_uv.x * 7.0));
}
"""
BONES = """
attribute vec4 a_position; attribute float a_bone;
uniform vec4 u_bones[12]; uniform vec4 u_offset[4];
void main() {
    int first = int(a_bone) * 3;
    float x = dot(a_position, u_bones[first]), y = dot(a_position, u_bones[first + 1]);
    gl_Position = vec4(x, y, dot(a_position, u_bones[first + 2]), 1.0) + u_offset[int(a_bone)];
}
"""
LOOP = """#version 300 es
in vec4 a_position;
uniform int u_count; uniform vec4 u_step[8];
void main() {
    vec4 p = a_position;
    for (int i = 0; i < u_count; i++) {
        if (p.x > 2.0) break;
        p += u_step[i];
    }
    gl_Position = p;
}
"""


def lifted(artifact: Artifact, target: str) -> Module:
    """What is lifted of code, optimised."""
    code = find_target(target, DiagnosticSink()).machine_code(artifact, {})
    assert code is not None
    module = lift(code, artifact.reflection)
    assert verify_module(module) == []
    return optimise(module, 2)


def verdict_on(source: Module, artifact: Artifact, target: str) -> Verdict:
    """The verdict on what is lifted of code, beside its source."""
    after = Snapshot(lifted(artifact, target))
    outputs = {v.name: (after.module.find_variable(v.name), 0) for v in source.outputs()}
    return prove_module(Snapshot(source), after, outputs, draws=8)


@pytest.mark.parametrize("optimisation", [0, 2])
@pytest.mark.parametrize("target", VERTEX_TARGETS)
def test_vertex_code_computes_what_its_source_says(target: str, optimisation: int) -> None:
    verdict = verdict_on(*compile_text(VERTEX, target, "vertex", optimisation=optimisation), target)
    assert verdict.outcome in ("equal", "near"), verdict


@pytest.mark.parametrize("optimisation", [0, 2])
@pytest.mark.parametrize("target", PIXEL_TARGETS)
def test_pixel_code_computes_what_its_source_says(target: str, optimisation: int) -> None:
    verdict = verdict_on(*compile_text(FRAGMENT, target, "fragment", optimisation=optimisation), target)
    assert verdict.outcome in ("equal", "near"), verdict


@pytest.mark.parametrize("target", VERTEX_TARGETS)
def test_computed_addresses_are_elements_of_arrays(target: str) -> None:
    source, artifact = compile_text(BONES, target, "vertex")
    assert verdict_on(source, artifact, target).outcome == "equal"
    loads = {
        i.address.variable.name for i in lifted(artifact, target).main.instructions() if i.op is ops.LOAD and i.operands
    }
    assert loads == {"u_bones", "u_offset"}


@pytest.mark.parametrize("target", ["pica200", "adreno", "xenos", "vc4"])
def test_loops_stay_loops(target: str) -> None:
    source, artifact = compile_text(LOOP, target, "vertex")
    assert verdict_on(source, artifact, target).outcome == "equal"
    assert len(lifted(artifact, target).main.blocks) > 2


FAULTS: list[tuple[str, str, str, Callable[[str], str]]] = [
    ("agal", "vertex", VERTEX, lambda text: text.replace("max ", "min ", 1)),
    ("agal", "fragment", FRAGMENT, lambda text: text.replace("sqt ", "abs ", 1)),
    ("pica200", "vertex", VERTEX, lambda text: text.replace("rsq ", "rcp ", 1)),
]


@pytest.mark.parametrize(("target", "stage", "text", "change"), FAULTS)
def test_changed_code_is_lifted_as_it_is(target: str, stage: str, text: str, change: Callable[[str], str]) -> None:
    source, artifact = compile_text(text, target, stage)
    changed = change(artifact.assembly)
    assert changed != artifact.assembly
    machine = find_target(target, DiagnosticSink())
    binary = assemble_text(changed, target=machine, filename="<text>", sink=DiagnosticSink())
    assert verdict_on(source, replace(artifact, binary=binary), target).outcome == "differs"


def test_what_no_shader_says_is_refused() -> None:
    _, artifact = compile_text(VERTEX, "agal", "vertex")
    normal = artifact.reflection.attributes[1]
    location = replace(normal.locations[0], transform="quaternion")
    reflection = replace(artifact.reflection, attributes=(replace(normal, locations=(location,)),))
    code = find_target("agal", DiagnosticSink()).machine_code(artifact, {})
    assert code is not None
    with pytest.raises(Unliftable, match="is quaternion"):
        lift(code, reflection)


CUBE = """
precision highp float;
varying vec3 v_a, v_b; uniform samplerCube u_map;
void main() { gl_FragColor = textureCube(u_map, reflect(v_a, v_b)); }
"""


@pytest.mark.parametrize("target", ["adreno", "xenos"])
def test_cube_maps_are_looked_up_by_directions(target: str) -> None:
    """Where the machine has taken one apart into a face and a point there; all else it computes as the machine does."""
    source, artifact = compile_text(CUBE, target, "fragment")
    assert verdict_on(source, artifact, target).outcome == "equal"
    assert all(each.op is not ops.SELECT for each in lifted(artifact, target).main.instructions())
    machine = find_target(target, DiagnosticSink())
    changed = artifact.assembly.replace("RECIP_IEEE", "SQRT_IEEE")
    binary = assemble_text(changed, target=machine, filename="<text>", sink=DiagnosticSink())
    assert verdict_on(source, replace(artifact, binary=binary), target).outcome == "differs"
    # The middle of a face at 1.25.
    (literal,) = artifact.reflection.literals
    moved = replace(literal, words=tuple(0x3FA00000 if word == 0x3FC00000 else word for word in literal.words))
    other = replace(artifact, reflection=replace(artifact.reflection, literals=(moved,)))
    assert verdict_on(source, other, target).outcome == "differs"
