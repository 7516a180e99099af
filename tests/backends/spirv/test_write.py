"""Modules as SPIR-V: each operation means the same, and the validator of SPIRV-Tools accepts what is written."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from glslc_multi.backends.spirv.environments import ENVIRONMENTS
from glslc_multi.backends.spirv.write import write_module
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.spirv.binary import write_binary
from glslc_multi.compiler.spirv.code import Code
from glslc_multi.compiler.spirv.text import print_code
from glslc_multi.frontends.registry import make_source
from glslc_multi.rewrite import rewrite_as_spirv
from glslc_multi.runtime.reference import run_module
from tests.backends.operations import OPERATIONS, check_operation
from tests.shared_data import shared_path

_HEAD = "#version 300 es\nprecision highp float;\nprecision highp int;\n"
_SUFFIXES = {".vert": "vertex", ".frag": "fragment"}


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("opcode", OPERATIONS, ids=str)
def test_operations_mean_the_same(opcode: Opcode, width: int, tmp_path: Path) -> None:
    def write(module: Module) -> Source:
        code = write_module(module, ENVIRONMENTS["opengl4.5"], DiagnosticSink())
        _validate(code, "opengl4.5", tmp_path)
        return make_source(write_binary(code), "a.spv", "vertex")

    check_operation(opcode, width, write)


def _validate(code: Code, environment: str, folder: Path) -> None:
    validator = shutil.which("spirv-val")
    if validator is None:
        return
    (folder / "a.spv").write_bytes(write_binary(code))
    words = [validator, "--target-env", environment, str(folder / "a.spv")]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr + print_code(code)


def _body(text: str) -> list[str]:
    """The instructions of a shader, without numbers of ids and labels."""
    module = lower_source(make_source(_HEAD + text, "a.frag", "fragment"), FrontEndOptions(), DiagnosticSink())
    code = write_module(optimise(module, 2), ENVIRONMENTS["vulkan1.0"], DiagnosticSink())
    names = [i.name.removeprefix("Op") for i in code.instructions]
    return [name for name in names[names.index("Function") + 2 : -3] if name != "Label"]


@pytest.mark.parametrize(
    ("declarations", "statement", "body"),
    [
        # Components of one or two vectors, and constants, are a shuffle.
        ("in vec4 v; in vec4 w;", "c = vec4(v.xy, w.wx);", "Load Load VectorShuffle"),
        ("in vec4 v;", "c = vec4(v.wz, 0.0, 1.0);", "Load VectorShuffle"),
        ("in vec4 v;", "c = v.wzyx;", "Load VectorShuffle"),
        # Whole ones are put together, and one component is put in.
        ("in vec3 v;", "c = vec4(v, 1.0);", "Load CompositeConstruct"),
        ("in vec4 v; in float x;", "c = vec4(v.xyz, x);", "Load Load CompositeInsert"),
        ("in vec4 v;", "c = vec4(v.xyz, 1.0);", "Load CompositeInsert"),
        ("in float x; in float y;", "c = vec4(x, y, x, y);", "Load Load CompositeConstruct"),
        # A scalar is not made a vector for a product.
        ("in vec4 v; in float x;", "c = v * x;", "Load Load VectorTimesScalar"),
        ("in vec4 v;", "c = v * 2.0;", "Load VectorTimesScalar"),
        # Matrices are loaded as wholes.
        ("in vec4 v; uniform mat4 m;", "c = m * v;", "AccessChain Load Load MatrixTimesVector"),
        ("in vec4 v; uniform mat4 m;", "c = v * m;", "Load AccessChain Load VectorTimesMatrix"),
        ("in vec4 v; uniform mat4 m;", "c = v * m[2];", "Load AccessChain Load CompositeExtract FMul"),
        ("in vec4 v; in vec4 w;", "c = reflect(-v, w) * distance(v, w);", "Load FNegate Load ExtInst ExtInst"),
        # What is there already is not written again.
        (
            "in vec4 v; uniform vec4 a[3];",
            "c = v * a[1]; if (v.x < 0.5) c = sin(v) - a[1]; else c = cos(v) - c;",
            "Load AccessChain Load FMul CompositeExtract FOrdLessThan",
        ),
    ],
)
def test_as_few_instructions_as_there_are(declarations: str, statement: str, body: str) -> None:
    names = _body(f"{declarations} out vec4 c; void main() {{ {statement} }}")
    assert names[: len(body.split())] == body.split()


_SHADERS = {
    "loops.frag": """
        flat in ivec2 n; in vec4 v; out vec4 c;
        void main() {
            c = v;
            for (int i = 0; i < n.x; i++) {
                if (c.x > float(i)) { c += sin(c); if (c.y < 0.0) break; } else if (c.z > 1.0) discard;
                for (int j = n.y; j > 0; j /= 2) { c.w += c.x; if (c.w > 9.0) continue; c.y -= 0.5; }
            }
            do { c.x *= 0.5; } while (c.x > 1.0);
        }""",
    "branches.frag": """
        in vec4 v; uniform bool flag; uniform bvec2 flags; out vec4 c;
        void main() {
            c = v;
            if (flag) { if (v.x > 0.0) { if (v.y > 0.0) c = sin(c); } else { c = cos(c); } }
            if (flags.x) { if (v.w > 0.5) c += log(c); } else if (flags.y && v.x > v.y) { c -= exp(c); }
            if (v.z < 0.25) { if (v.x > 0.75) { if (v.y > 0.5) discard; } else { discard; } }
        }""",
    "nothing.frag": "out vec4 c; void main() { discard; c = vec4(1.0); }",
    "all_ways_end.frag": """
        in vec4 v; out vec4 c;
        void main() { c = sin(v); if (v.x > 0.5) { if (v.y > 0.5) discard; else { c = cos(v); discard; } } }""",
    "blocks.frag": """
        struct L { vec4 a; mat3 m[2]; float f[3]; };
        uniform B { L z[2]; float g[2]; bool on; mat2 h; } b;
        layout(std140, row_major) uniform C { vec4 k; mat4 w; mat3 t[2]; uint u; };
        uniform L l[2]; uniform uvec2 q; flat in ivec2 n; out vec4 c;
        void main() {
            c = b.z[n.x].a * b.g[n.y] + l[n.x].a + w * k + vec4(t[1][2], float(q.x / u));
            c.xyz += b.z[1].m[n.y][1] * l[1].m[0] + l[n.y].m[n.x] * b.z[0].m[1][2] * b.z[n.y].f[n.x];
            if (b.on) c.xy = b.h * c.xy;
        }""",
    "block_arrays.frag": """
        uniform P { vec4 a; vec4 b[2]; } p[2]; flat in int n; out vec4 c;
        void main() { c = p[0].a + p[1].b[n]; }""",
    "arrays.frag": """
        flat in ivec2 n; in vec4 v; out vec4 c;
        void main() {
            vec4 a[4]; mat2 m[2];
            for (int i = 0; i < 4; i++) a[i] = v * float(i);
            a[n.x].y = 2.0; m[n.y] = mat2(v); c = a[n.y]; c.xy *= m[n.x]; c[n.x] = a[1][n.y];
        }""",
    "textures.frag": """
        uniform sampler2D t[2]; uniform samplerCube u; uniform lowp sampler3D w; uniform lowp sampler2DArray s;
        uniform highp isampler2D i; uniform highp usampler2D j; uniform lowp sampler2DShadow d;
        in vec4 v; out vec4 c;
        void main() {
            c = texture(t[1], v.xy) + texture(u, v.xyz, 1.5) + textureLod(w, v.xyz, 2.0) + texture(s, v.xyz);
            c += textureGrad(t[0], v.xy, v.zw, v.wz) + textureOffset(t[0], v.xy, ivec2(1, -2), 0.5);
            c += vec4(texelFetch(i, ivec2(v.xy), 0)) + vec4(texture(j, v.xy)) * texture(d, v.xyz);
            c.xy += vec2(textureSize(t[0], 1)) + dFdx(v.xy) + fwidth(v.zw);
        }""",
    "built_ins.frag": """
        out vec4 c;
        void main() { c = gl_FragCoord * (gl_FrontFacing ? 1.0 : 0.5) + gl_PointCoord.xyxy; gl_FragDepth = c.x; }""",
    "unsigned.frag": """
        flat in uvec2 v; uniform uint k[2]; out vec4 c;
        void main() { uint q = v.x / k[1] + v.y % 3u; c = vec4(float(q >> v.y), v, q < v.x ? 1u : 0u); }""",
    "varyings.vert": """
        struct V { vec4 a; mat3 b; }; out V w; flat out ivec3 n; out vec2 t[2];
        layout(location = 1) in vec4 p; in mat4 m; in ivec3 q; uniform sampler2D s;
        void main() {
            gl_Position = m * p; gl_PointSize = 2.0; w.a = p; w.b = mat3(m); n = q + gl_VertexID; t[0] = p.xy;
            t[1] = texture(s, p.xy).xy * float(gl_InstanceID);
        }""",
}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("name", _SHADERS)
@pytest.mark.parametrize("level", [0, 2])
def test_shaders_are_valid_and_say_the_same(name: str, environment: str, level: int, tmp_path: Path) -> None:
    source = make_source(_HEAD + _SHADERS[name], name, _SUFFIXES[name[-5:]])
    code = rewrite_as_spirv(source, Request(level, proof="full"), ENVIRONMENTS[environment], DiagnosticSink())
    _validate(code, environment, tmp_path)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_real_shaders(environment: str, tmp_path: Path) -> None:
    for path in sorted(shared_path("corpus/real").iterdir()):
        if path.suffix in _SUFFIXES:
            source = make_source(path.read_text(), path.name, _SUFFIXES[path.suffix])
            code = rewrite_as_spirv(source, Request(2), ENVIRONMENTS[environment], DiagnosticSink())
            _validate(code, environment, tmp_path)


def _lines(source: str, stage: str, environment: str = "vulkan1.0") -> list[str]:
    made = make_source(source, f"a.{stage[:4]}", stage)
    code = rewrite_as_spirv(made, Request(2), ENVIRONMENTS[environment], DiagnosticSink())
    text = print_code(code)
    for line in text.splitlines():
        if line.startswith("OpName"):
            _, id, name = line.split()
            text = text.replace(f"{id} ", f"{name[1:-1] or 'block'} ")
    return text.splitlines()


def test_stages_agree_on_locations() -> None:
    declared = "varying vec2 b; varying vec4 a; varying mat3 c;"
    vertex = "attribute vec4 p; attribute mat2 q; attribute vec2 r;"
    lines = _lines(
        f"{vertex} {declared} void main() {{ gl_Position = p; c = mat3(r.x); b = q[1] + r; a = p; }}", "vertex"
    )
    # Attributes in the order of the source, varyings by name.
    for name, location in {"p": 0, "q": 1, "r": 3, "a": 0, "b": 1, "c": 2}.items():
        assert f"OpDecorate {name} Location {location}" in lines
    lines = _lines(f"precision mediump float; {declared} void main() {{ gl_FragColor = vec4(c[1], b.x); }}", "fragment")
    for name, location in {"b": 1, "c": 2, "gl_FragColor": 0}.items():
        assert f"OpDecorate {name} Location {location}" in lines


def test_uniforms_are_a_block_in_vulkan_and_have_locations_in_opengl() -> None:
    uniforms = (
        "uniform float x; uniform vec3 y; uniform float z; uniform mat3 m; uniform vec2 a[2]; uniform sampler2D t;"
    )
    body = "void main() { gl_FragColor = vec4(m * y * x, z) + a[1].xyxy + texture2D(t, y.xy); }"
    lines = _lines(f"precision highp float; {uniforms} {body}", "fragment")
    for member, offset in enumerate((0, 16, 28, 32, 80)):
        assert f"OpMemberDecorate Uniforms {member} Offset {offset}" in lines
    assert "OpMemberDecorate Uniforms 3 MatrixStride 16" in lines
    assert "OpDecorate block Binding 0" in lines and "OpDecorate t Binding 1" in lines
    lines = _lines(f"precision highp float; {uniforms} {body}", "fragment", "opengl4.5")
    for name, location in {"x": 0, "y": 1, "z": 2, "m": 3, "a": 4, "t": 6}.items():
        assert f"OpDecorate {name} Location {location}" in lines
    assert "OpDecorate t Binding 0" in lines


def test_what_values_are_decorated_with() -> None:
    source = "precision mediump float; varying highp vec4 v; varying vec4 w; void main() { gl_FragColor = v + sin(w); }"
    lines = _lines(source, "fragment")
    assert "OpDecorate w RelaxedPrecision" in lines and "OpDecorate v RelaxedPrecision" not in lines
    invariant = "invariant gl_Position; attribute vec4 p; void main() { gl_Position = p * p - p; }"
    lines = _lines(f"#version 120\n{invariant}", "vertex")
    assert "OpDecorate gl_Position Invariant" in lines and sum("NoContraction" in line for line in lines) == 2
    centroid = f"{_HEAD}struct S {{ vec4 a; vec4 b; }}; centroid in S s; in vec4 w; out vec4 c;"
    lines = _lines(f"{centroid} void main() {{ c = s.b + w; }}", "fragment")
    assert "OpDecorate s.b Centroid" in lines and "OpDecorate w Centroid" not in lines
    flat = f"{_HEAD}flat in int n; out vec4 c; void main() {{ c = vec4(n); }}"
    assert "OpDecorate n Flat" in _lines(flat, "fragment")


def test_initial_values_of_uniforms(tmp_path: Path) -> None:
    uniforms = (
        "uniform float k = 2.0; uniform vec2 a[2] = vec2[2](vec2(1.0, 0.0), vec2(2.0, 3.0)); uniform bool b = true;"
    )
    source = f"#version 120\n{uniforms} uniform mat2 m = mat2(4.0); uniform float o[1] = float[1](5.0);"
    body = "void main() { gl_FragColor = vec4(a[1] * k, m[0] * o[0]); if (b) discard; }"
    made = make_source(f"{source} {body}", "a.frag", "fragment")
    code = rewrite_as_spirv(made, Request(2), ENVIRONMENTS["opengl4.5"], DiagnosticSink())
    _validate(code, "opengl4.5", tmp_path)
    again = make_source(write_binary(code), "a.spv", "fragment")
    module = lower_source(again, FrontEndOptions(), DiagnosticSink())
    defaults = dict(leaf for declaration in module.declarations for leaf in declaration.defaults)
    assert defaults == {"k": (2.0,), "a": (1, 0, 2, 3), "b": (1,), "m": (4, 0, 0, 4), "o": (5,)}


def test_modules_without_declarations(tmp_path: Path) -> None:
    """Such as are read from machine code."""
    for environment in ENVIRONMENTS.values():
        module = parse_module(_LIFTED, "a.sir", DiagnosticSink())
        assert module is not None
        inputs = {"v0": np.linspace(0.0, 7.0, 32, dtype="f4").reshape(8, 4)}
        uniforms = {"c": np.linspace(-1.0, 1.0, 384, dtype="f4").reshape(96, 4), "b": True}
        wanted = run_module(clone_module(module), inputs, uniforms, {}, lanes=8)
        code = write_module(module, environment, DiagnosticSink())
        _validate(code, environment.name, tmp_path)
        again = lower_source(make_source(write_binary(code), "a.spv", "vertex"), FrontEndOptions(), DiagnosticSink())
        left = run_module(again, inputs, {**uniforms, "b": 1}, {}, lanes=8)
        for name in ("gl_Position", "o1"):
            np.testing.assert_array_equal(left[name], wanted[name])


_LIFTED = """shader vertex
attribute @v0: vec4 highp
uniform @c: vec4[96]
uniform @b: bool
varying @o1: vec4
output @gl_Position: vec4 role(position)

func @main {
  local @r: vec4[8]
^entry:
  %0:vec4 = load @v0
  %1:float = swizzle.x %0
  %2:int = ftoi %1
  br ^loop
^loop:
  %3:int = phi [0, ^entry], [%9, ^body]
  %4:vec4 = phi [%0, ^entry], [%8, ^body]
  %5:bool = ile %3, %2
  condbr %5, ^body, ^done
^body:
  %6:vec4 = load @c[%3 + 4]
  %7:vec4 = fmul %6, %4
  store @r[%3], %7
  %8:vec4 = fadd %7, %0
  %9:int = iadd %3, 1
  br ^loop
^done:
  %10:vec4 = load @r[%2]
  %11:bool = load @b
  condbr %11, ^then, ^exit
^then:
  %12:vec4 = fmul %10, %10
  br ^exit
^exit:
  %13:vec4 = phi [%10, ^done], [%12, ^then]
  store @gl_Position, %13
  store @o1, %4
  ret
}
"""


@pytest.mark.parametrize(
    ("source", "construct"),
    [
        ("#version 120\nuniform float k = 2.0; void main() { gl_FragColor = vec4(k); }", "the initial value of 'k'"),
        ("void main() { gl_FragColor = vec4(gl_DepthRange.near); }", "'gl_DepthRange.near'"),
        (
            "#version 330\nuniform sampler2DRect t; out vec4 c; void main() { c = texture(t, gl_FragCoord.xy); }",
            "a sampler2DRect",
        ),
    ],
)
def test_what_has_no_form_is_refused(source: str, construct: str) -> None:
    source = source if source.startswith("#") else f"precision highp float; {source}"
    with pytest.raises(CompileError, match=f"SPIR-V for vulkan1.0 cannot express {construct}"):
        _lines(source, "fragment")
