"""Faults in the text of a generated class are found by the check that real shaders pass (`contract.py`)."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_linked, link_sources
from glslc_multi.frontends.registry import make_source
from tests.backends.agal.host.contract import check
from tests.backends.agal.host.recorded import calls_of
from tests.backends.agal.host.tools import need_haxe, recorded

_VERTEX = """#version 120
attribute vec3 a_position; attribute vec2 a_uv; attribute float a_size; attribute mat2 a_turn;
uniform mat4 u_matrix; uniform vec3 u_move[3];
varying vec2 v_uv;
void main() {
    gl_Position = u_matrix * vec4(a_position * a_size + u_move[0] + u_move[2], 1.0);
    v_uv = a_turn * a_uv * 0.25;
}
"""
_FRAGMENT = """#version 120
#pragma agal sampler(u_first, 2d, nearest, clamp)
uniform sampler2D u_first; uniform sampler2D u_open;
uniform vec4 u_tint; uniform bool u_flag; uniform float u_given = 3.5;
varying vec2 v_uv;
void main() {
    vec4 first = texture2D(u_first, v_uv) * u_given;
    gl_FragColor = first + texture2D(u_open, v_uv) * (u_flag ? u_tint : vec4(0.75));
}
"""
#: What is planted -> a pattern that is in the class once at least, and what stands there instead, each time.
_PLANTED: Mapping[str, tuple[str, str]] = {
    "a matrix by columns": (r"value\[i( \+ (\d+))\]", r"value[i * 4]"),
    "the flag of a matrix": ("(u_matrix_vc_transposed:Bool) = true", r"\1 = false"),
    "the register of a matrix": (r"(u_matrix_vc:Int) = 0", r"\1 = 1"),
    "an element of an array": (r"value\[i \* 3 \+ 1\]", "value[i * 3 + 2]"),
    "one element too few": (r"\.\.\.3\)", "...2)"),
    "a bool that is not 1": (r"value \? 1 : 0", "value ? 2 : 0"),
    "an initial value left out": (r"\b3\.5\b", "0.0"),
    "a literal left out": (r"\b0\.75\b", "0.0"),
    "constants that are not uploaded": (
        r"context\.setProgramConstantsFromVector\(Context3DProgramType\.FRAGMENT.*",
        "",
    ),
    "constants of the other stage": (r"Context3DProgramType\.FRAGMENT", "Context3DProgramType.VERTEX"),
    "one constant too few": (r"(vc0), (\d+)\)", r"\1, 2)"),
    "the format of a stream": ("FLOAT_3", "FLOAT_2"),
    "the offset of a stream": (r"(buffer, )3,", r"\g<1>4,"),
    "the offset of an attribute": (r"(a_uv_offset:Int) = 3", r"\1 = 4"),
    "the stride": (r"(STRIDE:Int) = \d+", r"\1 = 12"),
    "a stream of another register": (r"setVertexBufferAt\(1, buffer", "setVertexBufferAt(2, buffer"),
    "a stream left out": (r"context\.setVertexBufferAt\(4, buffer.*", ""),
    "a texture of another sampler": (r"setTextureAt\(1, fs1\)", "setTextureAt(1, fs0)"),
    "a texture left out": (r"context\.setTextureAt\(1, fs1\);", ""),
    "a state left out": (r"context\.setSamplerStateAt.*", ""),
    "a state of a sampler that has one": (r"setSamplerStateAt\(1,", "setSamplerStateAt(0,"),
    "a filter for the levels": ("fs1Filter, fs1Mip", "fs1Mip, fs1Filter"),
    "a word of the code": ("0x00000028", "0x00000029"),
    "the version of the code": (r"assembled\(1, 1", "assembled(2, 1"),
    "the stage of the code": (r"assembled\(1, 1", "assembled(1, 0"),
    "the other stage's code": (r"upload\(vertexCode\(\), fragmentCode\(\)\)", "upload(fragmentCode(), vertexCode())"),
    "a stream that stays": (r"context\.setVertexBufferAt\(0, null\);", ""),
    "a texture that stays": (r"context\.setTextureAt\(1, null\);", ""),
}


def _program(number: int) -> HostProgram:
    sources = make_source(_VERTEX, "a.vert"), make_source(_FRAGMENT, "a.frag")
    pair = link_sources(*sources, FrontEndOptions(), DiagnosticSink())
    linked = compile_linked(pair, load_target("agal"), Request(), DiagnosticSink())
    return HostProgram(linked.stages, f"planted_{number}")


def _planted(pattern: str, other: str, text: str) -> str:
    planted, count = re.subn(pattern, other, text)
    assert count, f"{pattern} is not in the class"
    return planted


def test_planted_faults_are_found(tmp_path: Path) -> None:
    need_haxe()
    programs = [_program(number) for number in range(len(_PLANTED) + 1)]
    edits = {number: partial(_planted, *fault) for number, fault in enumerate(_PLANTED.values())}
    *faulty, sound = check(programs, tmp_path, edits)
    assert sound.faults == []
    assert [name for name, found in zip(_PLANTED, faulty, strict=True) if not found.faults] == []


# --- What the host computes -------------------------------------------------------------------------------------------

_COMPUTED = """
precision highp float; varying vec4 v_color; uniform float u_time; uniform vec2 u_scale;
void main() { gl_FragColor = v_color * (exp2(u_time) * u_scale.y + u_scale.x); }
"""
#: Values that are set one after the other, and what the only constant is then.
_STEPS = (("u_time", "2"), 0.0), (("u_scale", "0.25, 3"), 12.25), (("u_time", "-1"), 1.75)
_PLANTED_IN_PREAMBLE: Mapping[str, tuple[str, str]] = {
    "values that do not count": (r"(uniform_u_time\[0\] = value;)\s+isStale = true;", r"\1"),
    "results that are not stored": (r"fc0\[0\] = fragment_preamble__0\[0\];", ""),
    "values of another component": (r"uniform_u_scale\[1\] = y", "uniform_u_scale[1] = x"),
    "results that stay": (r"fragmentPreamble\(\);", ""),
    "another operation": (r"fadd\(t", "fsub(t"),
}


def test_planted_faults_in_preambles_are_found(tmp_path: Path) -> None:
    need_haxe()
    source = make_source(_COMPUTED, "a.frag")
    artifact = compile_source(source, load_target("agal"), Request(preamble=True), DiagnosticSink())
    body = []
    for number, fault in enumerate([*_PLANTED_IN_PREAMBLE.values(), ("", "")]):
        program = HostProgram({"fragment": artifact}, f"computed_{number}")
        (file,) = load_target("agal").host_code(program, "haxe", DiagnosticSink())
        (tmp_path / file.name).write_text(_planted(*fault, file.data.decode()), encoding="utf-8")
        kind = file.name.removesuffix(".hx")
        body += [f"var shader{number} = new {kind}(context);", f"shader{number}.upload(new ByteArray());"]
        for (name, value), _ in _STEPS:
            body += [f"shader{number}.set_{name}({value});", f"shader{number}.bind();"]
    text = [
        "import openfl.display3D.Context3D;",
        "import openfl.utils.ByteArray;",
        "class Main { static function main() {",
        "final context = new Context3D();",
        *body,
        "} }",
    ]
    (tmp_path / "Main.hx").write_text("\n".join(text), encoding="utf-8")
    found = [_first_number(words) for call, words in calls_of(recorded(tmp_path, "Main")) if call == "constants"]
    wanted = [value for _, value in _STEPS]
    *faulty, sound = (found[at : at + len(wanted)] for at in range(0, len(found), len(wanted)))
    assert sound == wanted
    assert [name for name, values in zip(_PLANTED_IN_PREAMBLE, faulty, strict=True) if values == wanted] == []


def _first_number(words: list[str]) -> float:
    (number,) = struct.unpack("<f", struct.pack("<i", int(words[2])))
    return float(number)
