"""The lists beside the sample: faults that are planted always, and those that change nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tests.mutants import plan
from tests.mutants.faults import Fault

_FOLDER = Path(__file__).parent


def planted() -> list[Fault]:
    """The faults of `planted.toml`."""
    return [_fault(row) for row in _rows("planted.toml", "fault")]


def harmless() -> dict[tuple[str, str], str]:
    """File and diff of what changes nothing -> the reason."""
    faults = {_fault(row): str(row["reason"]) for row in _rows("harmless.toml", "fault")}
    return {(fault.path, fault.diff(plan.text_of(fault.path))): reason for fault, reason in faults.items()}


def _rows(name: str, key: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((_FOLDER / name).read_text(encoding="utf-8")).get(key, [])
    return rows


def _fault(row: dict[str, Any]) -> Fault:
    """The fault that puts `new` in the place of `old`, which stands once in the file."""
    path, old, new = str(row["path"]), str(row["old"]), str(row["new"])
    text = plan.text_of(path)
    if text.count(old) != 1:
        raise ValueError(f"{path}: {text.count(old)} places read {old!r}")
    start = text.index(old)
    return Fault(path, str(row.get("kind", "listed")), start, start + len(old), new)
