"""The reference engine: our own small records, and a sample of the shared ones."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import small_records as small
from tests.conformance.records import load_records
from tests.conformance.runner import EngineChoice, judge
from tests.shared_data import shared_path

ENGINE = EngineChoice("reference", 0).make()


def outcome(tmp_path: Path, record: dict[str, Any]) -> str:
    """`passed`, or what the runner says about the record."""
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (loaded,) = load_records([path])
    result = judge(loaded, ENGINE)
    return result.reason or result.status


def vertex_sum(value: float) -> dict[str, Any]:
    source = """
    struct S { float k; };
    attribute vec4 dEQP_Position;
    attribute vec2 a;
    attribute mat2 m;
    uniform S s;
    varying float out0;
    varying mat2 out1;
    void main() {
        out0 = a.x + a.y * s.k;
        out1 = m;
        gl_Position = dEQP_Position;
    }
    """
    return small.cts(
        "sum",
        {"vertex": source},
        interface={
            "inputs": [small.POSITION, small.variable("a", "ivec2", "vec2"), small.variable("m", "mat2")],
            "outputs": [small.variable("out0", "int", "float"), small.variable("out1", "mat2")],
            "uniforms": [small.variable("s.k", "float")],
        },
        values=[
            {
                "inputs": {"a": [1, 2], "m": [1, 2, 3, 4]},
                "uniforms": {"s.k": 2.0},
                "outputs": {"out0": value, "out1": [1, 2, 3, 4]},
            }
        ],
    )


def test_a_vertex_record_with_values(tmp_path: Path) -> None:
    assert outcome(tmp_path, vertex_sum(5)) == "passed"
    assert outcome(tmp_path, vertex_sum(6)) == "out0 is (5) in lane 0, expected (6)"


def execution(colour: list[float]) -> dict[str, Any]:
    source = """
    precision highp float;
    uniform sampler2D u_maps[2];
    uniform float u_gain[3];
    varying vec2 v_unused;
    varying vec2 v_uv;
    void main() {
        if (gl_FragCoord.x > 2.0) discard;
        gl_FragData[0] = texture2D(u_maps[1], v_uv) * u_gain[1];
    }
    """
    texture = {
        "kind": "2d", "width": 2, "height": 1, "format": "rgba8",
        "data": base64.b64encode(bytes([0, 51, 102, 255, 255, 0, 0, 255])).decode(),
        "mips": "none", "min": "nearest", "mag": "nearest", "wrap_s": "clamp", "wrap_t": "clamp",
    }  # fmt: skip
    return {
        "name": "execution", "stage": "fragment", "source": source, "lanes": 4, "quads": True,
        "uniforms": {"u_gain": [9.0, 2.0]}, "textures": {"u_maps[1]": texture},
        "inputs": {
            "v_unused": [[0, 0]] * 4,
            "v_uv": [[0.1, 0.5]] * 4,
            "gl_FragCoord": [[x, 0.5, 0, 1] for x in (0.5, 1.5, 2.5, 3.5)],
        },
        "outputs": {"gl_FragData[0]": [colour, colour, [0, 0, 0, 0], [0, 0, 0, 0]]},
        "discarded": [False, False, True, True], "tolerance": {"rel": 1e-6, "abs": 1e-6}, "tags": [],
    }  # fmt: skip


def test_a_fragment_record_with_textures_and_discard(tmp_path: Path) -> None:
    assert outcome(tmp_path, execution([0.0, 0.4, 0.8, 2.0])) == "passed"
    assert outcome(tmp_path, execution([0.0, 0.4, 0.8, 1.0])) == (
        "gl_FragData[0] is (0, 0.4, 0.8, 2) in lane 0, expected (0, 0.4, 0.8, 1)"
    )


PAIR = {
    "vertex": "attribute vec4 vPosition;\nattribute vec2 texCoord0;\nvarying vec2 uv;\nvoid main() {"
    "\n  uv = texCoord0;\n  gl_Position = vPosition;\n}\n",
    "fragment": "precision mediump float;\nvarying vec2 uv;\nuniform vec2 u;\nvoid main() {"
    "\n  gl_FragColor = vec4(dot(u, vec2(0.0)), uv.x < 2.0 ? 1.0 : 0.0, 0.0, 1.0);\n}\n",
}


def test_a_drawn_pair(tmp_path: Path) -> None:
    assert outcome(tmp_path, small.DRAWING | PAIR) == "passed"
    dark = PAIR | {"fragment": PAIR["fragment"].replace("2.0", "0.5")}
    assert outcome(tmp_path, small.DRAWING | dark).startswith("gl_FragColor is (0, ")


@pytest.mark.parametrize(
    ("source", "expect", "more", "wanted"),
    [
        ("void main() {}", "pass", {}, "passed"),
        ("float f(float x);", "pass", {}, "passed"),
        ("void main() { float x = true; }", "fail", {}, "passed"),
        ("void main() {}", "fail", {}, "accepted, but the text is wrong"),
        ("void main() {\n  int a = 1.0;\n  int b = 2.0;\n}", "fail", {"error_lines": [2, 3]}, "passed"),
        ("void main() { while (true) { break; } }", "pass", {}, "passed"),
        ("void main() { while (true) { break; } }", "fail", {"dialect": "webgl"}, "passed"),
    ],
)
def test_verdicts_of_single_shaders(
    tmp_path: Path, source: str, expect: str, more: dict[str, Any], wanted: str
) -> None:
    assert outcome(tmp_path, small.webgl_single("single", "vertex", source, expect, **more)) == wanted


def test_verdicts_of_pairs(tmp_path: Path) -> None:
    def pair(expect: str, **changes: str) -> str:
        record = small.webgl_pair("pair", expect, "pass", "fail" if expect == "compile_fail" else "pass")
        return outcome(tmp_path, record | PAIR | changes)

    wrong_type = PAIR["fragment"].replace("varying vec2 uv", "varying vec3 uv")
    assert pair("pass") == "passed"
    assert pair("link_fail") == "linked, but the stages do not match"
    assert pair("link_fail", fragment=wrong_type) == "passed"
    assert pair("link_fail", fragment="precision mediump float;\nfloat f(float x) { return x; }\n") == "passed"
    assert pair("compile_fail", fragment="void main() { x = 1; }") == "passed"


@pytest.mark.parametrize("folder", ["golden/reference", "corpus/cts", "corpus/real", "corpus/webgl"])
def test_a_sample_of_the_shared_records(folder: str) -> None:
    """Every 25th record; the whole sets are what the runner is for."""
    records = list(load_records([shared_path(folder)]))[::25]
    outcomes = [judge(record, ENGINE) for record in records]
    assert sum(o.status == "passed" for o in outcomes) > 0.9 * len(outcomes)
    assert [f"{o.name}: {o.reason}" for o in outcomes if o.status == "failed"] == []


def test_the_layout_of_a_block_counts_besides_the_values(tmp_path: Path) -> None:
    source = """#version 300 es
    layout(std140) uniform Params { float scale; vec2 offset; uint count; };
    flat out highp uint out_result;
    void main() { out_result = count + uint(scale + offset.y); gl_Position = vec4(0.0); }
    """
    members = {
        "scale": {"type": "float", "value": 1.0, "offset": 0},
        "offset": {"type": "vec2", "value": [0.0, 2.0], "offset": 8},
        "count": {"type": "uint", "value": 4294967295, "offset": 16},
    }
    record = {
        "name": "block", "stage": "vertex", "version": "300 es", "source": source, "lanes": 1, "quads": False,
        "uniforms": {}, "uniform_blocks": {"Params": {"size": 32, "members": members}}, "inputs": {},
        "outputs": {"out_result": [2]}, "output_types": {"out_result": "uint"},
        "tolerance": {"rel": 0, "abs": 0}, "tags": [],
    }  # fmt: skip
    assert outcome(tmp_path, record) == "passed"
    members["offset"]["offset"] = 4
    assert outcome(tmp_path, record) == "offset of offset in block Params is 8, expected 4"
