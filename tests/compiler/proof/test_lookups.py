"""Lookups by number, by size, moved, with gradients, with a depth: proven where a target has them, faults differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from glslc_multi.compiler.diagnostics import CompileError
from tests.proof.prove import prove_text, prove_with_fault

HEAD = """#version 330
uniform sampler1D u_row; uniform sampler2D u_map; uniform samplerCube u_sky; uniform sampler2DShadow u_depth;
uniform ivec2 u_texel; in vec4 v; out vec4 colour;
"""
TARGETS: dict[str, Mapping[str, Any]] = {"agal": {"agal_version": "2"}, "adreno": {}, "xenos": {}, "vc4": {}}
#: What is looked up, and the targets that take it.
RESULTS = {
    "texelFetch(u_row, u_texel.x + 1, 0)": TARGETS,
    "texelFetch(u_map, ivec2(gl_FragCoord.xy), 0)": TARGETS,
    "texelFetchOffset(u_map, u_texel, 0, ivec2(1, -2))": TARGETS,
    "textureOffset(u_row, v.x, 2)": TARGETS,
    "textureOffset(u_map, v.xy, ivec2(3, -1))": TARGETS,
    "vec4(textureSize(u_row, 0), textureSize(u_map, 0), textureSize(u_sky, 0).x) * v": TARGETS,
    "textureGrad(u_row, v.x, v.y, 2.0)": ("adreno", "xenos"),
    "textureGrad(u_map, v.xy, v.zw, dFdx(v.xy))": ("adreno", "xenos"),
    "textureLod(u_map, v.xy, v.z)": ("adreno", "xenos", "vc4"),
    "texture(u_map, v.xy, v.z)": ("adreno", "xenos", "vc4"),
    "textureProj(u_map, v) * texture(u_row, v.z)": TARGETS,
    "vec4(texture(u_depth, v.xyz))": TARGETS,
    "vec4(textureProj(u_depth, v))": TARGETS,
}


def _text(result: str) -> str:
    return f"{HEAD}void main() {{ colour = {result}; }}"


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("target", TARGETS)
def test_right_lookups_are_equal(target: str, result: str) -> None:
    if target not in RESULTS[result]:
        with pytest.raises(CompileError):
            prove_text(_text(result), target, "fragment", options=TARGETS[target])
        return
    verdict = prove_text(_text(result), target, "fragment", draws=16, options=TARGETS[target])
    assert verdict.outcome == "equal", verdict


@pytest.mark.parametrize("result", ["texelFetch(u_map, u_texel, 0)", "textureSize(u_map, 0).yxyx * v"])
def test_lookups_in_code_are_equal(result: str) -> None:
    assert prove_text(_text(result), "theia", "fragment", draws=16).outcome == "equal"


@pytest.mark.parametrize("target", ["agal", "adreno", "xenos"])
def test_a_texel_at_no_place_is_a_number(target: str) -> None:
    # Code may look up where the source does not, and multiply what it finds by zero.
    result = "u_texel.x < 0 ? texture(u_map, v.xy / max(v.w, 0.0)) : v.xxyz"
    verdict = prove_text(_text(result), target, "fragment", draws=32, options=TARGETS[target])
    assert verdict.outcome in ("equal", "near"), verdict


def test_gradients_in_cube_maps_are_unknown() -> None:
    verdict = prove_text(_text("textureGrad(u_sky, v.xyz, v.zyx, v.yxz)"), "xenos", "fragment")
    assert (verdict.outcome, verdict.reason) == ("unknown", "gradients of lookups in cube maps")


#: Target, result, and what is changed in the code for it.
FAULTS = [
    # Another gradient.
    ("xenos", "textureGrad(u_map, v.xy, v.zw, vec2(u_texel))", "= R0.zwz", "= R0.wzw"),
    # The size in the other order.
    ("xenos", "vec4(textureSize(u_map, 0), 1, 1) * v", "C0, C0", "C0.yxzw, C0.yxzw"),
    ("agal", "vec4(textureSize(u_map, 0), 1, 1) * v", "fc0.xy", "fc0.yx"),
    # A whole texel beside.
    ("vc4", "texelFetch(u_map, u_texel, 0)", "0.5", "1.0"),
    # Half of the depth.
    ("vc4", "vec4(texture(u_depth, v.xyz))", "r4, 8", "r4, 9"),
    # Less in place of greater.
    ("vc4", "vec4(texture(u_depth, v.xyz))", "ifc", "ifnc"),
]


@pytest.mark.parametrize(("target", "result", "right", "wrong"), FAULTS)
def test_a_fault_differs(target: str, result: str, right: str, wrong: str) -> None:
    verdict = prove_with_fault(
        _text(result), target, lambda code: code.replace(right, wrong), "fragment", draws=32, options=TARGETS[target]
    )
    assert verdict.outcome == "differs", verdict
