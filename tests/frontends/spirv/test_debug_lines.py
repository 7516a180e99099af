"""Messages about a module point at the line of the source, whatever form of debug information a compiler leaves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import CompileError
from tests.frontends.spirv.modules import HEAD, LOADS, START, lowered

needs_glslang = pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="glslang-tools is not installed")

#: What no target has stands in line 5; the line before it is good.
_GLSL = """#version 450
layout(binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 colour;
void main() { vec4 known = texture(image, vec2(0.5));
    colour = known + textureGather(image, vec2(0.5));
}
"""
_HLSL = """Texture2D image;
SamplerState way;
float4 main(float2 uv : A) : SV_Target {
    float4 known = image.Sample(way, uv);
    return known + image.Gather(way, uv);
}
"""
_SHOWN = {
    "glsl": "    colour = known + textureGather(image, vec2(0.5));",
    "hlsl": "    return known + image.Gather(way, uv);",
}


def _module(folder: Path, kind: str, *options: str) -> bytes:
    source = folder / f"shader.{kind}"
    source.write_text(_GLSL if kind == "glsl" else _HLSL)
    language = ["-D", "-e", "main"] if kind == "hlsl" else []
    command = ["glslangValidator", "-V", *options, *language, "-S", "frag", source.name, "-o", "shader.spv"]
    subprocess.run([*command, "--amb", "--aml"], cwd=folder, check=True, capture_output=True)
    return (folder / "shader.spv").read_bytes()


@needs_glslang
@pytest.mark.parametrize("kind", ["glsl", "hlsl"])
@pytest.mark.parametrize(("option", "has_set"), [("-g", False), ("-gVS", True)])
def test_the_line_of_the_source(tmp_path: Path, kind: str, option: str, has_set: bool) -> None:
    """OpLine with -g, NonSemantic.Shader.DebugInfo.100 with -gVS."""
    module = _module(tmp_path, kind, option)
    assert (b"NonSemantic.Shader.DebugInfo.100" in module) == has_set
    with pytest.raises(CompileError) as caught:
        lowered(module)
    (found,) = caught.value.diagnostics
    assert found.code == "E1010" and found.span is not None
    assert (found.span.file.name, found.span.line) == (f"shader.{kind}", 5)
    assert found.span.file.line_text(5) == _SHOWN[kind]


@needs_glslang
def test_without_debug_information_the_line_of_the_text_form(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        lowered(_module(tmp_path, "glsl"))
    (found,) = caught.value.diagnostics
    assert found.span is not None and "OpImageGather" in found.span.file.line_text(found.span.line)


#: A line of one instruction only, and one that holds until another is named or the block ends.
_LINES = [
    ("OpLine %file 7 3\n%bad = OpFAdd %vec4 %a %i\n", 7),
    ("OpLine %file 7 3\n%good = OpFAdd %vec4 %a %b\n%bad = OpFAdd %vec4 %a %i\n", 7),
    ("OpLine %file 7 3\n%good = OpFAdd %vec4 %a %b\nOpLine %file 9 1\n%bad = OpFAdd %vec4 %a %i\n", 9),
]


@pytest.mark.parametrize(("body", "line"), _LINES)
def test_a_line_holds_until_the_next(body: str, line: int) -> None:
    with pytest.raises(CompileError) as caught:
        lowered(_with_file(body))
    span = caught.value.diagnostics[0].span
    assert span is not None and (span.file.name, span.line) == ("here.hlsl", line)


@pytest.mark.parametrize("between", ["OpNoLine\n", "OpBranch %next\n%next = OpLabel\n"])
def test_a_line_ends(between: str) -> None:
    with pytest.raises(CompileError) as caught:
        lowered(_with_file(f"OpLine %file 7 3\n%good = OpFAdd %vec4 %a %b\n{between}%bad = OpFAdd %vec4 %a %i\n"))
    span = caught.value.diagnostics[0].span
    assert span is not None and span.file.name != "here.hlsl"


def _with_file(body: str) -> str:
    head = HEAD.replace("OpDecorate", '%file = OpString "here.hlsl"\nOpDecorate', 1)
    return f"{head}{START}{LOADS}{body}OpReturn\nOpFunctionEnd\n"


#: What no target has is a type, which is used in line 5.
_OF_TYPES = {
    "buffer Data { float numbers[]; } data;": ("data.numbers[gl_SampleMaskIn[0]]", "'data' needs it"),
    "uniform Unread { vec4 first; } unread;": ("float(double(unread.first.x) * 2.0LF)", None),
    "uniform writeonly image2D stored;": ("float(imageSize(stored).x)", "'stored' needs it"),
}


@needs_glslang
@pytest.mark.parametrize("option", ["-g", "-gVS"])
@pytest.mark.parametrize("declared", _OF_TYPES)
def test_a_type_is_refused_where_it_is_needed(tmp_path: Path, declared: str, option: str) -> None:
    value, note = _OF_TYPES[declared]
    source = tmp_path / "shader.glsl"
    source.write_text(
        f"#version 450\nlayout(binding = 0) {declared}\nlayout(location = 0) out vec4 colour;\n"
        f"void main() {{\n    colour = vec4({value});\n}}\n"
    )
    command = ["glslangValidator", "-V", option, "-S", "frag", source.name, "-o", "shader.spv"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    with pytest.raises(CompileError) as caught:
        lowered((tmp_path / "shader.spv").read_bytes())
    (found,) = caught.value.diagnostics
    assert found.code == "E1010" and found.span is not None
    assert (found.span.file.name, found.span.line) == ("shader.glsl", 5)
    assert list(found.notes) == ([note] if note else [])
