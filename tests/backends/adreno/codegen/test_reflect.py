"""The register map: where the README says that variables are, for shaders with one of each kind."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from typing import Any

import pytest

import glslc_multi
from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.compiler.artifact import Binding

VERTEX = """attribute vec3 p; attribute mat2 m; attribute float f;
uniform mat4 t; uniform mat3 q[2]; uniform ivec3 n; uniform bool b; uniform vec2 a[3]; uniform bvec2 c;
uniform mat3 rows;
varying vec2 w; varying mat2 x; varying float y[2];
void main() {
  gl_Position = t * vec4(p, f) + vec4(q[1] * p, n.x);
  gl_Position.xyz += p * rows + vec3(a[1] + a[2], b ? 1.5 : float(c.y));
  gl_PointSize = f; w = m * p.xy; x = m; y[0] = f * f; y[1] = (q[0] * p).z;
}"""
FRAGMENT = """#extension GL_EXT_draw_buffers : enable
precision highp float;
varying vec2 w; varying mat2 x; varying float y[2]; uniform sampler2D s, r[3]; uniform samplerCube cube;
uniform vec4 u[2];
void main() {
  gl_FragData[0] = texture2D(s, w) + texture2D(r[2], x[1]) + gl_FragCoord * u[1];
  gl_FragData[2] = textureCube(cube, vec3(gl_PointCoord, y[1]));
  gl_FragData[1] = vec4(gl_FrontFacing ? y[0] : 0.75);
  float z = x[0].y; for (int i = 0; i < 90; i++) z = fract(z * 1.5);
  gl_FragData[3] = vec4(z);
}"""
CONSTANTS, REGISTERS, SLOTS = 256, 64, 384
FLOATS = "precision highp float;\n"


def compiled(stage: str) -> glslc_multi.CompiledShader:
    return glslc_multi.compile(VERTEX if stage == "vertex" else FRAGMENT, target="adreno", stage=stage)


def lines(bindings: Iterable[Binding]) -> list[str]:
    """`name: type[length] at space number.components (element, column)`, with the transform where there is one."""
    found = []
    for binding in bindings:
        length = "" if binding.length is None else f"[{binding.length}]"
        for place in binding.locations:
            transform = "" if place.transform == "identity" else f" {place.transform}"
            found.append(
                f"{binding.name} {binding.type}{length} {place.element},{place.column}:"
                f" {place.space}{place.index}.{place.components}{transform}"
            )
    return found


def test_attributes_are_fetched_one_a_column() -> None:
    assert lines(compiled("vertex").reflection.attributes) == [
        "p vec3 0,0: fetch0.xyz", "m mat2 0,0: fetch1.xy", "m mat2 0,1: fetch2.xy", "f float 0,0: fetch3.x",
    ]  # fmt: skip


def test_uniforms_are_constants_in_declared_order() -> None:
    assert lines(compiled("vertex").reflection.uniforms) == [
        *(f"t mat4 0,{column}: C{column}.xyzw" for column in range(4)),
        *(
            f"q mat3[2] {element},{column}: C{4 + 3 * element + column}.xyz"
            for element in (0, 1)
            for column in range(3)
        ),
        "n ivec3 0,0: C10.xyz int-to-float",
        "b bool 0,0: C11.x bool-to-float",
        *(f"a vec2[3] {element},0: C{12 + element}.xy" for element in range(3)),
        "c bvec2 0,0: C15.xy bool-to-float",
        # Of a vector times a matrix, the rows are what sums of products need.
        *(f"rows mat3 0,{row}: C{16 + row}.xyz transpose" for row in range(3)),
    ]


def test_pinned_variables_have_their_places_and_others_fill_the_gaps() -> None:
    kinds = ("vec4 b", "vec4 a", "mat2 c", "vec4 d", "vec4 e")
    places = {"vec4 b": "layout(location = 2) ", "vec4 e": "layout(location = 0) "}
    for storage, stage in (("attribute", "vertex"), ("varying", "fragment"), ("uniform", "fragment")):
        declared = " ".join(f"{places.get(kind, '')}{storage} {kind};" for kind in kinds)
        output = "gl_Position" if stage == "vertex" else "gl_FragColor"
        body = f"void main() {{ {output} = a + b * d + e + c[0].xyxy * c[1].xxyy; }}"
        reflection = glslc_multi.compile(FLOATS + declared + body, target="adreno", stage=stage).reflection
        bindings = {"attribute": reflection.attributes, "varying": reflection.varyings, "uniform": reflection.uniforms}
        found = {binding.name: [place.index for place in binding.locations] for binding in bindings[storage]}
        # A matrix among uniforms has its columns one after the other.
        assert found == {"b": [2], "e": [0], "a": [1], "c": [3, 4], "d": [5]}, storage


def test_varyings_are_exports_of_one_stage_and_registers_of_the_other() -> None:
    parts = [
        "w vec2 0,0: {}0.xy",
        "x mat2 0,0: {}1.xy",
        "x mat2 0,1: {}2.xy",
        "y float[2] 0,0: {}3.x",
        "y float[2] 1,0: {}4.x",
    ]
    assert lines(compiled("vertex").reflection.varyings) == [part.format("export") for part in parts]
    assert lines(compiled("fragment").reflection.varyings) == [part.format("R") for part in parts]


def test_samplers_take_units_one_after_the_other() -> None:
    assert lines(compiled("fragment").reflection.samplers) == [
        "s sampler2D 0,0: sampler0.",
        *(f"r sampler2D[3] {element},0: sampler{1 + element}." for element in range(3)),
        "cube samplerCube 0,0: sampler4.",
    ]


def test_outputs_are_exports() -> None:
    assert lines(compiled("vertex").reflection.outputs) == [
        "gl_Position vec4 0,0: export62.xyzw", "gl_PointSize float 0,0: export63.x",
    ]  # fmt: skip
    assert lines(compiled("fragment").reflection.outputs) == [
        f"gl_FragData vec4[4] {element},0: export{element}.xyzw" for element in range(4)
    ]


def test_built_in_inputs_have_registers_after_the_varyings() -> None:
    reflection = compiled("fragment").reflection
    assert sorted(lines(reflection.inputs)) == [
        "gl_FragCoord vec4 0,0: window0.xyzw",
        "gl_FrontFacing bool 0,0: facing0.x bool-to-float",
        "gl_PointCoord vec2 0,0: point0.xy",
    ]
    assert reflection.host_state == {"depth_register": 5, "parameter_register": 6}


def test_vertex_constants_begin_at_fetch_constant_20() -> None:
    assert compiled("vertex").reflection.host_state == {"first_vertex_constant": 20 * 3}


def test_literals_follow_the_uniforms_and_loops_have_constants_of_their_own() -> None:
    literals = compiled("fragment").reflection.literals
    numbers = {
        (f"{row.location.space}{row.location.index}", letter): word
        for row in literals
        for letter, word in zip(row.location.components, row.words, strict=True)
    }
    assert numbers.pop(("loop0", "x")) == 90
    assert {place for place, _ in numbers} == {"C2"}
    floats = {struct.unpack("<f", struct.pack("<I", word))[0] for word in numbers.values()}
    # 0 selects, and coordinates of cubes are 1.5 away from the middle of their face.
    assert floats == {0.0, 0.75, 1.5}


def test_limits_say_what_is_used() -> None:
    for stage in ("vertex", "fragment"):
        shader = compiled(stage)
        limits = dict(shader.reflection.limits or {})
        assert limits.pop("slots") == (len(unpack(shader.binary).slots), SLOTS)
        assert limits.pop("registers")[1] == REGISTERS
        assert limits == (
            {
                "constants": (20, CONSTANTS), "loops": (0, 32), "attributes": (4, 36), "varyings": (5, 16),
                "samplers": (0, 20), "colours": (0, 4),
            }
            if stage == "vertex"
            else {
                "constants": (3, 224), "loops": (1, 32), "attributes": (0, 36), "varyings": (5, 16),
                "samplers": (5, 20), "colours": (4, 4),
            }
        )  # fmt: skip


def _nested(depth: int) -> str:
    """Branches in branches, for which lanes keep counters (of a lone branch, the predicate alone is enough)."""
    work = "c = fract(c * 1.5 + v.wzyx) + c.yzwx; c = c * c + v; c = floor(c * 2.0) * 0.25 + v;"
    body = work
    for level in range(depth):
        body = f"{work} if (c.{'xyzw'[level % 4]} > v.y) {{ {body} }} else {{ c = c.wzyx + v; {work} }} {work}"
    return f"{FLOATS}varying vec4 v;\nvoid main() {{ vec4 c = v; {body} gl_FragColor = c; }}"


@pytest.mark.parametrize(
    ("stage", "source"), [("vertex", VERTEX), ("fragment", FRAGMENT), *(("fragment", _nested(n)) for n in range(1, 8))]
)
@pytest.mark.parametrize("opt", [1, 2])
def test_the_map_tells_a_driver_what_the_text_shows(stage: str, source: str, opt: int) -> None:
    """Registers and exports that the program declares are those in its text."""
    shader = glslc_multi.compile(source, target="adreno", stage=stage, opt=opt)
    keys = shader.artifact.map_keys
    text = shader.assembly
    registers = {int(found) for found in re.findall(r"\bR(\d+)", text)}
    assert keys["gprs"] == max(registers) + 1
    assert keys["cf_slots"] == unpack(shader.binary).first_slot
    assert keys["exports"] == len(set(re.findall(r"export\d+", text)))
    assert (shader.reflection.limits or {})["registers"] == (keys["gprs"], REGISTERS)
    assert shader.stats.constants == (shader.reflection.limits or {})["constants"][0]


def test_a_register_that_the_chip_fills_counts() -> None:
    """The number of the vertex is in R0, also where nothing reads it."""
    vertex = "void main() { gl_Position = vec4(1.0); }"
    assert glslc_multi.compile(vertex, target="adreno", stage="vertex").artifact.map_keys["gprs"] == 1


def test_an_engine_finds_the_fetches_of_an_attribute() -> None:
    shader = compiled("vertex")
    rows: Any = shader.artifact.map_keys["fetches"]
    found = [
        (row["name"], row["element"], row["column"], row["attribute_number"], row["vertex_constant"], row["width"])
        for row in rows
    ]
    assert found == [("p", 0, 0, 0, 60, 3), ("m", 0, 0, 1, 61, 2), ("m", 0, 1, 2, 62, 2), ("f", 0, 0, 3, 63, 1)]
    program = unpack(shader.binary)
    for row in rows:
        (slot,) = row["slots"]
        word = program.instruction(slot)
        assert word is not None
        opcode, fields = A2XX.decode_fetch(word)
        assert opcode is not None and opcode.name == "VERTEX"
        assert [fields["const_index"], fields["const_index_sel"]] == list(row["constant"])
