"""What the page is told: the same as the command line says, and an answer to whatever is asked."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import glslc_multi
from backends.registry import load_target, target_names
from compiler.diagnostics import CompileError
from glslc_multi.playground.session import ANSWERS, answer
from glslc_multi.playground.shader import LONGEST
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
    assert found["fits"] and found["assembly"] == made.assembly
    assert [word[:2] for word in found["words"]] == [[word.address, word.text] for word in listed]
    assert found["instructions"] == made.stats.instructions
    assert found["uses"][0]["excess"] <= 0
    # Every word that has a line is counted in the first of its lines, and in no other.
    assert sum(found["costs"].values()) == sum(1 for keys in found["keys"] if keys)


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
    assert defined["assembly"] == made.assembly


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
    found = ask("inside", target=target, **shader(text if target == "vc4" else PHONG))
    assert found["steps"][0][0] == "front end" and found["pressure"]["most"] > 0
    assert bool(found["graphs"]) == (target == "vc4")


def test_what_there_is_to_choose() -> None:
    found = ask("describe")
    assert [target["name"] for target in found["targets"]] == list(target_names())
    assert found["words"]["texture2D"] == "function" and found["words"]["vec3"] == "type"


def test_the_scene_has_the_values_of_rendered_pictures() -> None:
    from compiler.diagnostics import DiagnosticSink
    from compiler.driver import lower_source
    from compiler.frontend import FrontEndOptions
    from frontends.registry import make_source
    from runtime.names import Names, bind
    from runtime.preview_defaults import uniforms_of

    scene = ask("scene", vertex=shader(PHONG_VERTEX, "vertex"), fragment=shader(PHONG), size=64)
    module = lower_source(make_source(PHONG_VERTEX, "a.vert"), FrontEndOptions(), DiagnosticSink())
    variables = [v for v in module.variables.values() if v.storage == "uniform"]
    # What the simulators get, which is by columns, too.
    bound = bind(Names("uniform", variables), uniforms_of([module], 64, 64), lanes=None)
    for name, values in bound.items():
        assert np.allclose(values.ravel(), scene["uniforms"][name], atol=1e-6)
    assert scene["attributes"] == {"a_position": "position", "a_normal": "normal", "a_texcoord": "uv"}
    assert scene["samplers"] == {"u_texture": "2d"}


def test_the_picture_is_that_of_render() -> None:
    from base64 import b64decode

    from runtime.png import decode_png

    facts = {"vertex": shader(PHONG_VERTEX, "vertex"), "fragment": shader(PHONG), "mesh": "sphere", "size": 32}
    found = decode_png(b64decode(ask("picture", target="agal", **facts)["picture"]))
    assert found.shape == (32, 32, 3)
    # The corners are the background, the middle is lit.
    assert not found[0, 0].any() and found[16, 16].any()


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
