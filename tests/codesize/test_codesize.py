"""The code-size runner: its inputs, its ratios, its verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.backends.registry import TARGETS
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits
from tests.codesize.__main__ import main
from tests.codesize.cases import Peer, SizeCase, load_cases
from tests.codesize.meter import make_meter
from tests.codesize.runner import Measured, find_meter
from tests.shared_data import shared_path

COUNTS = {
    "schema": "agal-counts-1",
    "cases": [
        {"file": "small.frag", "stage": "fragment", "version": 1, "peer": {"usable": True, "instructions": 4}},
        {
            "file": "large.vert", "stage": "vertex", "version": 2,
            "peer": {"usable": True, "instructions": 4}, "reference": {"instructions": 3},
        },
        {"file": "alone.frag", "stage": "fragment", "version": 3, "peer": {"usable": False, "why": "wrong code"}},
    ],
}  # fmt: skip

SIZES = {"small.frag": Measured(1), "large.vert": Measured(4, unrolled=2), "alone.frag": Measured(9)}


def meter(case: SizeCase) -> Mapping[str, Measured]:
    """Sizes by name; a text can cause a failure."""
    ((stage, text),) = case.sources.items()
    if text == "too big":
        sink = DiagnosticSink()
        sink.report(limits.RESOURCE_EXCEEDED, need=9, what="temporaries", target="agal", limit=8)
        sink.raise_if_errors()
    if text == "crash":
        raise KeyError("lost")
    size = SIZES[case.name]
    return {stage: Measured(size.size, size.unrolled, "x is 1, expected 2") if text == "wrong" else size}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tests.codesize.__main__.find_meter", lambda _target: meter)
    (tmp_path / "counts.json").write_text(json.dumps(COUNTS))
    for case in COUNTS["cases"]:
        (tmp_path / case["file"]).write_text("fine")  # type: ignore[index]
    return tmp_path


def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    status = main([str(folder), "--target", "agal"])
    return status, capsys.readouterr().out.splitlines()


def test_the_mean_is_geometric_and_takes_usable_peers_only(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(folder, capsys)
    assert status == 0
    assert [line.split() for line in lines[1:4]] == [
        ["small.frag", "fragment", "1", "-", "4", "-", "0.250"],
        ["large.vert", "vertex", "4", "2", "4", "3", "1.000"],
        ["alone.frag", "fragment", "9", "-", "-", "-", "-"],
    ]
    # sqrt(1/4 * 4/4) and (1 + 4) / (4 + 4); what is unrolled alone.
    assert lines[4:] == [
        "loops unrolled as the peer's: geometric mean ratio 0.5000, of the sums 0.5000, 0 of 1 stages larger",
        "geometric mean ratio 0.5000, of the sums 0.6250, 0 of 2 stages larger; 0 stages left out",
    ]


def test_slots_with_two_operations_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for file, dual in {"small.frag": (1, 4), "large.vert": (1, 2), "alone.frag": (0, 2)}.items():
        monkeypatch.setitem(SIZES, file, Measured(1, dual=dual))
    _, lines = run(folder, capsys)
    assert lines[4:7] == [
        "dual issue, fragment: 1 of 6 slots have both halves (16.7 %)",
        "dual issue, vertex: 1 of 2 slots have both halves (50.0 %)",
        "dual issue, all stages: 2 of 8 slots have both halves (25.0 %)",
    ]


def test_empty_slots_are_counted_by_reason(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SIZES, "small.frag", Measured(1, nops={"hazard": 1, "delay_slot": 2}))
    monkeypatch.setitem(SIZES, "large.vert", Measured(1, nops={"delay_slot": 1}))
    _, lines = run(folder, capsys)
    assert lines[4] == "NOPs: 3 for delay slot, 1 for hazard"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("too big", "does not compile: needs 9 temporaries, agal has 8 [E0701]"),
        ("crash", "does not compile: internal error: KeyError: 'lost'"),
        ("wrong", "computes wrongly: x is 1, expected 2"),
    ],
)
def test_without_right_code_a_stage_is_left_out_and_the_run_fails(
    text: str, complaint: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "small.frag").write_text(text)
    status, lines = run(folder, capsys)
    assert status == 1
    assert lines[-3] == f"small.frag (fragment): {complaint}"
    assert lines[-1] == "geometric mean ratio 1.0000, of the sums 1.0000, 0 of 1 stages larger; 1 stages left out"


def test_larger_than_the_peer_fails(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SIZES, "large.vert", Measured(5))
    status, lines = run(folder, capsys)
    assert (status, lines[-2]) == (1, "large.vert (vertex): larger than the peer's: 5 > 4")
    assert ", 1 of 2 stages larger" in lines[-1]


def test_what_has_no_usable_peer_may_be_too_big_but_not_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "alone.frag").write_text("too big")
    assert run(folder, capsys)[0] == 0
    (folder / "alone.frag").write_text("wrong")
    assert run(folder, capsys)[0] == 1


def test_a_target_without_meter_is_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.codesize.__main__.find_meter", find_meter)
    monkeypatch.setattr(TARGETS, "own", {})
    assert main([str(folder), "--target", "agal"]) == 2
    assert "there is no target 'agal'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("document", "target", "message"),
    [
        (COUNTS, "vc4", "has sizes for agal, not for vc4"),
        ([1], "vc4", "is none of the known inputs"),
        ({"x": {"a2xx": {}, "vc4": {}}}, "vc4", "cannot read"),
    ],
)
def test_unsuitable_inputs_are_wrong_usage(
    document: Any, target: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "document.json"
    path.write_text(json.dumps(document))
    assert main([str(path), "--target", target]) == 2
    assert message in capsys.readouterr().err


def test_pairs_of_mesa_are_compiled_linked(tmp_path: Path) -> None:
    counts = {
        "a2xx": {"vertex": {"slots96": 21}, "fragment": {"slots96": 26}},
        "vc4": {"vertex": 67, "coord": 40, "fragment": 9},
    }
    (tmp_path / "mesa_counts.json").write_text(json.dumps({"phong": counts}))
    programs = [{"name": "phong", "stage": stage, "glsl": f"// {stage}"} for stage in ("vertex", "fragment")]
    (tmp_path / "mesa_programs.json").write_text(json.dumps(programs))
    (adreno,) = load_cases(tmp_path / "mesa_counts.json", "adreno")
    assert adreno.sources == {"vertex": "// vertex", "fragment": "// fragment"}
    assert adreno.peers == {"vertex": Peer(21), "fragment": Peer(26)}
    (vc4,) = load_cases(tmp_path / "mesa_counts.json", "vc4")
    assert vc4.peers == {"vertex": Peer(67), "coordinate": Peer(40), "fragment": Peer(9)}
    assert vc4.options == {}


@pytest.mark.parametrize(("measured", "stages"), [("vertex", ["vertex", "coordinate"]), ("fragment", ["fragment"])])
def test_stages_that_were_made_for_another_do_not_count(measured: str, stages: list[str], tmp_path: Path) -> None:
    counts = {
        "a2xx": {"vertex": {"slots96": 21}, "fragment": {"slots96": 26}},
        "vc4": {"vertex": 67, "coord": 40, "fragment": 9},
        "primitive": "points", "measured": [measured],
    }  # fmt: skip
    (tmp_path / "mesa_counts.json").write_text(json.dumps({"it": counts}))
    (tmp_path / "mesa_programs.json").write_text(json.dumps([{"name": "it", "stage": measured, "glsl": "//"}]))
    (adreno,) = load_cases(tmp_path / "mesa_counts.json", "adreno")
    assert (list(adreno.peers), adreno.options) == ([measured], {})
    (vc4,) = load_cases(tmp_path / "mesa_counts.json", "vc4")
    assert (list(vc4.peers), vc4.options) == (stages, {"primitive": "points"})


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("golden/agal/counts", "agal"),
        ("golden/adreno/mesa_counts.json", "adreno"),
        ("golden/adreno/mesa_counts.json", "vc4"),
        ("golden/pica200/exec_shaders.json", "pica200"),
    ],
)
def test_all_shared_inputs_are_read(path: str, target: str) -> None:
    cases = load_cases(shared_path(path), target)
    assert len(cases) >= 9
    assert any(peer.size for case in cases for peer in case.peers.values())
    assert all(text.strip() for case in cases for text in case.sources.values())


@pytest.mark.parametrize("target", ["adreno", "vc4"])
@pytest.mark.parametrize("read", ["m[0].yz, m[2].x", "m[1].x, m[2].yz", "m[2]", "m[0][2], m[1][0], m[2][1]"])
def test_parts_of_linked_matrices_are_compared_with_themselves(target: str, read: str) -> None:
    """A linker leaves out what is not read; places name columns, values are rows of numbers."""
    vertex = """attribute mat3 a; attribute vec4 p; varying mat3 m;
void main() { gl_Position = p; m = a; m[1] *= 2.0; m[2] += 0.5; }"""
    fragment = f"precision highp float; varying mat3 m; void main() {{ gl_FragColor = vec4({read}, 0.5); }}"
    peers = {stage: Peer(1) for stage in ("vertex", "fragment", "coordinate")}
    found = make_meter(target)(SizeCase("pair", {"vertex": vertex, "fragment": fragment}, peers))
    assert {stage: measured.wrong for stage, measured in found.items()} == dict.fromkeys(found, "")
