"""Uniform blocks: layouts by the rules of std140, and buffers that become the values of members.

Offsets are those that OpenGL ES 3.0 section 2.12.6.4 gives, worked out by hand.
"""

from __future__ import annotations

import struct

import numpy as np
import pytest

from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.ir.module import Module
from frontends.glsl.frontend import compile_shader
from runtime.reference import run_module

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


def _module(text: str = BLOCK) -> Module:
    return compile_shader(text, filename="a.frag", stage="fragment", sink=DiagnosticSink())


def test_members_lie_where_std140_puts_them() -> None:
    scene, part = _module().blocks
    assert {member.name: member.offset for member in scene.members} == OFFSETS
    assert (scene.size, part.size, part.length) == (304, 16, 2)
    wide = next(member for member in scene.members if member.name == "Scene.wide")
    assert (wide.matrix_stride, wide.row_major) == (16, True)
    turn = next(member for member in scene.members if member.name == "Scene.lamps[1].turn")
    assert (turn.array_stride, turn.matrix_stride, turn.row_major) == (32, 16, False)


def test_a_buffer_is_the_same_as_its_members() -> None:
    buffer = bytearray(304)
    for offset, number in {0: 0.5, 24: 2.0, 28: 0.25, 52: 3.0, 68: 7.0, 212: 4.0, 272: 1.5}.items():
        struct.pack_into("<f", buffer, offset, number)
    struct.pack_into("<I", buffer, 288, 1)
    part = [struct.pack("<4I", number, 0, 0, 0) for number in (1, 9)]
    uniforms = {"Scene": bytes(buffer), "Part[0]": part[0], "Part[1]": part[1]}
    colour = run_module(_module(), {}, uniforms, {}, lanes=1)["colour"]
    # turn[1] of lamps[1] is at 224 + 32, its second column 16 further.
    np.testing.assert_array_equal(colour[0], [0.5 + 1.5, 2.25 + 4.0, 3.0 + 9.0, 7.0 + 1.0])


def test_a_buffer_that_is_too_short_is_refused() -> None:
    with pytest.raises(CompileError, match="303 bytes, expected 304"):
        run_module(_module(), {}, {"Scene": bytes(303)}, {}, lanes=1)
