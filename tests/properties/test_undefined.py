"""Values that nothing wrote: every target compiles what reads them, at every level, in whatever operation."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request, split_level
from glslc_multi.frontends.registry import make_source
from tests.code_generators import CODE_GENERATORS, LEVELS, CodeGenerator

#: Statements over undefined f, g, v, m, i and b, and the defined u: each gives `r` a value.
READS = [
    "r = vec4(f);",
    "r = vec4(f * f);",
    "r = vec4(f + g, f - g, f / g, -f);",
    "r = vec4(f * u.x, u.y - f, u.z / f, f / u.w);",
    "r = v;",
    "r = v * u + v;",
    "r = v.yxwz * u;",
    "v.x = u.x; r = v * v;",
    "v.x = u.x; r = v + u;",
    "r = m * u;",
    "r = u * m;",
    "m[1] = u; r = m * u;",
    "r = vec4(dot(v, u), length(v), distance(v, u), dot(v, v));",
    "r = normalize(v);",
    "r = vec4(sin(f), exp2(f), pow(f, g), sqrt(f));",
    "r = vec4(min(f, u.x), max(f, g), clamp(f, g, u.x), step(f, u.x));",
    "r = mix(v, u, f);",
    "r = mix(u, v, u.x);",
    "r = vec4(f < u.x, f == g, u.x >= f, i == 2);",
    "if (b) r = u; else r = u.wzyx;",
    "if (f > u.x) r = u; else r = v;",
    "if (u.x > 0.5) f = u.y; r = vec4(f);",
    "if (u.x > 0.5) v = u; r = v * v;",
    "r = b ? u : v;",
    "r = b && u.x > 0.5 || !b ? u : u.wzyx;",
    "r = vec4(i + 3, i * i, i / 2, -i);",
    "r = vec4(float(i), vec3(ivec3(v)));",
    "r = vec4(0.0); for (int k = 0; k < 3; k++) { r += v; v = u; }",
    "for (int k = 0; k < 3; k++) r += u;",
    "for (int k = 0; k < 3; k++) { if (u.x > float(k)) f = u.y; } r = vec4(f * u.x);",
    "float a[3]; a[1] = u.x; r = vec4(a[0], a[1], a[2], a[0] + a[1]);",
    "S s; s.x = u.x; r = vec4(s.x, s.y * s.x, s.y, 1.0);",
    "r = vec4(read(f), read(u.x), 0.0, 1.0);",
    "leave(f); r = vec4(f);",
]
HEAD = """precision mediump float;
struct S { float x; float y; };
float read(float x) { return x * x + 1.0; } void leave(out float x) {}
"""
OWN = "float f, g; vec4 v, r; mat4 m; int i; bool b;"


def source_of(statement: str, stage: str) -> str:
    kind, output = ("attribute", "gl_Position") if stage == "vertex" else ("varying", "gl_FragColor")
    return f"{HEAD}{kind} vec4 u; void main() {{ {OWN} {statement} {output} = r; }}"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda each: each.name)
def test_every_read_compiles(generator: CodeGenerator, level: str) -> None:
    target = load_target(generator.target)
    optimisation, small = split_level(level)
    for statement in READS:
        for stage in [stage for stage in ("vertex", "fragment") if stage in target.stages]:
            request = Request(optimisation, small=small, target_options=generator.options)
            source = make_source(source_of(statement, stage), f"a.{stage}", stage)
            try:
                compile_source(source, target, request, DiagnosticSink())
            except CompileError as error:
                codes = {each.code for each in error.diagnostics if each.severity == "error"}
                # A machine may lack something, such as branches; it never stumbles.
                assert all(code.startswith("E07") for code in codes), (statement, stage, codes)
