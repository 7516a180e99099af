"""Random fragment shaders of few operations on several textures: `python -m tests.generated --kind units`.

Up to three texture units read one image or several, at coordinates of their own, projected or in a cube, and a colour
and an alpha are made of texels by what texture combiners have (`combiners.py`).  Lookups are at the centres of texels.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.generators.combiners import ROUNDED, expression, random_uniforms
from tests.generators.glsl import LANES, Program, Stage

_SIZE, _CUBE = 8, 2
_DECLARED = [
    "precision mediump float;",
    "uniform vec4 u_tint, u_base;",
    "uniform float u_mix;",
    "varying vec2 v_one, v_two, v_three;",
    "varying vec4 v_far;",
    "varying vec3 v_around;",
    "varying vec4 v_color;",
]
_PLACES = ("v_one", "v_two", "v_three")
_COLOURS = ["v_color.rgb", "u_tint.rgb", "u_base.rgb", "vec3(0.25, 0.5, 1.0)"]
_NUMBERS = ["v_color.a", "v_color.b", "u_mix", "u_tint.a", "0.75"]


def generate_units(random: Random, _stage: Stage, statements: int) -> Program:
    """A fragment shader, whose colour is of more operations where there are more statements."""
    textures: dict[str, dict[str, Any]] = {}
    lookups = [_lookup(random, name, textures) for name in "abc"[: random.choice((1, 2, 3, 3))]]
    read = list(_COLOURS), list(_NUMBERS)
    for name in "abc"[: len(lookups)]:
        read[0].extend((f"{name}.rgb", f"{name}.rgb", f"{name}.aaa", f"{name}.bgr"))
        read[1].extend((f"{name}.a", f"{name}.a", f"{name}.r", f"{name}.g"))
    random.shuffle(lookups)
    colour = expression(random, min(statements, random.choice((1, 2, 2, 3))), 3, ROUNDED, read)
    alpha = expression(random, random.choice((0, 0, 1, 1)), 1, ROUNDED, read)
    tests = random.choice(([], [], [f"if (a.a < {random.choice(('0.5', 'u_mix'))}) discard;"]))
    kinds = {"2d": "sampler2D", "cube": "samplerCube"}
    samplers = [f"uniform {kinds[texture['kind']]} {name};" for name, texture in textures.items()]
    last = f"gl_FragColor = vec4({colour}, {'a.a' if tests else alpha});"
    source = "\n".join([*_DECLARED, *samplers, "void main() {", *lookups, *tests, last, "}"]) + "\n"
    outputs = {"gl_FragColor": False}
    return Program("fragment", source, random_uniforms(random), _inputs(random), textures, outputs, quads=False)


def _lookup(random: Random, name: str, textures: dict[str, dict[str, Any]]) -> str:
    """A statement that reads a texture, a new one or one that was read before; the first may be a cube or projected."""
    kind = random.choice(("2d", "2d", "far", "cube")) if not textures else "2d"
    flat = [known for known, texture in textures.items() if texture["kind"] == "2d"]
    sampler = random.choice(flat) if flat and random.random() < 0.25 else f"u_{name}"
    if sampler not in textures:
        textures[sampler] = _texture(random, is_cube=kind == "cube")
    return f"vec4 {name} = {_call(random, kind, sampler)};"


def _call(random: Random, kind: str, sampler: str) -> str:
    if kind == "cube":
        return f"textureCube({sampler}, v_around)"
    if kind == "far":
        return random.choice((f"texture2DProj({sampler}, v_far)", f"texture2DProj({sampler}, v_far.xyw)"))
    return f"texture2D({sampler}, {random.choice(_PLACES)})"


def _texture(random: Random, *, is_cube: bool) -> dict[str, Any]:
    size = _CUBE if is_cube else _SIZE
    data = [random.choice((0, 255, random.randrange(256))) for _ in range((6 if is_cube else 1) * size * size * 4)]
    return {"kind": "cube" if is_cube else "2d", "width": size, "height": size, "data": data}


def _inputs(random: Random) -> dict[str, list[Any]]:
    return {
        **{name: [_place(random) for _ in range(LANES)] for name in _PLACES},
        "v_far": [_far(random) for _ in range(LANES)],
        "v_around": [_around(random) for _ in range(LANES)],
        "v_color": [[random.randrange(256) / 255 for _ in range(4)] for _ in range(LANES)],
    }


def _place(random: Random) -> list[float]:
    """The centre of a texel."""
    return [(2 * random.randrange(_SIZE) + 1) / (2 * _SIZE) for _ in range(2)]


def _far(random: Random) -> list[float]:
    """Such a centre times the last component."""
    by = random.choice((0.5, 1.0, 2.0, 4.0))
    return [number * by for number in _place(random)] + [0.5, by]


def _around(random: Random) -> list[float]:
    """A direction to the middle of a texel of a face."""
    direction = [random.choice((-0.5, 0.5)) for _ in range(3)]
    direction[random.randrange(3)] = random.choice((-1.0, 1.0))
    return direction
