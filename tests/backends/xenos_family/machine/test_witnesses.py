"""Some recorded programs, and that their checks notice a difference; the rest is in the shared data."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden.adreno import program
from tests.golden.runner import Failure

RECORDS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "witnesses.json").read_text("utf-8"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_recorded_programs(record: dict[str, Any]) -> None:
    assert program(record, RECORDS) is None


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_a_changed_record_fails(record: dict[str, Any]) -> None:
    results, words, text = (copy.deepcopy(record) for _ in range(3))
    export = results["cases"][0]["exports"][0]
    export["value"][2] = f"{int(export['value'][2], 16) ^ 1:08x}"
    words["words"][-1] = f"{int(words['words'][-1], 16) ^ 1 << 24:08x}"
    text["text"].pop()
    for changed in (results, words, text):
        assert isinstance(program(changed, RECORDS), Failure)
