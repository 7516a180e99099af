"""The page about textures: its table is current, and what it says of each target is what the compiler does."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.report.texture_page import NO, PAGE, ROWS, with_fresh_table

_ES = "#version 300 es\nprecision highp float;\nprecision highp sampler3D;\nprecision highp sampler2DArray;\n"
_ES += "precision highp isampler2D;\nprecision highp sampler2DShadow;\nin vec3 v; out vec4 c;\n"
_DESKTOP = "#version 330\nin vec3 v; out vec4 c;\n"
#: What a row of the table means: version and body of a fragment shader with the sampler `s`.
SHADERS = {
    "`sampler2D`": (_ES, "sampler2D", "texture(s, v.xy)"),
    "`samplerCube`": (_ES, "samplerCube", "texture(s, v)"),
    "`sampler3D`": (_ES, "sampler3D", "texture(s, v)"),
    "`sampler2DArray`": (_ES, "sampler2DArray", "texture(s, v)"),
    "`sampler1D`": (_DESKTOP, "sampler1D", "texture(s, v.x)"),
    "`sampler1DArray`": (_DESKTOP, "sampler1DArray", "texture(s, v.xy)"),
    "`sampler2DRect`": (_DESKTOP, "sampler2DRect", "texture(s, v.xy)"),
    "`samplerBuffer`": (_DESKTOP, "samplerBuffer", "texelFetch(s, 3)"),
    "`isampler2D`, `usampler2D` and their like": (_ES, "isampler2D", "vec4(texture(s, v.xy))"),
    "`sampler2DShadow` and its like": (_ES, "sampler2DShadow", "vec4(texture(s, v))"),
    "a bias": (_ES, "sampler2D", "texture(s, v.xy, 1.5)"),
    "`textureLod`": (_ES, "sampler2D", "textureLod(s, v.xy, 1.5)"),
    "`textureGrad`": (_ES, "sampler2D", "textureGrad(s, v.xy, v.zx, v.yz)"),
    "`textureSize(s, 0)`": (_ES, "sampler2D", "vec4(v, float(textureSize(s, 0).y) * 0.01)"),
    "`texelFetch(s, p, 0)`": (_ES, "sampler2D", "texelFetch(s, ivec2(1, 2), 0)"),
    "`textureOffset`": (_ES, "sampler2D", "textureOffset(s, v.xy, ivec2(1, -1))"),
}
#: A level that is left out with a warning is none that the machine has.
_ONLY_WARNED = {("theia", "a bias"), ("theia", "`textureLod`"), ("theia", "`textureGrad`")}


def test_the_table_is_current() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == with_fresh_table(text), "run `make docs`"


@pytest.mark.parametrize("row", SHADERS)
@pytest.mark.parametrize("target", [name for name in target_names() if "fragment" in load_target(name).stages])
def test_what_the_table_says(target: str, row: str) -> None:
    head, sampler, lookup = SHADERS[row]
    source = f"{head}uniform {sampler} s;\nvoid main() {{ c = {lookup}; }}\n"
    is_had = ROWS[row](load_target(target).textures) != NO or (target, row) in _ONLY_WARNED
    try:
        glslc_multi.compile(source, target=target, stage="fragment")
    except glslc_multi.CompileError as error:
        assert [diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"] == ["E0702"]
        assert not is_had
    else:
        assert is_had


@pytest.mark.parametrize("target", [name for name in target_names() if "vertex" in load_target(name).stages])
def test_lookups_in_vertex_shaders(target: str) -> None:
    source = "uniform sampler2D s; attribute vec2 p; void main() { gl_Position = texture2D(s, p); }"
    is_had = ROWS["lookups in vertex shaders"](load_target(target).textures) != NO
    try:
        glslc_multi.compile(source, target=target, stage="vertex")
    except glslc_multi.CompileError:
        assert not is_had
    else:
        assert is_had
