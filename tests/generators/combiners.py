"""Random fragment shaders that texture combiners may be able to compute, as GLSL text.

All choices come from a `random.Random`.  Values are kept in 0 to 1 by what combiners do themselves, so that most
shaders of a few operations fit; those that do not are refused for the stages that they need, or for a range.
"""

from __future__ import annotations

from collections.abc import Sequence
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
#: What a colour is made of, and what an alpha.
_READ = _COLOURS, _NUMBERS
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
#: Forms in which constants, dot products and factors lose the most.
ROUNDED = (
    *_FORMS,
    "{x} * 0.7 + {y} * 0.3",
    "{x} * 0.7 + u_mix * 0.3",
    "({x} + {y}) * 0.35",
    "clamp({x} * 1.7 - {y} * 0.6, 0.0, 1.0)",
    "clamp(({x} - 0.3) * 3.0, 0.0, 1.0)",
    "clamp({x} - {y} * u_mix + 0.1, 0.0, 1.0)",
    "{x} * {x} * (3.0 - 2.0 * {x})",
    "abs({x} - {y})",
    "{s} * {x} + (1.0 - {s}) * 0.9",
    "{wide}(dot({first}, vec3(0.299, 0.587, 0.114)))",
    "{wide}(clamp(dot({first} * 2.0 - 1.0, {other} * 2.0 - 1.0), 0.0, 1.0))",
    "{wide}(clamp(dot({first} - 0.5, {other} - 0.5) * 4.0, 0.0, 1.0)) * {x}",
    "{wide}(clamp(dot({first}, vec3(0.5, -0.25, 0.75)), 0.0, 1.0))",
    "mix({x}, {wide}(dot({first}, vec3(0.2126, 0.7152, 0.0722))), {s})",
    "{wide}(clamp(dot({first} * 2.0 - 1.0, u_base.rgb * 2.0 - 1.0), 0.0, 1.0)) * u_tint.a",
)


def fitting_shader(random: Random, forms: Sequence[str] = _FORMS) -> str:
    """A shader whose colour is of a few operations."""
    colour = expression(random, random.choice((1, 1, 2, 2, 3)), 3, forms)
    alpha = expression(random, random.choice((0, 0, 1, 1, 2)), 1, forms)
    test = random.choice(("", "", f"    if (a.a < {random.choice(('0.5', 'u_mix'))}) discard;\n"))
    return f"{_DECLARED}{test}    gl_FragColor = vec4({colour}, {'a.a' if test else alpha});\n}}\n"


def random_uniforms(random: Random) -> dict[str, object]:
    """Values of all uniforms, which lie in 0 to 1."""
    values = [random.choice((0.0, 1.0, random.random())) for _ in range(9)]
    return {"u_tint": values[:4], "u_base": values[4:8], "u_mix": values[8]}


def expression(
    random: Random, depth: int, width: int, forms: Sequence[str], read: tuple[Sequence[str], Sequence[str]] = _READ
) -> str:
    """An operation on operations of less depth, of three components or one."""
    colours, numbers = read
    if depth == 0:
        return random.choice(colours if width == 3 else numbers)
    x, y, z = (expression(random, depth - 1 if place == 0 else 0, width, forms, read) for place in range(3))
    one, zero, wide = ("vec3(1.0)", "vec3(0.0)", "vec3") if width == 3 else ("1.0", "0.0", "float")
    names = {"x": x, "y": y, "z": z, "one": one, "zero": zero, "wide": wide, "first": x, "other": y}
    form = random.choice(forms)
    names["s"] = random.choice(numbers)
    if width == 1 and "{first}" in form:
        names["first"], names["other"] = random.choices(colours, k=2)
    return f"({form.format(**names)})"
