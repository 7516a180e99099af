"""Records written for the runner's own tests, one or more of each schema."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

VERTEX = "attribute vec4 dEQP_Position;\nvoid main() { gl_Position = dEQP_Position; }\n"
FRAGMENT = "precision mediump float;\nvoid main() { gl_FragColor = vec4(1.0); }\n"

POSITION = {
    "name": "dEQP_Position", "type": "vec4", "glsl_name": "dEQP_Position",
    "glsl_type": "vec4", "qualifier": "attribute", "role": "position",
}  # fmt: skip


def variable(name: str, type: str, glsl_type: str = "", **more: str) -> dict[str, str]:
    return {"name": name, "type": type, "glsl_name": name, "glsl_type": glsl_type or type, **more}


def cts(name: str, sources: Mapping[str, str | list[str]], **changes: Any) -> dict[str, Any]:
    """A record of schema cts; without changes a pair that must be accepted."""
    return {
        "name": name,
        "stages": list(sources),
        "expect": "pass",
        "requires": [],
        "sources": sources,
        "interface": {"inputs": [], "outputs": [], "uniforms": []},
        "values": [],
        **changes,
    }


def webgl_single(name: str, stage: str, source: str, expect: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "single", "stage": stage, "source": source, "expect": expect, "oracles": {}, **more}


def webgl_pair(name: str, expect: str, vertex: str, fragment: str, **more: Any) -> dict[str, Any]:
    return {
        "name": name, "kind": "pair", "vertex": VERTEX, "fragment": FRAGMENT, "expect": expect,
        "expect_vertex": vertex, "expect_fragment": fragment, "oracles": {}, **more,
    }  # fmt: skip


VERTEX_VALUES = cts(
    "vertex.sum",
    {"vertex": VERTEX},
    interface={
        "inputs": [POSITION, variable("a", "ivec2", "vec2"), variable("m", "mat2")],
        "outputs": [variable("out0", "int", "float"), variable("out1", "vec2")],
        "uniforms": [variable("s.k", "float")],
    },
    values=[
        {"inputs": {"a": [1, 2], "m": [1, 2, 3, 4]}, "uniforms": {"s.k": 2.0}, "outputs": {"out0": 3, "out1": [1, 2]}},
        {"inputs": {"a": [3, 4], "m": [0, 0, 0, 0]}, "uniforms": {"s.k": 2.0}, "outputs": {"out0": 7, "out1": [3, 4]}},
        {"inputs": {"a": [5, 6], "m": [0, 0, 0, 0]}, "uniforms": {"s.k": 9.0}, "outputs": {"out0": 1, "out1": [5, 6]}},
    ],
)

DIRECT_VALUES = cts(
    "fragment.matrix",
    {"fragment": FRAGMENT},
    interface={
        "inputs": [variable("x", "float")],
        "outputs": [variable("out0", "mat2", role="reference")],
        "uniforms": [],
    },
    values=[{"inputs": {"x": 1.0}, "uniforms": {}, "outputs": {"out0": [1, 2, 3, 4]}}],
    direct=[
        {"output": "out0", "column": 0, "components": 2, "source": "// column 0"},
        {"output": "out0", "column": 1, "components": 2, "source": "// column 1"},
    ],
)

WHITE_VALUES = cts(
    "pair.compare",
    {"vertex": VERTEX, "fragment": FRAGMENT},
    interface={
        "inputs": [POSITION],
        "outputs": [{**variable("out0", "bvec2"), "glsl_name": "ref_out0", "role": "reference"}],
        "uniforms": [],
    },
    values=[
        {"inputs": {}, "uniforms": {}, "outputs": {"out0": [True, False]}},
        {"inputs": {}, "uniforms": {}, "outputs": {"out0": [False, False]}},
    ],
)

DRAWING = webgl_pair(
    "draw",
    "pass",
    "pass",
    "pass",
    dialect="webgl",
    render={"color": [0, 255, 0, 255], "tolerance": 1, "uniforms": [{"name": "u", "fn": "uniform2f", "value": [3, 4]}]},
)

EXECUTION: dict[str, Any] = {
    "name": "exec#0",
    "stage": "fragment",
    "source": FRAGMENT,
    "uniforms": {"lights[0].position": [1, 2, 3], "weights": [0.5, 0.25]},
    "textures": {
        "u_map": {
            "kind": "2d", "width": 2, "height": 1, "format": "rgba8",
            "data": base64.b64encode(bytes(range(8))).decode(),
            "mips": [base64.b64encode(bytes(4)).decode()], "min": "nearest_mipmap_nearest", "mag": "nearest",
            "wrap_s": "repeat", "wrap_t": "clamp",
        }
    },
    "lanes": 4,
    "quads": True,
    "inputs": {"v": [[1, 2], [3, 4], [5, 6], [7, 8]]},
    "outputs": {"gl_FragColor": [[0, 0, 0, 1], [1, 0, 0, 1], [2, 0, 0, 1], [3, 0, 0, 1]]},
    "discarded": [True, False, False, False],
    "undefined": {"gl_FragColor.x": [1], "gl_FragColor": [2], "discarded": [3]},
    "sensitive": {"gl_FragColor": [1]},
    "tolerance": {"rel": 1e-4, "abs": 1e-5},
    "tags": ["texture", "freedom:lod"],
}  # fmt: skip

MODERN_VERTEX = cts(
    "modern.vertex",
    {"vertex": ["#version 300 es\n", "// first, ", "second"]},
    version="300 es",
    interface={
        "inputs": [variable("a", "uvec2")],
        "outputs": [variable("out0", "uint", qualifier="out"), variable("out1", "bool", "float")],
        "uniforms": [],
    },
    values=[{"inputs": {"a": [4294967295, 0]}, "uniforms": {}, "outputs": {"out0": 4294967295, "out1": True}}],
)

MODERN_FRAGMENT = cts(
    "modern.fragment",
    {"fragment": "#version 300 es\n"},
    version="300 es",
    interface={"inputs": [], "outputs": [variable("out0", "mat2x3", role="reference")], "uniforms": []},
    values=[{"inputs": {}, "uniforms": {}, "outputs": {"out0": [1, 2, 3, 4, 5, 6]}}],
    direct=[
        {"output": "out0", "column": 0, "components": 3, "source": "// column 0"},
        {"output": "out0", "column": 1, "components": 3, "source": "// column 1"},
    ],
)

_NEAREST = {"mips": "none", "min": "nearest", "mag": "nearest", "wrap_s": "repeat", "wrap_t": "repeat"}

MODERN_EXECUTION: dict[str, Any] = {
    "name": "modern#0",
    "stage": "vertex",
    "version": "300 es",
    "source": "#version 300 es\n",
    "uniforms": {"n": 3},
    "uniform_types": {"n": "int"},
    "uniform_blocks": {
        "Globals": {"size": 16, "members": {"scale": {"type": "float", "value": 2.0, "offset": 0}}},
        "Blk[1]": {
            "size": 16,
            "members": {
                "Blk.v": {"type": "vec2", "value": [1.0, 2.0], "offset": 0},
                "Blk.count": {"type": "uint", "value": 7, "offset": 8},
            },
        },
    },
    "textures": {
        "volume": {
            "kind": "3d", "width": 1, "height": 1, "depth": 2, "format": "rgba8ui",
            "data": base64.b64encode(bytes(range(8))).decode(), **_NEAREST, "wrap_r": "mirror",
        },
        "shadow": {
            "kind": "2d", "width": 1, "height": 1, "format": "depth32f",
            "data": base64.b64encode(bytes(4)).decode(), **_NEAREST, "compare": "lequal",
        },
    },
    "lanes": 2,
    "quads": False,
    "inputs": {"gl_VertexID": [0, 1], "i": [-1, 2], "pair": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]},
    "input_types": {"gl_VertexID": "int", "i": "int", "pair": "vec2[2]"},
    "outputs": {"u": [[1, 2], [3, 4]], "f": [0.5, 1.5]},
    "output_types": {"u": "uvec2", "f": "float"},
    "tolerance": {"rel": 0, "abs": 0},
    "tags": [],
}  # fmt: skip
