"""Values that mean nothing, in every place that code generators know: code or a diagnostic comes out, and no assertion.

The machines whose code has no undefined registers: every component must be written before it is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from compiler.diagnostics import CompileError
from glslc_multi import compile

#: Shaders to try; all with `GLSLC_MULTI_ALL`.
_COUNT = 0 if os.environ.get("GLSLC_MULTI_ALL") else 60
_HEAD = """
precision highp float;
varying vec4 d; uniform int u; uniform mat3 m3; uniform mat4 m4; uniform vec4 table[3];
uniform sampler2D t; uniform samplerCube q;
float square(float x) { return x * x + 1.0; }
"""
#: Declarations of the value, and what is written to a part of it.
_DECLARED = {
    "float": ("float a;", ""),
    "vec3": ("vec3 a;", "a.y = d.x;"),
    "vec4": ("vec4 a;", "a.yw = d.xy;"),
    "int": ("int a;", ""),
    "bool": ("bool a;", ""),
    "bvec4": ("bvec4 a;", "a.xz = bvec2(d.x > 0.0, d.y < d.z);"),
    "mat3": ("mat3 a;", "a[2][1] = d.x;"),
}
#: Numbers that are computed of it.
_READ = {
    "float": "a * a|d.x / a|sqrt(a)|sin(a)|pow(a, d.y)|mod(d.x, a)|floor(a)|square(a)|a < d.x ? 1.0 : d.y|d[int(a)]|"
    "clamp(d.x, a, 1.0)|mix(d.x, d.y, a)|smoothstep(a, d.x, d.y)|float(bool(a))|texture2D(t, vec2(a, d.y)).x|"
    "atan(a, d.x)|table[int(a)].x|dot(vec3(a, d.xy), d.zyx)|length(vec2(a, d.x))|vec4(a, d.xyz).w|max(a, a)|a++",
    "vec3": "cross(a, d.xyz).x|normalize(a).z|dot(a, d.xyz)|length(a)|(m3 * a).x|(a * m3).y|textureCube(q, a).x|"
    "reflect(d.xyz, a).x|refract(a, d.xyz, 0.5).y|faceforward(a, d.xyz, a).z|any(lessThan(a, d.xyz)) ? 1.0 : d.y",
    "vec4": "dot(a, d)|(m4 * a).x|(a * m4).w|a[u]|texture2DProj(t, a).w|a == d ? d.x : d.y|distance(a.wzyx, d)|a.z",
    "int": "float(a * a)|float(a / 2)|d[a]|table[a].y|m4[a].x|a < u ? d.x : d.y|float(a == 3)",
    "bool": "float(a)|a ? d.x : d.y|a && d.x > 0.0 ? 1.0 : d.z|!a ? 1.0 : d.x|a ^^ d.x > 0.0 ? d.y : 1.0",
    "bvec4": "any(a) ? d.x : d.y|all(not(a)) ? d.x : d.y|dot(vec4(a), d)",
    "mat3": "(a * d.xyz).x|(d.xyz * a).y|(a * a)[1].x|(m3 * a)[2].y|matrixCompMult(a, m3)[0].x|a[u].y|"
    "a == m3 ? 1.0 : d.x",
}
_STATEMENTS = (
    "r = %s;",
    "if (%s > d.y) discard;",
    "r = d.x; for (int i = 0; i < 3; i++) { r += %s; if (r > d.y) break; }",
    "r = d.x; if (d.x > 0.3) { r = %s; r *= d.z; } else r *= 2.0;",
    "if (d.z > 0.5) { r = %s; r = sin(r) * d.w + cos(d.y) * r + tan(d.z); r = pow(r, d.x) + exp(r) * log(d.y); }",
)
_RESULTS = ("gl_FragColor = vec4(r);", "gl_FragColor = vec4(r, d.xyz);", "gl_FragColor = vec4(d.x, r, 0.0, 1.0);")


def _shaders() -> Iterator[str]:
    for type, (declared, written) in _DECLARED.items():
        parts = ("", written) if written else ("",)
        for read, statement, result, part in product(_READ[type].split("|"), _STATEMENTS, _RESULTS, parts):
            yield f"{_HEAD} void main() {{ float r; {declared} {part} {statement % f'({read})'} {result} }}"


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize(
    ("target", "options"),
    [("agal", {"agal_version": 1}), ("agal", {"agal_version": 2}), ("theia", {"output": "raw"})],
    ids=["agal 1", "agal 2", "theia"],
)
def test_there_is_code_or_a_diagnostic(target: str, options: dict[str, object], level: int) -> None:
    shaders = list(_shaders())
    compiled = 0
    for text in Random(5).sample(shaders, _COUNT or len(shaders)):
        try:
            compile(text, target=target, stage="fragment", opt=level, options=options)
        except CompileError:
            # Long for one machine, an index that another lacks.
            continue
        compiled += 1
    assert compiled > _COUNT // 2
