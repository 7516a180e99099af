"""Uniform arrays that do not fit: as many elements as the refusal says do, and one more does not."""

from __future__ import annotations

import re

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError

#: Constant registers of each machine's vertex stage.
LIMITS = {"adreno": 256, "agal": 128, "pica200": 96, "xenos": 256}

#: Declarations with an array of SIZE, its name, registers of an element (by columns or by rows), those of other
#: uniforms, and a use.
CASES: dict[str, tuple[str, str, set[int], int, str]] = {
    "vectors": ("uniform vec4 u[SIZE];", "u", {1}, 0, "u[int(i.x)] * 0.3"),
    "floats": ("uniform float u[SIZE];", "u", {1}, 0, "p * u[int(i.x)]"),
    "bones": ("uniform mat4 u[SIZE];", "u", {4}, 0, "u[int(i.x)] * p"),
    "two bones": (
        "uniform mat4 m, u[SIZE]; uniform vec4 k;",
        "u",
        {4},
        5,
        "m * (u[int(i.x)] * p + u[int(i.y)] * p * 0.3) + k",
    ),
    "rows": ("uniform mat4 u[SIZE];", "u", {4}, 0, "p * u[int(i.x)]"),
    "columns": ("uniform mat4 u[SIZE];", "u", {4}, 0, "u[int(i.x)][int(i.y)]"),
    "small matrices": ("uniform mat2 u[SIZE];", "u", {2}, 0, "vec4(u[int(i.x)] * p.xy, p.zw)"),
    "square matrices": ("uniform mat3 u[SIZE];", "u", {3}, 0, "vec4(u[int(i.x)] * p.xyz, 0.3)"),
    "wide matrices": ("uniform mat4x3 u[SIZE];", "u", {3, 4}, 0, "vec4(u[int(i.x)] * p, 1.0)"),
    "high matrices": ("uniform mat3x4 u[SIZE];", "u", {3, 4}, 0, "u[int(i.x)] * p.xyz"),
    "structures": (
        "struct Light { vec4 at; vec3 colour; mat3 m; }; uniform Light u[SIZE];",
        "u",
        {5},
        0,
        "vec4(u[int(i.x)].m * u[int(i.y)].colour, 1.0) + u[int(i.x)].at",
    ),
    "arrays in structures": (
        "struct Bone { vec4 row[3]; float weight; }; uniform Bone u[SIZE];",
        "u",
        {4},
        0,
        "u[int(i.x)].row[2] * u[int(i.y)].weight",
    ),
    "an array in a structure": (
        "struct Pose { mat4 root; mat4 bones[SIZE]; }; uniform Pose u;",
        "u.bones",
        {4},
        4,
        "u.root * (u.bones[int(i.x)] * p)",
    ),
    "elements by number": ("uniform mat4 u[SIZE];", "u", {4}, 0, "u[0] * (u[SIZE - 1] * p)"),
}


def _compile(target: str, case: str, size: int) -> tuple[str, str] | None:
    """Message and help of the refusal."""
    declarations, *_, use = CASES[case]
    source = f"""#version 300 es
    in vec4 p; in vec2 i; {declarations} void main() {{ gl_Position = {use}; }}"""
    try:
        glslc_multi.compile(source.replace("SIZE", str(size)), target=target, stage="vertex")
    except CompileError as error:
        (found,) = [each for each in error.diagnostics if each.severity == "error"]
        assert found.code == "E0701" and found.span is not None
        return found.message, found.help or ""
    return None


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("target", LIMITS)
def test_as_many_elements_fit_as_the_refusal_says(target: str, case: str) -> None:
    _, name, widths, others, _ = CASES[case]
    limit = LIMITS[target]
    size = limit + 40
    refusal = _compile(target, case, size)
    assert refusal is not None
    message, help = refusal
    said = re.match(rf"'{name}' may have (\d+) elements at most", help)
    need = re.match(rf"needs (\d+) constant registers, {target}.* has {limit}$", message)
    assert said and need, refusal
    fitting = int(said[1])
    # Numbers of the code take a few registers beside the uniforms.
    assert any(0 <= int(need[1]) - size * width - others <= 2 for width in widths)
    assert any(limit - width < fitting * width + int(need[1]) - size * width <= limit for width in widths)
    assert _compile(target, case, fitting) is None
    again = _compile(target, case, fitting + 1)
    assert again is not None and again[1].startswith(said[0])
