"""Texts that once came out wrong, of `finds/`, with values for what they read."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.frontends.registry import make_source
from tests.generators.glsl import LANES, Program, Stage

_FOLDER = Path(__file__).parent / "finds"
FILES = sorted(path.name for path in _FOLDER.iterdir())
_STAGES: dict[str, Stage] = {".vert": "vertex", ".frag": "fragment"}
#: Of whole numbers from outside, of either sign.
_LARGEST = 64


def text_of(file: str) -> str:
    """The text of a find."""
    return (_FOLDER / file).read_text(encoding="utf-8")


def stage_of(file: str) -> Stage:
    """Its stage."""
    return _STAGES[Path(file).suffix]


def program_of(file: str) -> Program:
    """A find with values of what it reads by names and types, which are always the same."""
    text, stage, random = text_of(file), stage_of(file), Random(file)
    module = lower_source(make_source(text, file, stage), FrontEndOptions(), DiagnosticSink())
    variables = [variable for variable in module.variables.values() if not variable.role]
    written = set(module.outputs())
    read = [v for v in variables if v.storage in ("attribute", "varying", "input") and v not in written]
    inputs = {variable.name: [_value(variable, random) for _ in range(LANES)] for variable in read}
    uniforms = {v.name: _value(v, random) for v in variables if v.storage == "uniform"}
    outputs = {variable.name: False for variable in module.outputs()}
    return Program(stage, text, uniforms, inputs, {}, outputs, quads=False)


def _value(variable: Variable, random: Random) -> Any:
    elements = [_numbers(variable, random) for _ in range(variable.length)]
    return elements if variable.is_array else elements[0]


def _numbers(variable: Variable, random: Random) -> Any:
    numbers = [_number(variable.outer_kind, random) for _ in range(variable.columns * variable.type.width)]
    return numbers if len(numbers) > 1 else numbers[0]


def _number(kind: str, random: Random) -> float | int | bool:
    if kind == "bool":
        return random.random() < 0.5
    if kind == "float":
        return random.randint(-16, 16) / 4
    return random.randint(0 if kind == "uint" else -_LARGEST, _LARGEST)
