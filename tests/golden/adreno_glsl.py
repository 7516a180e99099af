"""Compiles the GLSL of a recorded A2xx program, runs our code on the recorded values and compares what is exported.

A record says which constants hold which uniform, and which vertex constant or register an input comes from.  Where a
program exports several parameters it does not say which is which, so only the position and lone parameters count.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import glslc_multi

Record = Mapping[str, Any]

#: |found - recorded| may be this times the larger of 1 and |recorded|: the operations come in another order.
_TOLERANCE = 2e-5
_FIRST_BUFFER = 60
_POSITION = 62
_WIDTHS = {"float": 1, "vec2": 2, "vec3": 3, "vec4": 4}
_SIDES = {"mat2": 2, "mat3": 3, "mat4": 4}


def compare_with_glsl(case: Record) -> str:
    """What differs between the recorded exports and our code's, "" when nothing does."""
    shader = glslc_multi.compile(case["glsl"], target="adreno", stage=case["stage"])
    if "driver-wrong-code" in case["tags"]:
        return ""
    for number, execution in enumerate(case["cases"]):
        found = shader.run(_inputs(case, execution), _uniforms(case, execution))
        for name, register in _compared(case).items():
            ours = np.asarray(found[name], np.float64).ravel()
            expected = np.array(_exported(execution, register)[: len(ours)])
            if not (np.abs(ours - expected) <= _TOLERANCE * np.maximum(1.0, np.abs(expected))).all():
                return f"case {number}: {name} is {ours.tolist()}, recorded {expected.tolist()}"
    return ""


def _exported(execution: Record, register: int) -> list[float]:
    """What all exports to a register leave there."""
    left = [0.0] * 4
    for row in execution["exports"]:
        if row["reg"] == register:
            for component, number in enumerate(_floats(row["value"])):
                left[component] = number if row["mask"] >> component & 1 else left[component]
    return left


def _compared(case: Record) -> dict[str, int]:
    """The outputs whose export is known."""
    if case["stage"] == "fragment":
        return {"gl_FragColor": 0}
    varyings = [name for name in case["outputs"] if not name.startswith("gl_")]
    alone = {varyings[0]: 0} if len(varyings) == 1 and varyings[0].isidentifier() else {}
    return {"gl_Position": _POSITION, **alone}


def _uniforms(case: Record, execution: Record) -> dict[str, list[float]]:
    """Values by name; a matrix column by column."""
    found = {}
    for name, place in case["uniforms"].items():
        columns = _SIDES.get(place["type"], 1)
        width = _SIDES.get(place["type"]) or _WIDTHS[place["type"]]
        rows = [_floats(execution["consts"][str(place["const"] + column)])[:width] for column in range(columns)]
        found[name] = [number for row in rows for number in row]
    return found


def _inputs(case: Record, execution: Record) -> dict[str, list[list[float]]]:
    """The values of one vertex or pixel by name."""
    found = {}
    for name, place in case["inputs"].items():
        width = _WIDTHS[place["type"]]
        if case["stage"] == "fragment":
            numbers = _floats(execution["regs"][str(place["index"])])
        else:
            slot = _FIRST_BUFFER + place["index"]
            dwords: Sequence[str] = next(row["dwords"] for row in execution["vertex_buffers"] if row["slot"] == slot)
            numbers = _floats(dwords[execution["vertex_index"] * width :])
        found[name] = [numbers[:width]]
    return found


def _floats(words: Iterable[str]) -> list[float]:
    return [struct.unpack(">f", bytes.fromhex(word))[0] for word in words]
