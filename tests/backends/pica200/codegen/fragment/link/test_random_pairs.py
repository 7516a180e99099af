"""Random pairs: varyings of all shapes, of which coordinates and colours are made, linked and drawn.

`tests/properties/test_linking.py` does the same for machines whose colours are floats.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.codegen.fragment.link.test_programs import frame

COUNT = 400 if os.environ.get("GLSLC_MULTI_ALL") else 14
#: Steps for inputs of combiners that are bytes already.
_INPUTS = 4
#: Declaration of a varying -> its parts, each a number from 0 to 1.
_SHAPES = {
    "float {}": ["{}"],
    "vec2 {}": ["{}.x", "{}.y"],
    "vec3 {}": ["{}.x", "{}.y", "{}.z"],
    "vec4 {}": ["{}.x", "{}.y", "{}.z", "{}.w"],
    "float {}[3]": ["{}[0]", "{}[1]", "{}[2]"],
    "vec2 {}[2]": ["{}[0].x", "{}[0].y", "{}[1].x", "{}[1].y"],
    "mat2 {}": ["{}[0].x", "{}[0].y", "{}[1].x", "{}[1].y"],
}
#: w of 1 lets more units know the place of a pixel.
_POSITIONS = ("a_position", "vec4(a_position.xyz / a_position.w, 1.0)")
_SOURCES = ("a_uv.x", "a_uv.y", "a_color.r", "a_color.g", "a_color.b", "a_color.a")


def pair(random: Random) -> tuple[str, str]:
    """A vertex and a fragment shader."""
    shapes = [random.choice([*_SHAPES]) for _ in range(random.randint(1, 4))]
    declarations = "".join(f"varying {shape.format(f'v{n}')};\n" for n, shape in enumerate(shapes))
    parts = [part.format(f"v{n}") for n, shape in enumerate(shapes) for part in _SHAPES[shape]]
    assignments = "".join(f"{part} = {_written(random)};\n" for part in parts)
    vertex = f"""
        attribute vec4 a_position, a_color;
        attribute vec2 a_uv;
        {declarations}
        void main() {{ gl_Position = {random.choice(_POSITIONS)}; {assignments} }}"""
    return vertex, _fragment(random, declarations, parts)


def _written(random: Random) -> str:
    first, second = random.sample(_SOURCES, 2)
    return random.choice((first, f"{first} * 0.75 + 0.25", f"mix({first}, {second}, 0.5)", f"1.0 - {first}"))


def _fragment(random: Random, declarations: str, parts: list[str]) -> str:
    lookups = [f"texture2D(u_{name}, {_coordinate(random, parts)})" for name in "abc"[: random.randint(0, 3)]]
    colours = list(_colours(random, parts))
    body = " * ".join(random.sample([*lookups, *colours], len(lookups) + len(colours)))
    return f"""
        precision highp float;
        {declarations}
        uniform sampler2D u_a, u_b, u_c;
        uniform vec2 u_scroll;
        uniform float u_time;
        void main() {{ gl_FragColor = {body}; }}"""


def _coordinate(random: Random, parts: list[str]) -> str:
    one, other, third = (random.choice(parts) for _ in range(3))
    return random.choice(
        (
            f"vec2({one}, {other})",
            f"vec2({one}, {other}) * u_time + u_scroll",
            f"vec2({one} - {other}, {third} * 0.5)",
            f"vec2({one}, {other}) / ({third} + 0.5)",
            "gl_FragCoord.xy * u_time / 24.0",
            f"vec2({one}, {other}) - gl_FragCoord.yx * 0.0625",
        )
    )


def _colours(random: Random, parts: list[str]) -> Iterator[str]:
    for _ in range(random.randint(0, 2)):
        one, other, third = (random.choice(parts) for _ in range(3))
        yield random.choice(
            (
                f"vec4({one}, {other}, {third}, 1.0)",
                f"vec4({one})",
                f"vec4(vec3({one}, {other}, {one}) * 0.5 + 0.5 * {third}, {other})",
            )
        )
    yield "vec4(1.0, u_time, 0.75, 1.0)"


def complaint(seed: int) -> str | None:
    """What is wrong with a pair; None where the machine is too small."""
    vertex, fragment = pair(Random(seed))
    try:
        program = glslc_multi.link(vertex, fragment, target="pica200")
    except CompileError as error:
        assert all(d.code.startswith("E07") for d in error.diagnostics if d.severity == "error"), str(error)
        return None
    bound = program.stages["fragment"].stats.error_steps
    assert bound is not None
    wanted, found = (np.clip(frame(program, engine).colour, 0, 1) * 255 for engine in ("reference", "simulator"))
    worst = float(np.max(np.abs(wanted - found)))
    allowed = bound + _INPUTS
    return f"seed {seed}: {worst:.2f} steps, {allowed:.2f} allowed\n{vertex}\n{fragment}" if worst > allowed else ""


@pytest.mark.thorough
def test_pictures_of_random_pairs() -> None:
    complaints = [complaint(seed) for seed in range(COUNT)]
    assert [text for text in complaints if text] == []
    # Limits of the hardware must not hide that nothing is tested.
    assert complaints.count("") > COUNT // 3
