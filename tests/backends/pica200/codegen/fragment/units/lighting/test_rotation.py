"""Which vectors are normals that a quaternion turns, in whatever way a shader writes that."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError

_SHADER = """
precision highp float;
uniform sampler2D u_normals;
uniform vec3 u_light;
varying vec2 v_texcoord;
varying vec4 v_turn;
void main() {
    vec4 q = normalize(v_turn);
    vec3 m = texture2D(u_normals, v_texcoord).rgb * 2.0 - 1.0;
    %s
    gl_FragColor = vec4(vec3(max(dot(n, normalize(u_light)), 0.0)), 1.0);
}
"""
_FLAT = "m.z = sqrt(max(1.0 - m.x * m.x - m.y * m.y, 0.0));"
TURNED = {
    "as the reference has it": f"{_FLAT} vec3 n = m + 2.0 * cross(q.xyz, cross(q.xyz, m) + q.w * m);",
    "by two products": f"{_FLAT} vec3 c = 2.0 * cross(q.xyz, m); vec3 n = m + q.w * c + cross(q.xyz, c);",
    "by dot products": f"{_FLAT} vec3 n = 2.0 * dot(q.xyz, m) * q.xyz + (q.w * q.w - dot(q.xyz, q.xyz)) * m"
    " + 2.0 * q.w * cross(q.xyz, m);",
    "normalised again": f"{_FLAT} vec3 n = normalize(m + 2.0 * cross(q.xyz, cross(q.xyz, m) + q.w * m));",
    "with z of the map": "vec3 n = m + 2.0 * cross(q.xyz, cross(q.xyz, m) + q.w * m);",
    "without a map": "vec3 n = vec3(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),"
    " 1.0 - 2.0 * (q.x * q.x + q.y * q.y));",
}
NOT_TURNED = {
    "another sign": f"{_FLAT} vec3 n = m + 2.0 * cross(q.xyz, cross(q.xyz, m) - q.w * m);",
    "half of it": f"{_FLAT} vec3 n = m + cross(q.xyz, cross(q.xyz, m) + q.w * m);",
    "of the length of the map, normalised": "vec3 n = normalize(m + 2.0 * cross(q.xyz, cross(q.xyz, m) + q.w * m));",
    "another axis": "vec3 n = vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),"
    " 2.0 * (q.x * q.z - q.w * q.y));",
}


@pytest.mark.parametrize("body", TURNED.values(), ids=TURNED)
def test_these_are(body: str) -> None:
    compiled = glslc_multi.compile(_SHADER % body, target="pica200", stage="fragment")
    assert compiled.artifact.stats.instructions == 1
    (varying,) = [v for v in compiled.reflection.varyings if v.name == "v_turn"]
    assert [(place.space, place.components) for place in varying.locations] == [("normalquat", "xyzw")]


def test_what_nothing_turns_is_left_to_the_combiners() -> None:
    compiled = glslc_multi.compile(_SHADER % "vec3 n = m;", target="pica200", stage="fragment")
    assert "rgb = dot3(texture0.rgb, constant.rgb)" in compiled.assembly
    assert not [v for v in compiled.reflection.varyings if v.locations and v.locations[0].space == "normalquat"]


@pytest.mark.parametrize("body", NOT_TURNED.values(), ids=NOT_TURNED)
def test_these_are_not(body: str) -> None:
    with pytest.raises(CompileError):
        glslc_multi.compile(_SHADER % body, target="pica200", stage="fragment")
