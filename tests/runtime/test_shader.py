"""What a compiled shader tells of itself and runs on, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.runtime.shader import CompiledShader

VERTEX = """
attribute vec4 place;
uniform float scale;
varying vec4 colour;
void main() { colour = place * scale; gl_Position = place; }
"""
FRAGMENT = "precision mediump float; varying vec4 colour; void main() { gl_FragColor = colour; }"
SHADER = glslc_multi.compile(VERTEX, target="adreno", stage="vertex")


@pytest.mark.parametrize("engine", ["simulator", "translated", "reference", "jit"])
def test_every_engine_runs_it(engine: Any) -> None:
    found = SHADER.run({"place": [[1.0, 2.0, 3.0, 4.0]]}, {"scale": 0.5}, engine=engine)
    np.testing.assert_array_equal(found["colour"], [[0.5, 1.0, 1.5, 2.0]])


def test_an_engine_that_is_none_is_told() -> None:
    with pytest.raises(glslc_multi.CompileError) as caught:
        SHADER.run({}, engine="simulater")  # type: ignore[arg-type]
    (found,) = caught.value.diagnostics
    assert "simulater" in found.message
    assert found.help == "did you mean 'simulator'?"


def test_it_has_what_its_artifact_has() -> None:
    artifact = SHADER.artifact
    assert (SHADER.binary, SHADER.assembly) == (artifact.binary, artifact.assembly)
    assert (SHADER.reflection, SHADER.stats, SHADER.diagnostics) == (
        artifact.reflection,
        artifact.stats,
        artifact.diagnostics,
    )


def _files(shader: CompiledShader | glslc_multi.CompiledProgram, **options: Any) -> set[str]:
    return set(shader.host_code(**options))


def test_host_code_has_names_of_its_own() -> None:
    """All files begin with the prefix, and no name in them with another one."""
    files = SHADER.host_code(prefix="lit")
    assert files and all(name.startswith("lit") for name in files)
    assert all(b"shader_" not in data for data in files.values())
    program = glslc_multi.link(VERTEX, FRAGMENT, target="adreno")
    assert _files(program, prefix="lit") and _files(program) != _files(program, prefix="lit")


def test_a_program_has_both_stages_and_its_own_sources() -> None:
    program = glslc_multi.link(VERTEX, FRAGMENT, target="adreno")
    assert {stage: shader.source.text for stage, shader in program.stages.items()} == {
        "vertex": VERTEX,
        "fragment": FRAGMENT,
    }
    assert program.binary is None
    assert {stage: shader.reflection.stage for stage, shader in program.stages.items()} == {
        "vertex": "vertex",
        "fragment": "fragment",
    }


@pytest.mark.parametrize(("target", "stage", "has_one"), [("vc4", "vertex", True), ("adreno", "vertex", False)])
def test_the_program_for_positions_is_that_of_a_target_that_has_one(target: str, stage: str, has_one: bool) -> None:
    shader = glslc_multi.compile(VERTEX, target=target, stage=stage)
    assert (shader.position is not None) == has_one
    if shader.position is not None:
        assert shader.position.reflection.stage == "coordinate"
