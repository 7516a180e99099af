"""The verdicts of other people's conformance suites: each shader is accepted or rejected as recorded.

A sample with a fixed seed runs by default, everything with GLSLC_MULTI_ALL_VERDICTS=1.  Records that
contradict the specification stand in `deviations.py`.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from frontends.glsl.symbols import Stage
from frontends.glsl.tokens import Dialect
from tests.frontends.glsl.check.deviations import KNOWN_DEVIATIONS
from tests.frontends.glsl.check.support import check_text
from tests.shared_data import shared_path

SAMPLE = 250
ALL = bool(os.environ.get("GLSLC_MULTI_ALL_VERDICTS"))


@dataclass(slots=True)
class Record:
    """The stages of one record, and whether at least one of them is to be rejected."""

    name: str
    sources: dict[Stage, str]
    rejected: bool
    dialect: Dialect = "essl100"


def _cts(record: dict[str, Any]) -> Record:
    return Record(record["name"], record["sources"], record["expect"] == "compile_fail")


def _webgl(record: dict[str, Any]) -> Record:
    if record["kind"] == "single":
        sources = {record["stage"]: record["source"]}
    else:
        sources = {"vertex": record["vertex"], "fragment": record["fragment"]}
    return Record(record["name"], sources, record["expect"] in ("fail", "compile_fail"), record["dialect"])


def _records(folder: Path) -> Iterator[Record]:
    make = _cts if folder.name == "cts" else _webgl
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield make(json.loads(line))


def _sample(records: list[Record]) -> list[Record]:
    if ALL or len(records) <= SAMPLE:
        return records
    return random.Random(1).sample(records, SAMPLE)


def _deviation(record: Record) -> str | None:
    """What is wrong with our verdict on the record; None when it is the recorded one."""
    errors = [e for stage, source in record.sources.items() for e in check_text(source, stage, record.dialect).errors]
    if bool(errors) == record.rejected:
        return None
    found = f"{errors[0].span and errors[0].span.location}: {errors[0].message}" if errors else "accepted"
    return f"{record.name}: {found}"


@pytest.mark.parametrize("folder", ["corpus/cts", "corpus/webgl"])
def test_verdicts(folder: str) -> None:
    records = _sample(list(_records(shared_path(folder))))
    deviations = [text for record in records if record.name not in KNOWN_DEVIATIONS and (text := _deviation(record))]
    assert deviations == []


def test_known_deviations_are_needed() -> None:
    """Every entry excuses a record that we judge differently; otherwise it can go."""
    records = [r for r in _records(shared_path("corpus/webgl")) if r.name in KNOWN_DEVIATIONS]
    assert [record.name for record in records if _deviation(record) is None] == []


def test_real_shaders_are_accepted() -> None:
    files = sorted(file for file in shared_path("corpus/real").iterdir() if file.suffix in (".vert", ".frag"))
    stages: dict[str, Stage] = {".vert": "vertex", ".frag": "fragment"}
    records = [Record(f.name, {stages[f.suffix]: f.read_text(encoding="utf-8")}, False) for f in files]
    assert [text for record in _sample(records) if (text := _deviation(record))] == []


def test_reference_shaders_are_accepted() -> None:
    lines = shared_path("golden/reference/features.jsonl").read_text(encoding="utf-8").splitlines()
    records = [Record(r["name"], {r["stage"]: r["source"]}, False) for r in map(json.loads, lines)]
    assert [text for record in _sample(records) if (text := _deviation(record))] == []
