"""Statistics as text and JSON: numbers, and what code exceeded that was made again."""

from __future__ import annotations

import json

import pytest

from glslc_multi.compiler.artifact import Artifact, BlockProof, Reflection, Stats, Verdict
from glslc_multi.compiler.diagnostics import Diagnostic, DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from glslc_multi.compiler.records import replace
from glslc_multi.report.statistics import (
    programs_json,
    programs_text,
    statistics_data,
    statistics_json,
    statistics_text,
)


def artifact(*exceeded: Diagnostic) -> Artifact:
    reflection = Reflection("fake", "vertex", limits={"words": (7, 10)})
    return Artifact(b"", str, reflection, Stats(7, 14, 2, 1, {"dual_slots": 3}, exceeded))


def excess(need: int, what: str, *, place: bool = True) -> Diagnostic:
    sink = DiagnosticSink()
    span = Span(SourceFile("a.vert", "abc"), 1, 2, 1, 3) if place else None
    sink.report(RESOURCE_EXCEEDED, span, target="fake", need=need, what=what, limit=8)
    return sink.diagnostics[0]


COSTS = "7 instructions, 14 code words, 2 registers, 1 constant, 3 dual slots (7 of 10 words)"


def test_of_code_that_was_made_once_a_stage_is_a_line() -> None:
    assert statistics_text({"vertex": artifact()}) == f"vertex: {COSTS}\n"
    assert "exceeded" not in json.loads(statistics_json({"vertex": artifact()}))["vertex"]


def test_of_code_that_was_made_again_a_line_says_why() -> None:
    made = artifact(excess(9, "registers"), excess(12, "words"))
    assert statistics_text({"vertex": made}).splitlines() == [
        f"vertex: {COSTS}",
        "vertex: made again, tighter: needs 9 registers, fake has 8; needs 12 words, fake has 8",
    ]
    lines = programs_text({"a.vert": {"vertex": made}}).splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["a.vert, vertex", "a.vert, vertex"]


def test_data_name_the_errors_and_their_places() -> None:
    made = artifact(excess(9, "registers"), excess(12, "words", place=False))
    assert json.loads(statistics_json({"vertex": made}))["vertex"]["exceeded"] == [
        {"message": "needs 9 registers, fake has 8", "code": "E0701", "place": "a.vert:1:2"},
        {"message": "needs 12 words, fake has 8", "code": "E0701"},
    ]


def test_numbers_stay_numbers_for_those_who_compare_them() -> None:
    made = artifact(excess(9, "registers"))
    numbers = statistics_data({"vertex": made})["vertex"]
    assert set(map(type, numbers.values())) == {int}
    found = json.loads(programs_json({"a": {"vertex": made}}))["a"]["vertex"]
    assert numbers.items() <= found.items() and found.keys() - numbers.keys() == {"exceeded"}


# --- proofs -----------------------------------------------------------------------------------------------------------


def proven(*proofs: BlockProof) -> Artifact:
    return Artifact(b"", str, Reflection("fake", "vertex"), Stats(7, 14, 2, 1, proofs=proofs))


def test_each_block_is_a_line() -> None:
    made = proven(
        BlockProof("entry", 14, 12, 12, 12, 12),
        BlockProof("left", 44, 34, 30, 29, 29),
        BlockProof("over", 20, 19, 19, 17, 19),
    )
    assert statistics_text({"vertex": made}).splitlines()[1:] == [
        "vertex: block 'entry': 12 words, proven minimal",
        "vertex: block 'left': 30 words instead of 34, at least 29",
        "vertex: block 'over': 19 words, at least 17, none fewer without more copies",
    ]


def test_blocks_in_json() -> None:
    data = json.loads(statistics_json({"vertex": proven(BlockProof("left", 44, 34, 30, 29, 30))}))
    assert data["vertex"]["blocks"] == [
        {"name": "left", "instructions": 44, "known": 34, "words": 30, "at_least": 29, "without_copies": 30}
    ]
    assert "blocks" not in json.loads(statistics_json({"vertex": proven()}))["vertex"]


@pytest.mark.parametrize(
    ("verdict", "line", "data"),
    [
        (Verdict("equal"), "equal to the source in algebra", {"outcome": "equal"}),
        (
            Verdict("equal", linked=True),
            "linked stages are equal to the source in algebra",
            {"outcome": "equal", "linked": True},
        ),
        (
            Verdict("near", distance=3.2e-5),
            "equal to the source but for roundings and approximations, at most 3e-05",
            {"outcome": "near", "distance": "3e-05"},
        ),
        (
            Verdict("near"),
            "equal to the source but for roundings and approximations",
            {"outcome": "near", "distance": "0"},
        ),
        (Verdict("unknown", "halves"), "unknown: halves", {"outcome": "unknown", "reason": "halves"}),
    ],
)
def test_a_verdict_is_a_line(verdict: Verdict, line: str, data: dict[str, str]) -> None:
    made = artifact()
    made = replace(made, stats=replace(made.stats, verdict=verdict))
    assert statistics_text({"vertex": made}).splitlines()[1:] == [f"vertex: proof: {line}"]
    assert json.loads(statistics_json({"vertex": made}))["vertex"]["proof"] == data
