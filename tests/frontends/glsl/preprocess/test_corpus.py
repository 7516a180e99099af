"""Shaders of others: the conformance tests of the preprocessor, reserved words, and shaders in use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl.preprocess import preprocess, print_tokens
from tests.frontends.glsl.preprocess.support import run
from tests.shared_data import shared_path

#: Cases of preprocessor.jsonl whose mistake is one of syntax or names, which later phases find.
LATER_PHASES = (
    "comments.invalid_comment",
    "recursion.recursion_1",
    "recursion.recursion_2",
    "invalid_function_definitions.arguments_4",
    "invalid_function_definitions.arguments_6",
)


def records(relative: str) -> Iterator[dict[str, Any]]:
    with shared_path(relative).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_conformance_cases_of_the_preprocessor() -> None:
    deviations = []
    for record in records("corpus/cts/preprocessor.jsonl"):
        rejected = any(found.severity == "error" for source in record["sources"].values() for found in run(source)[1])
        later = any(name in record["name"] for name in LATER_PHASES)
        if rejected != (record["expect"] == "compile_fail" and not later):
            deviations.append(record["name"])
    assert deviations == []


@pytest.mark.parametrize(("name", "kind"), [("keywords", "keyword"), ("reserved_keywords", "reserved")])
def test_reserved_words(name: str, kind: str) -> None:
    """Every keyword test misuses one word, which its case is named after."""
    wrong = []
    for record in records("corpus/cts/keywords.jsonl"):
        group, word = record["case"].split(".")[-2:]
        if group != name:
            continue
        stream = run(next(iter(record["sources"].values())))[0].tokens
        if dict(zip(stream.texts, stream.kinds, strict=True)).get(word) != kind:
            wrong.append(word)
    assert wrong == []


@pytest.mark.parametrize("name", ["webgl", "piglit", "glslang", "glslopt"])
def test_accepted_texts_of_other_suites(name: str) -> None:
    rejected = []
    for record in records(f"corpus/webgl/{name}.jsonl"):
        for part in ("source", "vertex", "fragment"):
            verdict = record.get("expect" if part == "source" else f"expect_{part}")
            if part in record and verdict == "pass":
                errors = [found for found in run(record[part], dialect="webgl")[1] if found.severity == "error"]
                rejected += [(record["name"], found.message) for found in errors]
    assert rejected == []


def test_rules_of_webgl() -> None:
    """Texts that only WebGL rejects, as far as the preprocessor decides."""
    names = ("257-character", "version-120", "include", "character-set#13", "comments#2")
    for record in records("corpus/webgl/webgl.jsonl"):
        if any(name in record["name"] for name in names) and record["expect"] == "fail":
            assert any(found.severity == "error" for found in run(record["source"], dialect="webgl")[1])


def test_shaders_in_use() -> None:
    folder = shared_path("corpus/real")
    for path in sorted([*folder.glob("*.vert"), *folder.glob("*.frag")]):
        sink = DiagnosticSink()
        shader = preprocess(SourceFile(path.name, path.read_text(encoding="utf-8")), sink=sink)
        assert (path.name, sink.diagnostics) == (path.name, [])
        again = run(print_tokens(shader))[0]
        assert (again.tokens.texts, again.tokens.kinds) == (shader.tokens.texts, shader.tokens.kinds)
