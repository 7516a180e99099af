"""Watching a compilation: a watcher sees the steps inside the `with`, and no others."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.trace import Watcher, begin, is_watched, show, watching
from glslc_multi.frontends.registry import make_source

SHADER = "attribute vec4 p; uniform vec4 u[2]; void main() { gl_Position = p * u[0] + u[1]; }"


class Steps(Watcher):
    """Notes the steps that have changed the code."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def after(self, step: str, code: object, *, changed: bool) -> None:
        self.names += [step] if changed else []


def compile_for_agal(text: str) -> None:
    compile_source(make_source(text, "a.vert"), load_target("agal"), Request(), DiagnosticSink())


def test_steps_come_in_order() -> None:
    steps = Steps()
    with watching(steps):
        compile_for_agal(SHADER)
    names = [*steps.names]
    assert names[0] == "front end"
    assert names.index("mem2reg") < names.index("select") < names.index("allocate")
    compile_for_agal(SHADER)
    assert steps.names == names


class Noting(Watcher):
    """Notes under its name when it is called."""

    def __init__(self, name: str, seen: list[str]) -> None:
        self.name = name
        self.seen = seen

    def before(self, step: str, code: object) -> None:
        self.seen.append(f"{self.name} before {step}")

    def after(self, step: str, code: object, *, changed: bool) -> None:
        self.seen.append(f"{self.name} after {step}{', changed' if changed else ''}")


def test_the_inner_watcher_is_nearest_to_the_step() -> None:
    seen: list[str] = []
    code = MachineFunction("main")
    with watching(Noting("outer", seen)):
        with watching(Noting("first", seen), Noting("second", seen)):
            begin("a", code)
            show("a", code)
        show("b", code, changed=False)
        assert is_watched()
    show("c", code)
    assert not is_watched()
    assert seen == [
        *("outer before a", "second before a", "first before a"),
        *("first after a, changed", "second after a, changed", "outer after a, changed"),
        "outer after b",
    ]


def test_nobody_watches_after_an_error() -> None:
    steps = Steps()
    with pytest.raises(CompileError), watching(steps):
        compile_for_agal("void main() { x; }")
    compile_for_agal(SHADER)
    assert steps.names == []
