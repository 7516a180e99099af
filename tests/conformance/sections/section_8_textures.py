"""Section 8.7 and the extensions: every overload of the texture lookups, the samplers' states, derivatives.

What a lookup must give is worked out by `define.images`, one texel at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.images import Image, noise
from tests.conformance.define.types import generic
from tests.conformance.define.value_case import BOTH, FRAGMENT, VERTEX, ValueCase, value

_PLAIN = noise("plain", size=4)
_SMOOTH = noise("smooth", size=4, filter="linear")
_LEVELS = noise("levels", size=8, levels=4)
_CUBE = noise("cube", kind="cube", size=4, wrap_s="clamp", wrap_t="clamp")
_CUBE_LEVELS = noise("cube levels", kind="cube", size=4, levels=3, wrap_s="clamp", wrap_t="clamp")
_LOD_EXTENSION = "#extension GL_EXT_shader_texture_lod : enable\n"
_EXTERNAL_EXTENSION = "#extension GL_OES_EGL_image_external : enable\n"
_DERIVATIVES = "#extension GL_OES_standard_derivatives : enable\n"

#: Directions whose longest component is plain to see: no lane lies on an edge between faces.
_DIRECTION = d.Domain(-2, 2, 16, offset=1 / 64)
#: Levels in the middle of what each rounds to.
_LEVEL = d.Domain(0, 3, 1, offset=0.125)
_DIVISOR = d.Domain(0.5, 2, 2, least=0.5)
#: Step that needs no perspective: coordinates move by powers of two of a texel.
_COORDINATES = {"st": d.COORDINATE, "level": _LEVEL, "q": _DIVISOR}


def cases() -> Iterator[ValueCase]:
    yield from _states()
    yield from _plain_lookups()
    yield from _levels_by_steps()
    yield from _levels()
    yield from _gradients()
    yield from _external()
    yield from _uses()
    yield from _derivatives()
    yield from _outputs()


def _states() -> Iterator[ValueCase]:
    """Each wrap mode of each axis with each filter."""
    for filter in ("nearest", "linear"):
        for wrap_s in ("repeat", "clamp", "mirror"):
            for wrap_t in ("repeat", "clamp", "mirror"):
                image = noise(f"{filter}{wrap_s}{wrap_t}", filter=filter, wrap_s=wrap_s, wrap_t=wrap_t)
                yield from _lookup(f"8.7/{filter}_{wrap_s}_{wrap_t}", "texture2D(map, st)", image, lambda st, image=image: image.at(*st), "vec2 st")
    for name, image in (("cube_nearest", _CUBE), ("cube_linear", noise("soft", kind="cube", filter="linear", wrap_s="clamp", wrap_t="clamp"))):
        yield from _lookup(f"8.7/{name}", "textureCube(map, r)", image, lambda r, image=image: image.along(r), "vec3 r")
    for face, axis in enumerate(("vec3(1.0, y, x)", "vec3(-1.0, y, x)", "vec3(x, 1.0, y)", "vec3(x, -1.0, y)", "vec3(x, y, 1.0)", "vec3(x, y, -1.0)")):
        direction = eval(f"lambda x, y: ({axis[5:-1]})")
        yield from _lookup(f"8.7/cube_face_{face}", f"textureCube(map, {axis})", _CUBE, lambda x, y, direction=direction: _CUBE.along(direction(x, y)),
                           "float x, float y", domains={"x": _INSIDE, "y": _INSIDE})  # fmt: skip


_INSIDE = d.Domain(-0.875, 0.75, 8, offset=1 / 32)


def _lookup(
    name: str, text: str, image: Image, formula: Callable[..., Any], inputs: str, *, stages: tuple[str, ...] = BOTH,
    overload: str = "", **more: Any,
) -> list[ValueCase]:  # fmt: skip
    domains = {**_COORDINATES, "r": _DIRECTION, **more.pop("domains", {})}
    kind = "samplerCube" if image.kind == "cube" else "sampler2D"
    before = more.pop("before", f"uniform {kind} map;")
    tags = ("texture", *([f"overload:{overload}"] if overload else []))
    return value(name, "vec4", text, formula, inputs, stages=stages, images={"map": image}, domains=domains, before=before, tags=tags, **more)


def _plain_lookups() -> Iterator[ValueCase]:
    for image, name in ((_PLAIN, "nearest"), (_SMOOTH, "linear")):
        yield from _lookup(f"8.7/texture2D_{name}", "texture2D(map, st)", image, lambda st, image=image: image.at(*st), "vec2 st",
                           overload="texture2D(sampler2D, vec2)")  # fmt: skip
        yield from _lookup(f"8.7/texture2DProj_vec3_{name}", "texture2DProj(map, vec3(st * q, q))", image, lambda st, image=image: image.at(*st),
                           "vec2 st, float q", overload="texture2DProj(sampler2D, vec3)")  # fmt: skip
        yield from _lookup(f"8.7/texture2DProj_vec4_{name}", "texture2DProj(map, vec4(st * q, 9.0, q))", image, lambda st, image=image: image.at(*st),
                           "vec2 st, float q", overload="texture2DProj(sampler2D, vec4)")  # fmt: skip
        yield from _lookup(f"8.7/texture2D_bias_unused_{name}", "texture2D(map, st, 1.0)", image, lambda st, image=image: image.at(*st), "vec2 st",
                           stages=FRAGMENT, overload="texture2D(sampler2D, vec2, float)")  # fmt: skip
        yield from _lookup(f"8.7/texture2DProj_vec3_bias_unused_{name}", "texture2DProj(map, vec3(st * q, q), 1.0)", image, lambda st, image=image: image.at(*st),
                           "vec2 st, float q", stages=FRAGMENT, overload="texture2DProj(sampler2D, vec3, float)")  # fmt: skip
        yield from _lookup(f"8.7/texture2DProj_vec4_bias_unused_{name}", "texture2DProj(map, vec4(st * q, 9.0, q), 1.0)", image, lambda st, image=image: image.at(*st),
                           "vec2 st, float q", stages=FRAGMENT, overload="texture2DProj(sampler2D, vec4, float)")  # fmt: skip
    yield from _lookup("8.7/textureCube", "textureCube(map, r)", _CUBE, lambda r: _CUBE.along(r), "vec3 r", overload="textureCube(samplerCube, vec3)")
    yield from _lookup("8.7/textureCube_bias_unused", "textureCube(map, r, 1.0)", _CUBE, lambda r: _CUBE.along(r), "vec3 r",
                       stages=FRAGMENT, overload="textureCube(samplerCube, vec3, float)")  # fmt: skip


def _levels_by_steps() -> Iterator[ValueCase]:
    """In a block whose pixels are 1.0625 * 2^k texels apart the level is k, and a bias adds to it."""
    for level in range(3):
        moving = d.Domain(-2, 2, 16, offset=1 / 64, slope=17 / 128 * 2**level)
        for bias in (-2, 0, 1):
            chosen = max(level + bias, 0)
            argument = f", {bias}.25" if bias else ""
            more: dict[str, Any] = {"stages": FRAGMENT, "quads": True, "domains": {"st": moving}}
            at = lambda st, chosen=chosen: _LEVELS.at(*st, chosen)  # noqa: E731
            name = f"step_{level}_bias_{bias + 2}"
            yield from _lookup(f"8.7/texture2D_{name}", f"texture2D(map, st{argument})", _LEVELS, at, "vec2 st", **more)
            yield from _lookup(f"8.7/texture2DProj_vec3_{name}", f"texture2DProj(map, vec3(st * 2.0, 2.0){argument})", _LEVELS, at, "vec2 st", **more)
            yield from _lookup(f"8.7/texture2DProj_vec4_{name}", f"texture2DProj(map, vec4(st * 2.0, 0.0, 2.0){argument})", _LEVELS, at, "vec2 st", **more)
    for level in range(2):
        # On the face +z two units of the direction are the whole face.
        moving = d.Domain(-1.5, -0.75, 16, offset=1 / 64, slope=17 / 16 * 2**level)
        for bias in (-2, 0, 1):
            chosen = max(level + bias, 0)
            argument = f", {bias}.25" if bias else ""
            yield from _lookup(f"8.7/textureCube_step_{level}_bias_{bias + 2}", f"textureCube(map, vec3(st, 2.0){argument})", _CUBE_LEVELS,
                               lambda st, chosen=chosen: _CUBE_LEVELS.along((*st, 2.0), chosen), "vec2 st",
                               stages=FRAGMENT, quads=True, domains={"st": moving})  # fmt: skip


def _levels() -> Iterator[ValueCase]:
    """Levels given: in vertex shaders, and by the extension in fragment shaders."""
    for suffix, stages, section, directives in (("Lod", VERTEX, "8.7", ""), ("LodEXT", FRAGMENT, "EXT_shader_texture_lod", _LOD_EXTENSION)):
        more: dict[str, Any] = {"stages": stages, "directives": directives}
        at = lambda st, level: _LEVELS.at(*st, int(level))  # noqa: E731
        yield from _lookup(f"{section}/texture2D{suffix}", f"texture2D{suffix}(map, st, level)", _LEVELS, at, "vec2 st, float level",
                           overload=f"texture2D{suffix}(sampler2D, vec2, float)", **more)  # fmt: skip
        yield from _lookup(f"{section}/texture2DProj{suffix}_vec3", f"texture2DProj{suffix}(map, vec3(st * q, q), level)", _LEVELS, at,
                           "vec2 st, float q, float level", overload=f"texture2DProj{suffix}(sampler2D, vec3, float)", **more)  # fmt: skip
        yield from _lookup(f"{section}/texture2DProj{suffix}_vec4", f"texture2DProj{suffix}(map, vec4(st * q, 9.0, q), level)", _LEVELS, at,
                           "vec2 st, float q, float level", overload=f"texture2DProj{suffix}(sampler2D, vec4, float)", **more)  # fmt: skip
        yield from _lookup(f"{section}/textureCube{suffix}", f"textureCube{suffix}(map, r, level)", _CUBE_LEVELS,
                           lambda r, level: _CUBE_LEVELS.along(r, min(int(level), 2)), "vec3 r, float level",
                           overload=f"textureCube{suffix}(samplerCube, vec3, float)", **more)  # fmt: skip
    yield from _lookup("8.7/level_is_clamped", "texture2DLod(map, st, level * 100.0)", _LEVELS, lambda st, level: _LEVELS.at(*st, 3 if level else 0),
                       "vec2 st, float level", stages=VERTEX, domains={"level": d.INDEX2})  # fmt: skip
    yield from _lookup("8.7/level_without_mipmaps", "texture2DLod(map, st, level)", _PLAIN, lambda st: _PLAIN.at(*st), "vec2 st, float level", stages=VERTEX)


def _gradients() -> Iterator[ValueCase]:
    """A step of 2^level texels along one axis gives that level."""
    more: dict[str, Any] = {"stages": FRAGMENT, "directives": _LOD_EXTENSION}
    step = "exp2(floor(level)) * 1.0625 / 8.0"
    at = lambda st, level: _LEVELS.at(*st, int(level))  # noqa: E731
    section = "EXT_shader_texture_lod"
    yield from _lookup(f"{section}/texture2DGradEXT", f"texture2DGradEXT(map, st, vec2({step}, 0.0), vec2(0.0))", _LEVELS, at, "vec2 st, float level",
                       overload="texture2DGradEXT(sampler2D, vec2, vec2, vec2)", **more)  # fmt: skip
    yield from _lookup(f"{section}/texture2DGradEXT_longer_step", f"texture2DGradEXT(map, st, vec2(0.01), vec2(0.0, {step}))", _LEVELS, at, "vec2 st, float level", **more)
    yield from _lookup(f"{section}/texture2DProjGradEXT_vec3", f"texture2DProjGradEXT(map, vec3(st * q, q), vec2(0.0, {step}), vec2(0.0))", _LEVELS, at,
                       "vec2 st, float q, float level", overload="texture2DProjGradEXT(sampler2D, vec3, vec2, vec2)", **more)  # fmt: skip
    yield from _lookup(f"{section}/texture2DProjGradEXT_vec4", f"texture2DProjGradEXT(map, vec4(st * q, 9.0, q), vec2(0.0, {step}), vec2(0.0))", _LEVELS, at,
                       "vec2 st, float q, float level", overload="texture2DProjGradEXT(sampler2D, vec4, vec2, vec2)", **more)  # fmt: skip
    # On the face +z a step of the direction by 2/size is one texel.
    cube_step = "exp2(floor(level)) * 1.0625 * 2.0 / 4.0"
    yield from _lookup(f"{section}/textureCubeGradEXT", f"textureCubeGradEXT(map, vec3(x, y, 1.0), vec3({cube_step}, 0.0, 0.0), vec3(0.0))", _CUBE_LEVELS,
                       lambda x, y, level: _CUBE_LEVELS.along((x, y, 1.0), int(level)), "float x, float y, float level",
                       domains={"x": _INSIDE, "y": _INSIDE, "level": d.Domain(0, 2, 1, offset=0.125)},
                       overload="textureCubeGradEXT(samplerCube, vec3, vec3, vec3)", **more)  # fmt: skip


def _external() -> Iterator[ValueCase]:
    image = noise("external", wrap_s="clamp", wrap_t="clamp")
    section = "OES_EGL_image_external"
    for name, text, parameter in (
        ("texture2D", "texture2D(map, st)", "vec2"),
        ("texture2DProj", "texture2DProj(map, vec3(st * q, q))", "vec3"),
        ("texture2DProj", "texture2DProj(map, vec4(st * q, 9.0, q))", "vec4"),
    ):
        yield from _lookup(f"{section}/{name}_{parameter}", text, image, lambda st: image.at(*st), "vec2 st, float q",
                           directives=_EXTERNAL_EXTENSION, before="uniform samplerExternalOES map;",
                           overload=f"{name}(samplerExternalOES, {parameter})")  # fmt: skip


def _uses() -> Iterator[ValueCase]:
    """Section 4.1.7: samplers as parameters and in arrays; lookups in expressions."""
    yield from _lookup("4.1.7/sampler_parameter", "look(map, st)", _PLAIN, lambda st: _PLAIN.at(*st).take([2, 1, 0, 3]), "vec2 st",
                       before="uniform sampler2D map;\nvec4 look(sampler2D s, vec2 p) { return texture2D(s, p).zyxw; }")  # fmt: skip
    yield from _lookup("4.1.7/sampler_parameter_through_two_levels", "outer(map, st)", _PLAIN, lambda st: _PLAIN.at(*st) * 2, "vec2 st",
                       before="uniform sampler2D map;\nvec4 inner(sampler2D s, vec2 p) { return texture2D(s, p); }\nvec4 outer(sampler2D s, vec2 p) { return inner(s, p) * 2.0; }")  # fmt: skip
    second = noise("second")
    yield from value("4.1.7/two_samplers", "vec4", "texture2D(map, st) - texture2D(other, st)", lambda st: _PLAIN.at(*st) - second.at(*st), "vec2 st",
                     before="uniform sampler2D map; uniform sampler2D other;", images={"map": _PLAIN, "other": second}, domains=_COORDINATES)  # fmt: skip
    yield from value("4.1.7/array_of_samplers", "vec4", "texture2D(maps[0], st) + texture2D(maps[1], st) * 2.0", lambda st: _PLAIN.at(*st) + 2 * second.at(*st), "vec2 st",
                     before="uniform sampler2D maps[2];", images={"maps[0]": _PLAIN, "maps[1]": second}, domains=_COORDINATES)  # fmt: skip
    yield from value("4.1.7/sampler_in_struct", "vec4", "texture2D(m.map, st) * m.scale", lambda st: _PLAIN.at(*st) * 3, "vec2 st",
                     before="struct Material { sampler2D map; float scale; };\nuniform Material m;", uniforms={"m.scale": ("", 3.0)},
                     images={"m.map": _PLAIN}, domains=_COORDINATES)  # fmt: skip
    yield from _lookup("8.7/lookup_depends_on_lookup", "texture2D(map, floor(texture2D(map, st).xy * 4.0) / 4.0 + 0.125)", _PLAIN,
                       lambda st: _PLAIN.at(*(np.floor(_PLAIN.at(*st)[:2] * 4) / 4 + 0.125)), "vec2 st")  # fmt: skip
    yield from _lookup("8.7/lookup_in_loop", "result = vec4(0.0); for (int i = 0; i < 3; i++) result += texture2D(map, st + vec2(float(i) * 0.25, 0.0));", _PLAIN,
                       lambda st: sum(_PLAIN.at(st[0] + i / 4, st[1]) for i in range(3)), "vec2 st")  # fmt: skip
    yield from _lookup("8.7/lookup_of_one_component", "vec4(texture2D(map, st).y, texture2D(map, st).w, 0.0, 1.0)", _PLAIN,
                       lambda st: np.array([_PLAIN.at(*st)[1], _PLAIN.at(*st)[3], 0.0, 1.0]), "vec2 st")  # fmt: skip


def _derivatives() -> Iterator[ValueCase]:
    """On planes all ways to take differences in a block agree."""
    section = "OES_standard_derivatives"
    more: dict[str, Any] = {"quads": True, "stages": FRAGMENT, "directives": _DERIVATIVES}
    for type_ in generic("float"):
        for name, formula in _DIFFERENCES.items():
            yield from value(f"{section}/{name}_{type_}", type_, f"{name}(a)", formula, f"{type_} a",
                             tags=("derivative", f"overload:{name}({type_})"), **more)  # fmt: skip
    yield from value(f"{section}/of_expression", "vec2", "vec2(dFdx(a * 2.0 + b), dFdy(a - b))",
                     lambda quad: np.array([quad.dx(lambda a, b: 2 * a + b), quad.dy(lambda a, b: a - b)]), "float a, float b", **more)  # fmt: skip
    yield from value(f"{section}/of_constant", "vec2", "vec2(dFdx(2.0), fwidth(u))", lambda: np.zeros(2), "float a", uniforms={"u": ("float", 3.0)}, **more)
    yield from value(f"{section}/in_function", "float", "slope(a)", lambda quad: quad.dx(lambda a: a) + quad.dy(lambda a: a), "float a",
                     before="float slope(float x) { return dFdx(x) + dFdy(x); }", **more)  # fmt: skip


_DIFFERENCES: dict[str, Callable[..., Any]] = {
    "dFdx": lambda quad: quad.dx(lambda a: a),
    "dFdy": lambda quad: quad.dy(lambda a: a),
    "fwidth": lambda quad: np.abs(quad.dx(lambda a: a)) + np.abs(quad.dy(lambda a: a)),
}


def _outputs() -> Iterator[ValueCase]:
    yield from value("EXT_frag_depth/depth_written", "float", "clamp(a, 0.0, 1.0)", lambda a: min(max(a, 0.0), 1.0), "float a", stages=FRAGMENT,
                     directives="#extension GL_EXT_frag_depth : enable\n", output="gl_FragDepthEXT")  # fmt: skip
    for index in range(2):
        yield from value(f"EXT_draw_buffers/colour_{index}", "vec4", f"gl_FragData[{1 - index}] = -a; result = a * 2.0;", lambda a: 2 * a, "vec4 a", stages=FRAGMENT,
                         directives="#extension GL_EXT_draw_buffers : require\n", output=f"gl_FragData[{index}]")  # fmt: skip
    yield from value("EXT_draw_buffers/count", "bool", "gl_MaxDrawBuffers >= 1", lambda: True, stages=FRAGMENT, directives="#extension GL_EXT_draw_buffers : enable\n")
