"""The language's extensions: derivatives on 2x2 blocks, external images, depth and several colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.conformance.define.images import noise
from tests.conformance.define.lookup import FORMS, lookup
from tests.conformance.define.types import generic
from tests.conformance.define.value_case import FRAGMENT, ValueCase, value

_DERIVATIVES = "#extension GL_OES_standard_derivatives : enable\n"
_EXTERNAL = noise("external", wrap_s="clamp", wrap_t="clamp")


def cases() -> Iterator[ValueCase]:
    yield from _external_images()
    yield from _derivatives()
    yield from _outputs()


def _external_images() -> Iterator[ValueCase]:
    for function, parameter, coordinate in FORMS:
        yield from lookup(
            f"OES_EGL_image_external/{function}_{parameter}",
            f"{function}(map, {coordinate})",
            _EXTERNAL,
            lambda st: _EXTERNAL.at(st),
            "vec2 st, float q",
            directives="#extension GL_OES_EGL_image_external : enable\n",
            before="uniform samplerExternalOES map;",
            overload=f"{function}(samplerExternalOES, {parameter})",
        )


def _derivatives() -> Iterator[ValueCase]:
    """On planes all ways to take differences in a block agree."""
    section = "OES_standard_derivatives"
    more: dict[str, Any] = {"quads": True, "stages": FRAGMENT, "directives": _DERIVATIVES}
    for type_ in generic("float"):
        for name, formula in _DIFFERENCES.items():
            yield from value(
                f"{section}/{name}_{type_}",
                type_,
                f"{name}(a)",
                formula,
                f"{type_} a",
                tags=("derivative", f"overload:{name}({type_})"),
                **more,
            )
    yield from value(
        f"{section}/of_expression",
        "vec2",
        "vec2(dFdx(a * 2.0 + b), dFdy(a - b))",
        lambda quad: np.array([quad.dx(lambda a, b: 2 * a + b), quad.dy(lambda a, b: a - b)]),
        "float a, float b",
        **more,
    )
    yield from value(
        f"{section}/of_constant",
        "vec2",
        "vec2(dFdx(2.0), fwidth(u))",
        lambda: np.zeros(2),
        "float a",
        uniforms={"u": ("float", 3.0)},
        **more,
    )
    yield from value(
        f"{section}/in_function",
        "float",
        "slope(a)",
        lambda quad: quad.dx(lambda a: a) + quad.dy(lambda a: a),
        "float a",
        before="float slope(float x) { return dFdx(x) + dFdy(x); }",
        **more,
    )


_DIFFERENCES: dict[str, Callable[..., Any]] = {
    "dFdx": lambda quad: quad.dx(lambda a: a),
    "dFdy": lambda quad: quad.dy(lambda a: a),
    "fwidth": lambda quad: np.abs(quad.dx(lambda a: a)) + np.abs(quad.dy(lambda a: a)),
}


def _outputs() -> Iterator[ValueCase]:
    yield from value(
        "EXT_frag_depth/depth_written",
        "float",
        "clamp(a, 0.0, 1.0)",
        lambda a: min(max(a, 0.0), 1.0),
        "float a",
        stages=FRAGMENT,
        directives="#extension GL_EXT_frag_depth : enable\n",
        output="gl_FragDepthEXT",
    )
    for index in range(2):
        yield from value(
            f"EXT_draw_buffers/colour_{index}",
            "vec4",
            f"gl_FragData[{1 - index}] = -a; result = a * 2.0;",
            lambda a: 2 * a,
            "vec4 a",
            stages=FRAGMENT,
            directives="#extension GL_EXT_draw_buffers : require\n",
            output=f"gl_FragData[{index}]",
        )
    yield from value(
        "EXT_draw_buffers/count",
        "bool",
        "gl_MaxDrawBuffers >= 1",
        lambda: True,
        stages=FRAGMENT,
        directives="#extension GL_EXT_draw_buffers : enable\n",
    )
