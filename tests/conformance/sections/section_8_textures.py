"""Section 8.7 (and 4.1.7): every overload of the texture lookups, wraps, filters, levels, uses of samplers.

What a lookup must give is worked out by `define.images`, one texel at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.images import Image, noise
from tests.conformance.define.lookup import FORMS, lookup
from tests.conformance.define.value_case import FRAGMENT, VERTEX, ValueCase, value

_PLAIN = noise("plain")
_SECOND = noise("second")
_LEVELS = noise("levels", size=8, levels=4)
_CUBE = noise("cube", kind="cube", wrap_s="clamp", wrap_t="clamp")
_SOFT_CUBE = noise("soft", kind="cube", filter="linear", wrap_s="clamp", wrap_t="clamp")
_CUBE_LEVELS = noise("cube levels", kind="cube", levels=3, wrap_s="clamp", wrap_t="clamp")
_FILTERS = {"nearest": _PLAIN, "linear": noise("smooth", filter="linear")}
_WRAPS = ("repeat", "clamp", "mirror")
_EXTENSION = "EXT_shader_texture_lod"
_ENABLE = f"#extension GL_{_EXTENSION} : enable\n"


def cases() -> Iterator[ValueCase]:
    yield from _states()
    yield from _cube_faces()
    for name, image in _FILTERS.items():
        yield from _without_levels(name, image)
    yield from _levels_by_steps()
    yield from _levels_given("Lod", "8.7", stages=VERTEX)
    yield from _levels_given("LodEXT", _EXTENSION, stages=FRAGMENT, directives=_ENABLE)
    yield from _levels_by_gradients()
    yield from _samplers()
    yield from _expressions()


def _states() -> Iterator[ValueCase]:
    """Each wrap mode of each axis with each filter."""
    for filter, wrap_s, wrap_t in product(_FILTERS, _WRAPS, _WRAPS):
        image = noise(f"{filter}{wrap_s}{wrap_t}", filter=filter, wrap_s=wrap_s, wrap_t=wrap_t)
        name = f"8.7/{filter}_{wrap_s}_{wrap_t}"
        yield from lookup(name, "texture2D(map, st)", image, lambda st, image=image: image.at(st), "vec2 st")


def _cube_faces() -> Iterator[ValueCase]:
    overload = "textureCube(samplerCube, vec3)"
    for name, image in (("nearest", _CUBE), ("linear", _SOFT_CUBE)):
        yield from lookup(
            f"8.7/cube_{name}",
            "textureCube(map, r)",
            image,
            lambda r, image=image: image.along(r),
            "vec3 r",
            overload=overload,
        )
    yield from lookup(
        "8.7/cube_bias_unused",
        "textureCube(map, r, 1.0)",
        _CUBE,
        lambda r: _CUBE.along(r),
        "vec3 r",
        stages=FRAGMENT,
        overload="textureCube(samplerCube, vec3, float)",
    )
    for axis, sign in product(range(3), (1.0, -1.0)):
        parts = ["x", "y"]
        parts.insert(axis, str(sign))
        yield from lookup(
            f"8.7/cube_face_{'xyz'[axis]}{'+' if sign > 0 else '-'}",
            f"textureCube(map, vec3({', '.join(parts)}))",
            _CUBE,
            lambda x, y, axis=axis, sign=sign: _CUBE.along([*(x, y)[:axis], sign, *(x, y)[axis:]]),
            "float x, float y",
        )


def _without_levels(name: str, image: Image) -> Iterator[ValueCase]:
    """Without mipmaps a bias changes nothing."""
    for function, parameter, coordinate in FORMS:
        case = f"8.7/{function}_{parameter}_{name}"
        inputs = "vec2 st, float q"
        yield from lookup(
            case,
            f"{function}(map, {coordinate})",
            image,
            lambda st: image.at(st),
            inputs,
            overload=f"{function}(sampler2D, {parameter})",
        )
        yield from lookup(
            f"{case}_bias",
            f"{function}(map, {coordinate}, 1.0)",
            image,
            lambda st: image.at(st),
            inputs,
            stages=FRAGMENT,
            overload=f"{function}(sampler2D, {parameter}, float)",
        )


def _levels_by_steps() -> Iterator[ValueCase]:
    """In a block whose pixels are 1.0625 * 2^k texels apart the level is k, and a bias adds to it."""
    more: dict[str, Any] = {"stages": FRAGMENT, "quads": True}
    for step, bias in product(range(3), (-2, 0, 1)):
        chosen = max(step + bias, 0)
        argument = f", {bias}.25" if bias else ""
        name = f"step_{step}_bias_{bias + 2}"
        moving = d.Domain(-2, 2, 16, offset=1 / 64, slope=17 / 128 * 2**step)
        for function, parameter, coordinate in FORMS:
            yield from lookup(
                f"8.7/{function}_{parameter}_{name}",
                f"{function}(map, {coordinate.replace('q', '2.0')}{argument})",
                _LEVELS,
                lambda st, chosen=chosen: _LEVELS.at(st, chosen),
                "vec2 st",
                domains={"st": moving},
                **more,
            )
        # Two units of the direction are the whole face +z, so four texels.
        on_face = d.Domain(-1.5, -0.75, 16, offset=1 / 64, slope=17 / 16 * 2**step)
        if step < 2:
            yield from lookup(
                f"8.7/cube_{name}",
                f"textureCube(map, vec3(st, 2.0){argument})",
                _CUBE_LEVELS,
                lambda st, chosen=chosen: _CUBE_LEVELS.along((*st, 2.0), chosen),
                "vec2 st",
                domains={"st": on_face},
                **more,
            )


def _levels_given(suffix: str, section: str, **more: Any) -> Iterator[ValueCase]:
    for function, parameter, coordinate in FORMS:
        yield from lookup(
            f"{section}/{function}{suffix}_{parameter}",
            f"{function}{suffix}(map, {coordinate}, level)",
            _LEVELS,
            _at_level,
            "vec2 st, float q, float level",
            overload=f"{function}{suffix}(sampler2D, {parameter}, float)",
            **more,
        )
    yield from lookup(
        f"{section}/textureCube{suffix}",
        f"textureCube{suffix}(map, r, level)",
        _CUBE_LEVELS,
        lambda r, level: _CUBE_LEVELS.along(r, min(int(level), 2)),
        "vec3 r, float level",
        overload=f"textureCube{suffix}(samplerCube, vec3, float)",
        **more,
    )
    yield from lookup(
        f"{section}/level_is_clamped",
        f"texture2D{suffix}(map, st, level * 100.0)",
        _LEVELS,
        lambda st, level: _LEVELS.at(st, 3 if level > 0 else 0),
        "vec2 st, float level",
        domains={"level": d.Domain(-1, 1, 1, offset=0.5)},
        **more,
    )
    yield from lookup(
        f"{section}/level_without_mipmaps",
        f"texture2D{suffix}(map, st, level)",
        _PLAIN,
        lambda st: _PLAIN.at(st),
        "vec2 st, float level",
        **more,
    )


def _at_level(st: Any, level: float) -> Any:
    return _LEVELS.at(st, int(level))


def _levels_by_gradients() -> Iterator[ValueCase]:
    """The longer of the two steps, 1.0625 * 2^k texels, gives level k."""
    more: dict[str, Any] = {"stages": FRAGMENT, "directives": _ENABLE}
    step = "exp2(floor(level)) * 1.0625 / 8.0"
    for function, parameter, coordinate in FORMS:
        for axis, gradients in (("x", f"vec2({step}, 0.0), vec2(0.01)"), ("y", f"vec2(0.0), vec2(0.0, {step})")):
            yield from lookup(
                f"{_EXTENSION}/{function}GradEXT_{parameter}_{axis}",
                f"{function}GradEXT(map, {coordinate}, {gradients})",
                _LEVELS,
                _at_level,
                "vec2 st, float q, float level",
                overload=f"{function}GradEXT(sampler2D, {parameter}, vec2, vec2)",
                **more,
            )
    # On the face +z a step of the direction by half a unit is one of four texels.
    cube_step = "exp2(floor(level)) * 1.0625 * 0.5"
    yield from lookup(
        f"{_EXTENSION}/textureCubeGradEXT",
        f"textureCubeGradEXT(map, vec3(x, y, 1.0), vec3({cube_step}, 0.0, 0.0), vec3(0.0))",
        _CUBE_LEVELS,
        lambda x, y, level: _CUBE_LEVELS.along((x, y, 1.0), int(level)),
        "float x, float y, float level",
        domains={"level": d.Domain(0, 2, 1, offset=0.125)},
        overload="textureCubeGradEXT(samplerCube, vec3, vec3, vec3)",
        **more,
    )


#: Section 4.1.7, samplers handed on: name -> (declarations, expression, factor of the colour).
_HANDED_ON = {
    "parameter": (
        "uniform sampler2D map;\nvec4 look(sampler2D s, vec2 p) { return texture2D(s, p) * 2.0; }",
        "look(map, st)",
        2.0,
    ),
    "parameter_through_two_levels": (
        "uniform sampler2D map;\nvec4 inner(sampler2D s, vec2 p) { return texture2D(s, p); }\n"
        "vec4 outer(sampler2D s, vec2 p) { return inner(s, p) * 4.0; }",
        "outer(map, st)",
        4.0,
    ),
    "parameter_beside_out": (
        "uniform sampler2D map;\nvoid look(sampler2D s, in vec2 p, out vec4 c) { c = texture2D(s, p); }",
        "vec4 c; look(map, st, c); result = c - 0.5 * c;",
        0.5,
    ),
}


def _samplers() -> Iterator[ValueCase]:
    for name, (before, text, factor) in _HANDED_ON.items():
        yield from lookup(
            f"4.1.7/{name}",
            text,
            _PLAIN,
            lambda st, factor=factor: _PLAIN.at(st) * factor,
            "vec2 st",
            before=before,
        )
    more: dict[str, Any] = {"domains": {"st": d.COORDINATE}, "tags": ("texture",)}
    yield from value(
        "4.1.7/two_samplers",
        "vec4",
        "texture2D(map, st) - texture2D(other, st)",
        lambda st: _PLAIN.at(st) - _SECOND.at(st),
        "vec2 st",
        before="uniform sampler2D map; uniform sampler2D other;",
        images={"map": _PLAIN, "other": _SECOND},
        **more,
    )
    yield from value(
        "4.1.7/array_of_samplers",
        "vec4",
        "texture2D(maps[0], st) + texture2D(maps[1], st) * 2.0",
        lambda st: _PLAIN.at(st) + 2 * _SECOND.at(st),
        "vec2 st",
        before="uniform sampler2D maps[2];",
        images={"maps[0]": _PLAIN, "maps[1]": _SECOND},
        **more,
    )
    yield from value(
        "4.1.7/sampler_in_struct",
        "vec4",
        "texture2D(m.map, st) * m.scale",
        lambda st: _PLAIN.at(st) * 3,
        "vec2 st",
        before="struct Material { sampler2D map; float scale; };\nuniform Material m;",
        uniforms={"m.scale": ("", 3.0)},
        images={"m.map": _PLAIN},
        **more,
    )


def _expressions() -> Iterator[ValueCase]:
    yield from lookup(
        "8.7/lookup_depends_on_lookup",
        "texture2D(map, floor(texture2D(map, st).xy * 4.0) / 4.0 + 0.125)",
        _PLAIN,
        lambda st: _PLAIN.at(np.floor(_PLAIN.at(st)[:2] * 4) / 4 + 0.125),
        "vec2 st",
    )
    yield from lookup(
        "8.7/lookup_in_loop",
        "result = vec4(0.0); for (int i = 0; i < 3; i++) result += texture2D(map, st + vec2(float(i) * 0.25, 0.0));",
        _PLAIN,
        lambda st: sum(_PLAIN.at((st[0] + i / 4, st[1])) for i in range(3)),
        "vec2 st",
    )
    yield from lookup(
        "8.7/lookup_of_one_component",
        "vec4(texture2D(map, st).y, texture2D(map, st).w, 0.0, 1.0)",
        _PLAIN,
        lambda st: np.array([_PLAIN.at(st)[1], _PLAIN.at(st)[3], 0.0, 1.0]),
        "vec2 st",
    )
