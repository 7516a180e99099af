"""Which variables a module has, what is recorded about them, and how outputs are written."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Module
from glslc_multi.compiler.ir.ops import LOAD, STORE
from glslc_multi.compiler.ir.text import print_variable
from glslc_multi.frontends.glsl.builtins import VARIABLES, variable
from glslc_multi.frontends.glsl.language.versions import Language, versions
from glslc_multi.frontends.glsl.lower.interface import interface_storage
from tests.frontends.glsl.lower.harness import lower_text, run_fragment


def interface(module: Module) -> list[str]:
    return [print_variable(variable) for variable in module.interface()]


def test_used_variables_in_declared_order_flattened_to_leaves() -> None:
    module = lower_text(
        """
        struct Light { highp vec3 pos; mediump float w[2]; bool on; };
        uniform Light lights[3];
        uniform mediump mat3 turn;
        uniform lowp sampler2D maps[2];
        uniform int unused;
        attribute vec4 position;
        attribute vec2 ignored;
        varying mediump vec2 uv[2];
        varying vec3 silent;
        void main() {
            uv[1] = turn[0].xy * lights[1].w[0] + texture2D(maps[1], vec2(0.0)).xy;
            gl_Position = position + vec4(lights[0].pos, 1.0);
        }
        """,
        "vertex",
    )
    assert interface(module) == [
        "output @gl_Position: vec4 highp role(position)",
        "uniform @lights[].pos: vec3[3] highp",
        "uniform @lights[].w: float[3][2] mediump",
        "uniform @turn: mat3 mediump",
        "sampler @maps: sampler2D[2] lowp",
        "attribute @position: vec4 highp",
        "varying @uv: vec2[2] mediump",
    ]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (
            "gl_FragColor = gl_FragCoord;",
            [
                "input @gl_FragCoord: vec4 mediump role(frag_coord)",
                "output @gl_FragColor: vec4 mediump role(frag_color)",
            ],
        ),
        (
            "gl_FragData[0] = vec4(gl_FrontFacing);",
            ["input @gl_FrontFacing: bool role(front_facing)", "output @gl_FragData: vec4[1] mediump role(frag_data)"],
        ),
        (
            "gl_FragColor.xy = gl_PointCoord;",
            [
                "input @gl_PointCoord: vec2 mediump role(point_coord)",
                "output @gl_FragColor: vec4 mediump role(frag_color)",
            ],
        ),
        (
            "gl_FragColor = vec4(gl_DepthRange.far);",
            [
                "uniform @gl_DepthRange.far: float highp role(depth_range)",
                "output @gl_FragColor: vec4 mediump role(frag_color)",
            ],
        ),
    ],
)
def test_built_in_variables(use: str, expected: list[str]) -> None:
    assert sorted(interface(lower_text(f"void main() {{ {use} }}"))) == sorted(expected)


def test_every_built_in_variable_has_its_place_in_the_interface() -> None:
    for row in VARIABLES:
        language = Language(min(versions(row.versions)))
        symbol = variable(row.name, language, min(row.stages), draw_buffers=language.is_es)
        assert symbol is not None
        assert interface_storage(symbol, "fragment") == (
            "output" if symbol.writable else "uniform" if "Range" in row.name else "input"
        )


def test_locations_of_a_pinned_struct_follow_each_other() -> None:
    module = lower_text(
        """
        struct S { vec4 a; mat3 m; float f[2]; };
        layout(location = 4) uniform S s;
        layout(location = 2) attribute vec4 p;
        void main() { gl_Position = p + s.a + vec4(s.m[0], s.f[1]); }
        """,
        "vertex",
    )
    assert {v.name: v.location for v in module.interface()} == {
        "p": 2,
        "s.a": 4,
        "s.m": 5,
        "s.f": 8,
        "gl_Position": None,
    }


def test_outputs_without_a_location_take_the_first_free_ones() -> None:
    """An array takes as many as it has elements (GLSL 3.30 section 4.3.8.2)."""
    module = lower_text(
        """#version 330
        layout(location = 1) out vec4 b[2]; out vec4 a; out vec4 d[2]; out vec4 c;
        void main() { a = b[0] = b[1] = c = d[0] = d[1] = vec4(1.0); }
        """,
        "fragment",
    )
    assert {v.name: v.location for v in module.outputs()} == {"b": 1, "a": 0, "d": 3, "c": 5}


def test_locals_yield_names_to_the_interface() -> None:
    module = lower_text(
        """
        uniform vec4 color;
        void f(float color) { gl_Position.x = color; }
        void main() { gl_Position = color; f(2.0); }
        """,
        "vertex",
    )
    outputs = evaluate(module, {}, {"color": np.array([1.0, 5.0, 6.0, 7.0])}, lanes=1).outputs
    assert outputs["gl_Position"].tolist() == [[2.0, 5.0, 6.0, 7.0]]


def test_each_output_is_stored_once_as_a_whole_at_the_end_of_main() -> None:
    module = lower_text(
        """
        uniform float u;
        varying mat2 m;
        void main() {
            gl_Position = vec4(u);
            if (u > 1.0) { gl_Position.x = 3.0; m[0].y = u; return; }
            gl_Position.zw = vec2(1.0);
            m[1] = gl_Position.xy;
        }
        """,
        "vertex",
    )
    stores = [
        (instruction.address.variable.name, instruction.address.column, instruction.block)
        for instruction in module.main.instructions()
        if instruction.op is STORE and instruction.address.variable.storage != "local"
    ]
    exit_block = module.main.blocks[-1]
    assert stores == [("gl_Position", 0, exit_block), ("m", 0, exit_block), ("m", 1, exit_block)]
    loads = {i.address.variable.storage for i in module.main.instructions() if i.op is LOAD}
    assert loads == {"local", "uniform"}


def test_several_draw_buffers() -> None:
    source = "uniform int k; void main() { gl_FragData[k] = vec4(1.0); gl_FragData[0].x = 5.0; }"
    head = "#extension GL_EXT_draw_buffers : require\n"
    data = run_fragment(source, uniforms={"k": 2}, head=head).outputs["gl_FragData"][0]
    assert data[2].tolist() == [1.0] * 4 and data[0, 0] == 5.0


def test_fragment_depth() -> None:
    head = "#extension GL_EXT_frag_depth : require\n"
    result = run_fragment("void main() { gl_FragDepthEXT = 0.25; gl_FragColor = vec4(1.0); }", head=head)
    assert result.outputs["gl_FragDepthEXT"].tolist() == [0.25] * 4


# ------------------------------------------------------------------------------------------- flags
def flags(module: Module) -> dict[str, int]:
    return {i.op.name: i.flags for f in module.functions.values() for i in f.instructions() if i.op.is_pure}


def test_operations_are_relaxed_where_all_their_operands_are() -> None:
    source = """
        uniform {a} float p; uniform {b} float q; uniform mediump int k;
        void main() {{ {c} float r = p * q; int i = k + 2; gl_FragColor = vec4(r < 1.0, sin(p) - 1.0, float(i), 0.0); }}
    """
    low = flags(lower_text(source.format(a="lowp", b="mediump", c="highp")))
    assert (low["fmul"], low["fsin"], low["fsub"], low["iadd"], low["itof"]) == (RELAXED, RELAXED, RELAXED, 0, 0)
    assert low["flt"] == 0
    mixed = flags(lower_text(source.format(a="highp", b="lowp", c="mediump")))
    assert (mixed["fmul"], mixed["fsin"], mixed["flt"]) == (0, 0, RELAXED)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", 0),
        ("invariant gl_Position;", PRECISE),
        ("invariant varying float v;", PRECISE),
        ("#pragma STDGL invariant(all)\n", PRECISE),
    ],
)
def test_everything_is_precise_where_an_output_is_invariant(head: str, expected: int) -> None:
    module = lower_text(f"{head} uniform vec4 u; void main() {{ gl_Position = u * 2.0 + u; }}", "vertex")
    assert flags(module)["fmul"] == flags(module)["fadd"] == expected
    assert module.variables["gl_Position"].invariant == (bool(expected) and "varying" not in head)


def test_every_instruction_has_a_place_in_the_source() -> None:
    module = lower_text("""
        precision mediump float;
        uniform sampler2D s; varying vec2 uv; float g = 2.0;
        float f(inout float a, int i) { if (a > 1.0) return 2.0; a++; for (int j = 0; j < i; j++) a *= 2.0; return a; }
        void main() { float x = uv.x; gl_FragColor = texture2D(s, uv) * f(x, 3) * g; if (x > 2.0) discard; }
    """)
    placeless = [i for f in module.functions.values() for i in f.instructions() if i.span is None]
    assert placeless == [module.main.blocks[-1].terminator], "but for the end of the program"


def test_pragmas_reach_the_module() -> None:
    assert lower_text("#pragma target(spin)\nvoid main() { gl_Position = vec4(0.0); }", "vertex").pragmas == [
        "target(spin)"
    ]
