"""The runner that says how far blocks are from the shortest: what it sums up, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glslc_multi.compiler.artifact import BlockProof
from tests.prove.__main__ import main
from tests.prove.summary import Proven, summarise

_FOUND = [
    Proven("a", "vertex", BlockProof("entry", 10, 8, 8, 8, 8)),
    Proven("a", "vertex", BlockProof("left", 16, 12, 11, 10, 11)),
    Proven("b", "fragment", BlockProof("entry", 90, 50, 50, 40, 40)),
    Proven("b", "fragment", BlockProof("empty", 0, 0, 0, 0, 0)),
]


def test_blocks_are_summed_up_by_size() -> None:
    small, _, every, *worst = summarise(_FOUND)
    assert small == (
        "blocks of up to 16 instructions: 2; minimal at -O2 50 %, after the solver 50 %, or without more copies 100 %; "
        "20 words at -O2, 19 after the solver, at least 18; mean gap of -O2 10.0 %"
    )
    assert every.startswith("all blocks: 3; minimal at -O2 33 %")
    assert every.endswith("70 words at -O2, 69 after the solver, at least 58; mean gap of -O2 15.0 %")
    assert worst == [
        "  b, fragment, block 'entry' of 90 instructions: 50 words at -O2, 50 after the solver, at least 40",
        "  a, vertex, block 'left' of 16 instructions: 12 words at -O2, 11 after the solver, at least 10",
    ]


def test_no_blocks() -> None:
    assert summarise([])[-1] == "all blocks: none"


_SHADER = "attribute vec4 p; uniform mat4 m; void main() { gl_Position = m * p; }"


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "mesa_counts.json"
    path.write_text(json.dumps({"small": {"a2xx": {"vertex": {"slots96": 9}}, "vc4": {"vertex": 40}}}))
    (tmp_path / "mesa_programs.json").write_text(json.dumps([{"name": "small", "stage": "vertex", "glsl": _SHADER}]))
    return path


def test_shaders_are_compiled_and_run(counts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ortools", reason="the extra 'prove' is not installed")
    assert main([str(counts), "--target", "adreno", "--sample", "3"]) == 0
    assert "all blocks: 1; minimal at -O2 100 %" in capsys.readouterr().out


def test_vertex_stages_of_pairs_serve_other_machines(counts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ortools", reason="the extra 'prove' is not installed")
    assert main([str(counts), "--target", "pica200"]) == 0
    # Four dot products, and the end.
    assert "5 words at -O2" in capsys.readouterr().out


def test_unknown_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.json"), "--target", "vc4"]) == 2
    assert "tests.prove: error" in capsys.readouterr().err
