"""Records of functional cases (schema cts): verdicts, and rows of values.

A row of values becomes a lane.  Uniforms differ from row to row, so there is one run for each set of
uniforms that the rows use.  A fragment case is run in its direct form, which writes the value itself,
so that a wrong value shows; a pair compares inside its fragment shader and must answer white.
Ints travel as floats in the cases of GLSL ES 1.00, and as ints in those of GLSL ES 3.00.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.conformance.flatten import flatten
from tests.conformance.model import EXACT, Expectation, Expected, Flat, Record, Run, Tolerance, Verdict
from tests.conformance.readers.language import is_whole, language_of

_FLOATS = Tolerance(0.05, 0.05)
_WHITE = (1.0, 1.0, 1.0, 1.0)
_EXPECTATIONS: Mapping[str, Expectation] = {
    "pass": "pass",
    "build_successful": "pass",
    "compile_fail": "compile_fail",
    "link_fail": "link_fail",
    "compile_or_link_fail": "compile_or_link_fail",
}
#: The position attribute holds anything; the shaders copy it to gl_Position.
_POSITION: Flat = (0.25, -0.5, 0.75, 1.0)

_COPIES_POSITION = re.compile(r"\bgl_Position\s*=\s*dEQP_Position\s*;")

Row = Mapping[str, Any]


def read_record(row: Row) -> Record:
    """One line of a cts file."""
    verdict = Verdict(_sources(row), _EXPECTATIONS[row["expect"]], language=language_of(row))
    runs = tuple(_runs(row)) if row["expect"] == "pass" else ()
    return Record(row["name"], verdict, runs, tuple(row["requires"]))


def _sources(row: Row) -> dict[str, str]:
    """The text of each stage; several strings are one text (GLSL ES 3.00 section 3.2)."""
    return {stage: "".join(strings) for stage, strings in row["sources"].items()}


def _colour(row: Row) -> str:
    """The name of the fragment shader's output."""
    return "dEQP_FragColor" if row.get("version") == "300 es" else "gl_FragColor"


def _runs(row: Row) -> Iterator[Run]:
    for group in _by_uniforms(row["values"]):
        if row["stages"] == ["vertex"]:
            yield _vertex_run(row, group)
        elif row.get("direct"):
            yield from (_direct_run(row, group, direct) for direct in row["direct"])
        else:
            yield from (_white_run(row, [values]) for values in group)


def _by_uniforms(rows: Sequence[Row]) -> Iterable[list[Row]]:
    groups: dict[str, list[Row]] = {}
    for values in rows:
        groups.setdefault(repr(sorted(values["uniforms"].items())), []).append(values)
    return groups.values()


def _vertex_run(row: Row, group: Sequence[Row]) -> Run:
    outputs = row["interface"]["outputs"]
    expected = [
        Expected(
            output["glsl_name"],
            _column(group, "outputs", output["name"]),
            _tolerance(output["type"]),
            is_whole=is_whole(output["glsl_type"]),
        )
        for output in outputs
    ]
    if _COPIES_POSITION.search(_sources(row)["vertex"]):
        expected.append(Expected("gl_Position", (_POSITION,) * len(group), EXACT))
    return _run(row, _sources(row), group, expected)


def _direct_run(row: Row, group: Sequence[Row], direct: Row) -> Run:
    """One output (or one column of a matrix), written to the first channels of the colour."""
    (output,) = (output for output in row["interface"]["outputs"] if output["name"] == direct["output"])
    count = direct["components"]
    first = direct.get("column", 0) * count
    wanted = [values[first : first + count] for values in _column(group, "outputs", direct["output"])]
    padded = tuple(values + (0.0,) * (4 - count) for values in wanted)
    expected = Expected(_colour(row), padded, _tolerance(output["type"]))
    return _run(row, {"fragment": direct["source"]}, group, [expected])


def _white_run(row: Row, group: Sequence[Row]) -> Run:
    """A shader that compares by itself: the references are uniforms, white means equal."""
    references = {
        output["glsl_name"]: flatten(group[0]["outputs"][output["name"]])
        for output in row["interface"]["outputs"]
        if output.get("role") == "reference"
    }
    white = Expected(_colour(row), (_WHITE,) * len(group), EXACT)
    return _run(row, _sources(row), group, [white], references)


def _run(
    row: Row,
    sources: Mapping[str, str],
    group: Sequence[Row],
    expected: Sequence[Expected],
    references: Mapping[str, Flat] | None = None,
) -> Run:
    inputs = {}
    for declared in row["interface"]["inputs"]:
        if declared.get("role") == "position":
            inputs[declared["glsl_name"]] = (_POSITION,) * len(group)
        else:
            inputs[declared["glsl_name"]] = _column(group, "inputs", declared["name"])
    glsl_names = {declared["name"]: declared["glsl_name"] for declared in row["interface"]["uniforms"]}
    uniforms = {glsl_names.get(name, name): flatten(value) for name, value in group[0]["uniforms"].items()} | dict(
        references or {}
    )
    return Run(
        sources,
        row["name"],
        len(group),
        inputs,
        uniforms,
        tuple(expected),
        language=language_of(row),
        whole=frozenset(_whole_names(row)),
    )


def _whole_names(row: Row) -> Iterator[str]:
    """Inputs and uniforms of whole numbers; references are uniforms, too."""
    for declared in (part for kind in row["interface"].values() for part in kind):
        is_read = declared.get("qualifier") != "out"
        if is_read and is_whole(declared["glsl_type"]):
            yield declared["glsl_name"]


def _column(group: Sequence[Row], kind: str, name: str) -> tuple[Flat, ...]:
    return tuple(flatten(values[kind][name]) for values in group)


def _tolerance(type_name: str) -> Tolerance:
    """int and bool values are exact, though they travel as floats."""
    return EXACT if is_whole(type_name) or type_name.startswith(("bool", "bvec")) else _FLOATS
