"""Section 7: the built-in variables and constants of both stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.value_case import FRAGMENT, VERTEX, ValueCase, exact, value

#: Constant -> its least value (section 7.4).
_CONSTANTS = {
    "gl_MaxVertexAttribs": 8,
    "gl_MaxVertexUniformVectors": 128,
    "gl_MaxVaryingVectors": 8,
    "gl_MaxVertexTextureImageUnits": 0,
    "gl_MaxCombinedTextureImageUnits": 8,
    "gl_MaxTextureImageUnits": 8,
    "gl_MaxFragmentUniformVectors": 16,
    "gl_MaxDrawBuffers": 1,
}
#: Middles of pixels, in window coordinates.
_WINDOW = d.Domain(0, 63, 1, offset=0.5)
_DEPTH = {"gl_DepthRange.near": ("", 0.25), "gl_DepthRange.far": ("", 0.75), "gl_DepthRange.diff": ("", 0.5)}


def cases() -> Iterator[ValueCase]:
    yield from _vertex()
    yield from _fragment()
    for name, least in _CONSTANTS.items():
        yield from exact(f"7.4/{name}", "bool", f"{name} >= {least}", lambda: True)
        yield from exact(
            f"7.4/{name}_is_constant",
            "float",
            f"const int n = {name}; float x[{name} + 1]; x[{name}] = a; result = n == {name} ? x[n] : 0.0;",
            lambda a: a,
            "float a",
            stages=VERTEX,
        )
    yield from exact(
        "7.5/depth_range",
        "vec3",
        "vec3(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff)",
        lambda: np.array([0.25, 0.75, 0.5]),
        uniforms=_DEPTH,
    )
    yield from value(
        "7.5/depth_range_copied",
        "float",
        "gl_DepthRangeParameters p = gl_DepthRange; result = a * p.diff + p.near;",
        lambda a: a * 0.5 + 0.25,
        "float a",
        uniforms=_DEPTH,
    )


def _vertex() -> Iterator[ValueCase]:
    position: dict[str, Any] = {"stages": VERTEX, "output": "gl_Position"}
    yield from exact("7.1/position", "vec4", "a", lambda a: a, "vec4 a", **position)
    yield from value(
        "7.1/position_transformed",
        "vec4",
        "m * a",
        lambda a, m: m @ a,
        "vec4 a",
        uniforms={"m": ("mat4", np.arange(16.0).reshape(4, 4) / 8 - 1)},
        **position,
    )
    yield from exact(
        "7.1/position_read_back",
        "vec4",
        ("gl_Position = a; gl_Position.x += 1.0; gl_Position.yz = gl_Position.zy; result = gl_Position;"),
        lambda a: np.array([a[0] + 1, a[2], a[1], a[3]]),
        "vec4 a",
        **position,
    )
    yield from exact(
        "7.1/position_written_in_function",
        "vec4",
        "put(a); result = gl_Position;",
        lambda a: 2 * a,
        "vec4 a",
        before="void put(vec4 x) { gl_Position = x * 2.0; }",
        **position,
    )
    yield from exact(
        "7.1/position_as_out_argument",
        "vec4",
        "put(gl_Position, a); result = gl_Position;",
        lambda a: a[::-1],
        "vec4 a",
        before="void put(out vec4 to, vec4 x) { to = x.wzyx; }",
        **position,
    )
    yield from exact(
        "7.1/point_size", "float", "abs(a) + 1.0", lambda a: abs(a) + 1, "float a", stages=VERTEX, output="gl_PointSize"
    )
    yield from exact(
        "7.1/point_size_read_back",
        "float",
        "gl_PointSize = a; gl_PointSize *= 2.0; result = gl_PointSize + 1.0;",
        lambda a: 2 * a + 1,
        "float a",
        stages=VERTEX,
        output="gl_PointSize",
        # OpenGL ES 2.0 section 3.3: points of size 0 or less are undefined, and machines may not have them.
        domains={"a": d.POSITIVE},
    )


def _fragment() -> Iterator[ValueCase]:
    yield from exact(
        "7.2/frag_coord",
        "vec4",
        "gl_FragCoord",
        lambda frag_coord: frag_coord,
        given="vec4 gl_FragCoord",
        stages=FRAGMENT,
        domains={"gl_FragCoord": _WINDOW},
    )
    yield from exact(
        "7.2/frag_coord_checker",
        "float",
        "mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0)",
        lambda frag_coord: (np.floor(frag_coord[0]) + np.floor(frag_coord[1])) % 2,
        given="vec4 gl_FragCoord",
        stages=FRAGMENT,
        domains={"gl_FragCoord": _WINDOW},
    )
    yield from exact(
        "7.2/front_facing",
        "float",
        "gl_FrontFacing ? a : -a",
        lambda a, front_facing: a if front_facing else -a,
        "float a",
        given="bool gl_FrontFacing",
        stages=FRAGMENT,
    )
    yield from exact(
        "7.2/front_facing_as_number",
        "vec2",
        "vec2(gl_FrontFacing, !gl_FrontFacing)",
        lambda front_facing: np.array([front_facing, not front_facing]),
        given="bool gl_FrontFacing",
        stages=FRAGMENT,
    )
    yield from exact(
        "7.2/point_coord",
        "vec2",
        "gl_PointCoord.yx",
        lambda point_coord: point_coord[::-1],
        given="vec2 gl_PointCoord",
        stages=FRAGMENT,
        domains={"gl_PointCoord": d.UNIT},
    )
    yield from exact(
        "7.2/frag_data", "vec4", "a.wzyx", lambda a: a[::-1], "vec4 a", stages=FRAGMENT, output="gl_FragData[0]"
    )
    yield from exact(
        "7.2/frag_data_read_back",
        "vec4",
        "gl_FragData[0] = a; gl_FragData[0].x = 5.0; result = gl_FragData[0] * 2.0;",
        lambda a: np.array([10.0, *(2 * a[1:])]),
        "vec4 a",
        stages=FRAGMENT,
        output="gl_FragData[0]",
    )
    yield from exact(
        "7.2/frag_color_read_back",
        "vec4",
        "gl_FragColor = a; gl_FragColor.xy = gl_FragColor.yx; result = gl_FragColor + 1.0;",
        lambda a: a[[1, 0, 2, 3]] + 1,
        "vec4 a",
        stages=FRAGMENT,
    )
    yield from exact(
        "7.2/frag_color_in_branches",
        "vec4",
        "if (a.x > 0.0) gl_FragColor = a; else gl_FragColor = vec4(2.0); result = gl_FragColor;",
        lambda a: a if a[0] > 0 else np.full(4, 2.0),
        "vec4 a",
        stages=FRAGMENT,
    )
    yield from exact(
        "7.2/frag_color_written_in_function",
        "vec4",
        "put(a); result = gl_FragColor;",
        lambda a: 3 * a,
        "vec4 a",
        before="void put(vec4 x) { gl_FragColor = x * 3.0; }",
        stages=FRAGMENT,
    )
