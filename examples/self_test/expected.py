"""Run the programs of the self-test on a target's simulator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import glslc_multi
from glslc_multi.runtime.raster import draw, stage_of
from glslc_multi.runtime.shader import CompiledProgram
from glslc_multi.runtime.textures import Texture

from .programs import SAMPLERS, Case, Program, texel

#: Of the picture that is sampled.
SIDE = 8
_CORNERS = np.array([(-1, -1), (3, -1), (-1, 3)], np.float32)


def inputs_of(case: Case) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Fill a case up to the whole array of uniforms."""
    values = np.zeros((4, 4), np.float32)
    for vector, numbers in zip(values, case, strict=False):
        vector[: len(numbers)] = numbers
    return values


def picture() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Make the picture that is sampled; its first row is the lowest."""
    return np.array([[texel(x, y) for x in range(SIDE)] for y in range(SIDE)], np.uint8)


def compiled(program: Program, stage: str, target: str, options: Mapping[str, Any]) -> CompiledProgram:
    """Compile the pair of shaders of a program."""
    sources = program.sources(stage)
    return glslc_multi.link(sources["vertex"], sources["fragment"], target=target, options=options)


def expected_bytes(program: Program, made: CompiledProgram) -> Sequence[bytes]:
    """Compute the four bytes that the simulator leaves of each case."""
    return [_pixel(made, {"u_in": inputs_of(case)}) for case in program.cases]


def _pixel(made: CompiledProgram, uniforms: Mapping[str, Any]) -> bytes:
    textures = {name: Texture(picture(), filter, "repeat") for name, filter in SAMPLERS.items()}
    vertex, fragment = (stage_of(made.stages[name], "simulator", uniforms, textures) for name in ("vertex", "fragment"))
    frame = draw(vertex, fragment, {"a_place": _CORNERS}, np.array([[0, 1, 2]]), width=2, height=2)
    if np.isnan(frame.colour).any():
        raise ValueError("a colour is not a number: what a byte of it is depends on more than the simulator knows")
    return bytes(frame.to_bytes()[0, 0])
