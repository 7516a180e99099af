"""Random fragment shaders that texture combiners may be able to compute, as GLSL text.

All choices come from a `random.Random`.  Values are kept in 0 to 1 by what combiners do themselves, so that most
shaders of a few operations fit; those that do not are refused for the stages that they need, or for a range.
"""

from __future__ import annotations

from random import Random

_DECLARED = """precision mediump float;
uniform sampler2D u_a, u_b;
uniform vec4 u_tint, u_base;
uniform float u_mix;
varying vec2 v_uv;
varying vec4 v_color;
void main() {
    vec4 a = texture2D(u_a, v_uv), b = texture2D(u_b, v_uv);
"""
_COLOURS = ("a.rgb", "b.rgb", "v_color.rgb", "u_tint.rgb", "u_base.rgb", "vec3(0.25, 0.5, 1.0)")
_NUMBERS = ("a.a", "b.a", "v_color.a", "a.r", "b.g", "v_color.b", "u_mix", "u_tint.a", "0.75")
#: Names of other values in the place of letters.
_FORMS = (
    "{x} * {y}",
    "{x} * {s}",
    "mix({x}, {y}, {s})",
    "mix({x}, {y}, {z})",
    "{one} - {x}",
    "min({x} + {y}, {one})",
    "max({x} - {y}, {zero})",
    "max({x}, {y})",
    "min({x}, {y})",
    "{one} - ({one} - {x}) * ({one} - {y})",
    "min({x} * 2.0, {one})",
    "clamp({x} * 4.0 - {one}, 0.0, 1.0)",
    "clamp({x} + {y} - 0.5, 0.0, 1.0)",
    "{x} * 0.5 + {y} * 0.5",
)


def fitting_shader(random: Random) -> str:
    """A shader whose colour is of a few operations."""
    colour = _expression(random, random.choice((1, 1, 2, 2, 3)), 3)
    alpha = _expression(random, random.choice((0, 0, 1, 1, 2)), 1)
    test = random.choice(("", "", f"    if (a.a < {random.choice(('0.5', 'u_mix'))}) discard;\n"))
    return f"{_DECLARED}{test}    gl_FragColor = vec4({colour}, {'a.a' if test else alpha});\n}}\n"


def random_uniforms(random: Random) -> dict[str, object]:
    """Values of all uniforms, which lie in 0 to 1."""
    values = [random.choice((0.0, 1.0, random.random())) for _ in range(9)]
    return {"u_tint": values[:4], "u_base": values[4:8], "u_mix": values[8]}


def _expression(random: Random, depth: int, width: int) -> str:
    if depth == 0:
        return random.choice(_COLOURS if width == 3 else _NUMBERS)
    x, y, z = (_expression(random, depth - 1 if place == 0 else 0, width) for place in range(3))
    one, zero = ("vec3(1.0)", "vec3(0.0)") if width == 3 else ("1.0", "0.0")
    form = random.choice(_FORMS)
    return f"({form.format(x=x, y=y, z=z, s=random.choice(_NUMBERS), one=one, zero=zero)})"
