"""What the fuzzer has found, replayed: each is mended, and stays so.

A line of `finds.jsonl` is a case in the project's own words (`Case.to_json`), with what went wrong in `was` and what is
right in `outcome`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.case import Case
from tests.fuzz.workers import Limits, attempt_alone

FINDS = Path(__file__).with_name("finds.jsonl")
RECORDS = [json.loads(line) for line in FINDS.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("record", RECORDS, ids=[record["was"] for record in RECORDS])
def test_a_past_find_is_mended(record: Mapping[str, Any]) -> None:
    verdict = attempt_alone(Case.from_json(record), Limits(seconds=100, waiting=1000))
    assert verdict.outcome == record["outcome"], verdict.details
