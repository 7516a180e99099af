"""What forms cannot do is a diagnostic, and names do not meet."""

from __future__ import annotations

import re

import pytest

from glslc_multi.backends.agal.host.classes import class_name
from glslc_multi.backends.agal.host.languages import HAXE
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from tests.backends.agal.host.test_actionscript import linked


@pytest.mark.parametrize(
    ("prefix", "name"),
    [("lit_ball", "LitBall"), ("vector", "VectorShader"), ("context3D", "Context3DShader"), ("Picture", "Picture")],
)
def test_names_of_classes(prefix: str, name: str) -> None:
    assert class_name(prefix) == name


def test_zeros_keep_their_sign() -> None:
    assert [HAXE.number(value) for value in (-0.0, 0.0, -2.0, 0.5)] == ["-0.0", "0.0", "-2", "0.5"]


def test_a_filter_has_no_colours() -> None:
    with pytest.raises(CompileError) as failed:
        load_target("agal").host_code(linked("lit"), "starling-filter", DiagnosticSink())
    assert [found.code for found in failed.value.diagnostics] == ["E0953"]
    assert "attribute 'color'" in failed.value.diagnostics[0].message


def test_a_stage_alone_takes_the_other_ones_code() -> None:
    source = make_source(
        "precision highp float; uniform float u_a; void main() { gl_FragColor = vec4(u_a); }", "a.frag"
    )
    target = load_target("agal")
    artifact = compile_source(source, target, Request(), DiagnosticSink())
    program = HostProgram({"fragment": artifact}, "alone")
    (file,) = target.host_code(program, "haxe", DiagnosticSink())
    text = file.data.decode()
    assert "upload(vertexCode:ByteArray)" in text
    assert re.search(r"program.upload\(vertexCode, fragmentCode\(\)\)", text)
    with pytest.raises(CompileError):
        target.host_code(program, "starling-mesh", DiagnosticSink())


@pytest.mark.parametrize("form", ["as3", "haxe", "as3-text"])
def test_a_class_of_a_fragment_stage_says_what_the_window_is_made_of(form: str) -> None:
    text = "precision highp float; varying vec4 v; void main() { gl_FragColor = v * gl_FragCoord.x; }"
    artifact = compile_source(make_source(text, "a.frag"), load_target("agal"), Request(), DiagnosticSink())
    (file,) = load_target("agal").host_code(HostProgram({"fragment": artifact}, "alone"), form, DiagnosticSink())
    assert "// v1 must be x and y of the window, each times w; w; z of the position." in file.data.decode()
    (paired,) = load_target("agal").host_code(linked("lit"), form, DiagnosticSink())
    assert "of the window" not in paired.data.decode()


def test_who_sets_a_sampler_of_level_0_sets_no_mip_mode() -> None:
    text = "#version 300 es\nprecision highp float; in vec2 v; out vec4 c; uniform sampler2D u_a, u_b;"
    text += "void main() { c = textureLod(u_a, v, 0.0) + texture(u_b, v); }"
    artifact = compile_source(make_source(text, "a.frag"), load_target("agal"), Request(), DiagnosticSink())
    (file,) = load_target("agal").host_code(HostProgram({"fragment": artifact}, "level"), "haxe", DiagnosticSink())
    found = dict(re.findall(r"function sample_u_(.)\((.*?)\)", file.data.decode()))
    assert {name: re.findall(r"(\w+):", listed) for name, listed in found.items()} == {
        "a": ["wrap", "filter"],
        "b": ["wrap", "filter", "mip"],
    }
    assert "fs0Mip:Context3DMipFilter = Context3DMipFilter.MIPNONE;" in file.data.decode()
    assert "context.setSamplerStateAt(0, fs0Wrap, fs0Filter, fs0Mip);" in file.data.decode()


@pytest.mark.parametrize(
    ("version", "takers", "refusals"),
    [
        (1, "air, baselineConstrained, ruffle", ["openfl: vertex code: vc0 is"]),
        (2, "air, ruffle", ["baselineConstrained: vertex code: it reads", "openfl: vertex code: it reads"]),
    ],
)
def test_a_class_says_who_takes_its_code(version: int, takers: str, refusals: list[str]) -> None:
    text = "attribute vec4 p; uniform vec4 u[5]; varying vec4 v;"
    text += "void main() { gl_Position = p * u[int(p.w)]; v = u[0]; }"
    request = Request(target_options={"agal_version": version})
    artifact = compile_source(make_source(text, "a.vert"), load_target("agal"), request, DiagnosticSink())
    (file,) = load_target("agal").host_code(HostProgram({"vertex": artifact}, "taken"), "as3", DiagnosticSink())
    first, *others = [line for line in file.data.decode().splitlines() if line.startswith(("// For", "// Not for"))]
    assert first == f"// For {takers}."
    assert [line[: len(f"// Not for {said}")] for line, said in zip(others, refusals, strict=True)] == [
        f"// Not for {said}" for said in refusals
    ]
