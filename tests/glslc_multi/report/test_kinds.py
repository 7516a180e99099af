"""The files of each kind that a compiled stage can be written as."""

from __future__ import annotations

import json

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.report.kinds import HOST, OF_STAGE, STAGE_KINDS, Emission, encoded, files_of_stage, first_suffix
from glslc_multi.runtime.shader import CompiledShader

TEXT = "attribute vec4 place; uniform vec4 tint; void main() { gl_Position = place * tint; }"


def _compiled(target: str) -> CompiledShader:
    return glslc_multi.compile(TEXT, target=target, stage="vertex")


def _files(shader: CompiledShader, kind: str, **more: str) -> dict[str, bytes]:
    return files_of_stage(Emission(kind, **more), shader.artifact, shader.target, DiagnosticSink())


@pytest.mark.parametrize("target", ["adreno", "agal", "pica200", "vc4"])
def test_a_binary_has_a_map_beside_it_where_it_has_no_room_for_names(target: str) -> None:
    shader = _compiled(target)
    suffix = shader.target.suffix_of("vertex")
    found = _files(shader, "bin")
    assert found[suffix] == shader.binary
    assert set(found) == ({suffix, f"{suffix}.json"} if shader.target.needs_map else {suffix})


def test_texts_are_those_of_the_stage() -> None:
    shader = _compiled("adreno")
    assert _files(shader, "asm") == {".s": shader.assembly.encode()}
    (reflection,) = _files(shader, "json").values()
    assert {each["name"] for each in json.loads(reflection)["uniforms"]} == {"tint"}
    (statistics,) = _files(shader, "stats").values()
    assert json.loads(statistics)["vertex"]["instructions"] == shader.stats.instructions


@pytest.mark.parametrize(("kind", "suffix"), [("c", ".c"), ("header", ".h")])
def test_names_in_c_begin_with_the_prefix(kind: str, suffix: str) -> None:
    (text,) = _files(_compiled("adreno"), kind, prefix="lit").values()
    assert set(_files(_compiled("adreno"), kind, prefix="lit")) == {suffix}
    assert b"lit_" in text and b"shader_" not in text


def test_host_code_is_in_a_folder_of_its_own() -> None:
    found = _files(_compiled("adreno"), HOST, prefix="lit")
    assert found and all(name.startswith(".host/") for name in found)


@pytest.mark.parametrize("kind", STAGE_KINDS)
def test_the_first_file_has_the_suffix_that_is_told(kind: str) -> None:
    shader = _compiled("adreno")
    first = next(iter(_files(shader, kind, prefix="lit")))
    assert first.startswith(first_suffix(kind, shader.target, "vertex"))


def test_every_kind_is_known_once() -> None:
    assert STAGE_KINDS == ("bin", "asm", "json", "stats", "c", "header", "host")
    assert {kind: suffix for kind, (_, suffix) in OF_STAGE.items()} == {
        "asm": ".s",
        "json": ".json",
        "stats": ".stats.json",
        "c": ".c",
        "header": ".h",
    }


def test_names_of_files_that_are_no_texts_are_written_as_bytes() -> None:
    assert encoded("a\udcff\u00e9") == b"a\xff\xc3\xa9"
