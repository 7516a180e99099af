"""The GLSL of a recorded driver's program, compiled by us, with its inputs where our register map wants them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glslc_multi.backends.registry import load_target
from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.instructions import word_of_float
from glslc_multi.backends.vc4.isa.uniforms import Slot, Uniform
from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_program
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.registry import make_source

#: Words that the driver gives for a viewport of 64 x 64 pixels and depths from 0 to 1.
_DRIVER_WORDS = {
    "viewport_x_scale": 512.0,
    "viewport_y_scale": 512.0,
    "viewport_z_scale": 0.5,
    "viewport_z_offset": 0.5,
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """Our words for a case, and what they read."""

    words: Sequence[int]
    uniforms: Sequence[Uniform]
    #: Our row of the VPM -> the recorded one.
    rows: Mapping[int, int]


def compile_case(case: Mapping[str, Any], stage: str) -> Compiled:
    """The stage of the case, compiled with its partner."""
    vertex = make_source(case["glsl_vertex"], "recorded.vert", "vertex")
    fragment = make_source(case["glsl_fragment"], "recorded.frag", "fragment")
    artifact = compile_program(vertex, fragment, load_target("vc4"), Request(), DiagnosticSink()).stages[stage]
    return Compiled(unpack(artifact.binary).words, _uniforms(artifact, case["uniform_values"]), _rows(artifact, case))


def _uniforms(artifact: Artifact, values: Mapping[str, Any]) -> list[Uniform]:
    numbers = {
        location.index: _number(values[binding.name], binding, location.element, location.column, location.first)
        for binding in artifact.reflection.uniforms
        for location in binding.locations
    }
    return [
        _word(kind, source, numbers.get(place, 0.0)) for place, (kind, source) in enumerate(artifact.reflection.stream)
    ]


def _number(values: Any, binding: Binding, element: int, column: int, component: int) -> float:
    """One number of a value that is recorded column by column."""
    flat = values if isinstance(values, list) else [values]
    columns = int(binding.type[3:]) if binding.type.startswith("mat") else 1
    rows = len(flat) // (columns * (binding.length or 1))
    return float(flat[(element * columns + column) * rows + component])


def _word(kind: str, source: str, number: float) -> Uniform:
    if kind == "constant":
        return int(source, 16)
    if kind == "stream_address":
        return Slot("stream")
    return word_of_float(_DRIVER_WORDS.get(kind, number))


def _rows(artifact: Artifact, case: Mapping[str, Any]) -> dict[int, int]:
    first: dict[str, int] = {}
    row = 0
    for attribute in case.get("attributes", ()):
        first[attribute["name"]] = row
        row += attribute["components"]
    return {
        location.index: first[binding.name] + location.first
        for binding in artifact.reflection.attributes
        for location in binding.locations
        if location.first < row
    }
