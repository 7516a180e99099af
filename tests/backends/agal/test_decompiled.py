"""Decompiled programs beside what OpenFL's own translator makes of the same bytes, line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.proof.modules import prove_module
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.frontends.registry import make_source
from tests.shared_data import shared_parameters, shared_path, shared_root


class Length(NamedTuple):
    """What a reader goes through: of a text without comments and directives."""

    lines: int
    temporaries: int
    characters: int


def cases() -> Iterator[Any]:
    """Bytes and the other translator's text."""
    path = shared_root() / "golden" / "agal" / "to_glsl.json"
    for case in json.loads(path.read_text())["cases"] if path.exists() else ():
        for stage in ("vertex", "fragment"):
            row = bytes.fromhex(case[f"{stage}_hex"]), case[f"{stage}_glsl"], stage
            yield pytest.param(row, id=f"{case['id']}-{stage}")


def length(text: str) -> Length:
    """How much there is to read."""
    lines = [line.partition("//")[0].strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(("#", "precision"))]
    temporaries = re.findall(r"^\s*(?:vec[234]|float|int|bool) (?:t|p|[fv]t)\d+\b", text, re.MULTILINE)
    return Length(len(lines), len(temporaries), sum(map(len, lines)))


def lowered(text: str, stage: str) -> Module:
    """The module of a text."""
    return lower_source(make_source(text, "<text>", stage), FrontEndOptions(), DiagnosticSink())


@pytest.mark.parametrize("case", shared_parameters("golden/agal/to_glsl.json", cases()))
def test_both_translators_mean_the_same(case: tuple[bytes, str, str]) -> None:
    """Where both call uniforms the same: the other one's matrices of three rows are ours in single vectors."""
    data, text, stage = case
    own = lowered(glslc_multi.decompile(data, target="agal", version="100"), stage)
    text = text.replace("gl_Position *= vcPositionScale;", "").replace("sampler", "fs").replace("fs2D", "sampler2D")
    other = lowered(text.replace("fsCube", "samplerCube"), stage)
    names = [{v.name for v in module.variables.values() if v.storage == "uniform"} for module in (own, other)]
    if not names[0] <= names[1]:
        pytest.skip(f"the other translator calls {', '.join(sorted(names[0] - names[1]))} otherwise")
    after = Snapshot(own)
    outputs = {v.name: (after.module.find_variable(v.name), 0) for v in other.outputs()}
    verdict = prove_module(Snapshot(other), after, outputs, draws=8)
    assert verdict.outcome in ("equal", "near"), verdict


def test_ours_is_shorter() -> None:
    rows = json.loads(shared_path("golden/agal/to_glsl.json").read_text())["cases"]
    own, other = [], []
    for row in rows:
        for stage in ("vertex", "fragment"):
            text = glslc_multi.decompile(bytes.fromhex(row[f"{stage}_hex"]), target="agal", version="100")
            own.append(length(text))
            other.append(length(row[f"{stage}_glsl"]))
    assert all(mine.lines <= theirs.lines for mine, theirs in zip(own, other, strict=True))
    totals = [Length(*map(sum, zip(*each, strict=True))) for each in (own, other)]
    assert totals[0].lines < 0.75 * totals[1].lines
    assert totals[0].temporaries <= totals[1].temporaries / 2
    assert totals[0].characters < 0.85 * totals[1].characters
