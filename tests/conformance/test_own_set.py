"""The project's own cases: current, complete over the specification, and right on the reference engine."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.frontends.glsl.ast import Call
from glslc_multi.frontends.glsl.library.functions import function_names, functions_of
from glslc_multi.frontends.glsl.symbols import BuiltinFunction
from glslc_multi.frontends.glsl.walk import walk
from tests.conformance.engines.engines import Engine, Observation, make_engine
from tests.conformance.model import Verdict
from tests.conformance.records import load_records
from tests.conformance.runner import judge
from tests.conformance.sections.contents import CONTENTS
from tests.conformance.write_cases import FOLDER, is_verdict, texts
from tests.frontends.glsl.shaders import check_shader

FILES = sorted(FOLDER.rglob("*.jsonl"))


@cache
def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for path in FILES for line in path.read_text(encoding="utf-8").splitlines()]


def test_files_are_current() -> None:
    written = dict(texts())
    assert set(written) == {path for path in FOLDER.rglob("*") if path.is_file()}
    stale = [path.name for path, text in written.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run python -m tests.conformance.write_cases and review the difference"


@pytest.mark.parametrize("folder", ["define", "sections"])
def test_definitions_know_nothing_of_the_compiler(folder: str) -> None:
    """Expected values must not come from what they judge."""
    imports = re.compile(r"^\s*(?:from|import) (?:compiler|frontends|backends|runtime|glslc_multi)\b", re.MULTILINE)
    files = list((FOLDER.parent / folder).rglob("*.py"))
    assert len(files) > 5
    assert [path.name for path in files if imports.search(path.read_text(encoding="utf-8"))] == []


def test_names_are_unique_and_begin_with_their_section() -> None:
    assert [name for name, count in Counter(row["name"] for row in rows()).items() if count > 1] == []
    assert [row["name"] for row in rows() if not row["name"].startswith(f"own/{row['section']}/")] == []


def test_there_are_enough_cases() -> None:
    failures = sum(map(is_verdict, rows()))
    assert failures >= 200
    assert len(rows()) - failures >= 400


def test_every_section_has_cases_and_no_case_is_outside() -> None:
    assert {row["section"] for row in rows()} == {section.number for section in CONTENTS}


@pytest.mark.parametrize("version", [100, 300])
def test_every_overload_of_every_built_in_function_has_values_in_each_stage_that_has_it(version: int) -> None:
    """Of GLSL ES 3.00, lookups in textures are proven by the shared records of its features."""
    claimed = {(row["stage"], overload) for row in _rows_of(version) for overload in _claims(row)}
    existing = {
        (stage, _signature(function))
        for name in function_names(version)
        if version == 100 or not name.startswith(("texture", "texel"))
        for function in functions_of(name, version)
        for stage in function.stages & {"vertex", "fragment"}
    }
    assert claimed == existing


def test_shaders_call_the_overload_that_they_claim() -> None:
    """As the checker resolves the calls, not as the text looks."""
    uncalled = [row["name"] for row in rows() for overload in _claims(row) if overload not in _called(row)]
    assert uncalled == []


def _rows_of(version: int) -> list[dict[str, Any]]:
    return [row for row in rows() if (row.get("version") == "300 es") == (version == 300)]


def _claims(row: dict[str, Any]) -> list[str]:
    """The overloads that the record says it covers."""
    return [tag.removeprefix("overload:") for tag in row.get("tags", ()) if tag.startswith("overload:")]


def _called(row: dict[str, Any]) -> set[str]:
    checked = check_shader(row["source"], filename=row["name"], stage=row["stage"], sink=DiagnosticSink())
    calls = (node.builtin for node in walk(checked.unit) if isinstance(node, Call))
    return {_signature(function) for function in calls if function is not None}


def _signature(function: BuiltinFunction) -> str:
    return f"{function.name}({', '.join(map(str, function.parameters))})"


def test_most_values_are_compared() -> None:
    """The set tests little if its formulas leave values open or its lanes are all discarded."""
    values = [row for row in rows() if "lanes" in row]
    lanes = sum(row["lanes"] for row in values)
    assert sum(len(left) for row in values for left in row.get("undefined", {}).values()) < lanes / 100
    assert sum(sum(row.get("discarded", ())) for row in values) < lanes / 100
    assert sum(len(lanes) for row in values for lanes in row.get("sensitive", {}).values()) < lanes / 20
    constant = [row["name"] for row in values if _is_all_zero(row["outputs"])]
    assert len(constant) < len(values) / 50


def _is_all_zero(outputs: Any) -> bool:
    if isinstance(outputs, dict):
        return all(map(_is_all_zero, outputs.values()))
    return all(map(_is_all_zero, outputs)) if isinstance(outputs, list) else outputs == 0


@pytest.fixture(scope="module")
def engine() -> Engine:
    return make_engine("reference", 2, {})


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_reference_engine_agrees(path: Path, engine: Engine) -> None:
    outcomes = [judge(record, engine) for record in load_records([path])]
    assert [f"{outcome.name}: {outcome.reason}" for outcome in outcomes if outcome.status != "passed"] == []


def test_each_mistake_gives_one_message_with_its_code_on_its_line(engine: Engine) -> None:
    records = {record.name: record for record in load_records([FOLDER])}
    wrong = []
    for row in filter(is_verdict, rows()):
        verdict = records[row["name"]].verdict
        assert verdict is not None
        found = _errors(engine.check_verdict(verdict))
        lines = row.get("error_lines") or [line for _, line in found]
        if found != [(row["code"], lines[0])]:
            wrong.append(f"{row['name']}: expected {row['code']} on line {lines[0]}, found {found}")
    assert wrong == []


def test_without_the_wrong_line_each_text_is_right(engine: Engine) -> None:
    """Were the rest of a text wrong too, refusing it would prove nothing."""
    wrong = []
    for row in filter(is_verdict, rows()):
        if row["kind"] == "single":
            repaired = Verdict({row["stage"]: _repaired(row)}, "pass", dialect=row["dialect"])
            wrong += [f"{row['name']}: {error}" for error in _errors(engine.check_verdict(repaired))]
    assert wrong == []


def _repaired(row: dict[str, Any]) -> str:
    """The text without its wrong line; one that opens a group of the preprocessor is put right instead."""
    lines = str(row["source"]).split("\n")
    (number,) = row["error_lines"]
    is_group = lines[number - 1].startswith("#if") and "#endif" in lines
    lines[number - 1] = "#if 1" if is_group else ""
    return "\n".join(lines)


def _errors(seen: Observation) -> list[tuple[str, int]]:
    errors = [error for found in seen.stage_errors.values() for error in found] + list(seen.link_errors)
    return [(error.code, error.span.line if error.span else 0) for error in errors]
