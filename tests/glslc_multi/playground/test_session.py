"""What the page is told: the same as the command line says, and an answer to whatever is asked."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.playground.session import ANSWERS, answer
from glslc_multi.playground.shader import LONGEST
from glslc_multi.report.reflection import register_map
from tests.shared_data import PROJECT_ROOT

SHADERS = PROJECT_ROOT / "examples" / "shaders"
PHONG, PHONG_VERTEX, PLASMA = (
    (SHADERS / name).read_text(encoding="utf-8") for name in ("09_phong.frag", "09_phong.vert", "11_plasma.frag")
)


def ask(what: str, **facts: Any) -> dict[str, Any]:
    answered = json.loads(answer(json.dumps({"ask": what, **facts})))
    assert isinstance(answered, dict)
    return answered


def shader(text: str, stage: str = "fragment", flags: str = "") -> dict[str, Any]:
    return {"text": text, "name": f"a.{stage[:4]}", "stage": stage, "flags": flags}


@pytest.mark.parametrize("target", ["agal", "adreno", "vc4", "xenos", "theia", "pica200"])
def test_code_is_what_a_compilation_makes(target: str) -> None:
    made = glslc_multi.compile(PHONG, target=target, stage="fragment", filename="a.frag")
    listed = load_target(target).list_words(made.binary, {})
    found = ask("code", target=target, **shader(PHONG))
    (stage,) = found["stages"]
    assert found["fits"] and stage["assembly"] == made.assembly
    assert [word[:2] for word in stage["words"]] == [[word.address, word.text] for word in listed]
    assert stage["instructions"] == made.stats.instructions
    assert found["uses"][0]["excess"] <= 0
    # Every word that has a line is counted in the first of its lines, and in no other.
    assert sum(found["costs"].values()) == sum(1 for keys in stage["keys"] if keys)


def test_code_is_compared_with_its_source_where_that_is_asked() -> None:
    assert "proof" not in ask("code", target="agal", **shader(PHONG))["numbers"]
    assert "proof: " in ask("code", target="agal", proven=True, **shader(PHONG))["numbers"]


def test_a_shader_that_does_not_fit_is_told_by_how_much_it_misses() -> None:
    with pytest.raises(CompileError) as error:
        glslc_multi.compile(PLASMA, target="theia", stage="fragment")
    (values,) = (each.values for each in error.value.diagnostics if each.severity == "error")
    found = ask("code", target="theia", **shader(PLASMA))
    need, limit = int(values["need"]), int(values["limit"])
    assert not found["fits"]
    assert found["uses"] == [{"need": need, "limit": limit, "what": values["what"], "excess": need - limit}]


def test_flags_are_those_of_the_command_line() -> None:
    text = PHONG.replace("0.0), u_shininess", "LEAST), u_shininess")
    defined = ask("code", target="agal", **shader(text, flags="-O0 '-DLEAST=0.25' --agal-version 2 --vpm-layout x"))
    assert defined["fits"] is False and "vpm" in defined["remark"]
    defined = ask("code", target="agal", **shader(text, flags="-O0 -DLEAST=0.25"))
    made = glslc_multi.compile(text, target="agal", stage="fragment", opt=0, defines={"LEAST": "0.25"})
    assert defined["stages"][0]["assembly"] == made.assembly


@pytest.mark.parametrize("flags", ["-O7", "--unknown", "'", "x.frag", "-D", "--max-errors none"])
def test_wrong_flags_are_diagnostics(flags: str) -> None:
    for what in ("check", "code"):
        (found,) = ask(what, target="agal", **shader(PHONG, flags=flags))["diagnostics"]
        assert found["code"].startswith("E09")


def test_diagnostics_have_places_and_fixes() -> None:
    text = PHONG.replace("0.0), u_shininess", "0), u_shininess")
    (found,) = ask("check", **shader(text))["diagnostics"]
    (fix,) = found["fixes"]
    data = text.encode()
    fixed = data[: fix["start_byte"]] + fix["text"].encode() + data[fix["end_byte"] :]
    assert ask("check", **shader(fixed.decode()))["diagnostics"] == []


@pytest.mark.parametrize("target", ["agal", "vc4"])
def test_inside_are_steps_pressure_and_graphs(target: str) -> None:
    text = PHONG.replace("vec4 base", "for (int i = 0; i < 200; i++) if (light.x > 2.0) light *= 0.5; vec4 base")
    (found,) = ask("inside", target=target, **shader(text if target == "vc4" else PHONG))["stages"]
    assert found["steps"][0][0] == "front end" and found["pressure"]["most"] > 0
    assert bool(found["graphs"]) == (target == "vc4")


# ------------------------------------------------------------------------------------------ a linked pair
def pair(vertex: str = PHONG_VERTEX, fragment: str = PHONG) -> dict[str, Any]:
    return {**shader(vertex, "vertex"), "second": shader(fragment)}


@pytest.mark.parametrize("target", ["agal", "adreno", "vc4", "xenos", "theia", "pica200"])
def test_code_of_a_pair_is_what_linking_makes(target: str) -> None:
    made = glslc_multi.link(PHONG_VERTEX, PHONG, target=target).stages
    found = ask("code", target=target, **pair())
    assert [stage["stage"] for stage in found["stages"]] == [*made]
    assert [stage["assembly"] for stage in found["stages"]] == [each.assembly for each in made.values()]
    assert found["files"] == ["a.vert", "a.frag"]
    # The lines of the one shader are in file 0, those of the other in file 1.
    for stage in found["stages"]:
        own = "1:" if stage["stage"] == "fragment" else "0:"
        assert all(key.startswith(own) for keys in stage["keys"] for key in keys.split())
    # What is told of limits is the nearest of all stages.
    limits = [use for each in made.values() for use in (each.reflection.limits or {}).values() if use[1]]
    (nearest,) = found["uses"]
    assert nearest["need"] / nearest["limit"] == max(need / limit for need, limit in limits)


def test_steps_of_a_pair_are_those_of_its_stages() -> None:
    found = ask("inside", target="vc4", **pair())["stages"]
    assert [stage["stage"] for stage in found] == ["vertex", "coordinate", "fragment"]
    names = [[name for name, _ in stage["steps"]] for stage in found]
    assert all(each[:2] == ["front end", "link"] and "select" in each for each in names)
    texts = ["\n".join(text for text, _ in stage["lines"]) for stage in found]
    assert "a_position" in texts[0] and "a_position" in texts[1] and "a_position" not in texts[2]
    # The last machine code is the stage's own: only one of them stores varyings.
    assert found[0]["pressure"] != found[1]["pressure"]


def test_what_is_wrong_with_either_and_with_both() -> None:
    broken = ask("check", **pair(PHONG_VERTEX.replace("v_eye =", "v_eyes ="), PHONG.replace("diffuse =", "diffuse +=")))
    assert {each["physical_file"] for each in broken["diagnostics"]} == {"a.vert", "a.frag"}
    apart = ask("check", **pair(PHONG_VERTEX.replace("vec3 v_eye", "vec4 v_eye").replace("-eye.xyz", "-eye")))
    (found,) = (each for each in apart["diagnostics"] if each["severity"] == "error")
    assert found["physical_file"] == "a.frag" and "v_eye" in found["message"]
    assert ask("check", **pair())["diagnostics"] == []


def test_what_a_machine_makes_by_itself_is_no_mistake() -> None:
    lit = "varying vec4 pica_primary; void main() { gl_FragColor = pica_primary; }"
    found = pair("attribute vec4 p; void main() { gl_Position = p; }", f"precision mediump float; {lit}")
    assert ask("check", **found)["diagnostics"] == []
    assert ask("code", target="pica200", **found)["fits"]
    assert "pica_primary" in ask("code", target="agal", **found)["remark"]


def test_a_geometry_shader_is_matched_with_what_comes_before_it() -> None:
    vertex = "attribute vec4 p; varying vec4 v_color; void main() { gl_Position = p; v_color = p; }"
    geometry = """#pragma geometry(triangles)
        attribute vec4 v_color[3]; varying vec4 color;
        void main() { gl_Position = gl_PositionIn[0]; color = v_color[1]; EmitVertex(); }"""
    whole = {**shader(vertex, "vertex"), "second": shader(geometry, "geometry")}
    assert ask("check", **whole)["diagnostics"] == []
    found = ask("code", target="pica200", **whole)
    assert [stage["stage"] for stage in found["stages"]] == ["vertex", "geometry"]
    other = {**shader(vertex.replace("v_color", "v_colour"), "vertex"), "second": shader(geometry, "geometry")}
    assert any(each["severity"] == "error" for each in ask("check", **other)["diagnostics"])


def test_what_cannot_be_a_pair_is_told() -> None:
    for wrong in ({**shader(PHONG), "second": shader(PHONG)}, {**pair(), "second": 1}, {**pair(), "name": "a.frag"}):
        assert "error" in ask("code", target="agal", **wrong)


@pytest.mark.parametrize("target", ["agal", "adreno", "vc4", "xenos", "theia", "pica200"])
def test_words_that_look_textures_up_name_the_sampler(target: str) -> None:
    (stage,) = ask("code", target=target, **shader(PHONG))["stages"]
    named = [word[1] for word, name in zip(stage["words"], stage["samplers"], strict=True) if name]
    assert named and {name for name in stage["samplers"] if name} == {"u_texture"}


def test_what_there_is_to_choose() -> None:
    found = ask("describe")
    assert [target["name"] for target in found["targets"]] == list(target_names())
    assert found["words"]["texture2D"] == "function" and found["words"]["vec3"] == "type"


def test_the_scene_has_the_values_of_rendered_pictures() -> None:
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.driver import lower_source
    from glslc_multi.compiler.frontend import FrontEndOptions
    from glslc_multi.frontends.registry import make_source
    from glslc_multi.runtime.names import Names, bind
    from glslc_multi.runtime.preview_defaults import uniforms_of

    scene = ask("scene", vertex=shader(PHONG_VERTEX, "vertex"), fragment=shader(PHONG), size=64)
    module = lower_source(make_source(PHONG_VERTEX, "a.vert"), FrontEndOptions(), DiagnosticSink())
    variables = [v for v in module.variables.values() if v.storage == "uniform"]
    # What the simulators get, which is by columns, too.
    bound = bind(Names("uniform", variables), uniforms_of([module], 64, 64), lanes=None)
    for name, values in bound.items():
        assert np.allclose(values.ravel(), scene["uniforms"][name], atol=1e-6)
    assert scene["attributes"] == {"a_position": "position", "a_normal": "normal", "a_texcoord": "uv"}
    assert scene["samplers"] == {"u_texture": "2d"}


def test_webgl_is_not_told_of_included_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes neither file names after '#line' nor the extensions that allow them (GLSL ES 1.00 section 3.4)."""
    (tmp_path / "part.glsl").write_text("float half_of(float x) { return x * 0.5; }\n")
    monkeypatch.chdir(tmp_path)
    head = "#extension GL_GOOGLE_include_directive : require\n#extension GL_OES_standard_derivatives : enable\n"
    text = (
        f'{head}precision mediump float;\n#include "part.glsl"\nvoid main() {{ gl_FragColor = vec4(half_of(1.0)); }}\n'
    )
    found = ask("scene", vertex=shader(PHONG_VERTEX, "vertex"), fragment=shader(text), size=64)["texts"]["fragment"]
    assert [line for line in found.split("\n") if line.startswith("#")] == [head.split("\n")[1]]
    assert "half_of(float x)" in found and "gl_FragColor" in found


def test_the_picture_is_that_of_render() -> None:
    from base64 import b64decode

    from glslc_multi.runtime.png import decode_png

    facts = {"vertex": shader(PHONG_VERTEX, "vertex"), "fragment": shader(PHONG), "mesh": "sphere", "size": 32}
    found = decode_png(b64decode(ask("picture", target="agal", **facts)["picture"]))
    assert found.shape == (32, 32, 3)
    # The corners are the background, the middle is lit.
    assert not found[0, 0].any() and found[16, 16].any()


@pytest.mark.parametrize("target", ["agal", "xenos"])
def test_machine_code_opens_as_what_it_means(target: str) -> None:
    """The text is a shader that the page compiles, with the names of the register map."""
    made = glslc_multi.compile(PHONG_VERTEX, target=target, stage="vertex", filename="a.vert")
    name = f"game{load_target(target).suffix_of('vertex')}"
    opened = ask("open", name=name, bytes=b64encode(made.binary).decode(), map=register_map(made.artifact))
    assert opened["stage"] == "vertex"
    assert "in highp vec3 a_normal;" in opened["text"]
    assert ask("code", target=target, **shader(opened["text"], "vertex"))["stages"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.agalbin", "?", "'bytes' are no base64"),
        ("a.png", "AAAA", "'a.png' is no file of machine code"),
        ("a.agalbin", "AAAA", None),
        ("a.vsu", "AAAA", None),
    ],
)
def test_what_does_not_open_is_told(name: str, content: str, told: str | None) -> None:
    found = ask("open", name=name, bytes=content)
    assert found.get("error") == told
    assert told is not None or found["diagnostics"][0]["severity"] == "error"


def test_what_a_code_means() -> None:
    assert ask("message", code="E0301")["text"].startswith("E0301:")
    assert ask("message", code="E9")["text"] is None


@pytest.mark.parametrize(
    "request_",
    [
        "", "[", "[]", "1", "null", "{}", '{"ask": []}', '{"ask": {}}', '{"ask": "nothing"}', "[" * 100_000,
        *(json.dumps({"ask": what}) for what in ANSWERS if what != "describe"),
        *(json.dumps({"ask": what, "vertex": 1, "fragment": [], "text": 1, "size": "x"}) for what in ("scene", "code")),
        json.dumps({"ask": "code", "target": "agal", **shader("x" * (LONGEST + 1))}),
        json.dumps({"ask": "code", "target": "agal", **shader(PHONG), "stage": "none"}),
        *(json.dumps({"ask": "picture", "target": "agal", "vertex": shader(PHONG_VERTEX, "vertex"),
                      "fragment": shader(PHONG), "mesh": mesh, "size": size})
          for mesh, size in (("x", 9), ("cube", 10**9))),
    ],
)  # fmt: skip
def test_whatever_is_asked_is_answered(request_: str) -> None:
    found = json.loads(answer(request_))
    assert list(found) == ["error"] and "internal" not in found["error"]


def test_texts_that_are_no_shaders_are_answered() -> None:
    for text in ("", "\0", "\ud800", "#" * 1000, "(" * 5000, "void main() {", "\u2028" * 9):
        for what in ("check", "code", "inside"):
            found = ask(what, target="agal", **shader(text))
            assert "error" not in found or "internal" not in found["error"], (text[:9], found)
