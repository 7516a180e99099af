"""A value case: GLSL statements, the inputs they read and a formula for what they must compute.

`value` makes the cases; `ValueCase.row` turns one into a record of schema glsl-exec-1.  The statements stand in
`main` and leave their answer in `result`; inputs of type int and bool arrive as floats and are converted first.
The formula is called once a lane.  It sees inputs and uniforms under their names (it takes those it needs), and
a result of None means that the lane discards; NaN marks a component that the language leaves open.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from tests.conformance.define.domains import USUAL, Domain
from tests.conformance.define.images import Image
from tests.conformance.define.quads import Quad, block
from tests.conformance.define.text import Declaration, result_carrier, shader_text
from tests.conformance.define.types import Type, from_numbers, to_record, type_named

Formula = Callable[..., Any]

BOTH = ("vertex", "fragment")
VERTEX = ("vertex",)
FRAGMENT = ("fragment",)
#: Lanes of a case: two blocks of 2x2 pixels.
LANES = 8

FLOATS = {"rel": 2e-5, "abs": 1e-5}
#: For what is only moved, compared or counted.
EXACT = {"rel": 0.0, "abs": 1e-6}


@dataclass(frozen=True, slots=True)
class ValueCase:
    """One shader of one stage with its formula."""

    name: str
    stage: str
    body: str
    result: Type
    formula: Formula
    #: What the formula is given, in order; empty: what its parameters name.
    arguments: tuple[str, ...] = ()
    inputs: tuple[Declaration, ...] = ()
    #: Built-in inputs: given in each lane, declared by the language.
    given: tuple[Declaration, ...] = ()
    #: Type and value; of a name such as `l[1].k` only the value goes into the record.
    uniforms: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    domains: Mapping[str, Domain] = field(default_factory=dict)
    #: Declarations before `main`, and lines before everything.
    before: str = ""
    directives: str = ""
    output: str = ""
    #: The column of a matrix that a colour shows, where it has no room for all.
    column: int | None = None
    quads: bool = False
    images: Mapping[str, Image] = field(default_factory=dict)
    tolerance: Mapping[str, float] = field(default_factory=lambda: FLOATS)
    tags: tuple[str, ...] = ()
    #: Written in GLSL ES 3.00: the output has the type of the result, not that of a colour.
    is_modern: bool = False
    #: Uniform block -> its layout and values, as a record holds them; `uniforms` gives the values to the formula.
    blocks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def section(self) -> str:
        return self.name.split("/")[1]

    def row(self) -> dict[str, Any]:
        """The record."""
        numbers = self._numbers()
        with np.errstate(all="raise", under="ignore"):
            answers = [self._answer(numbers, lane) for lane in range(LANES)]
        discarded = [answer is None for answer in answers]
        values = [self._output_value(answer) for answer in answers]
        is_named = self.stage == "vertex" or self.is_modern
        output = self.output or ("out_result" if is_named else "gl_FragColor")
        row = {
            "name": self.name,
            "stage": self.stage,
            "section": self.section,
            "source": self.source(),
            "uniforms": {name: to_uniform(value) for name, (_, value) in self.uniforms.items()},
            "lanes": LANES,
            "quads": self.quads,
            "inputs": {d.wire_name: [self._wire(d, numbers, lane) for lane in range(LANES)] for d in self._read()},
            "outputs": {output: [to_record(_without_nan(value)) for value in values]},
            "tolerance": dict(self.tolerance),
            "tags": list(self.tags),
        }
        if self.is_modern:
            row |= self._modern_fields(output)
        if self.images:
            row["textures"] = {name: image.row() for name, image in self.images.items()}
        if any(discarded):
            row["discarded"] = discarded
        if undefined := _undefined(output, values):
            row["undefined"] = undefined
        if sensitive := [lane for lane in range(LANES) if self._is_sensitive(numbers, lane, answers[lane])]:
            row["sensitive"] = {output: sensitive}
        return row

    def _modern_fields(self, output: str) -> dict[str, Any]:
        fields = {
            "version": "300 es",
            "input_types": {d.wire_name: d.carrier for d in self._read()},
            "output_types": {output: result_carrier(self)},
            "uniform_types": {name: type_ for name, (type_, _) in self.uniforms.items() if type_},
        }
        return fields | ({"uniform_blocks": dict(self.blocks)} if self.blocks else {})

    def source(self) -> str:
        declared = {name: type_ for name, (type_, _) in self.uniforms.items() if type_}
        return shader_text(self, declared)

    def _read(self) -> tuple[Declaration, ...]:
        return self.inputs + self.given

    def _numbers(self) -> dict[str, list[list[float]]]:
        """For each input the components of each lane."""
        stem = self.name.rsplit("_", 1)[0]
        return {declared.name: self._lanes_of(declared, Random(f"{stem}.{declared.name}")) for declared in self._read()}

    def _lanes_of(self, declared: Declaration, random: Random) -> list[list[float]]:
        domain = self.domains.get(declared.name, USUAL[declared.type.scalar])
        size = declared.type.size
        if self.quads:
            return [pixel for _ in range(LANES // 4) for pixel in block(domain, size, random)]
        return [[domain.pick(random) for _ in range(size)] for _ in range(LANES)]

    def _wire(self, declared: Declaration, numbers: Mapping[str, list[list[float]]], lane: int) -> Any:
        components = [_whole(number) for number in numbers[declared.name][lane]]
        return components[0] if declared.type.size == 1 else components

    def _answer(self, numbers: Mapping[str, list[list[float]]], lane: int) -> Any:
        wanted = self.arguments or _required(self.formula)
        known: dict[str, Any] = {name: value for name, (_, value) in self.uniforms.items()}
        known |= {_parameter(d.name): from_numbers(d.type, numbers[d.name][lane]) for d in self._read()}
        if "quad" in wanted:
            known["quad"] = Quad(self._pixels(numbers, lane // 4 * 4), lane % 4)
        return self.formula(*(known[name] for name in wanted))

    def _pixels(self, numbers: Mapping[str, list[list[float]]], first: int) -> dict[str, list[Any]]:
        """For each input its values in the four pixels from lane `first` on."""
        return {d.name: [from_numbers(d.type, numbers[d.name][first + i]) for i in range(4)] for d in self._read()}

    def _is_sensitive(self, numbers: Mapping[str, list[list[float]]], lane: int, answer: Any) -> bool:
        """Whether the lane is near a jump of its formula, where coarser arithmetic may fall on the other side."""
        if self.tolerance == EXACT or answer is None or self.quads:
            return False
        here = np.asarray(answer, dtype=np.float64)
        for factor in (1 + 1e-4, 1 - 1e-4):
            moved = {
                d.name: [_moved(components, factor if index % 2 else 2 - factor) for components in numbers[d.name]]
                for index, d in enumerate(self._read())
                if d.type.scalar == "float"
            }
            with np.errstate(all="ignore"):
                there = self._answer({**numbers, **moved}, lane)
            # Outside a function's domain there is NaN, which is near nothing.
            if there is None or not np.all(np.abs(there - here) <= 0.02 * (1 + np.abs(here))):
                return True
        return False

    def _output_value(self, answer: Any) -> Any:
        """The result in the form of the output: a colour is filled up with 0."""
        if self.is_modern and self.column is not None:
            return np.asarray(answer)[:, self.column]
        if self.stage == "vertex" or self.is_modern or self.output == "gl_FragDepthEXT":
            return answer
        colour = np.zeros(4)
        if answer is not None:
            shown = np.asarray(answer, dtype=np.float64)
            flat = shown.T.reshape(-1) if self.column is None else shown[:, self.column]
            colour[: len(flat)] = flat
        return colour


def _without_nan(value: Any) -> Any:
    return value if np.asarray(value).dtype.kind in "iub" else np.nan_to_num(value, nan=0.0)


def _parameter(name: str) -> str:
    """A formula's parameter for an input: `frag_coord` for `gl_FragCoord`, else the input's own name."""
    if not name.startswith("gl_"):
        return name
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name.removeprefix("gl_")).lower()


def _required(formula: Formula) -> tuple[str, ...]:
    """The parameters that a formula must be given; those with a default are constants of its case."""
    parameters = inspect.signature(formula).parameters.values()
    return tuple(parameter.name for parameter in parameters if parameter.default is inspect.Parameter.empty)


def _undefined(output: str, values: list[Any]) -> dict[str, list[int]]:
    """Lanes whose components are NaN: the language gives them no value."""
    undefined: dict[str, list[int]] = {}
    for lane, value in enumerate(values):
        flat = np.asarray(value, dtype=np.float64).reshape(-1).tolist()
        for index in (index for index, number in enumerate(flat) if math.isnan(number)):
            name = output if len(flat) == 1 else f"{output}.{'xyzw'[index]}"
            undefined.setdefault(name, []).append(lane)
    return undefined


def to_uniform(value: Any) -> Any:
    """A uniform's value; a list is an array."""
    return [to_record(part) for part in value] if isinstance(value, list) else to_record(value)


def _moved(components: list[float], factor: float) -> list[float]:
    return [number * factor for number in components]


def _whole(number: float) -> float | int:
    return int(number) if number == int(number) else number


def declarations(text: str, is_modern: bool = False) -> tuple[Declaration, ...]:
    """`"vec3 a, float b"` as declarations."""
    return tuple(
        Declaration(type_named(type_), name, is_modern)
        for type_, name in (part.split() for part in text.split(",") if part)
    )


def value(
    name: str,
    result: str,
    body: str,
    formula: Formula,
    inputs: str = "",
    *,
    given: str = "",
    stages: tuple[str, ...] = BOTH,
    is_modern: bool = False,
    **more: Any,
) -> list[ValueCase]:
    """The case `name` ("section/what") in each of `stages`; a body without `;` is an expression."""
    statements = body if ";" in body else f"result = {body};"
    type_ = type_named(result)
    has_columns = type_.columns > 1 if is_modern else type_.size > 4
    return [
        ValueCase(
            name=f"own/{name}_{stage}",
            stage=stage,
            body=statements,
            result=type_,
            formula=formula,
            inputs=declarations(inputs, is_modern),
            given=declarations(given, is_modern),
            column=Random(name).randrange(type_.columns) if stage == "fragment" and has_columns else None,
            is_modern=is_modern,
            **more,
        )
        for stage in stages
    ]


def exact(*arguments: Any, **more: Any) -> list[ValueCase]:
    """`value` for what is only moved, compared or counted."""
    return value(*arguments, tolerance=EXACT, **more)
