"""Loading records: files and folders in, `Record`s out, the schema recognised by content.

The schemas are those of the shared data (`corpus/README.md` and `corpus/README-modern.md`: cts, webgl, real;
`golden/reference/README.md` and `golden/reference3/README.md`: glsl-exec-1).  Each has one row in `_SCHEMAS`: how to
know one of its lines, and how to read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from glslc_multi.compiler.records import replace
from tests.conformance.model import Record
from tests.conformance.readers import cts, executions, verdicts


class UnknownSchema(Exception):
    """A file that was named is in none of the schemas."""


_SCHEMAS = (
    (frozenset({"stages", "sources", "interface", "values", "expect"}), cts.read_record),
    (frozenset({"kind", "expect", "oracles"}), verdicts.read_record),
    (frozenset({"stage", "inputs", "outputs", "lanes", "tolerance"}), executions.read_record),
)


def load_records(paths: Sequence[Path]) -> Iterator[Record]:
    """All records of the files and folders, in order of path."""
    for path in paths:
        if not path.exists():
            raise UnknownSchema(f"{path} does not exist")
        for record in _load_path(path):
            yield replace(record, corpus=str(path))


def _load_path(path: Path) -> Iterator[Record]:
    if not path.is_dir():
        yield from _load_file(path, named=True)
        return
    for file in sorted(path.rglob("*.json*")):
        yield from _load_file(file, named=False)


def _load_file(path: Path, *, named: bool) -> Iterator[Record]:
    """The records of one file; a file of another kind is an error only where the user named it."""
    if path.suffix == ".jsonl":
        yield from _load_lines(path)
    elif path.suffix == ".json" and _is_manifest(manifest := json.loads(path.read_text(encoding="utf-8"))):
        yield from verdicts.read_manifest(manifest, path.parent)
    elif named:
        raise UnknownSchema(f"{path} is in none of the known schemas")


def _load_lines(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _read_line(json.loads(line), path, number)


def _read_line(row: dict[str, Any], path: Path, number: int) -> Record:
    for keys, read in _SCHEMAS:
        if keys <= row.keys():
            return read(row)
    raise UnknownSchema(f"{path}:{number} is in none of the known schemas")


def _is_manifest(document: object) -> bool:
    if not isinstance(document, dict) or not document.get("shaders"):
        return False
    return not {"mesa_gles2", "mesa"}.isdisjoint(document["shaders"][0])
