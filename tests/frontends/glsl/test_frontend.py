"""The front end as a whole: steps stop where errors are, and no text ends in anything but a module or messages."""

from __future__ import annotations

import random
import re

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.frontends.glsl.frontend import Glsl
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import check_shader, compile_shader

FRAGMENT = """
precision mediump float;
#define SCALE(x) ((x) * 2.0)
struct Light { vec3 pos; float gain; };
uniform Light lights[2]; uniform float w[3];
uniform sampler2D maps[2];
uniform int count;
varying vec4 v;
varying mat3 m;
float total = 0.0;
float add(inout float a, const in vec2 b[2], out bool c) {
    for (int i = 0; i < 3; i++) { if (i == count) continue; if (a > 5.0) break; a += b[i - i].x; }
    c = a > 1.0;
    if (c && (total += 1.0) > 2.0) discard;
    return c ? a : -a;
}
vec4 sample(sampler2D s, vec2 p) { return texture2D(s, p, 0.5); }
void main() {
    vec2 b[2]; bool c; float a = v.x;
    b[0] = m[1].yx; b[count] = SCALE(v.zw);
    float r = add(a, b, c);
    mat3 n = m * m / 2.0; n[count].x++; n[1][count] -= r;
    while (r < 3.0) { r += 1.0; do { r *= 1.5; } while (!c && r < 2.0); }
    Light l = lights[count]; l.gain = dot(l.pos, n[0]) * w[count];
    vec4 color = sample(maps[1], v.xy) + vec4(ivec2(v.xy), l.gain, float(l == lights[0]));
    color.zx = color.xz; color[count] = r;
    gl_FragColor = c ? color : vec4(n * vec3(1.0), 1.0), total;
}
"""
VERTEX = """
attribute vec4 position; attribute vec2 a;
uniform mat4 mvp; uniform float k[4]; uniform bool flip;
varying vec2 uv; invariant varying vec3 n;
const float PI = 3.14159; vec3 g = vec3(PI, 2.0, sin(1.0));
void swap(inout float x, inout float y) { float t = x; x = y; y = t; }
void main() {
    vec2 t = a; swap(t.x, t.y);
    if (flip) t = -t; else if (t.x == 0.0) return; else t.yx += g.xy;
    for (float i = 0.0; i < 4.0; i += 1.0) { t[int(mod(i, 2.0))] += k[int(i)]; }
    uv = t; n = normalize(vec3(mvp[0].xyz) * mat3(2.0));
    gl_Position = mvp * position; gl_PointSize = (t.x > 0.0 ^^ flip) ? length(t) : 1.0;
}
"""
TOKEN = re.compile(r"[A-Za-z_]\w*|[\d.]+|[-+&|^=<>!*/]=|&&|\|\||\^\^|\+\+|--|\s+|.", re.DOTALL)


def outcome(source: str, stage: Stage) -> bool:
    """Whether the text compiles; anything but a sound module or messages fails the test."""
    sink = DiagnosticSink()
    try:
        module = compile_shader(source, filename="fuzz", stage=stage, sink=sink)
    except CompileError as error:
        assert any(diagnostic.severity == "error" for diagnostic in error.diagnostics)
        return False
    assert [fault.text for fault in verify_module(module, final=True)] == []
    return True


def mutated(tokens: list[str], random_: random.Random) -> str:
    """The tokens with a few of them removed, doubled, exchanged or replaced by others of the text."""
    changed = list(tokens)
    for _ in range(random_.randint(1, 3)):
        place, other = random_.randrange(len(changed)), random_.choice(tokens)
        action = random_.randrange(4)
        if action == 0:
            del changed[place]
        elif action == 1:
            changed.insert(place, changed[place])
        elif action == 2:
            changed[place] = other
        else:
            changed.insert(place, other)
    return "".join(changed)


@pytest.mark.parametrize(("source", "stage"), [(FRAGMENT, "fragment"), (VERTEX, "vertex")])
def test_mutated_shaders(source: str, stage: Stage) -> None:
    assert outcome(source, stage)
    random_ = random.Random(20240607)
    tokens = TOKEN.findall(source)
    compiled = sum(outcome(mutated(tokens, random_), stage) for _ in range(150))
    assert 8 < compiled < 142, "the mutations should neither all break the shader nor all leave it correct"


def test_random_bytes() -> None:
    random_ = random.Random(7)
    for _ in range(200):
        data = bytes(random_.randrange(256) for _ in range(random_.randrange(80)))
        outcome(data.decode("latin-1"), "fragment")


def codes_of(source: str) -> list[str]:
    with pytest.raises(CompileError) as caught:
        compile_shader(source, filename="a.vert", stage="vertex", sink=DiagnosticSink())
    return [diagnostic.code[:3] for diagnostic in caught.value.diagnostics]


def test_parser_and_checker_go_on_after_errors() -> None:
    assert codes_of("#error stop\nvoid main() { undeclared = ; }") == ["E01", "E02"]
    assert codes_of("void main() { undeclared = ; }") == ["E02"]
    assert codes_of("void main() { undeclared = 1.0; }") == ["E03"]


def test_a_shader_without_main_can_be_checked_but_not_compiled() -> None:
    source = "float f() { return 1.0; }"
    assert check_shader(source, filename="a.vert", stage="vertex", sink=DiagnosticSink()).main is None
    assert codes_of(source) == ["E03"]


def test_macros_from_outside_reach_the_text() -> None:
    source = "void main() { gl_Position = vec4(VALUE); }"
    module = compile_shader(source, filename="a.vert", stage="vertex", defines={"VALUE": "2.0"}, sink=DiagnosticSink())
    assert module.name == "a.vert"
    assert codes_of(source) == ["E03"]


@pytest.mark.parametrize(
    ("stage", "suffixes"),
    [("vertex", "vert vs vsh"), ("fragment", "frag fs fsh"), ("geometry", "geom gs")],
)
def test_suffixes_name_stages(stage: str, suffixes: str) -> None:
    """Take those of glslang, and those that engines write."""
    assert [suffix for suffix, meant in Glsl.stage_of_suffix.items() if meant == stage] == [
        f".{suffix}" for suffix in suffixes.split()
    ]
