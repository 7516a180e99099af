"""Comments about textures: what the code takes for granted of them stands where a host binds them."""

from __future__ import annotations

import pytest

import glslc_multi

VERTEX = """#version 330
in vec4 a_position; out vec2 v; void main() { v = a_position.xy; gl_Position = a_position; }
"""
FRAGMENT = """#version 330
uniform sampler2DShadow u_depth; uniform sampler2D u_plain, u_texels[2];
in vec2 v; out vec4 c;
void main() {
    c = texture(u_plain, v) * texture(u_depth, vec3(v, 0.5));
    c += texelFetch(u_texels[1], ivec2(v), 0) * texture(u_texels[0], v);
}
"""


@pytest.mark.parametrize(
    ("target", "form"), [("adreno", "freedreno"), ("vc4", "drm"), ("vc4", "rpi-vk-driver"), ("xenos", "libxenon")]
)
def test_what_the_code_takes_for_granted_stands_in_the_header(target: str, form: str) -> None:
    program = glslc_multi.link(VERTEX, FRAGMENT, target=target)
    texts = [text.decode() for text in program.host_code(form, "demo").values()]
    lines = [line for text in texts for line in text.splitlines() if line.lstrip().startswith("/*")]
    found = {name: [line for line in lines if f" {name}" in line] for name in ("u_depth", "u_plain", "u_texels")}
    assert [line.count("; compare lequal, filter nearest */") for line in found["u_depth"]] == [1]
    assert [line.count("; mipmaps no, filter nearest */") for line in found["u_texels"]] == [1]
    assert [line.count(";") for line in found["u_plain"]] == [0]
