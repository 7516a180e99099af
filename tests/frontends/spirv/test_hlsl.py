"""Shaders in HLSL by way of glslangValidator: what they compute, by formulas of their own."""

from __future__ import annotations

import math
import resource
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.spirv import foreign
from glslc_multi.frontends.spirv.foreign import HLSL

pytestmark = pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="glslang-tools is not installed")

Vector = Sequence[float]
A, B = (0.5, -1.25, 2.0, -3.0), (2.0, 0.75, -1.5, 4.0)
_HEAD = "cbuffer Numbers { float4 a; float4 b; float4x4 m; int4 i; float list[4]; };\n"
_MATRIX = ((1.0, 2.0, 3.0, 4.0), (0.0, 1.0, -1.0, 2.0), (0.5, 0.0, 2.0, 0.0), (1.0, 0.0, 0.0, 1.0))
_INTS, _LIST = (7, -7, 3, 1), (10.0, 20.0, 30.0, 40.0)


def lowered(text: str, name: str = "test.frag.hlsl", options: FrontEndOptions | None = None) -> Module:
    sink = DiagnosticSink()
    source = Source(text, name, HLSL)
    stage = HLSL.stage_of(name, text)
    prepared = HLSL.prepare(source, stage, options or FrontEndOptions(), sink)
    return HLSL.lower(prepared, stage, sink)


def computed(body: str, functions: str = "") -> list[float]:
    """What a pixel shader with this body returns."""
    module = lowered(f"{_HEAD}{functions}\nfloat4 main() : SV_Target {{ {body} }}\n")
    floats = {"a": A, "b": B, "m": _MATRIX, "list": _LIST}
    values = {name: np.array(value, dtype=np.float32) for name, value in floats.items()}
    values["i"] = np.array(_INTS, dtype=np.int32)
    uniforms = {name: value for name, value in values.items() if name in module.variables}
    found = evaluate(module, {}, uniforms, {}, lanes=1).outputs
    (name,) = [variable.name for variable in module.variables.values() if variable.storage == "output"]
    return [float(x) for x in found[name][0]]


def _each(f: Callable[..., float]) -> list[float]:
    return [f(*pair) for pair in zip(A, B, strict=True)]


def _dot(x: Vector, y: Vector) -> float:
    return sum(p * q for p, q in zip(x, y, strict=True))


def _loop() -> float:
    total = 0.0
    for index in range(10):
        if index == 3:
            continue
        if index == 7:
            break
        total += index * A[0]
    return total


def _fibonacci(n: int) -> float:
    first, second = 0, 1
    for _ in range(n):
        first, second = second, first + second
    return float(first)


_COLUMNS = tuple(zip(*_MATRIX, strict=True))
_LENGTH = math.sqrt(_dot(A, A))
#: Name -> body, functions before it, and the colour.
CASES: dict[str, tuple[str, str, Sequence[float]]] = {
    "arithmetic": ("return (a + b) * a - b / a;", "", _each(lambda x, y: (x + y) * x - y / x)),
    "saturate": ("return saturate(a);", "", [min(max(x, 0.0), 1.0) for x in A]),
    "lerp": ("return lerp(a, b, 0.25);", "", _each(lambda x, y: x + 0.25 * (y - x))),
    "mad": ("return mad(a, b, a);", "", _each(lambda x, y: x * y + x)),
    "frac": ("return frac(a);", "", [x - math.floor(x) for x in A]),
    # Of negative numbers, glslang 12 takes the remainder that is not HLSL's (OpFMod).
    "fmod": ("return fmod(abs(a), abs(b));", "", _each(lambda x, y: math.fmod(abs(x), abs(y)))),
    "step": ("return step(a, b);", "", _each(lambda x, y: float(y >= x))),
    "smoothstep": (
        "return smoothstep(0.0, 4.0, b);",
        "",
        [(lambda t: t * t * (3 - 2 * t))(min(max(y / 4, 0.0), 1.0)) for y in B],
    ),
    "rsqrt": ("return rsqrt(abs(a));", "", [1 / math.sqrt(abs(x)) for x in A]),
    "rcp": ("return rcp(a);", "", [1 / x for x in A]),
    "exp and log": ("return log2(exp2(a)) + log(exp(b));", "", _each(lambda x, y: x + y)),
    "pow": ("return pow(abs(a), b);", "", _each(lambda x, y: abs(x) ** y)),
    "sincos": ("float4 s, c; sincos(a, s, c); return s * 2 + c;", "", [2 * math.sin(x) + math.cos(x) for x in A]),
    "atan2": ("return atan2(a, b);", "", _each(math.atan2)),
    "round": (
        "return round(a) + trunc(b) + ceil(a) + floor(b);",
        "",
        _each(lambda x, y: round(x) + math.trunc(y) + math.ceil(x) + math.floor(y)),
    ),
    "sign": ("return sign(a);", "", [math.copysign(1.0, x) for x in A]),
    "rows of a matrix": ("return mul(m, a);", "", [_dot(row, A) for row in _MATRIX]),
    "columns of a matrix": ("return mul(a, m);", "", [_dot(column, A) for column in _COLUMNS]),
    "an element of a matrix": ("return float4(m[0][1], m._m12, m[2].xz);", "", [2.0, -1.0, 0.5, 2.0]),
    "transpose": ("return mul(transpose(m), a);", "", [_dot(column, A) for column in _COLUMNS]),
    "determinant": ("return determinant(float2x2(a.xy, b.xy));", "", [A[0] * B[1] - A[1] * B[0]] * 4),
    "dot and length": (
        "return float4(dot(a, b), length(a), distance(a, b), dot(a.xy, b.xy));",
        "",
        [_dot(A, B), _LENGTH, math.dist(A, B), _dot(A[:2], B[:2])],
    ),
    "normalize": ("return normalize(a);", "", [x / _LENGTH for x in A]),
    "reflect": ("return reflect(a, b);", "", _each(lambda x, y: x - 2 * _dot(A, B) * y)),
    "swizzles": ("float4 r = a.wzyx; r.xz = b.yw; return r.yxwz;", "", [A[2], B[1], A[0], B[3]]),
    "a loop with break and continue": (
        "float t = 0; for (int n = 0; n < 10; n++) { if (n == 3) continue; if (n == 7) break; t += n * a.x; }return t;",
        "",
        [_loop()] * 4,
    ),
    "a switch that falls through": (
        """float t = 0;
        switch (i.z) { case 1: t = 1; break; case 2: case 3: t = 5; break; default: t = 9; }
        return t;""",
        "",
        [5.0] * 4,
    ),
    "functions with results by reference": (
        "float x, y; parts(a.y, x, y); return float4(x, y, twice(a.x), twice(b.x));",
        """float twice(float x) { return x + x; }
        void parts(float x, out float whole, out float rest) { whole = floor(x); rest = x - whole; }""",
        [-2.0, 0.75, 1.0, 4.0],
    ),
    "structures and arrays": (
        """Pair pairs[2]; pairs[0].first = a; pairs[0].second = b.x; pairs[1].first = b; pairs[1].second = a.x;
        Pair chosen = pairs[i.w]; return chosen.first * chosen.second;""",
        "struct Pair { float4 first; float second; };",
        [y * A[0] for y in B],
    ),
    "an index into a uniform": ("return float4(list[i.w], list[i.z], list[0], list[2]);", "", [20.0, 40.0, 10.0, 30.0]),
    "whole numbers": ("return float4(i.x / 2, i.y / 2, i.x % 4, i.x >> 1);", "", [3.0, -3.0, 3.0, 3.0]),
    "bits": (
        "return float4(countbits(i.x), firstbithigh(i.x), reversebits(1) == 0x80000000, i.x ^ i.z);",
        "",
        [3.0, 2.0, 1.0, 4.0],
    ),
    "a while loop": (
        "int p = 0, q = 1; for (int n = 0; n < i.x; n++) { int s = p + q; p = q; q = s; } return p;",
        "",
        [_fibonacci(7)] * 4,
    ),
    "short circuits": ("return (a.x > 0 && b.z < 0) ? a : b;", "", list(A)),
    "comparisons": ("return float4(all(a < 5), any(a > 5), a.x != a.x, !(b.x > 1));", "", [1.0, 0.0, 0.0, 0.0]),
    "bits of floats": ("return asfloat(asint(a) ^ asint(-0.0));", "", [-x for x in A]),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    body, functions, wanted = CASES[name]
    assert computed(body, functions) == pytest.approx(list(wanted), rel=1e-5, abs=1e-6)


def test_there_are_thirty() -> None:
    assert len(CASES) >= 30


def test_a_mistake_is_told_at_its_line() -> None:
    with pytest.raises(CompileError) as caught:
        lowered("float4 main() : SV_Target {\n    return nothing;\n}\n")
    (found,) = caught.value.diagnostics
    assert found.code == "E1014" and found.span is not None and found.span.line == 2


def test_what_no_target_has_is_told_at_the_line_of_the_source() -> None:
    """By the debug information that the compiler was asked for."""
    text = "Texture2D t;\nSamplerState s;\nfloat4 main(float2 uv : A) : SV_Target {\n    return t.Gather(s, uv);\n}\n"
    with pytest.raises(CompileError) as caught:
        lowered(text)
    assert caught.value.diagnostics[0].code == "E1010"


def test_offsets_of_a_block_are_in_the_reflection() -> None:
    text = "cbuffer C { float x; float3 y; float4x4 z; float w[2]; };\n"
    module = lowered(text + "float4 main() : SV_Target { return x + y.xyzz + mul(z, y.xxxx) + w[1]; }\n")
    (block,) = module.blocks
    found = {member.name: (member.offset, member.array_stride, member.row_major) for member in block.members}
    # HLSL's packing: a float3 fits behind a float, matrices and arrays begin at the place of a vector.
    assert found == {"x": (0, 0, False), "y": (4, 0, False), "z": (16, 0, True), "w": (80, 16, False)}


_BOTH = """
float4 u_tint;
struct Corner { float4 place : SV_Position; float4 colour : COLOR0; };
Corner at_corner(float4 place : POSITION) { Corner c; c.place = place; c.colour = place * 2; return c; }
float4 at_pixel(Corner corner) : SV_Target { return corner.colour * u_tint; }
"""


def test_one_source_has_both_shaders_of_a_pair() -> None:
    names: dict[str, Any] = {"vertex_filename": "both.hlsl", "fragment_filename": "both.hlsl"}
    program = glslc_multi.link(_BOTH, _BOTH, target="vc4", entry="at_corner,at_pixel", **names)
    assert set(program.stages) == {"vertex", "coordinate", "fragment"}
    assert [uniform.name for uniform in program.stages["fragment"].reflection.uniforms] == ["u_tint"]
    with pytest.raises(CompileError) as caught:
        glslc_multi.link(_BOTH, _BOTH, target="vc4", **names)
    (found,) = caught.value.diagnostics
    assert found.code == "E1014" and "--entry" in (found.help or "")


def test_a_file_that_includes_itself_fills_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """glslangValidator goes on for as long as there is some."""
    monkeypatch.setattr(foreign, "_MEMORY", 128 << 20)
    name = tmp_path / "self.vert.hlsl"
    text = '#include "self.vert.hlsl"\n' * 2 + "float4 main() : SV_Position { return 0.0; }\n"
    name.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    with pytest.raises(CompileError, match="glslangValidator: it needs more than 128 MB of memory"):
        glslc_multi.compile(text, target="vc4", filename=str(name))
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss <= max(before, 256 << 10)
