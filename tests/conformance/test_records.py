"""Every schema is recognised by its content and read by the rules of its description."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import small_records as small
from tests.conformance.model import EXACT, Language, Record
from tests.conformance.readers.language import language_of
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


def test_a_modern_case_keeps_its_types_and_names_its_colour(tmp_path: Path) -> None:
    vertex, fragment = load(tmp_path, small.MODERN_VERTEX, small.MODERN_FRAGMENT)
    (run,) = vertex.runs
    assert run.language == Language()
    assert run.sources == {"vertex": "#version 300 es\n// first, second"}
    assert run.whole == {"a"}
    assert run.inputs["a"] == ((4294967295.0, 0.0),)
    integer, truth = run.expected
    assert (integer.is_whole, integer.tolerance, integer.values) == (True, EXACT, ((4294967295.0,),))
    # A bool travels as a float: coarse arithmetic may bring 0.99.
    assert (truth.is_whole, truth.tolerance) == (False, EXACT)
    assert [expected.name for run in fragment.runs for expected in run.expected] == ["dEQP_FragColor"] * 2
    assert fragment.runs[0].expected[0].values == ((1, 2, 3, 0),)
    assert fragment.runs[1].expected[0].values == ((4, 5, 6, 0),)


@pytest.mark.parametrize(
    ("facts", "language"),
    [
        ({}, Language()),
        ({"version": "100 es"}, Language()),
        ({"version": "300 es", "context": "es3"}, Language()),
        ({"version": "110"}, Language("110", compat=True)),
        ({"version": "140"}, Language("110")),
        ({"version": "140", "context": "compat"}, Language("110", compat=True)),
        ({"version": "130", "context": "core"}, Language("110")),
        ({"version": "150 compatibility"}, Language("110", compat=True)),
        ({"version": "330 core", "context": "core"}, Language("110")),
        ({"version": "999", "context": "core"}, Language()),
        ({"version": "git 2b2c5e", "glsl_version": "120", "mesa_context": "compat"}, Language("110", compat=True)),
    ],
)  # fmt: skip
def test_the_language_of_a_record(facts: dict[str, str], language: Language) -> None:
    assert language_of(facts) == language


def test_verdicts_about_linking_have_a_trivial_partner(tmp_path: Path) -> None:
    rows = [
        small.webgl_single("fine", "vertex", "#version 150\nx", "pass", version="150", check_link=True),
        small.webgl_single("wrong", "fragment", "y", "fail", version="120", check_link=True),
        small.cts("either", {"vertex": "x"}, expect="compile_or_link_fail", version="300 es"),
    ]
    fine, wrong, either = (record.verdict for record in load(tmp_path, *rows))
    assert fine is not None
    assert (fine.expect, set(fine.sources), fine.language) == ("pass", {"vertex", "fragment"}, Language("110"))
    assert fine.sources["fragment"].startswith("#version 150\nvoid main()")
    assert wrong is not None
    assert (wrong.expect, set(wrong.sources)) == ("compile_or_link_fail", {"vertex", "fragment"})
    assert wrong.sources["fragment"] == "y"
    assert wrong.sources["vertex"].startswith("void main()")
    assert either is not None
    assert either.expect == "compile_or_link_fail"


def test_a_modern_drawing_looks_at_the_declared_colour(tmp_path: Path) -> None:
    modern = "layout(location = 0) out mediump vec4 my_colour;\nvoid main() { my_colour = vec4(0.0); }\n"
    (record,) = load(tmp_path, small.DRAWING | {"fragment": modern, "version": "300 es", "set": "webgl2"})
    (run,) = record.runs
    assert run.expected[0].name == "my_colour"
    assert (run.dialect, run.language) == ("webgl", Language())


def test_executions_with_blocks_whole_numbers_and_textures(tmp_path: Path) -> None:
    (record,) = load(tmp_path, small.MODERN_EXECUTION)
    (run,) = record.runs
    assert run.uniforms == {"n": (3.0,), "scale": (2.0,), "Blk[1].v": (1.0, 2.0), "Blk[1].count": (7.0,)}
    assert run.whole == {"n", "Blk[1].count", "gl_VertexID", "i"}
    assert run.inputs["pair"] == ((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0))
    assert run.blocks["Globals"]["members"]["scale"]["offset"] == 0
    assert [(expected.name, expected.is_whole) for expected in run.expected] == [("u", True), ("f", False)]
    texture = run.textures["volume"]
    assert (texture.kind, texture.depth, texture.wrap_r, texture.format) == ("3d", 2, "mirror", "rgba8ui")
    shadow = run.textures["shadow"]
    assert (shadow.compare, shadow.wrap_r) == ("lequal", "repeat")


def test_a_record_knows_the_path_it_was_loaded_for(tmp_path: Path) -> None:
    load(tmp_path, small.EXECUTION)
    assert [record.corpus for record in load_records([tmp_path])] == [str(tmp_path)]


@pytest.mark.parametrize(
    "folder",
    [
        *("corpus/cts", "corpus/webgl", "corpus/real", "golden/reference"),
        *("corpus/cts3", "corpus/webgl2", "corpus/real3", "golden/reference3"),
    ],
)
def test_all_shared_records_are_read(folder: str) -> None:
    root = shared_path(folder)
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in root.glob("*.jsonl"))
    shaders = sum(len(json.loads(path.read_text(encoding="utf-8"))["shaders"]) for path in root.glob("manifest.json"))
    names = [record.name for record in load_records([root])]
    assert len(names) == lines + shaders > 100
    assert len(set(names)) == len(names)
