"""JSON schemas of what the command writes for programs: the files of this folder, which `--print-schema` prints."""

from __future__ import annotations

from pathlib import Path


def schema_text(name: str) -> str:
    """Read the schema of a name."""
    return Path(__file__).with_name(f"{name}.schema.json").read_text(encoding="utf-8")
