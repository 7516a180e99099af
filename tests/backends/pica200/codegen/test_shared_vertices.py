"""Random geometry shaders whose vertices share positions and colours, as procedures and kept values serve them."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.pica200.isa import instructions
from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.pica200.codegen.test_geometry import compiled
from tests.backends.pica200.codegen.test_geometry import test_triangles_are_those_of_the_evaluator as compare
from tests.backends.pica200.compiled import dyadic

SHAPES = {"gl_PositionIn": (3, 4), "v_color": (3, 4)}
_HALF = dyadic(3, 4, 4)
#: The matrix is symmetric, whichever way it is uploaded.
UNIFORMS = {"u": _HALF + _HALF.T, "u_shift": dyadic(5, 4)}
HEAD = """#pragma geometry(triangles)
attribute vec4 v_color[3];
uniform mat4 u;
uniform vec4 u_shift;
varying vec4 color;
varying vec2 texcoord0;
"""
#: What vertices are made of.
PLACES = [f"gl_PositionIn[{k}]" for k in range(3)] + [
    f"(gl_PositionIn[{k}] + gl_PositionIn[{(k + 1) % 3}])" for k in range(3)
]
PLACES += ["(gl_PositionIn[0] + u_shift)", "u_shift"]
PLACES += [f"vec4(gl_PositionIn[{k}].xz, gl_PositionIn[{(k + 1) % 3}].y, 1.0)" for k in range(3)]
TINTS = [
    *(f"v_color[{k}]" for k in range(3)),
    "(v_color[1] * 0.5)",
    "vec4(v_color[2].wz, v_color[0].y, 0.25)",
    "u_shift.wzyx",
    "vec4(1.0, 0.0, 0.5, 1.0)",
]


def shader(seed: int) -> str:
    chance = random.Random(seed)
    lines = [f"vec4 p{k} = {chance.choice(['u * ', '', 'u * '])}{chance.choice(PLACES)};" for k in range(4)]
    lines += [f"vec4 t{k} = {chance.choice(TINTS)};" for k in range(3)]
    for _ in range(chance.randint(3, 9)):
        vertex = [f"gl_Position = p{chance.randrange(4)};"]
        if chance.random() < 0.8:
            vertex.insert(chance.randrange(2), f"color = t{chance.randrange(3)};")
        if chance.random() < 0.5:
            vertex.append(f"texcoord0 = {chance.choice(['p0.xy', 't1.zw', 'vec2(0.0, 1.0)'])};")
        vertex.append("EmitVertex();")
        if chance.random() < 0.25:
            vertex = [f"if (gl_PositionIn[1].{chance.choice('xyzw')} < 1.0) {{", *vertex, "}"]
        if chance.random() < 0.2:
            vertex.append("EndPrimitive();")
        lines += vertex
    # Three vertices of a strip at least, whatever the conditions.
    start = "gl_Position = u * u_shift; color = v_color[2]; texcoord0 = vec2(0.5);"
    lines = [start, *("EmitVertex();" for _ in range(3)), *lines]
    return f"{HEAD}void main() {{\n    " + "\n    ".join(lines) + "\n}\n"


@pytest.mark.parametrize("seed", range(10))
def test_vertices_that_share_values(seed: int) -> None:
    compare(shader(seed), SHAPES, UNIFORMS, 2)


#: Each vertex needs a value of its own, and what follows the triangles needs some that live through all calls.
TRIANGLES = (
    HEAD
    + """void corner(vec4 p, vec4 tint) {
    float size = dot(p, u_shift);
    gl_Position = p * size;
    color = tint;
    texcoord0 = vec2(size);
    EmitVertex();
}
void main() {
    vec4 a = gl_PositionIn[0], b = gl_PositionIn[1], c = gl_PositionIn[2];
    vec4 d = a * u_shift, e = b * u_shift, f = c * u_shift;
    vec4 g = a - u_shift, h = b - u_shift, i = c - u_shift;
    corner(a, v_color[0]); corner(b, v_color[1]); corner(c, v_color[2]);
    EndPrimitive();
    corner(d, v_color[0]); corner(e, v_color[1]); corner(f, v_color[2]);
    EndPrimitive();
    corner(g, v_color[0]); corner(h, v_color[1]); corner(i, v_color[2]);
    EndPrimitive();
    color = u_shift;
    texcoord0 = vec2(0.0);
    gl_Position = d + g; EmitVertex();
    gl_Position = e + h; EmitVertex();
    gl_Position = f + i; EmitVertex();
}
"""
)


def test_what_triangles_share_calls_what_their_vertices_share() -> None:
    compare(TRIANGLES, SHAPES, {"u_shift": UNIFORMS["u_shift"]}, 2)
    program = read(compiled(TRIANGLES).binary, "a.shbin", DiagnosticSink())
    assert program is not None
    main = program.executables[0]
    words = [instructions.decode(word) for word in program.code]
    calls = [number for number, word in enumerate(words) if word is not None and word.name == "CALL"]
    # All procedures stand in `main`; one call of each is the procedure itself.
    assert (len(calls), main.end) == (6, len(words))


#: The corners of a rectangle between two points: no two of them copy the same components.
RECTANGLE = (
    HEAD
    + """void corner(float x, float y) {
    gl_Position = vec4(x, y, gl_PositionIn[0].z, 1.0);
    color = v_color[2];
    EmitVertex();
}
void main() {
    vec4 a = gl_PositionIn[0], b = gl_PositionIn[1];
    corner(a.x, a.y); corner(b.x, a.y); corner(a.x, b.y); corner(b.x, b.y);
}
"""
)


def test_what_differs_comes_before_what_all_vertices_share() -> None:
    """Of each corner: SETEMIT, x and y of one or of two points, CALL; and END; z, w, the colour and EMIT are shared, in
    place of a CALL."""
    compare(RECTANGLE, SHAPES, {}, 2)
    assert compiled(RECTANGLE).stats.code_words == 4 * 3 + 2 + 1 + 4 - 1
