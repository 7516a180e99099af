"""Linked stages as one: what linking renames, packs and moves is proven, and a fault in it differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import glslc_multi
from glslc_multi.backends.agal.codegen.varyings import linked_places
from glslc_multi.backends.vc4.codegen import abi as vc4_abi
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.lowering.interface.at_vertices import AtVertices, write_at_vertices
from glslc_multi.compiler.proof.numbers import NO_MEANING
from glslc_multi.compiler.records import replace
from tests.proof.prove import prove_linked_text

TARGETS = ("agal", "adreno", "xenos", "vc4", "pica200")

VERTEX = """
attribute vec4 p; attribute vec3 n; attribute vec2 t; uniform mat4 m;
varying vec3 v_n; varying vec2 v_t; varying vec4 v_unread;
void main() { gl_Position = m * p; v_n = n * 0.5; v_t = t; v_unread = p; }
"""
FRAGMENT = """
precision mediump float;
varying vec3 v_n; varying vec2 v_t; uniform vec4 k; uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v_t * k.xy + k.zw) * vec4(v_n.zxy, 1.0); }
"""


@pytest.mark.parametrize("optimisation", [0, 2, 3])
@pytest.mark.parametrize("target", TARGETS)
def test_what_linking_moves_is_proven(target: str, optimisation: int) -> None:
    """PICA200 computes places in textures at the vertices, from a uniform that was the other stage's."""
    verdict = prove_linked_text(VERTEX, FRAGMENT, target, optimisation=optimisation, draws=8)
    assert verdict.outcome in ("equal", "near"), verdict
    assert verdict.draws == 8


#: gl_FragCoord comes from the position in all of these: by a varying of AGAL, and of the others for z and w.
PLACES = FRAGMENT.replace("v_n.zxy, 1.0", "v_n.z * gl_FragCoord.xy, gl_FragCoord.zw")


@pytest.mark.parametrize("target", ["agal", "adreno", "xenos", "vc4"])
def test_places_of_pixels_follow_from_positions(target: str) -> None:
    assert prove_linked_text(VERTEX, PLACES, target, draws=8).outcome in ("equal", "near")


def test_places_of_pixels_in_texture_coordinates() -> None:
    vertex = "attribute vec2 p, t; varying vec2 v_t; void main() { v_t = t; gl_Position = vec4(p, 0.0, 1.0); }"
    fragment = """
    precision mediump float; varying vec2 v_t; uniform sampler2D s; uniform vec2 k;
    void main() { gl_FragColor = texture2D(s, v_t + gl_FragCoord.yx * k); }
    """
    assert prove_linked_text(vertex, fragment, "pica200", draws=8).outcome in ("equal", "near")


FLAT = """#version 300 es
in vec4 p, t; flat out ivec2 v_i; flat out vec2 v_f; out vec2 v_s;
void main() { gl_Position = p; v_i = ivec2(t * 9.0); v_f = t.zw; v_s = t.yx; }
"""
FLAT_PIXELS = """#version 300 es
precision highp float; precision highp int;
flat in ivec2 v_i; flat in vec2 v_f; in vec2 v_s; out vec4 c;
void main() { c = vec4(v_f * v_s + dFdx(v_s), vec2(v_i) * 0.01); }
"""


@pytest.mark.parametrize("target", ["adreno", "xenos", "vc4"])
def test_flat_varyings_are_of_one_vertex(target: str) -> None:
    assert prove_linked_text(FLAT, FLAT_PIXELS, target, draws=8).outcome in ("equal", "near")


def test_ints_that_no_vertex_writes_say_nothing() -> None:
    vertex = """#version 300 es
    in vec4 p; flat out ivec2 v_i;
    void main() { ivec2 i; if (gl_MaxDrawBuffers == 77) i = ivec2(3); v_i = i; gl_Position = p; }
    """
    fragment = """#version 300 es
    precision mediump float; flat in ivec2 v_i; out vec4 c;
    void main() { c = vec4(v_i, 0, 1); }
    """
    verdict = prove_linked_text(vertex, fragment, "vc4")
    assert (verdict.outcome, verdict.reason) == ("unknown", f"too few draws count: {NO_MEANING}")


def test_another_vertex_of_flat_varyings_differs() -> None:
    """The bits that say which varyings are flat, without the first."""

    def change(stage: str, artifact: Any) -> Any:
        state = dict(artifact.reflection.host_state)
        if stage == "fragment":
            state["flat_varyings"] &= ~1
        return replace(artifact, reflection=replace(artifact.reflection, host_state=state))

    verdict = prove_linked_text(FLAT, FLAT_PIXELS, "vc4", draws=8, change=change)
    assert verdict.outcome == "differs", verdict


# --- Faults in the code of the vertex stage ---------------------------------------------------------------------------

SENT = """
attribute vec4 p; attribute vec3 n; attribute vec2 t; varying vec3 v_n; varying vec3 v_t;
void main() { gl_Position = p; v_n = n; v_t = t.xyx; }
"""
READ = """
precision mediump float; varying vec3 v_n; varying vec3 v_t; uniform vec3 k;
void main() { gl_FragColor = vec4(v_n + v_t.zxy * k, 1.0); }
"""
#: By target, what sends the first varying, one component of it twice and its negation; registers of both varyings.
TEXTS = {
    "agal": ("mov v0, va1.xyz", "mov v0, va1.xyy", "neg v0, va1.xyz", ("v0", "v1")),
    "adreno": ("R0.wyzw, R0.wyzw", "R0.wyyw, R0.wyyw", "-R0.wyzw, -R0.wyzw", ("export0", "export1")),
    "xenos": ("R0.wyzw, R0.wyzw", "R0.wyyw, R0.wyyw", "-R0.wyzw, -R0.wyzw", ("export0", "export1")),
}


def changed_text(target: str, fault: str) -> Callable[[str], str]:
    right, another, negated, (first, second) = TEXTS[target]
    if fault == "exchanged":
        return lambda text: text.replace(first, "@").replace(second, first).replace("@", second)
    wrong = another if fault == "dropped" else negated
    return lambda text: text.replace(right, wrong)


@pytest.mark.parametrize("fault", ["exchanged", "dropped", "negated"])
@pytest.mark.parametrize("target", TEXTS)
def test_code_that_sends_something_else_differs(target: str, fault: str) -> None:
    verdict = prove_linked_text(SENT, READ, target, draws=4, change_text=changed_text(target, fault))
    assert verdict.outcome == "differs", verdict
    assert any(note.startswith("at corner 1, with n.x = ") for note in verdict.notes)


@pytest.mark.parametrize("options", [{}, {"xenos_lower_left": True}])
def test_pixels_lie_between_the_same_vertices_whichever_way_rows_go(options: dict[str, bool]) -> None:
    fragment = READ.replace("1.0)", "gl_FragCoord.y)")
    assert prove_linked_text(SENT, fragment, "xenos", options=options).outcome == "equal"


def test_varyings_in_the_order_of_another_stage_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """VC4 numbers varyings in the order in which the fragment stage reads them."""
    right = vc4_abi._varyings

    def reversed_in_the_vertex_stage(module: Any, linked: Any) -> Any:
        parts = right(module, linked)
        return parts[::-1] if module.stage == "vertex" else parts

    monkeypatch.setattr(vc4_abi, "_varyings", reversed_in_the_vertex_stage)
    assert prove_linked_text(SENT, READ, "vc4", draws=4).outcome == "differs"


# --- Faults in linking ------------------------------------------------------------------------------------------------


def exchanged(outputs: Sequence[AtVertices]) -> Sequence[AtVertices]:
    """Coordinates of two textures, one in the place of the other."""
    first, second, *rest = outputs
    return [replace(first, terms=second.terms), replace(second, terms=first.terms), *rest]


def without_a_component(outputs: Sequence[AtVertices]) -> Sequence[AtVertices]:
    first, *rest = outputs
    return [replace(first, terms=(first.terms[0], *first.terms[:-1])), *rest]


def with_another_sign(outputs: Sequence[AtVertices]) -> Sequence[AtVertices]:
    from glslc_multi.compiler.ir import ops

    first, *rest = outputs
    make = first.make
    return [replace(first, make=lambda builder, values: builder.op(ops.FNEG, make(builder, values))), *rest]


TWO = """
precision mediump float; varying vec3 v_n; varying vec2 v_t; uniform sampler2D s, r; uniform vec2 k;
void main() { gl_FragColor = texture2D(s, v_t + k) * texture2D(r, v_n.xy * 2.0 - k); }
"""


@pytest.mark.parametrize("fault", [exchanged, without_a_component, with_another_sign])
def test_a_fault_in_moving_work_to_the_vertices_is_an_error(
    fault: Callable[[Sequence[AtVertices]], Sequence[AtVertices]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert proof_of(TWO, "pica200").linked
    monkeypatch.setattr(
        "glslc_multi.backends.pica200.codegen.fragment.link.write_at_vertices",
        lambda vertex, fragment, outputs: write_at_vertices(vertex, fragment, fault(outputs)),
    )
    with pytest.raises(CompileError) as raised:
        # Of one draw the wrong texel may be within the bound.
        proof_of(TWO, "pica200", "full")
    assert [each.code for each in raised.value.diagnostics if each.severity == "error"] == ["E0960"]
    (error,) = [each for each in raised.value.diagnostics if each.severity == "error"]
    assert "gl_FragColor (element 0, column 0)." in error.message
    assert any(note.startswith("at corner 0, with ") for note in error.notes)


def test_a_fault_in_packing_varyings_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The vertex stage has two varyings in each other's components of the register that they share."""
    fragment = FRAGMENT.replace("v_n.zxy, 1.0", "v_n.xy, 1.0, 1.0")
    assert proof_of(fragment, "agal").outcome == "equal"

    def places(linked: Any) -> Any:
        found = linked_places(linked)
        (first, at), (second, other) = found.items()
        return {first: at._replace(start=other.start), second: other._replace(start=at.start)}

    stages = iter([linked_places, places])
    monkeypatch.setattr(
        "glslc_multi.backends.agal.codegen.rewrites.shared_varyings.linked_places", lambda linked: next(stages)(linked)
    )
    with pytest.raises(CompileError) as raised:
        proof_of(fragment, "agal")
    assert [each.code for each in raised.value.diagnostics if each.severity == "error"] == ["E0960"]


def proof_of(fragment: str, target: str, proof: str = "quick") -> Any:
    return glslc_multi.link(VERTEX, fragment, target=target, proof=proof).stages["fragment"].stats.verdict


# --- Geometry shaders -------------------------------------------------------------------------------------------------

STRIP = """
#pragma geometry(triangles)
attribute vec3 v_n[3]; attribute vec2 v_t[3]; uniform float u_size; varying vec3 colour; varying vec2 place;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_PositionIn[i] * u_size; colour = v_n[i].yzx; place = v_t[2 - i];
        EmitVertex();
    }
    EndPrimitive();
}
"""


def test_a_geometry_shader_is_proven_with_its_vertices() -> None:
    stages = glslc_multi.link(VERTEX, STRIP, target="pica200", fragment_filename="a.geom").stages
    assert {stage: each.stats.verdict.linked for stage, each in stages.items() if each.stats.verdict} == {
        "vertex": True,
        "geometry": True,
    }


def test_inputs_of_a_geometry_shader_in_other_registers_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    from glslc_multi.compiler.linking.geometry import pin_inputs

    def pin(geometry: Any, vertex: Any) -> None:
        pin_inputs(geometry, vertex)
        first, second = (geometry.variables[name] for name in ("v_n", "v_t"))
        first.location, second.location = second.location, first.location

    monkeypatch.setattr("glslc_multi.compiler.linking.geometry.pin_inputs", pin)
    with pytest.raises(CompileError) as raised:
        glslc_multi.link(VERTEX, STRIP, target="pica200", fragment_filename="a.geom")
    assert "of corner 0 of triangle 0" in str(raised.value)
