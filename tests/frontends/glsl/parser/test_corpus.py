"""Shaders that nobody on this project wrote: what is valid must parse.

A sample by default; all of it with GLSLC_MULTI_ALL=1.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl.parser import parse
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.symbols import Stage
from tests.shared_data import shared_path

SAMPLE = 40

#: Records whose verdict is not that of the specification, and why.
EXCEPTIONS = {
    "array-allowed-cstyle": "declares `float[2] x`, but type_specifier (chapter 9) has no array size; glslang agrees",
    "extension-enable-and-disable": "`#extension` after other text, against section 3.4; Mesa agrees",
}


def _valid_sources(record: dict[str, Any]) -> Iterator[tuple[Stage, str]]:
    """The shaders of a record that must compile."""
    if "sources" in record:
        stages = record["sources"].items() if record["expect"] != "compile_fail" else ()
        yield from stages
    elif record["kind"] == "single":
        if record["expect"] == "pass":
            yield record["stage"], record["source"]
    else:
        vertex, fragment = ("vertex", "expect_vertex"), ("fragment", "expect_fragment")
        yield from ((key, record[key]) for key, verdict in (vertex, fragment) if record[verdict] == "pass")  # type: ignore[misc]


def _check(name: str, source: str, stage: Stage) -> None:
    """A shader has no syntax errors."""
    sink = DiagnosticSink()
    parse(preprocess(SourceFile(name, source), stage=stage, defines={}, include_dirs=(), sink=sink), sink)
    errors = [f"{d.span.location if d.span else name}: {d.message}" for d in sink.diagnostics if d.severity == "error"]
    assert errors == []


def _chosen(items: list[Any]) -> list[Any]:
    everything = os.environ.get("GLSLC_MULTI_ALL") == "1" or len(items) <= SAMPLE
    return items if everything else random.Random(1).sample(items, SAMPLE)


def test_real_shaders() -> None:
    folder = shared_path("corpus/real")
    files: list[Path] = sorted(path for path in folder.iterdir() if path.suffix in (".vert", ".frag"))
    assert files
    for path in _chosen(files):
        _check(path.name, path.read_text(), "vertex" if path.suffix == ".vert" else "fragment")


@pytest.mark.parametrize("folder", ["cts", "webgl"])
def test_records(folder: str) -> None:
    shaders = []
    for path in sorted(shared_path(f"corpus/{folder}").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if not any(name in record["name"] for name in EXCEPTIONS):
                shaders += [(record["name"], source, stage) for stage, source in _valid_sources(record)]
    assert shaders
    for name, source, stage in _chosen(shaders):
        _check(name, source, stage)
