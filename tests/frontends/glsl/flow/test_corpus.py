"""Warnings about shaders of others: none about those of real projects and examples, and those that test suites mean."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import compile_shader
from tests.shared_data import PROJECT_ROOT, shared_path

CODES = ("W0315", "W0454", "W0455", "W0480", "W0481", "W0482")
STAGES: dict[str, Stage] = {".vert": "vertex", ".frag": "fragment"}


def codes_of(text: str, stage: Stage) -> list[str]:
    sink = DiagnosticSink()
    compile_shader(text, filename="test", stage=stage, sink=sink)
    return [each.code for each in sink.diagnostics if each.code in CODES]


def test_shaders_of_real_projects_have_none() -> None:
    files = sorted(shared_path("corpus/real").glob("*.[vf]*"))
    found = {file.name: codes_of(file.read_text(encoding="utf-8"), STAGES[file.suffix]) for file in files}
    assert len(found) > 50
    assert {name: codes for name, codes in found.items() if codes} == {}


def test_examples_have_none() -> None:
    all_files = sorted((PROJECT_ROOT / "examples").rglob("*.[vf]*"))
    files = [file for file in all_files if file.suffix in STAGES and file.name != "mistake.frag"]
    texts = [(file.name, file.read_text(encoding="utf-8"), STAGES[file.suffix]) for file in files]
    found = {name: codes_of(text, stage) for name, text, stage in texts if "#include" not in text}
    assert len(found) > 5
    assert {name: codes for name, codes in found.items() if codes} == {}


def shaders(records: str, part_of_name: str) -> Iterator[tuple[str, Stage]]:
    """The texts of the records whose names contain something."""
    for line in shared_path(records).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if part_of_name not in record["name"]:
            continue
        for stage, text in record.get("sources", {record.get("stage"): record.get("source")}).items():
            if text is not None:
                yield text, stage


@pytest.mark.parametrize(
    ("records", "part_of_name", "code", "count"),
    [
        ("corpus/cts/functions.jsonl", "misc.missing_returns", "W0455", 2),
        ("corpus/cts/scoping.jsonl", "local_variable_hides_function_parameter", "W0315", 2),
        ("corpus/webgl/webgl.jsonl", "misc.gl_position_unset", "W0482", 1),
        ("corpus/webgl/webgl.jsonl", "misc.uninitialized-local-global-variables", "W0480", 10),
    ],
)
def test_cases_named_after_the_mistake_are_warned_of(records: str, part_of_name: str, code: str, count: int) -> None:
    found = Counter(code for text, stage in shaders(records, part_of_name) for code in set(codes_of(text, stage)))
    assert found[code] == count
