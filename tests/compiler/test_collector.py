"""The collector pauses while a shader is compiled, and is afterwards as it was."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import glslc_multi
from glslc_multi.backends.agal.codegen.generate import AgalGenerator
from glslc_multi.compiler.diagnostics import CompileError

VERTEX = "attribute vec4 p; varying vec4 v; void main() { v = p; gl_Position = p; }"
FRAGMENT = "precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }"


@pytest.fixture(params=[True, False], ids=["enabled", "disabled"])
def enabled(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


@pytest.mark.parametrize(
    "compile",
    [
        lambda: glslc_multi.compile(VERTEX, target="agal", stage="vertex"),
        lambda: glslc_multi.link(VERTEX, FRAGMENT, target="agal"),
    ],
    ids=["compile", "link"],
)
def test_it_pauses_during_a_compilation(
    compile: Callable[[], object], enabled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    generate = AgalGenerator.generate

    def watched(*arguments: Any) -> Any:
        seen.append(gc.isenabled())
        return generate(*arguments)

    monkeypatch.setattr(AgalGenerator, "generate", watched)
    compile()
    assert set(seen) == {False}
    assert gc.isenabled() == enabled


def test_errors_let_it_go_on(enabled: bool) -> None:
    with pytest.raises(CompileError):
        glslc_multi.compile("void main() { wrong }", target="agal", stage="vertex")
    assert gc.isenabled() == enabled
