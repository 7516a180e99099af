"""Pictures of two shaders: which engine runs which stage, and that all draw the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime import preview
from glslc_multi.runtime.meshes import quad
from glslc_multi.runtime.shader import Engine

VERTEX = "attribute vec4 a_position; uniform float u_scale; void main() { gl_Position = a_position * u_scale; }"
FRAGMENT = "precision mediump float; uniform vec4 u_tint; void main() { gl_FragColor = u_tint; }"
REFERENCE, HOST, MACHINE = "run_module", "run_program", "run_artifact"


@pytest.mark.parametrize(
    ("target", "engine", "vertex", "fragment"),
    [
        ("vc4", "reference", REFERENCE, REFERENCE),
        ("vc4", "jit", HOST, HOST),
        ("vc4", "simulator", MACHINE, MACHINE),
        ("vc4", "translated", MACHINE, MACHINE),
        ("theia", "reference", REFERENCE, REFERENCE),
        ("theia", "simulator", HOST, MACHINE),
    ],
)
def test_each_engine_draws_and_only_stages_that_a_target_lacks_run_on_the_host(
    target: str, engine: Engine, vertex: str, fragment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []

    def noted(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(run)
        def noting(*arguments: Any, **options: Any) -> Any:
            used.append(name)
            return run(*arguments, **options)

        return noting

    for name in (REFERENCE, HOST, MACHINE):
        monkeypatch.setattr(preview, name, noted(name, getattr(preview, name)))
    sources = make_source(VERTEX, "a.vert"), make_source(FRAGMENT, "a.frag")
    prepared = preview.prepare(*sources, load_target(target), Request(), DiagnosticSink())
    scene = preview.Scene(quad(), 8, 4, {"u_scale": 1.0, "u_tint": [0.25, 0.5, 0.75, 1.0]})
    frame = prepared.draw(scene, engine)
    assert used == [vertex, fragment]
    np.testing.assert_allclose(frame.colour[:, :, :3], np.broadcast_to([0.25, 0.5, 0.75], (4, 8, 3)), atol=1 / 255)


@pytest.mark.parametrize(("target", "told"), [("theia", ["vertex"]), ("adreno", [])])
def test_a_half_that_is_not_the_targets_is_told(target: str, told: list[str]) -> None:
    sources, sink = (make_source(VERTEX, "a.vert"), make_source(FRAGMENT, "a.frag")), DiagnosticSink()
    preview.note_absent_stages(preview.prepare(*sources, load_target(target), Request(), DiagnosticSink()), sink)
    assert [stage in each.message for each, stage in zip(sink.diagnostics, told, strict=True)] == [True] * len(told)
