"""Shaders in WGSL by way of naga or Tint: what they compute, by formulas of their own; and where mistakes are told."""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.spirv.foreign import WGSL

#: naga of npm, for machines that have none of their own.
_NAGA = Path(__file__).parent / "naga"


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler of WGSL on the path."""
    if any(shutil.which(name) for name, _ in WGSL.tools):
        return
    if not (_NAGA / "node_modules").is_dir() or shutil.which("node") is None:
        pytest.skip("neither naga nor tint is installed; npm install --prefix tests/frontends/spirv/naga")
    command = tmp_path / "naga"
    command.write_text(f'#!/bin/sh\nexec node "{_NAGA}/naga.mjs" "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)


A, B = (0.5, -1.25, 2.0, -3.0), (2.0, 0.75, -1.5, 4.0)
INTS = (7, -7, 3, 1)
#: Columns, as WGSL has them.
MATRIX = ((1.0, 2.0, 3.0, 4.0), (0.0, 1.0, -1.0, 2.0), (0.5, 0.0, 2.0, 0.0), (1.0, 0.0, 0.0, 1.0))
_HEAD = """struct Numbers { a: vec4<f32>, b: vec4<f32>, m: mat4x4<f32>, i: vec4<i32>, list: array<vec4<f32>, 3> }
@group(0) @binding(0) var<uniform> n: Numbers;
"""
LIST = ((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0), (9.0, 10.0, 11.0, 12.0))
_ROWS = tuple(zip(*MATRIX, strict=True))


def lowered(text: str) -> Module:
    sink = DiagnosticSink()
    source = Source(text, "test.wgsl", WGSL)
    stage = WGSL.stage_of("test.wgsl", text)
    return WGSL.lower(WGSL.prepare(source, stage, FrontEndOptions(), sink), stage, sink)


def computed(body: str, functions: str = "") -> list[float]:
    """What a fragment shader with this body returns."""
    module = lowered(f"{_HEAD}{functions}@fragment fn main() -> @location(0) vec4<f32> {{ {body} }}\n")
    values = {"a": A, "b": B, "m": MATRIX, "i": INTS, "list": LIST}
    uniforms = {}
    for name, variable in module.variables.items():
        if variable.storage == "uniform":
            kind = np.float32 if variable.type.kind == "float" else np.int32
            uniforms[name] = np.array(values[name.rpartition(".")[2]], dtype=kind)
    found = evaluate(module, {}, uniforms, {}, lanes=1).outputs
    (output,) = found.values()
    return [float(x) for x in output[0]]


#: Name -> body, functions, and the colour.
CASES: dict[str, tuple[str, str, list[float]]] = {
    "arithmetic": (
        "return (n.a + n.b) * n.a - n.b / n.a;",
        "",
        [(x + y) * x - y / x for x, y in zip(A, B, strict=True)],
    ),
    "a matrix times a vector": (
        "return n.m * n.a;",
        "",
        [sum(p * q for p, q in zip(row, A, strict=True)) for row in _ROWS],
    ),
    "a vector times a matrix": (
        "return n.a * n.m;",
        "",
        [sum(p * q for p, q in zip(column, A, strict=True)) for column in MATRIX],
    ),
    "remainders of floats": ("return n.a % n.b;", "", [math.fmod(x, y) for x, y in zip(A, B, strict=True)]),
    "quotients and remainders of ints": (
        "return vec4<f32>(n.i / 3) * 10.0 + vec4<f32>(n.i % 3);",
        "",
        [math.trunc(x / 3) * 10.0 + math.fmod(x, 3) for x in INTS],
    ),
    "halves round to even": ("return round(n.a + vec4<f32>(0.0, 0.75, 0.5, 0.5));", "", [0.0, -0.0, 2.0, -2.0]),
    "select": ("return select(n.a, n.b, n.a < n.b);", "", [max(x, y) for x, y in zip(A, B, strict=True)]),
    "a loop": (
        "var sum = 0.0; for (var k = 0; k < 10; k++) { if (k == 3) { continue; } if (k == 7) { break; } "
        "sum += f32(k); } return vec4(sum);",
        "",
        [0.0 + 1 + 2 + 4 + 5 + 6] * 4,
    ),
    "a switch": (
        "var x = 0.0; switch (n.i.z) { case 1: { x = 1.0; } case 2, 3: { x = 2.0; } default: { x = 4.0; } } "
        "return vec4(x);",
        "",
        [2.0] * 4,
    ),
    "pointers of functions": (
        "var v = n.a; twice(&v); return v;",
        "fn twice(p: ptr<function, vec4<f32>>) { *p = *p * 2.0; }\n",
        [2 * x for x in A],
    ),
    "an index into a uniform": (
        "return n.list[n.i.w] + n.list[2];",
        "",
        [x + y for x, y in zip(*LIST[1:], strict=True)],
    ),
    "an array of its own": (
        "var t = array<f32, 4>(1.0, 2.0, 3.0, 4.0); t[n.i.z] = 9.0; return vec4(t[0], t[n.i.w], t[2], t[3]);",
        "",
        [1.0, 2.0, 3.0, 9.0],
    ),
    "modf and frexp": (
        "let m = modf(n.a); let f = frexp(n.b); return m.fract + m.whole * 2.0 + f.fract + vec4<f32>(f.exp);",
        "",
        [math.modf(x)[0] + 2 * math.modf(x)[1] + sum(math.frexp(y)) for x, y in zip(A, B, strict=True)],
    ),
    "bits": (
        "return vec4<f32>((n.i << vec4(2u)) ^ (n.i >> vec4(1u))) + vec4<f32>(vec4(bitcast<u32>(n.a.x) >> 24u));",
        "",
        [((x << 2) ^ (x >> 1)) + 63.0 for x in INTS],
    ),
    "clamp and mix": (
        "return clamp(n.a, vec4(-1.0), vec4(1.0)) + mix(n.a, n.b, 0.25);",
        "",
        [min(max(x, -1.0), 1.0) + x + (y - x) * 0.25 for x, y in zip(A, B, strict=True)],
    ),
}


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    body, functions, wanted = CASES[name]
    assert computed(body, functions) == pytest.approx(wanted, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("arrow", ["  ┌─ test.wgsl:2:10", " --> test.wgsl:2:10"])
def test_a_place_below_the_message(arrow: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """naga and Slang write it there."""
    tool = tmp_path / "naga"
    tool.write_text(f"#!/bin/sh\nprintf 'error: no such thing\\n{arrow}\\n' >&2\nexit 1\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompileError) as caught:
        lowered("@fragment fn main() -> @location(0) vec4<f32> {\n  return nothing;\n}\n")
    (found,) = caught.value.diagnostics
    assert (found.code, found.span and found.span.line) == ("E1014", 2)


_PAIR = """struct Corner { @builtin(position) place: vec4<f32>, @location(0) colour: vec4<f32> }
@group(0) @binding(0) var<uniform> tint: vec4<f32>;
@vertex fn at_corner(@location(0) place: vec4<f32>) -> Corner { return Corner(place, place * 2.0); }
@fragment fn at_pixel(corner: Corner) -> @location(0) vec4<f32> { return corner.colour * tint; }
"""


@pytest.mark.usefixtures("compiler")
def test_one_source_has_both_shaders_of_a_pair() -> None:
    names: dict[str, Any] = {"vertex_filename": "both.wgsl", "fragment_filename": "both.wgsl"}
    program = glslc_multi.link(_PAIR, _PAIR, target="vc4", **names)
    assert set(program.stages) == {"vertex", "coordinate", "fragment"}


@pytest.mark.usefixtures("compiler")
def test_a_mistake_is_told_in_the_words_of_the_compiler() -> None:
    with pytest.raises(CompileError) as caught:
        lowered("@fragment fn main() -> @location(0) vec4<f32> {\n  return nothing;\n}\n")
    assert caught.value.diagnostics[0].code == "E1014"
