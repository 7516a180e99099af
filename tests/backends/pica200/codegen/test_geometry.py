"""Geometry shaders from GLSL: the triangles of the simulator are those of the evaluator's strips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.backends.pica200.isa.program import Geometry
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.backends.pica200.target import TARGET
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.assembly import assemble_text
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.evaluate import Emission, evaluate
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.target import MachineInputs, MachineOutputs
from glslc_multi.frontends.registry import make_source
from tests.backends.pica200.compiled import dyadic

LANES = 5
Values = Mapping[str, Any]
#: A vertex by names of its outputs, and whether the triangle is marked as turned.
Triangle = tuple[list[dict[str, Any]], bool]

COPIES = """
#pragma geometry(triangles)
attribute vec4 v_color[3];
uniform float u_size;
varying vec4 color;
void corner(vec4 place, vec4 tint) {
    gl_Position = place * u_size;
    color = tint;
    EmitVertex();
}
void main() {
    for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 3; i++) corner(gl_PositionIn[i] + vec4(float(copy), 0.0, 0.0, 0.0), v_color[i]);
        EndPrimitive();
    }
}
"""

STRIP = """
#pragma geometry(vertices = 1)
uniform vec4 u_steps[10];
void main() {
    for (int i = 0; i < 10; i++) {
        gl_Position = gl_PositionIn[0] + u_steps[i];
        EmitVertex();
    }
}
"""

SOMETIMES = """
#pragma geometry(points)
attribute vec2 v_size[1];
varying vec2 texcoord0;
void corner(float x, float y) {
    gl_Position = gl_PositionIn[0] + vec4(v_size[0] * vec2(x, y), 0.0, 0.0);
    texcoord0 = vec2(x, y) * 0.5 + 0.5;
    EmitVertex();
}
void main() {
    if (v_size[0].x > 0.0) {
        corner(-1.0, -1.0);
        corner(1.0, -1.0);
        corner(-1.0, 1.0);
        if (v_size[0].y > 0.0) corner(1.0, 1.0);
        EndPrimitive();
    }
    corner(0.0, 0.0);
    corner(0.0, 1.0);
    corner(1.0, 0.0);
}
"""

MATRICES = """
#pragma geometry(lines)
attribute mat3 v_frame[2];
attribute float v_weight[2];
uniform int u_rounds;
uniform bool u_mirrored;
varying vec3 color;
void main() {
    for (int round = 0; round < u_rounds; round++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = mix(gl_PositionIn[0], gl_PositionIn[1], v_weight[0] + float(round));
            color = v_frame[1][i] * v_weight[1];
            if (u_mirrored) color = -color;
            EmitVertex();
        }
        EndPrimitive();
    }
}
"""

LEAVES = """
#pragma geometry(triangles)
layout(location = 3) attribute vec2 v_pair[3];
int emitted = 0;
varying vec4 color;
bool emit() {
    emitted++;
    color = vec4(float(emitted), v_pair[2], 0.0);
    EmitVertex();
    return true;
}
void main() {
    gl_Position = gl_PositionIn[1];
    if (gl_PositionIn[0].x > 2.0) return;
    for (int i = 0; i < 3; i++) {
        if (gl_PositionIn[0].y < float(-i)) break;
        bool all_three = emit() && emit() && emit();
        if (all_three) gl_Position += gl_PositionIn[2];
        EndPrimitive();
    }
    emit(); emit(); emit(); emit();
}
"""

#: 20 registers of vertices, more than there are inputs; indices of run time select from them.
PATCH = """
#pragma geometry(fixed, vertices = 10)
attribute vec2 v_uv[10];
uniform vec4 u_shift;
uniform int u_first;
varying vec2 texcoord0;
void main() {
    for (int i = 0; i < gl_VerticesIn - 2; i++) {
        for (int k = 0; k < 3; k++) {
            gl_Position = gl_PositionIn[i + k] + u_shift;
            texcoord0 = v_uv[u_first + k];
            EmitVertex();
        }
        EndPrimitive();
    }
}
"""

#: Two full vertices, then positions alone.
FAN = """
#pragma geometry(variable, vertices = 2, most = 6)
attribute mat2 v_axes[2];
attribute float v_weight[2];
uniform vec4 u_shift;
varying vec4 color;
void main() {
    for (int i = 2; i < gl_VerticesIn; i++) {
        int other = i - 1;
        gl_Position = gl_PositionIn[0] + u_shift;
        color = vec4(v_axes[0][1], v_axes[1][0]);
        EmitVertex();
        gl_Position = gl_PositionIn[other];
        color = vec4(v_weight[0]);
        EmitVertex();
        gl_Position = gl_PositionIn[i];
        color = vec4(v_axes[1][i - 2 < 1 ? 0 : 1], v_weight[1], float(gl_VerticesIn));
        EmitVertex();
        EndPrimitive();
    }
}
"""

#: No vertex but the first two has one index in its strip, whichever path leads there.
WAVES = """
#pragma geometry(points)
attribute float v_high[1];
uniform int u_count;
varying vec2 texcoord0;
void corner(float x, float y) {
    gl_Position = gl_PositionIn[0] * y + x;
    texcoord0 = vec2(x, y);
    EmitVertex();
}
void main() {
    corner(-1.0, 0.0);
    corner(-2.0, 0.0);
    for (int i = 0; i < u_count; i++) {
        corner(float(i), 1.0);
        if (v_high[0] > float(i) - 1.0) corner(float(i), 2.0);
        if (i == 5) {
            if (v_high[0] < 0.0) EndPrimitive();
        }
    }
}
"""
ENDLESS = """
#pragma geometry(points)
uniform int u_count;
void main() {
    for (int i = 0; i < u_count; i++) { gl_Position = gl_PositionIn[0] * float(i); EmitVertex(); }
}
"""

CASES = [
    *((WAVES, {"gl_PositionIn": (1, 4), "v_high": (1,)}, {"u_count": count}) for count in (1, 4, 13)),
    (ENDLESS, {"gl_PositionIn": (1, 4)}, {"u_count": 20}),
    (LEAVES, {"gl_PositionIn": (3, 4), "v_pair": (3, 2)}, {}),
    (COPIES, {"gl_PositionIn": (3, 4), "v_color": (3, 4)}, {"u_size": 0.5}),
    (COPIES.replace("(", "(fixed, ", 1), {"gl_PositionIn": (3, 4), "v_color": (3, 4)}, {"u_size": 0.5}),
    (PATCH, {"gl_PositionIn": (10, 4), "v_uv": (10, 2)}, {"u_shift": dyadic(9, 4), "u_first": 6}),
    (
        FAN,
        {"gl_PositionIn": (6, 4), "v_axes": (2, 2, 2), "v_weight": (2,), "gl_VerticesIn": ()},
        {"u_shift": dyadic(9, 4)},
    ),
    (STRIP, {"gl_PositionIn": (1, 4)}, {"u_steps": dyadic(7, 10, 4)}),
    (SOMETIMES, {"gl_PositionIn": (1, 4), "v_size": (1, 2)}, {}),
    (MATRICES, {"gl_PositionIn": (2, 4), "v_frame": (2, 3, 3), "v_weight": (2,)}, {"u_rounds": 2, "u_mirrored": True}),
    (MATRICES, {"gl_PositionIn": (2, 4), "v_frame": (2, 3, 3), "v_weight": (2,)}, {"u_rounds": 0, "u_mirrored": False}),
]


def compiled(source: str, optimisation: int = 2) -> Artifact:
    return compile_source(
        make_source(source, "a.geom"), load_target("pica200"), Request(optimisation), DiagnosticSink()
    )


@pytest.mark.parametrize("optimisation", [0, 2])
@pytest.mark.parametrize(("source", "shapes", "uniforms"), CASES)
def test_triangles_are_those_of_the_evaluator(
    source: str, shapes: Mapping[str, tuple[int, ...]], uniforms: Values, optimisation: int
) -> None:
    inputs: dict[str, Any] = {name: dyadic(seed, LANES, *shape) for seed, (name, shape) in enumerate(shapes.items())}
    if "gl_VerticesIn" in inputs:
        inputs["gl_VerticesIn"] = np.arange(2, 2 + LANES)
    artifact = compiled(source, optimisation)
    program = read(artifact.binary, "a.shbin", DiagnosticSink())
    assert program is not None and validate(program) == []
    module = lower_source(make_source(source, "a.geom"), FrontEndOptions(), DiagnosticSink())
    wanted = strips(evaluate(module, inputs, uniforms, lanes=LANES).emitted)
    found = simulated(artifact, inputs, uniforms)
    assert any(wanted) is (uniforms.get("u_rounds") != 0)
    for one_found, one_wanted in zip(found, wanted, strict=True):
        assert [turned for _, turned in one_found] == [turned for _, turned in one_wanted]
        for (corners, _), (others, _) in zip(one_found, one_wanted, strict=True):
            for corner, other in zip(corners, others, strict=True):
                assert corner.keys() == other.keys()
                assert all(np.allclose(corner[name], other[name], 2.0**-10, 2.0**-10) for name in corner)


def strips(emitted: list[Emission]) -> list[list[Triangle]]:
    """The triangles of each lane, as the slots of the hardware hold them."""
    found: list[list[Triangle]] = [[] for _ in range(LANES)]
    for lane in range(LANES):
        strip: list[dict[str, Any]] = []
        for emission in emitted:
            if not emission.lanes[lane]:
                continue
            if emission.outputs is None:
                strip = []
                continue
            strip.append({name: values[lane] for name, values in emission.outputs.items()})
            if len(strip) >= 3:
                last = range(len(strip) - 3, len(strip))
                found[lane].append(([strip[k] for k in sorted(last, key=lambda k: k % 3)], len(strip) % 2 == 0))
    return found


def simulated(artifact: Artifact, inputs: Values, uniforms: Values) -> list[list[Triangle]]:
    reflection = artifact.reflection
    space = reflection.inputs[0].locations[0].space
    registers = {
        location.index: padded(element(inputs[binding.name], binding, location.element, location.column))
        for binding in reflection.inputs
        for location in binding.locations
    }
    constants: dict[str, dict[int, Any]] = {}
    for binding in reflection.uniforms:
        for location in binding.locations:
            value = element(np.asarray(uniforms[binding.name])[None], binding, location.element, location.column)
            number = max(0, int(value[0]) - 1) if location.transform == "count" else padded(value)[0]
            constants.setdefault(location.space, {})[location.index] = np.atleast_1d(number)
    machine_inputs = MachineInputs(LANES, constants, {space: registers})
    run = TARGET.simulate(artifact, machine_inputs, {})
    assert_same_triangles(TARGET.translate(artifact, {})(machine_inputs), run)
    bindings = (*reflection.varyings, *reflection.outputs)
    return [
        [([_outputs(vertex, bindings) for vertex in vertices], turned) for turned, vertices in lane]
        for lane in run.triangles
    ]


def assert_same_triangles(found: MachineOutputs, wanted: MachineOutputs) -> None:
    for one_found, one_wanted in zip(found.triangles, wanted.triangles, strict=True):
        for (turned, vertices), (other_turned, others) in zip(one_found, one_wanted, strict=True):
            assert turned == other_turned
            np.testing.assert_array_equal(vertices, others)


def element(values: Any, binding: Binding, number: int, column: int) -> Any:
    if binding.length is not None:
        values = values[:, number]
    return values[:, column] if binding.type.startswith("mat") else values


def padded(values: Any) -> Any:
    values = values.reshape(len(values), -1)
    return np.concatenate([values, np.zeros((len(values), 4 - values.shape[1]))], axis=1)


def _outputs(vertex: Any, bindings: tuple[Binding, ...]) -> dict[str, Any]:
    return {
        binding.name: vertex[location.index][: len(location.components)]
        for binding in bindings
        for location in binding.locations
    }


@pytest.mark.parametrize("source", [COPIES, PATCH, FAN])
def test_a_text_assembles_to_the_same_file(source: str) -> None:
    artifact = compiled(source)
    again = assemble_text(artifact.assembly, target=load_target("pica200"), filename="a.asm", sink=DiagnosticSink())
    assert again == artifact.binary


def test_the_container_says_how_vertices_are_taken() -> None:
    program = read(compiled(COPIES).binary, "a.shbin", DiagnosticSink())
    assert program is not None
    (shader,) = program.executables
    assert shader.stage == "geometry" and shader.geometry is not None and shader.geometry.kind == "point"
    assert shader.input_mask == 0b111111 and not shader.merges_outputs


@pytest.mark.parametrize(
    ("source", "geometry", "places"),
    [
        # Before the uniforms: each vertex has its position, then its texture coordinates.
        (PATCH, Geometry("fixed", 0, 10), {"gl_PositionIn": [*range(0, 20, 2)], "v_uv": [*range(1, 20, 2)]}),
        # Behind the number of vertices: two of four registers, then four of one.
        (
            FAN,
            Geometry("variable", 0, 2),
            {"gl_PositionIn": [1, 5, 9, 10, 11, 12], "v_axes": [2, 3, 6, 7], "v_weight": [4, 8], "gl_VerticesIn": [0]},
        ),
    ],
)
def test_vertices_in_constant_registers(source: str, geometry: Geometry, places: dict[str, list[int]]) -> None:
    artifact = compiled(source)
    program = read(artifact.binary, "a.shbin", DiagnosticSink())
    assert program is not None and program.executables[0].geometry == geometry
    inputs = artifact.reflection.inputs
    assert {binding.name: [place.index for place in binding.locations] for binding in inputs} == places
    assert {place.space for binding in inputs for place in binding.locations} == {"c"}
    assert program.executables[0].input_mask == 0
    # Nobody sets what the hardware fills.
    assert [uniform.name for uniform in program.executables[0].uniforms] == [
        b.name for b in artifact.reflection.uniforms
    ]
    assert all(b.name.startswith("u_") for b in artifact.reflection.uniforms)


def test_inputs_follow_each_other_vertex_by_vertex() -> None:
    found = {
        binding.name: [place.index for place in binding.locations] for binding in compiled(COPIES).reflection.inputs
    }
    assert found == {"gl_PositionIn": [0, 2, 4], "v_color": [1, 3, 5]}


EIGHT = "".join(f"varying vec4 v{k};" for k in range(7))
WRITTEN = "".join(f"v{k} = vec4({k}.0);" for k in range(7))
BODY = "void main() { gl_Position = vec4(1.0); EmitVertex(); }"


@pytest.mark.parametrize(
    ("source", "code", "message"),
    [
        (BODY, "E0308", "'EmitVertex' needs the pragma that says what the geometry shader takes"),
        ("#pragma geometry(triangles)\nattribute vec4 a[2];" + BODY, "E0309", "'a' must be an array of 3"),
        ("#pragma geometry(lines)\nattribute int a[2];" + BODY, "E0309", "'a' must be an array of 2 floats"),
        (
            f"#pragma geometry(points)\n{EIGHT}void main() {{ gl_Position = vec4(1.0); {WRITTEN} EmitVertex(); }}",
            "E0701",
            "8",
        ),
        (
            "#pragma geometry(vertices = 17)\nvoid main() { gl_Position = gl_PositionIn[16]; EmitVertex(); }",
            "E0701",
            "17",
        ),
        (
            "#pragma geometry(variable, vertices = 1, most = 9)\nlayout(location = 9) uniform vec4 u;\n"
            "void main() { gl_Position = gl_PositionIn[1] + u; EmitVertex(); }",
            "E0702",
            "pica200 cannot express a uniform where vertices are put",
        ),
        (
            "#pragma geometry(fixed, vertices = 49)\nattribute vec4 a[49];\n"
            "void main() { gl_Position = gl_PositionIn[1] + a[1]; EmitVertex(); }",
            "E0701",
            "needs 98 constant registers",
        ),
        ("#pragma geometry(variable, vertices = 3)\n" + BODY, "E0308", "needs the pragma"),
        ("#pragma geometry(fixed, vertices = 3, most = 4)\n" + BODY, "E0308", "needs the pragma"),
        ("#pragma geometry(variable, vertices = 3, most = 2)\n" + BODY, "E0308", "needs the pragma"),
    ],
)
def test_refusals(source: str, code: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(source)
    (error,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert (error.code, message in error.message) == (code, True), error.message


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
@pytest.mark.parametrize("use", ["EmitVertex()", "EndPrimitive()", "gl_PositionIn[0]", "gl_VerticesIn"])
def test_other_stages_have_none_of_this(stage: str, use: str) -> None:
    source = f"#pragma geometry(points)\nvoid main() {{ {use}; }}"
    with pytest.raises(CompileError) as caught:
        lower_source(make_source(source, "a", stage), FrontEndOptions(), DiagnosticSink())
    assert [d.code for d in caught.value.diagnostics if d.severity == "error"] == ["E0305"]


def test_names_of_geometry_shaders_are_free_elsewhere() -> None:
    source = "void EmitVertex() { gl_Position = vec4(1.0); } void main() { EmitVertex(); }"
    module = lower_source(make_source(source, "a.vert"), FrontEndOptions(), DiagnosticSink())
    assert np.all(evaluate(module, {}, {}, lanes=2).outputs["gl_Position"] == 1.0)
