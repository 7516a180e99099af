"""Layouts of uniform blocks by the rules of std140.

Offsets are those that OpenGL ES 3.0 section 2.12.6.4 gives, worked out by hand.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from tests.frontends.glsl.shaders import compile_shader

BLOCK = """#version 300 es
precision highp float;
struct Lamp { float near; vec3 at; mat2 turn[2]; };
layout(std140) uniform Scene {
    float scale;        // 0
    vec3 up;            // 16
    float after;        // 28, in what is left of the vec3
    vec2 pair[2];       // 32, 48
    layout(row_major) mat3x2 wide;   // 64, rows of three at 64 and 80
    Lamp lamps[2];      // 96: near 96, at 112, turn 128 to 192; the next one at 192
    bool on;            // 288
} scene;
layout(std140) uniform Part { uint n; } parts[2];
out vec4 colour;
void main() {
    colour = vec4(scene.scale, scene.up.z + scene.after, scene.pair[1].y, scene.wide[1][0]);
    colour += vec4(scene.lamps[1].turn[1][1].x, scene.lamps[1].at.y, float(parts[1].n), scene.on ? 1.0 : 0.0);
}
"""
OFFSETS = {
    "Scene.scale": 0,
    "Scene.up": 16,
    "Scene.after": 28,
    "Scene.pair": 32,
    "Scene.wide": 64,
    "Scene.lamps[0].near": 96,
    "Scene.lamps[0].at": 112,
    "Scene.lamps[0].turn": 128,
    "Scene.lamps[1].near": 192,
    "Scene.lamps[1].at": 208,
    "Scene.lamps[1].turn": 224,
    "Scene.on": 288,
}


def module_of(text: str = BLOCK) -> Module:
    return compile_shader(text, filename="a.frag", stage="fragment", sink=DiagnosticSink())


def test_members_lie_where_std140_puts_them() -> None:
    scene, part = module_of().blocks
    assert {member.name: member.offset for member in scene.members} == OFFSETS
    assert (scene.size, part.size, part.length) == (304, 16, 2)
    wide = next(member for member in scene.members if member.name == "Scene.wide")
    assert (wide.matrix_stride, wide.row_major) == (16, True)
    turn = next(member for member in scene.members if member.name == "Scene.lamps[1].turn")
    assert (turn.array_stride, turn.matrix_stride, turn.row_major) == (32, 16, False)
