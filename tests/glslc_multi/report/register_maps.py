"""Register maps of many shaders against their schema, as its readers and as its authors see it.

    python -m tests.glslc_multi.report.register_maps [--target T] [PATH...]

PATH is a shader; without it, all of the examples and the real shaders of the shared data, for every target.  The last
line is "N passed, M failed, K skipped", over stages of shaders; what a target refuses is skipped.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.reflection import register_map
from glslc_multi.report.schemas import schema_text
from tests.shared_data import PROJECT_ROOT, shared_root

SCHEMA: dict[str, Any] = json.loads(schema_text("reflection"))
#: As it was published with revision 1.
OLD_SCHEMA: dict[str, Any] = json.loads((Path(__file__).parent / "revision_1.schema.json").read_text(encoding="utf-8"))
_STAGES = {".vert": ("vertex", "coordinate"), ".frag": ("fragment",)}
#: A row of the schema that maps of a target show: its place, and the target.
Row = tuple[str, str]


def faults(data: Mapping[str, Any], *, by_old_reader: bool = True) -> Iterator[str]:
    """What the published schemas say against a map, and what no row of the schema describes."""
    schemas = {"revision 1": OLD_SCHEMA} if by_old_reader else {}
    schemas |= {"revision 2": SCHEMA, "undocumented": closed(data["target"])}
    for name, schema in schemas.items():
        for error in Draft202012Validator(schema).iter_errors(data):
            yield f"{name}: {error.json_path}: {error.message[:200]}"


@cache
def closed(target: str) -> dict[str, Any]:
    """The schema of the maps of one target, in which everything must be described."""
    found = close(SCHEMA, target)
    assert isinstance(found, dict)
    return found


def close(node: object, target: str) -> object:
    """Leave in a schema what is of one target, and forbid whatever is not described."""
    if isinstance(node, list):
        return [close(each, target) for each in node]
    if not isinstance(node, dict):
        return node
    made: dict[str, Any] = {key: close(value, target) for key, value in node.items()}
    for key in {"properties", "patternProperties"} & made.keys():
        made[key] = {name: row for name, row in made[key].items() if _is_of(row, target)}
        made["additionalProperties"] = False
    if "x-known" in made:
        patterns = [_pattern(row) for row in made["x-known"] if _is_of(row, target)]
        made["pattern"] = f"^({'|'.join(patterns)})$"
    return made


def _pattern(row: Mapping[str, Any]) -> str:
    return f"({'|'.join(row['values'])}){row.get('ending', '')}"


def _is_of(row: Mapping[str, Any], target: str) -> bool:
    return target in row.get("x-targets", (target,))


def documented_rows(targets: Iterable[str]) -> set[Row]:
    """Every row of the schema with every target that it names; of those for all, without one."""
    places = [("", SCHEMA), *((name, SCHEMA["$defs"][name]) for name in SCHEMA["$defs"])]
    rows = (row for place, node in places for row in _rows(node, place))
    return {(place, name) for place, row in rows for name in row.get("x-targets", [""]) if name in {"", *targets}}


def _rows(node: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, row in {**node.get("properties", {}), **node.get("patternProperties", {})}.items():
        yield f"{place}.{name}", row
        yield from _rows(row, f"{place}.{name}")
    yield from ((f"{place}={value}", row) for row in node.get("x-known", ()) for value in row["values"])
    if "items" in node:
        yield from _rows(node["items"], f"{place}[]")


def seen_rows(data: Mapping[str, Any]) -> set[Row]:
    """The rows that a map shows."""
    target = data["target"]
    return {(place, target if "x-targets" in row else "") for place, row in _seen(data, SCHEMA, "", target)}


def _seen(value: object, node: Mapping[str, Any], place: str, target: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if (name := node.get("$ref", "").removeprefix("#/$defs/")) in SCHEMA["$defs"]:
        node, place = SCHEMA["$defs"][name], name
    if isinstance(value, dict):
        for key, part in value.items():
            for name, row in _matching(key, node):
                yield f"{place}.{name}", row
                yield from _seen(part, row, f"{place}.{name}", target)
    elif isinstance(value, list) and "items" in node:
        for part in value:
            yield from _seen(part, node["items"], f"{place}[]", target)
    elif isinstance(value, str):
        for row in node.get("x-known", ()):
            if _is_of(row, target) and re.fullmatch(_pattern(row), value):
                yield f"{place}={max(each for each in row['values'] if value.startswith(each))}", row


def _matching(key: str, node: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if key in node.get("properties", {}):
        yield key, node["properties"][key]
        return
    yield from ((pattern, row) for pattern, row in node.get("patternProperties", {}).items() if re.search(pattern, key))


# --- Shaders ----------------------------------------------------------------------------------------------------------


def example_shaders() -> list[Path]:
    return [path for path in sorted((PROJECT_ROOT / "examples").rglob("*")) if path.suffix in _STAGES]


def real_shaders() -> list[Path]:
    folders = (shared_root() / "corpus" / name for name in ("real", "real3"))
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in _STAGES]


def maps_of(path: Path, target: str, request: Request | None = None) -> Iterator[dict[str, Any] | None]:
    """A map for each stage of a shader that the target has; None where it refuses."""
    text = path.read_text(encoding="utf-8")
    for stage in _STAGES[path.suffix]:
        if stage in load_target(target).stages:
            artifact = compiled(text, target, stage, request)
            yield None if artifact is None else json.loads(register_map(artifact))


def compiled(text: str, target: str, stage: str, request: Request | None = None) -> Artifact | None:
    asked = replace(request or Request(), inexact_integers=True)
    try:
        return compile_source(make_source(text, f"{stage} shader", stage), load_target(target), asked, DiagnosticSink())
    except CompileError:
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.glslc_multi.report.register_maps",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--target", action="append", choices=target_names())
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    given = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    for target in given.target or target_names():
        mine: Counter[str] = Counter()
        for path in given.paths or [*example_shaders(), *real_shaders()]:
            for number, data in enumerate(maps_of(path, target)):
                found = [] if data is None else list(faults(data))
                mine["skipped" if data is None else "failed" if found else "passed"] += 1
                for fault in found[:4]:
                    print(f"{path.name} {_STAGES[path.suffix][number]} {target}: {fault}", flush=True)
        print(f"{target}: {_summary(mine)}", flush=True)
        counts += mine
    print(_summary(counts))
    return 1 if counts["failed"] else 0


def _summary(counts: Counter[str]) -> str:
    return f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped"


if __name__ == "__main__":
    sys.exit(main())
