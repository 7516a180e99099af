"""Which register holds what, as backends/agal/README.md tells it, and what the register map says of it."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact, Binding, Reflection
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_program
from glslc_multi.frontends.registry import make_source
from tests.backends.agal.compiled import LANES, build, compiled, dyadic, refusal, run

VERTEX = """
attribute vec2 a_unused;
layout(location = 3) attribute vec3 a_pinned;
attribute mat2 a_turn;
attribute float a_one;
attribute vec4 a_last;
uniform vec4 u_unused;
layout(location = 5) uniform vec2 u_pinned[2];
uniform mat3 u_turn;
uniform bool u_flag;
uniform ivec2 u_whole;
uniform float u_number;
varying vec2 v_zebra[2];
varying float v_apple;
varying mat2 v_middle;
void main() {
    vec3 p = u_turn * a_pinned;
    v_zebra[0] = a_turn * p.xy;
    v_zebra[1] = u_pinned[1] * a_one;
    v_apple = u_flag ? 0.5 : u_number;
    v_middle = a_turn * u_number;
    gl_Position = vec4(p.xy + u_pinned[0], float(u_whole.y) * 0.25, 3.0) + a_last;
}
"""
FRAGMENT = """
precision highp float;
uniform sampler2D u_unused;
layout(location = 1) uniform sampler2D u_pinned;
uniform sampler2D u_maps[2];
uniform samplerCube u_sky;
uniform vec3 u_tint;
uniform float u_one;
varying vec3 v_b;
varying vec2 v_a;
void main() {
    gl_FragColor = texture2D(u_pinned, v_a) + texture2D(u_maps[0], v_a) * texture2D(u_maps[1], v_a)
        + textureCube(u_sky, v_b) * vec4(u_tint * 0.25, u_one * -3.0);
}
"""


def places(bindings: tuple[Binding, ...]) -> dict[str, list[str]]:
    """The registers of each value, with their components."""
    return {
        binding.name: [f"{at.space}{at.index}.{at.components}".rstrip(".") for at in binding.locations]
        for binding in bindings
    }


def literals(reflection: Reflection) -> dict[str, list[float]]:
    return {
        f"{literal.location.space}{literal.location.index}.{literal.location.components}": [
            struct.unpack("<f", struct.pack("<I", word))[0] for word in literal.words
        ]
        for literal in reflection.literals
    }


def test_attributes_are_numbered_in_declared_order_around_the_pinned_ones() -> None:
    found = compiled(VERTEX, "vertex").reflection.attributes
    assert places(found) == {
        "a_pinned": ["va3.xyz"],
        "a_turn": ["va0.xy", "va1.xy"],
        "a_one": ["va2.x"],
        "a_last": ["va4.xyzw"],
    }
    assert [binding.type for binding in found] == ["vec3", "mat2", "float", "vec4"]


def test_uniforms_are_numbered_in_declared_order_around_the_pinned_ones() -> None:
    found = compiled(VERTEX, "vertex").reflection.uniforms
    assert places(found) == {
        "u_pinned": ["vc5.xy", "vc6.xy"],
        "u_turn": ["vc0.xyz", "vc1.xyz", "vc2.xyz"],
        "u_flag": ["vc3.x"],
        "u_whole": ["vc4.xy"],
        "u_number": ["vc7.x"],
    }
    kinds = {binding.name: (binding.type, binding.length, binding.locations[0].transform) for binding in found}
    assert kinds == {
        "u_pinned": ("vec2", 2, "identity"),
        "u_turn": ("mat3", None, "transpose"),
        "u_flag": ("bool", None, "bool-to-float"),
        "u_whole": ("ivec2", None, "int-to-float"),
        "u_number": ("float", None, "identity"),
    }
    parts = {binding.name: [(at.element, at.column) for at in binding.locations] for binding in found}
    assert (parts["u_pinned"], parts["u_turn"]) == ([(0, 0), (1, 0)], [(0, 0), (0, 1), (0, 2)])


def test_varyings_of_a_stage_alone_are_numbered_by_the_alphabet() -> None:
    found = compiled(VERTEX, "vertex").reflection.varyings
    assert places(found) == {"v_zebra": ["v3.xy", "v4.xy"], "v_apple": ["v0.x"], "v_middle": ["v1.xy", "v2.xy"]}
    parts = {binding.name: [(at.element, at.column) for at in binding.locations] for binding in found}
    assert parts == {"v_zebra": [(0, 0), (1, 0)], "v_apple": [(0, 0)], "v_middle": [(0, 0), (0, 1)]}
    assert [(binding.type, binding.length) for binding in found] == [("vec2", 2), ("float", None), ("mat2", None)]
    assert places(compiled(FRAGMENT, "fragment").reflection.varyings) == {"v_b": ["v1.xyz"], "v_a": ["v0.xy"]}


def test_a_pinned_varying_stays_where_it_is_said_to_be() -> None:
    source = VERTEX.replace("varying float v_apple", "layout(location = 4) varying float v_apple")
    found = places(compiled(source, "vertex").reflection.varyings)
    assert found == {"v_zebra": ["v2.xy", "v3.xy"], "v_apple": ["v4.x"], "v_middle": ["v0.xy", "v1.xy"]}


def test_what_is_pinned_in_the_middle_leaves_no_room_for_an_array_before_it() -> None:
    """An array takes the first registers in a row that are free; a later one may fit before it."""
    source = """
    attribute mat3 a_first; attribute float a_small;
    layout(location = 2) attribute float a_pinned;
    void main() { gl_Position = vec4(a_first * vec3(a_small), a_pinned); }
    """
    found = places(compiled(source, "vertex").reflection.attributes)
    assert found == {"a_first": ["va3.xyz", "va4.xyz", "va5.xyz"], "a_small": ["va6.x"], "a_pinned": ["va2.x"]}


def test_samplers_are_numbered_in_declared_order_around_the_pinned_ones() -> None:
    found = compiled(FRAGMENT, "fragment").reflection.samplers
    assert places(found) == {"u_pinned": ["fs1"], "u_maps": ["fs2", "fs3"], "u_sky": ["fs4"]}
    assert [(binding.type, binding.length) for binding in found][1:] == [("sampler2D", 2), ("samplerCube", None)]
    assert [at.element for at in found[1].locations] == [0, 1]


def test_samplers_are_those_of_their_variables() -> None:
    from glslc_multi.runtime.textures import Texture

    names = ("u_pinned", "u_maps", "u_sky")
    images = [np.full((4, 4, 4), value, np.uint8) for value in (51, 102, 204)]
    sky = np.full((6, 4, 4, 4), 153, np.uint8)
    textures = dict(
        zip(names, (Texture(images[0]), [Texture(images[1]), Texture(images[2])], Texture(sky)), strict=True)
    )
    shader = build(FRAGMENT, "fragment")
    found = run(
        shader, {"v_a": dyadic(1, LANES, 2), "v_b": dyadic(2, LANES, 3)}, {"u_tint": [1, 2, 3], "u_one": 1}, textures
    )
    expected = 0.2 + 0.4 * 0.8 + 0.6 * np.array([0.25, 0.5, 0.75, -3.0])
    assert np.allclose(found["gl_FragColor"], np.tile(expected, (LANES, 1)), atol=1e-5)


def test_literals_follow_the_uniforms() -> None:
    reflection = compiled(VERTEX, "vertex").reflection
    found = literals(reflection)
    assert sorted(found) == ["vc8.xyzw"]
    assert sorted(found["vc8.xyzw"]) == [0.25, 0.5, 1.0, 3.0]


def test_literals_that_nothing_reads_are_uploaded_as_0() -> None:
    """No register is half-defined."""
    reflection = compiled("attribute vec4 a; void main() { gl_Position = a * 0.25 + 3.0; }", "vertex").reflection
    assert sorted(literals(reflection)["vc0.xyzw"]) == [0.0, 0.0, 0.25, 3.0]


def test_literals_in_components_that_uniforms_leave_free_are_uploaded_alone() -> None:
    artifact = compiled(FRAGMENT, "fragment", agal_pack_literals=True)
    assert literals(artifact.reflection) == {"fc0.w": [0.25], "fc1.y": [-3.0]}
    assert artifact.map_keys["consts"] == {"fc0": [0, 0, 0, 0.25], "fc1": [0, -3, 0, 0]}


def many_numbers(uniforms: int, numbers: int) -> str:
    """So many uniforms of one component, and twice as many numbers of the shader as `numbers`."""
    names = ", ".join(f"u{n}" for n in range(uniforms))
    sums = " + ".join([f"u{n}" for n in range(uniforms)] + [f"fract(v.x * {n}.5) * {n}.25" for n in range(numbers)])
    return (
        f"precision highp float; varying vec4 v; uniform float {names}; void main() {{ gl_FragColor = vec4({sums}); }}"
    )


def test_literals_go_beside_uniforms_where_constants_run_short() -> None:
    source = many_numbers(20, 18)
    artifact = compiled(source, "fragment")
    assert (artifact.reflection.limits or {})["constants"][0] <= 28
    assert [diagnostic.code for diagnostic in artifact.diagnostics] == ["N0875"]
    assert artifact.binary == compiled(source, "fragment", agal_pack_literals=True).binary
    assert [error.message for error in artifact.stats.exceeded] == ["needs 29 constant registers, agal 1 has 28"]
    shader, values = build(source, "fragment"), dyadic(4, LANES, 4)
    uniforms = {f"u{n}": n / 8 for n in range(20)}
    x = values[:, 0]
    expected = sum(uniforms.values()) + sum((x * (n + 0.5) % 1.0) * (n + 0.25) for n in range(18))
    found = run(shader, {"v": values}, uniforms)["gl_FragColor"]
    np.testing.assert_allclose(found, np.tile(expected, (4, 1)).T, rtol=1e-5)


def test_literals_stay_apart_where_they_fit() -> None:
    artifact = compiled(many_numbers(18, 18), "fragment")
    assert (artifact.reflection.limits or {})["constants"][0] == 18 + 9
    assert artifact.diagnostics == ()


def test_too_many_numbers_are_refused_all_the_same() -> None:
    found = refusal(many_numbers(1, 70), "fragment")
    assert "constant registers, agal 1 has 28" in found.message


def test_rows_of_a_matrix_leave_their_last_component_free() -> None:
    source = """
    attribute vec4 a; uniform mat3 u;
    void main() { gl_Position = vec4(u * a.yzw, a.x + 0.75); }
    """
    artifact = compiled(source, "vertex", agal_pack_literals=True)
    assert literals(artifact.reflection) == {"vc0.w": [0.75]}


def test_limits_and_statistics() -> None:
    artifact = compiled(VERTEX, "vertex")
    lines = [line for line in artifact.assembly.splitlines() if line and not line.startswith("//")]
    used = {word.split(".")[0] for line in lines for word in line.replace(",", "").split() if word.startswith("vt")}
    limits = artifact.reflection.limits or {}
    assert limits == {"tokens": (len(lines), 200), "temporaries": (len(used), 8), "constants": (9, 128)}
    stats = artifact.stats
    assert (stats.instructions, stats.registers, stats.constants) == (len(lines), len(used), 9)
    # A token is 24 bytes: six words of 32 bits.
    assert stats.code_words == 6 * len(lines)
    assert len(artifact.binary) == 7 + 24 * len(lines)


@pytest.mark.parametrize(
    ("version", "limits"),
    [(1, (200, 8, 28)), (2, (1024, 26, 64)), (3, (2048, 26, 200))],
)
def test_limits_of_fragment_programs(version: int, limits: tuple[int, ...]) -> None:
    found = compiled(FRAGMENT, "fragment", agal_version=version).reflection.limits or {}
    assert tuple(found[name][1] for name in ("tokens", "temporaries", "constants")) == limits


def test_the_map_of_glsl2agal_names_every_register() -> None:
    keys = compiled(FRAGMENT, "fragment").map_keys
    assert keys["varnames"] == {
        "u_tint": "fc0",
        "u_one": "fc1",
        "u_pinned": "fs1",
        "u_maps": "fs2",
        "u_sky": "fs4",
        "v_b": "v1",
        "v_a": "v0",
        "gl_FragColor": "oc",
    }
    assert keys["storage"] == {
        **dict.fromkeys(("fc0", "fc1", "fs1", "fs2", "fs4"), "ir_var_uniform"),
        **dict.fromkeys(("v0", "v1"), "ir_var_in"),
        "oc": "ir_var_out",
    }
    assert keys["types"]["fs4"] == "samplerCube"  # type: ignore[index]
    assert keys["consts"] == {"fc2": [0.25, -3.0, 0.0, 0.0]}
    assert keys["info"] == ""
    vertex = compiled(VERTEX, "vertex").map_keys["storage"]
    assert {vertex[register] for register in ("va0", "va3")} == {"ir_var_in"}  # type: ignore[index]
    assert {vertex[register] for register in ("v0", "v1", "v3", "op")} == {"ir_var_out"}  # type: ignore[index]


def test_outputs_that_a_map_numbers() -> None:
    source = """
    #extension GL_EXT_draw_buffers : require
    #extension GL_EXT_frag_depth : require
    precision highp float;
    varying vec4 v;
    void main() { gl_FragData[0] = v; gl_FragData[2] = v.wzyx; gl_FragDepthEXT = v.x; }
    """
    artifact = compiled(source, "fragment", agal_version=2)
    assert places(artifact.reflection.outputs) == {
        "gl_FragData": ["oc0.xyzw", "oc1.xyzw", "oc2.xyzw"],
        "gl_FragDepthEXT": ["od0.x"],
    }
    assert [at.element for at in artifact.reflection.outputs[0].locations] == [0, 1, 2]
    assert artifact.map_keys["varnames"] == {"v": "v0", "gl_FragData": "oc", "gl_FragDepthEXT": "od"}


# --- Pairs ------------------------------------------------------------------------------------------------------------

PAIR_VERTEX = """
attribute vec4 a; attribute vec2 b;
varying vec2 v_c; varying mat2 v_unread; varying vec4 v_a; varying vec3 v_b[2];
void main() {
    v_c = b; v_unread = mat2(a); v_a = a.wzyx; v_b[0] = a.xyz; v_b[1] = a.yzw * b.x;
    gl_Position = a;
}
"""
PAIR_FRAGMENT = """
precision highp float;
varying vec3 v_b[2]; varying vec2 v_c; varying vec4 v_a;
void main() { gl_FragColor = v_a + v_c.xyyx + vec4(v_b[1], 1.0); }
"""


def pair() -> dict[str, Artifact]:
    sources = (
        make_source(PAIR_VERTEX, "a.vert", "vertex"),
        make_source(PAIR_FRAGMENT, "a.frag", "fragment"),
    )
    return dict(compile_program(*sources, load_target("agal"), Request(), DiagnosticSink()).stages)


def test_varyings_of_a_pair_are_numbered_in_the_order_of_the_fragment_shader() -> None:
    stages = pair()
    found = {stage: places(artifact.reflection.varyings) for stage, artifact in stages.items()}
    assert list(found["fragment"]) == ["v_b", "v_c", "v_a"]
    order = [at for name in ("v_b", "v_c", "v_a") for at in found["fragment"][name]]
    assert [at.split(".")[0] for at in order] == [f"v{number}" for number in range(len(order))]
    assert found["vertex"] == found["fragment"]


# --- Limits -----------------------------------------------------------------------------------------------------------


def many(what: str, count: int, stage: str) -> str:
    """A shader that reads or writes so many of something."""
    names = [f"n{number}" for number in range(count)]
    if what == "attribute":
        body = "".join(f"attribute vec4 {name};" for name in names)
        return f"{body} void main() {{ gl_Position = {' + '.join(names)}; }}"
    if what == "sampler":
        body = "".join(f"uniform sampler2D {name};" for name in names)
        sums = " + ".join(f"texture2D({name}, v)" for name in names)
        return f"precision highp float; varying vec2 v; {body} void main() {{ gl_FragColor = {sums}; }}"
    if what == "varying" and stage == "vertex":
        body = "".join(f"varying vec4 {name};" for name in names)
        writes = "".join(f"{name} = a;" for name in names)
        return f"attribute vec4 a; {body} void main() {{ {writes} gl_Position = a; }}"
    if what == "varying":
        body = "".join(f"varying vec4 {name};" for name in names)
        return f"precision highp float; {body} void main() {{ gl_FragColor = {' + '.join(names)}; }}"
    out, head = (
        ("gl_Position", "attribute") if stage == "vertex" else ("gl_FragColor", "precision highp float; varying")
    )
    sums = " + ".join(f"u[{number}]" for number in range(count))
    return f"{head} vec4 a; uniform vec4 u[{count}]; void main() {{ {out} = a + {sums}; }}"


@pytest.mark.parametrize(
    ("what", "stage", "version", "limit", "resource", "help"),
    [
        ("attribute", "vertex", 1, 8, "attribute registers", "several attributes into one vec4"),
        ("attribute", "vertex", 3, 16, "attribute registers", "several attributes into one vec4"),
        ("sampler", "fragment", 1, 8, "samplers", "fewer textures"),
        ("sampler", "fragment", 2, 16, "samplers", "fewer textures"),
        ("varying", "vertex", 1, 8, "varying registers", "several varyings into one vec4"),
        ("varying", "fragment", 1, 8, "varying registers", "several varyings into one vec4"),
        ("varying", "vertex", 2, 10, "varying registers", "several varyings into one vec4"),
        ("uniform", "vertex", 1, 128, "constant registers", "elements at most"),
        ("uniform", "fragment", 1, 28, "constant registers", "elements at most"),
        ("uniform", "fragment", 2, 64, "constant registers", "elements at most"),
    ],
)
def test_one_more_than_there_are(what: str, stage: str, version: int, limit: int, resource: str, help: str) -> None:
    assert compiled(many(what, limit, stage), stage, agal_version=version)
    found = refusal(many(what, limit + 1, stage), stage, agal_version=version)
    assert f"needs {limit + 1} {resource}, agal {version} has {limit}" in found.message
    assert help in (found.help or "")


@pytest.mark.parametrize(
    ("declaration", "stage", "resource"),
    [
        ("attribute vec4", "vertex", "attribute registers"),
        ("varying vec4", "fragment", "varying registers"),
        ("uniform sampler2D", "fragment", "samplers"),
    ],
)
def test_a_limit_is_reported_at_the_first_value_that_has_no_room(declaration: str, stage: str, resource: str) -> None:
    """Ten in lines 2 to 11, eight fit."""
    lines = "".join(f"{declaration} n{number};\n" for number in range(10))
    values = [f"texture2D(n{k}, v)" if resource == "samplers" else f"n{k}" for k in range(10)]
    head = "precision highp float; varying vec2 v;" if resource == "samplers" else ""
    head = "precision highp float;" if stage == "fragment" and not head else head
    out = "gl_Position" if stage == "vertex" else "gl_FragColor"
    found = refusal(f"{head}\n{lines}void main() {{ {out} = {' + '.join(values)}; }}", stage)
    assert f"needs 10 {resource}, agal 1 has 8" in found.message
    assert found.span is not None and found.span.line == 10


def test_literals_may_be_what_is_too_many() -> None:
    """28 uniforms fit, a number beside them does not."""
    fits = many("uniform", 28, "fragment")
    found = refusal(fits.replace("= a +", "= a * 0.3 +"), "fragment")
    assert "needs 29 constant registers, agal 1 has 28" in found.message
    assert "--agal-version 2 would do" in (found.help or "")
    assert found.span is not None and fits[found.span.column - 1 :].startswith("a +"), "at the product with the number"
