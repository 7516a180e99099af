"""Where the values of a shader live, and what the file and the reflection say of that.

What is expected is written down by hand, from the rules in `backends/pica200/codegen/abi.py` and the numbers of the
tables in the `.shbin` (v, c, i and b registers from 0x00, 0x10, 0x70 and 0x78).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import glslc_multi as g
from glslc_multi.backends.pica200.isa.asm import assemble
from glslc_multi.backends.pica200.isa.container import read, write
from glslc_multi.backends.pica200.isa.program import Executable, Geometry
from glslc_multi.compiler.artifact import Location
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.runtime.shader import CompiledShader
from tests.backends.pica200.compiled import compiled, dyadic

END = "gl_Position = vec4(0.0);"


def executable(shader: CompiledShader) -> Executable:
    program = read(shader.binary, "a.shbin", DiagnosticSink())
    assert program is not None
    return program.executables[0]


def symbols(shader: CompiledShader) -> dict[str, tuple[int, int]]:
    return {uniform.name: (uniform.first, uniform.last) for uniform in executable(shader).uniforms}


def places(shader: CompiledShader, name: str) -> list[Location]:
    reflection = shader.reflection
    bindings = (*reflection.attributes, *reflection.uniforms, *reflection.varyings, *reflection.outputs)
    return list(next(binding for binding in bindings if binding.name == name).locations)


def geometry(source: str, **options: object) -> CompiledShader:
    return g.compile(source, target="pica200", stage="geometry", options=options)


def errors(source: str, stage: str = "vertex", **options: object) -> list[tuple[str, str, str, int | None]]:
    """Code, message, help and line of what refuses a shader."""
    with pytest.raises(g.CompileError) as caught:
        g.compile(source, target="pica200", stage=stage, options=options)
    return [
        (d.code, d.message, d.help or "", None if d.span is None else d.span.line)
        for d in caught.value.diagnostics
        if d.severity == "error"
    ]


# --- Inputs -----------------------------------------------------------------------------------------------------------

ATTRIBUTES = f"""
attribute vec4 a;
layout(location = 2) attribute vec3 b;
attribute mat3 m;
attribute float c;
layout(location = 0) attribute vec2 d;
void main() {{ {END} gl_Position += a + vec4(b + m * b, c) + d.xyxy; }}
"""


def test_attributes_go_around_those_with_a_location() -> None:
    shader = compiled(ATTRIBUTES)
    # v0 and v2 are taken; a matrix needs three in a row.
    wanted = {"d": (0, 0), "a": (1, 1), "b": (2, 2), "m.0": (3, 3), "m.1": (4, 4), "m.2": (5, 5), "c": (6, 6)}
    assert symbols(shader) == wanted
    assert executable(shader).input_mask == 0b1111111
    assert places(shader, "m") == [Location("v", 3 + k, "xyz", column=k) for k in range(3)]
    assert places(shader, "d") == [Location("v", 0, "xy")]
    types = {binding.name: (binding.type, binding.length) for binding in shader.reflection.attributes}
    assert types == {
        "a": ("vec4", None),
        "b": ("vec3", None),
        "m": ("mat3", None),
        "c": ("float", None),
        "d": ("vec2", None),
    }


def test_sixteen_inputs_fit_and_the_next_is_refused() -> None:
    def source(count: int) -> str:
        names = [f"a{number}" for number in range(count)]
        return "\n".join(
            [*(f"attribute vec4 {n};" for n in names), f"void main() {{ gl_Position = {'+'.join(names)}; }}"]
        )

    assert executable(compiled(source(16))).input_mask == 0xFFFF
    ((code, message, help, line),) = errors(source(17))
    assert (code, message) == ("E0701", "needs 17 input registers, pica200 has 16")
    assert help == "use fewer attributes" and line == 17
    pinned = "layout(location = 14) attribute mat3 m; void main() { gl_Position = vec4(m[2], m[0].x + m[1].y); }"
    ((code, message, _, _),) = errors(pinned)
    assert (code, message) == ("E0701", "needs 17 input registers, pica200 has 16")


def test_inputs_of_the_vertices_of_a_geometry_shader() -> None:
    shader = geometry(
        """
        #pragma geometry(lines)
        layout(location = 3) attribute vec2 b[2];
        attribute mat2 m[2];
        layout(location = 1) attribute float c[2];
        varying vec4 color;
        void main() { gl_Position = gl_PositionIn[1]; color = vec4(b[0], m[1][1]) * c[0]; EmitVertex(); }
        """
    )
    # A vertex has its position, c at 1, b at 3 and the matrix in the first two registers that are free together.
    found = {binding.name: [place.index for place in binding.locations] for binding in shader.reflection.inputs}
    assert found == {"gl_PositionIn": [0, 6], "c": [1, 7], "b": [3, 9], "m": [4, 5, 10, 11]}
    table = symbols(shader)
    assert table["b.0"] == (3, 3) and table["b.1"] == (9, 9) and table["m.3"] == (11, 11)
    assert executable(shader).input_mask == 0b111011_111011
    assert executable(shader).geometry == Geometry("point")
    assert [place.element for place in next(b for b in shader.reflection.inputs if b.name == "m").locations] == [
        0,
        0,
        1,
        1,
    ]


def test_too_many_inputs_of_vertices() -> None:
    source = """
    #pragma geometry(vertices = 6)
    attribute vec4 a[6];
    attribute vec4 b[6];
    void main() { gl_Position = gl_PositionIn[5] + a[1] * b[2]; EmitVertex(); }
    """
    ((code, message, help, line),) = errors(source, "geometry")
    assert (code, message, line) == ("E0701", "needs 18 input registers, pica200 has 16", 3)
    assert help == ("take fewer vertices, or put several inputs in one, or put 'fixed,' before them in the pragma")


# --- Outputs ----------------------------------------------------------------------------------------------------------


def outputs(shader: CompiledShader) -> list[tuple[int, int, int]]:
    """Register, kind and mask of each row of the table."""
    return sorted((output.register, output.semantic, output.mask) for output in executable(shader).outputs)


def test_outputs_are_the_position_then_what_the_rasteriser_knows_then_the_others() -> None:
    shader = compiled(
        """
        attribute vec4 a;
        varying vec2 v_first; varying vec4 v_color; varying mat3 frame; varying float uv0; varying vec2 w[2];
        void main() {
            gl_Position = a; v_first = a.xy; v_color = a; frame = mat3(a.x); uv0 = a.z; w[0] = a.yz; w[1] = a.wx;
        }
        """
    )
    found = {b.name: [p.index for p in b.locations] for b in (*shader.reflection.varyings, *shader.reflection.outputs)}
    assert found == {"gl_Position": [0], "v_color": [1], "uv0": [2], "v_first": [3], "frame": [4, 5, 6], "w": [7, 8]}
    # Of texture coordinates one component; the map has seven registers.
    assert outputs(shader) == [(0, 0, 15), (1, 2, 15), (2, 3, 1), *((k, 9, 15) for k in (3, 4, 5, 6))]
    assert executable(shader).output_mask == 0b1_1111_1111
    assert [binding.name for binding in shader.reflection.outputs] == ["gl_Position"]
    assert {b.name: (b.type, b.length) for b in shader.reflection.varyings}["w"] == ("vec2", 2)
    assert places(shader, "frame")[2] == Location("o", 6, "xyz", column=2)
    assert places(shader, "w")[1] == Location("o", 8, "xy", element=1)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, 2) for name in ("color", "colour", "col", "clr", "v_color", "vColor", "V_COLOUR", "Vcol")),
        *((name, 3) for name in ("uv", "uv0", "tc", "texcoord", "v_texcoord0", "vUv", "vTexCoord")),
        *((name, 5) for name in ("uv1", "tc1", "v_texcoord1")),
        *((name, 6) for name in ("uv2", "vTc2")),
        *((name, 4) for name in ("uv0w", "v_texcoord0w")),
        *((name, 8) for name in ("view", "v_view", "vView")),
        *((name, 1) for name in ("normalquat", "v_nquat")),
        *((name, 9) for name in ("uv3", "uv1w", "color0", "v_v_color", "viewer", "normal", "mycolor", "v")),
    ],
)
def test_names_of_varyings(name: str, kind: int) -> None:
    width = {1: "vec4", 2: "vec4", 4: "float", 8: "vec3", 9: "vec4"}.get(kind, "vec2")
    shader = compiled(f"varying {width} {name}; void main() {{ {END} {name} = {width}(0.5); }}")
    mask = {"float": 1, "vec2": 3, "vec3": 7, "vec4": 15}[width]
    assert outputs(shader) == [(0, 0, 15), (1, kind, mask)]
    said = [d.message for d in shader.diagnostics if d.code == "N0820"]
    assert [f"'{name}'" in message for message in said] == [True] * (kind == 9)


def test_pragmas_and_the_option_choose_first() -> None:
    source = f"""
    #pragma pica200 output v_a texcoord1
    #pragma   pica200   output   v_b   COLOR
    #pragma pica200 output uv dummy
    #pragma pica200 something v_c view
    varying vec2 v_a; varying vec4 v_b; varying vec3 v_c; varying vec2 uv;
    void main() {{ {END} v_a = uv = vec2(1.0); v_b = vec4(0.5); v_c = vec3(0.25); }}
    """

    def kinds(**options: Any) -> dict[str, int]:
        shader = compiled(source, **options)
        at = {register: semantic for register, semantic, _ in outputs(shader)}
        return {binding.name: at[binding.locations[0].index] for binding in shader.reflection.varyings}

    assert kinds() == {"v_a": 5, "v_b": 2, "v_c": 9, "uv": 9}
    assert kinds(outputs=" v_a = Texcoord2 ,, v_c=view") == {"v_a": 6, "v_b": 2, "v_c": 8, "uv": 9}


@pytest.mark.parametrize("found", ["position", "tangent", "", "texcoord3"])
def test_a_property_that_there_is_not(found: str) -> None:
    ((code, message, help, line),) = errors(
        f"varying vec2 v; void main() {{ {END} v = vec2(1.0); }}", outputs=f"v={found}"
    )
    assert code.startswith("E") and "'v'" in message and f"'{found}'" in message and line is None
    assert help == "one of normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view, dummy"


def test_the_first_of_two_varyings_has_the_property() -> None:
    shader = compiled(f"varying vec4 v_color, color; void main() {{ {END} color = v_color = vec4(0.5); }}")
    assert outputs(shader) == [(0, 0, 15), (1, 2, 15), (2, 9, 15)]
    at = {binding.name: binding.locations[0].index for binding in shader.reflection.varyings}
    assert at == {"v_color": 1, "color": 2}


def test_arrays_and_matrices_have_no_property_by_name() -> None:
    shader = compiled(
        f"varying vec4 color[1]; varying mat2 uv; void main() {{ {END} color[0] = vec4(0.5); uv = mat2(1.0); }}"
    )
    assert [kind for _, kind, _ in outputs(shader)] in ([0, 2, 9, 9], [0, 9, 9, 9])


def test_sixteen_outputs_fit_and_the_next_is_refused() -> None:
    def source(count: int) -> str:
        names = [f"p{number}" for number in range(count)]
        written = "".join(f"{n} = vec4({number}.0);" for number, n in enumerate(names))
        return "\n".join([*(f"varying vec4 {n};" for n in names), f"void main() {{ {END} {written} }}"])

    shader = compiled(source(15))
    assert executable(shader).output_mask == 0xFFFF and len(outputs(shader)) == 7
    ((code, message, help, line),) = errors(source(16))
    assert (code, message) == ("E0701", "needs 17 output registers, pica200 has 16")
    assert help == "use fewer varyings, or put several in one" and line == 16


def warnings(source: str, **options: Any) -> list[tuple[str, str, int | None]]:
    found = [d for d in compiled(source, **options).diagnostics if d.severity == "warning"]
    return [(d.code, d.message, None if d.span is None else d.span.line) for d in found]


def test_outputs_that_nobody_gets() -> None:
    """The map has o0 to o6; o0 is the position."""
    declared = "varying vec4 a;\nvarying mat3 b;\nvarying vec2 c[2];\nvarying vec4 d;\nvarying vec2 uv;\n"
    written = "a = vec4(1.0); b = mat3(2.0); c[0] = c[1] = vec2(3.0); d = vec4(4.0); uv = vec2(5.0);"
    assert warnings(f"{declared}void main() {{ {END} {written} if (d.x > 2.0) uv.x = 2.0; }}") == [
        ("W0821", "nobody gets 'c': it is in o7, and the output map ends with o6", 3),
        ("W0821", "nobody gets 'd': it is in o8, and the output map ends with o6", 4),
    ]
    shorter = (
        declared.replace("c[2]", "c") + f"void main() {{ {END} a = d = vec4(1.0); b = mat3(2.0); c = uv = a.xy; }}"
    )
    assert [line for _, _, line in warnings(shorter)] == [4]
    assert warnings(shorter.replace("varying vec4 d;", "vec4 d;")) == []


@pytest.mark.parametrize(
    ("declared", "property", "taken", "dropped"),
    [
        ("vec3 v_texcoord0", "texcoord0", "xy", "z"),
        ("vec4 uv1", "texcoord1", "xy", "zw"),
        ("vec4 v_view", "view", "xyz", "w"),
        ("vec2 uv0w", "texcoord0w", "x", "y"),
        ("vec3 v_asked", "texcoord2", "xy", "z"),
        ("vec2 v_texcoord0", "", "", ""),
        ("vec3 v_color", "", "", ""),
        ("vec4 v_other", "", "", ""),
    ],
)
def test_components_that_the_rasteriser_does_not_take(declared: str, property: str, taken: str, dropped: str) -> None:
    type, name = declared.split()
    source = f"varying {declared};\nvoid main() {{ {END} {name} = {type}(0.5); }}"
    said = f"the rasteriser takes '{name}.{taken}' as {property}, and '{dropped}' goes nowhere"
    assert warnings(source, outputs="v_asked=texcoord2") == ([("W0822", said, 1)] if property else [])


def test_a_geometry_shader_has_seven_outputs() -> None:
    def source(count: int) -> str:
        names = [f"p{number}" for number in range(count)]
        written = "".join(f"{n} = vec4({number}.0);" for number, n in enumerate(names))
        declared = "\n".join(f"varying vec4 {n};" for n in names)
        body = f"gl_Position = gl_PositionIn[0]; {written} EmitVertex();"
        return f"#pragma geometry(points)\n{declared}\nvoid main() {{ {body} }}"

    assert executable(geometry(source(6))).merges_outputs
    ((code, message, _, _),) = errors(source(7), "geometry")
    assert (code, message) == ("E0701", "needs 8 output registers, pica200 has 7")


# --- Uniforms ---------------------------------------------------------------------------------------------------------

UNIFORMS = """
attribute vec4 a;
uniform vec4 first;
uniform mat3 frames[2];
layout(location = 1) uniform vec2 pinned;
uniform int count;
uniform bool flag, both, number;
uniform bvec2 pair;
uniform ivec3 three;
varying vec4 v;
void main() {
    vec4 p = a + first;
    if (flag) { p = p.wzyx * 0.5; p = p * p.x; p = p.yxwz + a; }
    if (both) { p = p.zwxy * 0.5; p = p * p.y; p = p.yxwz + a; }
    for (int i = 0; i < count; i++) p = p.wxyz * 0.5 + pinned.xyxy;
    gl_Position = p * float(both) + float(number) * a;
    v = vec4(frames[0] * a.xyz + frames[1][2], float(count)) + vec4(pair, three.xz);
}
"""


def test_uniforms() -> None:
    shader = compiled(UNIFORMS)
    reflection = {binding.name: binding for binding in shader.reflection.uniforms}
    table = symbols(shader)
    # first is at c0, pinned at c1; the matrices' six rows follow, then the numbers.
    assert table["first"] == (0x10, 0x10) and table["pinned"] == (0x11, 0x11) and table["frames"] == (0x12, 0x17)
    assert table["count"] == (0x18, 0x18) and table["count.i"] == (0x70, 0x70)
    assert table["flag"] == (0x78, 0x78) and table["both"] == (0x79, 0x79) and table["number"] == (0x7A, 0x7A)
    assert table["pair"] == (0x19, 0x19) and table["three"] == (0x1A, 0x1A)
    rows = executable(shader).uniforms
    assert [row.first for row in rows] == sorted(row.first for row in rows)
    assert [(p.index, p.components, p.transform, p.element, p.column) for p in reflection["frames"].locations] == [
        (2 + 3 * element + row, "xyz", "transpose", element, row) for element in range(2) for row in range(3)
    ]
    assert (reflection["frames"].type, reflection["frames"].length) == ("mat3", 2)
    assert reflection["flag"].locations == (Location("b", 0, "x"),)
    assert reflection["both"].locations == (Location("b", 1, "x"),)
    assert reflection["number"].locations == (Location("b", 2, "x"),)
    assert reflection["pair"].locations == (Location("c", 9, "xy", "bool-to-float"),)
    assert reflection["three"].locations == (Location("c", 10, "xyz", "int-to-float"),)
    assert reflection["count"].locations == (Location("i", 0, "x", "count"), Location("c", 8, "x", "int-to-float"))
    assert {name: binding.type for name, binding in reflection.items()} == {
        "first": "vec4", "frames": "mat3", "pinned": "vec2", "count": "int", "flag": "bool", "both": "bool",
        "number": "bool", "pair": "bvec2", "three": "ivec3",
    }  # fmt: skip


STRUCTURES = """
attribute vec4 a;
struct Part { mat2 turn; float far[2]; };
struct Light { vec4 place; Part parts[3]; bool on; };
uniform Light lights[2];
uniform Light sun;
void main() {
    gl_Position = a * lights[1].place + sun.parts[2].far[1] + float(lights[0].on) + float(sun.on);
    gl_Position.xy += lights[int(a.x)].parts[2].turn * a.zw * lights[1].parts[int(a.y)].far[1];
}
"""


def test_members_of_structures_have_the_names_of_glsl() -> None:
    """Matrices of two rows, far[2] of two elements; what loaders look for is what a GLSL program would ask for."""
    shader = compiled(STRUCTURES)
    table = symbols(shader)
    assert table["lights[0].place"] == (0x10, 0x10) and table["lights[1].place"] == (0x11, 0x11)
    turns = [f"lights[{light}].parts[{part}].turn" for light in range(2) for part in range(3)]
    assert [table[name] for name in turns] == [(0x12 + 2 * k, 0x13 + 2 * k) for k in range(6)]
    fars = [f"lights[{light}].parts[{part}].far" for light in range(2) for part in range(3)]
    assert [table[name] for name in fars] == [(0x1E + 2 * k, 0x1F + 2 * k) for k in range(6)]
    assert table["lights[0].on"] == (0x2A, 0x2A) and table["lights[1].on"] == (0x2B, 0x2B)
    assert table["sun.on"] == (0x78, 0x78) and "sun.parts[2].far" in table
    assert not any("[]" in name for name in table)
    assert write(assemble(shader.assembly, "a.s", DiagnosticSink())) == shader.binary


def test_two_ranges_of_one_uniform_are_two_registers() -> None:
    shader = compiled(
        """
        attribute vec4 a; uniform vec4 u[9]; uniform int n;
        void main() {
            vec4 p = a;
            for (int i = 0; i < n; i++) p = p.wxyz * 0.5 + u[i];
            for (int i = 1; i <= n; i++) p = p.yxwz * 0.5 + u[i];
            for (int i = 0; i < 6; i++) p = p.yxwz * 0.5 + p.x;
            gl_Position = p;
        }
        """
    )
    table = symbols(shader)
    assert table["n.i"] == (0x70, 0x70) and table["n.i1"] == (0x71, 0x71)
    # A guard asks whether there is a round at all.
    assert table["n"] == (0x19, 0x19)
    constants = {c.register: c.values for c in executable(shader).constants if c.bank == "i"}
    # Rounds less one, start and step of aL; the host sets the rounds of the first two.
    assert constants == {0: (0, 0, 1, 0), 1: (0, 1, 1, 0), 2: (5, 0, 0, 0)}
    # Who sets the rounds by the libraries must give these, too.
    assert shader.reflection.host_state == {"n.i.start": 0, "n.i.step": 1, "n.i1.start": 1, "n.i1.step": 1}


def many_bools(count: int, read: int) -> str:
    """So many bools, the last of which are read."""
    names = [f"t{number}" for number in range(count)]
    body = "".join(f"p = {n} ? p.wxyz * 0.5 + a : p.yxzw - a;" for n in names[count - read :])
    return f"uniform bool {', '.join(names)}; void main() {{ vec4 p = a; {body} gl_Position = p; }}"


def test_b_registers_are_for_bools_as_many_as_there_are() -> None:
    """b14 is the compiler's; the hardware sets b15 for geometry shaders."""
    vertex = f"attribute vec4 a;{many_bools(15, 15)}"
    found = [(place.space, place.index) for n in range(15) for place in places(compiled(vertex), f"t{n}")]
    assert found == [("b", number) for number in (*range(14), 15)]
    start = "#pragma geometry(points)\n#define a gl_PositionIn[0]\n"
    geometric = start + many_bools(14, 14).replace("= p; }", "= p; EmitVertex(); }")
    found = [(place.space, place.index) for n in range(14) for place in places(geometry(geometric), f"t{n}")]
    assert found == [("b", number) for number in range(14)]


def test_more_bools_than_registers() -> None:
    for vertex, opt in ((f"attribute vec4 a;{many_bools(16, 15)}", 0), (f"attribute vec4 a;{many_bools(99, 15)}", 2)):
        names = {binding.name for binding in compiled(vertex, opt).reflection.uniforms}
        assert len(names) == 15 and "t0" not in names
    ((code, message, help, line),) = errors(f"attribute vec4 a;\n{many_bools(16, 16)}")
    assert (code, message, line) == ("E0701", "needs 16 b registers for bools, pica200 has 15", 2)
    assert help == "pack several bools into a 'bvec4', which is a c register"


@pytest.mark.parametrize("opt", [0, 1, 2, 3, "s"])
@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("u ? a : a * 2.0", lambda a, u, t: a * np.where(u, 1, 2)),
        ("!u ? a : a * 2.0", lambda a, u, t: a * np.where(u, 2, 1)),
        ("vec4(u ? a.x : a.y, u ? a.w : 3.0, u ? 0.5 : a.z, 1.0)", None),
        ("a * float(u)", lambda a, u, t: a * u),
        ("a * float(u) + (t ? a : vec4(float(u)))", lambda a, u, t: a * u + (a if t else u)),
        ("(u && a.x < 1.0) ? a : vec4(u, t, u == t, u ^^ t)", None),
        ("a[u ? 1 : 2] * vec4(1.0)", lambda a, u, t: np.repeat(a[:, 1:2] if u else a[:, 2:3], 4, 1)),
    ],
)
def test_a_bool_has_its_b_register_whatever_it_is_used_for(value: str, wanted: Any, opt: int) -> None:
    """The libraries set b registers by number; in a c register nobody would find the bool."""
    source = f"attribute vec4 a; uniform bool u, t; void main() {{ gl_Position = {value}; }}"
    shader = compiled(source, opt)
    assert symbols(shader)["u"] == (0x78, 0x78) and places(shader, "u") == [Location("b", 0, "x")]
    a = dyadic(7, 8, 4)
    for u, t in product((False, True), repeat=2):
        uniforms = {"u": u, "t": t}
        expected = shader.run({"a": a}, uniforms, engine="reference") if wanted is None else None
        numbers = expected["gl_Position"] if expected is not None else wanted(a, u, t)
        assert np.array_equal(shader.run({"a": a}, uniforms)["gl_Position"], numbers), (u, t)


def test_uniforms_that_do_not_fit_are_left_out_where_nothing_reads_them() -> None:
    source = """
    attribute vec4 a; uniform vec4 u[60], w[60]; uniform bool t;
    void main() { vec4 unused = u[3]; gl_Position = a + w[59]; }
    """
    shader = compiled(source, 0)
    assert symbols(shader)["w"] == (0x10, 0x10 + 59) and "u" not in symbols(shader)
    small = compiled(source.replace("60", "40").replace("59", "39"), 0)
    assert symbols(small)["u"] == (0x10, 0x10 + 39) and symbols(small)["w"] == (0x10 + 40, 0x10 + 79)


@pytest.mark.parametrize(
    ("source", "message", "help"),
    [
        (
            "attribute vec4 a; uniform vec4 u[97]; void main() { gl_Position = a + u[96]; }",
            "needs 97 constant registers, pica200 has 96",
            "'u' may have 96 elements at most",
        ),
        (
            "attribute vec4 a; uniform mat4 m[24]; uniform vec4 u; void main() { gl_Position = m[23] * a + u; }",
            "needs 97 constant registers, pica200 has 96",
            "'m' may have 23 elements at most",
        ),
        (
            "attribute vec4 a; uniform mat3 m[33]; void main() { gl_Position = vec4(m[32] * a.xyz, 0.0); }",
            # The number 0.0 takes one, too.
            "needs 100 constant registers, pica200 has 96",
            "'m' may have 31 elements at most",
        ),
    ],
)
def test_too_many_uniforms(source: str, message: str, help: str) -> None:
    ((code, found, said, line),) = errors(source)
    assert (code, found, said, line) == ("E0701", message, help, 1)


def test_many_small_uniforms_have_another_help() -> None:
    names = [f"u{number}" for number in range(97)]
    source = f"uniform vec4 {', '.join(names)}; void main() {{ gl_Position = {' + '.join(names)}; }}"
    ((code, message, help, _),) = errors(source)
    assert (code, message) == ("E0701", "needs 97 constant registers, pica200 has 96")
    assert help == "use smaller arrays of uniforms, or put several values into one vec4"


def test_literals() -> None:
    shader = compiled(
        "attribute vec4 a; uniform vec4 u[2]; void main() { gl_Position = a * vec4(0.5, -2.0, 3.0, 0.25) + u[1]; }"
    )
    (literal,) = shader.reflection.literals
    assert literal.location == Location("c", 95, "xyzw")
    assert np.array(literal.words, np.uint32).view(np.float32).tolist() == [0.5, -2.0, 3.0, 0.25]
    floats = [(c.register, c.floats) for c in executable(shader).constants if c.bank == "c"]
    assert floats == [(95, (0.5, -2.0, 3.0, 0.25))]
    two = compiled("attribute vec4 a; void main() { gl_Position = a * 0.5 + vec4(a.x, 0.25, -3.0, a.y); }")
    (literal,) = two.reflection.literals
    assert set(np.array(literal.words, np.uint32).view(np.float32).tolist()) == {0.5, 0.25, -3.0}
    assert len(literal.location.components) == len(literal.words)


def test_literals_are_the_nearest_numbers_of_the_file() -> None:
    """0.1 is 1.6 * 2^-4, and 0.6 * 2^16 is 39321.6: cut off 0x9999, which assemblers do, rounded 0x999a."""
    shader = compiled("attribute vec4 a; void main() { gl_Position = a * 0.1; }")
    ((pattern, *_),) = [c.values for c in executable(shader).constants if c.bank == "c"]
    assert pattern == 0x3B999A
    (literal,) = shader.reflection.literals
    nearest = 0.1000003814697265625  # 0x1999a * 2^-20
    assert np.array(literal.words, np.uint32).view(np.float32).tolist() == [nearest]
    for options in ({}, {"f32": True}):
        found = compiled("attribute vec4 a; void main() { gl_Position = a * 0.1; }", **options).run({"a": [[1.0] * 4]})
        assert found["gl_Position"].tolist() == [[nearest] * 4]
    text = assemble(".setf c95(0.1, 0.0, 0.0, 0.0)\n.proc main\nend\n.end\n", "a.s", DiagnosticSink())
    assert text.executables[0].constants[0].values[0] == 0x3B9999
    assert write(assemble(shader.assembly, "b.s", DiagnosticSink())) == shader.binary


def test_limits_and_sizes() -> None:
    shader = compiled("attribute vec4 a; uniform vec4 u[3]; void main() { gl_Position = max(a * 0.5, u[2]); }")
    # mul, max, end; two descriptors differ in what is read, and c0 to c2 and a literal are taken.
    limits = shader.reflection.limits or {}
    assert limits["code words"] == (3, 512) and limits["constant registers"] == (4, 96)
    assert limits["temporary registers"] == (1, 16) and limits["operand descriptors"][1] == 128
    assert 1 <= limits["operand descriptors"][0] <= 2
    stats = shader.stats
    assert (stats.instructions, stats.code_words, stats.registers, stats.constants) == (3, 3, 1, 4)


@pytest.mark.parametrize(
    ("primitive", "stride"),
    [("points", 3), ("lines", 6), ("triangles", 9), ("fixed, lines", 3), ("variable, vertices = 2, most = 5", 3)],
)
def test_the_stride_of_a_geometry_shader(primitive: str, stride: int) -> None:
    """The registers of all vertices of a run where these are in v registers, else those of one vertex."""
    count = {"points": 1, "triangles": 3}.get(primitive, 2)
    source = f"""
    #pragma geometry({primitive})
    attribute vec2 v_a[{count}], v_b[{count}];
    void main() {{ gl_Position = gl_PositionIn[0] + v_a[0].xyxy + v_b[{count - 1}].xyxy; EmitVertex(); }}
    """
    assert geometry(source).reflection.host_state == {"geometry_stride": stride}
    assert compiled("void main() { gl_Position = vec4(1.0); }").reflection.host_state is None


def test_uniforms_where_vertices_are_put() -> None:
    source = """
    #pragma geometry(variable, vertices = 1, most = 9)
    layout(location = {}) uniform vec4 u;
    void main() {{ gl_Position = gl_PositionIn[1] + u; EmitVertex(); }}
    """
    # c0 is the number of vertices, then there are nine positions.
    assert symbols(geometry(source.format(10)))["u"] == (0x1A, 0x1A)
    ((code, message, help, line),) = errors(source.format(9), "geometry")
    assert code == "E0702" and "a uniform where vertices are put" in message and line == 3
    assert help == "leave its location out, or begin with 10"
