"""Every schema is recognised by its content and read by the rules of its description."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import small_records as small
from tests.conformance.model import EXACT, Record
from tests.conformance.records import UnknownSchema, load_records
from tests.shared_data import shared_path


def load(tmp_path: Path, *rows: dict[str, Any]) -> list[Record]:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return list(load_records([path]))


def test_rows_of_a_vertex_case_are_lanes_of_one_run_per_set_of_uniforms(tmp_path: Path) -> None:
    (record,) = load(tmp_path, small.VERTEX_VALUES)
    first, second = record.runs
    assert (first.lanes, second.lanes) == (2, 1)
    assert first.inputs["a"] == ((1.0, 2.0), (3.0, 4.0))
    assert first.inputs["m"][0] == (1.0, 2.0, 3.0, 4.0)
    assert (first.uniforms, second.uniforms) == ({"s.k": (2.0,)}, {"s.k": (9.0,)})
    whole, vector, position = first.expected
    assert (whole.name, whole.values, whole.tolerance) == ("out0", ((3.0,), (7.0,)), EXACT)
    assert (vector.tolerance.absolute, vector.tolerance.relative) == (0.05, 0.05)
    assert position.name == "gl_Position"
    assert position.values == first.inputs["dEQP_Position"]


def test_a_fragment_case_runs_in_its_direct_form_column_by_column(tmp_path: Path) -> None:
    (record,) = load(tmp_path, small.DIRECT_VALUES)
    assert [run.sources for run in record.runs] == [{"fragment": "// column 0"}, {"fragment": "// column 1"}]
    assert [run.expected[0].values for run in record.runs] == [((1, 2, 0, 0),), ((3, 4, 0, 0),)]
    assert record.runs[0].inputs == {"x": ((1.0,),)}


def test_a_pair_must_answer_white_to_each_row_of_references(tmp_path: Path) -> None:
    (record,) = load(tmp_path, small.WHITE_VALUES)
    assert [run.uniforms for run in record.runs] == [{"ref_out0": (1.0, 0.0)}, {"ref_out0": (0.0, 0.0)}]
    assert {run.expected[0].values for run in record.runs} == {((1.0, 1.0, 1.0, 1.0),)}
    assert all(set(run.sources) == {"vertex", "fragment"} for run in record.runs)


def test_cases_that_must_fail_have_no_runs(tmp_path: Path) -> None:
    failing = {**small.WHITE_VALUES, "expect": "link_fail"}
    (record,) = load(tmp_path, failing)
    assert record.runs == ()
    assert record.verdict is not None
    assert record.verdict.expect == "link_fail"


def test_verdicts_of_single_shaders_and_pairs(tmp_path: Path) -> None:
    single = small.webgl_single("s", "vertex", "x", "fail", error_lines=[1, 3])
    pair = small.webgl_pair("p", "compile_fail", "pass", "fail", dialect="webgl")
    first, second = load(tmp_path, single, pair)
    assert first.verdict is not None
    assert (first.verdict.expect, first.verdict.error_lines) == ("compile_fail", (1, 3))
    assert second.verdict is not None
    assert second.verdict.stages_accepted == {"vertex": True, "fragment": False}
    assert second.tags == ("dialect:webgl",)


def test_a_drawing_looks_at_blocks_of_pixels_inside_both_triangles(tmp_path: Path) -> None:
    (record,) = load(tmp_path, small.DRAWING)
    (run,) = record.runs
    assert len(run.pixels) == 8
    assert run.quads
    for weights in run.pixels:
        assert sum(weights) == 1.0
        assert min(weights) == 0.0
    # The weights must give back the pixels' own coordinates.
    coordinates = [
        tuple(sum(w * uv[axis] for w, uv in zip(weights, run.inputs["texCoord0"], strict=True)) for axis in (0, 1))
        for weights in run.pixels
    ]
    assert coordinates[0] == (0.25, 0.625)
    assert coordinates[1][0] - coordinates[0][0] == coordinates[2][1] - coordinates[0][1] == 1 / 64
    (expected,) = run.expected
    assert expected.values[0] == (0.0, 1.0, 0.0, 1.0)
    assert expected.clamped
    assert expected.tolerance.absolute == 1.5 / 255
    assert run.uniforms == {"u": (3.0, 4.0)}


def test_executions_carry_textures_undefined_and_sensitive_lanes(tmp_path: Path) -> None:
    (record,) = load(tmp_path, small.EXECUTION)
    (run,) = record.runs
    (expected,) = run.expected
    assert expected.undefined == {(0, None), (1, 0), (2, None), (3, None)}
    assert expected.sensitive == {1}
    assert run.discarded == (True, False, False, None)
    assert run.uniforms["weights"] == (0.5, 0.25)
    texture = run.textures["u_map"]
    assert texture.levels == (bytes(range(8)), bytes(4))
    assert (texture.minify, texture.wrap_t) == ("nearest_mipmap_nearest", "clamp")


def test_a_manifest_gives_each_shader_with_its_partner(tmp_path: Path) -> None:
    (tmp_path / "a.vert").write_text("vertex text")
    (tmp_path / "a.frag").write_text("fragment text")
    rows = [
        {"file": "a.vert", "stage": "vertex", "partner": "a.frag", "mesa_gles2": "accept", "features": ["loops"]},
        {"file": "a.frag", "stage": "fragment", "partner": None, "mesa_gles2": "accept"},
    ]
    (tmp_path / "manifest.json").write_text(json.dumps({"shaders": rows}))
    pair, single = load_records([tmp_path])
    assert pair.verdict is not None
    assert pair.verdict.sources == {"vertex": "vertex text", "fragment": "fragment text"}
    assert single.verdict is not None
    assert single.verdict.sources == {"fragment": "fragment text"}
    assert pair.tags == ("loops",)


def test_other_files_matter_only_where_they_are_named(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("[1, 2]")
    (tmp_path / "empty.jsonl").touch()
    assert list(load_records([tmp_path])) == []
    with pytest.raises(UnknownSchema, match=r"other\.json is in none"):
        list(load_records([other]))
    with pytest.raises(UnknownSchema, match="does not exist"):
        list(load_records([tmp_path / "absent"]))


def test_a_line_in_no_schema_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownSchema, match=r"records\.jsonl:2 is in none"):
        load(tmp_path, small.EXECUTION, {"name": "x"})


@pytest.mark.parametrize("folder", ["corpus/cts", "corpus/webgl", "corpus/real", "golden/reference"])
def test_all_shared_records_are_read(folder: str) -> None:
    root = shared_path(folder)
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in root.glob("*.jsonl"))
    shaders = sum(len(json.loads(path.read_text(encoding="utf-8"))["shaders"]) for path in root.glob("manifest.json"))
    names = [record.name for record in load_records([root])]
    assert len(names) == lines + shaders > 100
    assert len(set(names)) == len(names)
