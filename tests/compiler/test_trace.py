"""Watching a compilation: a watcher sees the steps inside the `with`, and no others."""

from __future__ import annotations

import pytest

from backends.registry import load_target
from compiler.codegen.machine import MachineFunction
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.driver import compile_source
from compiler.options import Request
from compiler.trace import show, watching
from frontends.registry import make_source

SHADER = "attribute vec4 p; uniform vec4 u[2]; void main() { gl_Position = p * u[0] + u[1]; }"


def compile_for_agal(text: str) -> None:
    compile_source(make_source(text, "a.vert"), load_target("agal"), Request(), DiagnosticSink())


def test_steps_come_in_order() -> None:
    steps: list[str] = []
    with watching(lambda step, code: steps.append(step)):
        compile_for_agal(SHADER)
    assert steps[0] == "front end"
    assert steps.index("mem2reg") < steps.index("select") < steps.index("allocate")
    count = len(steps)
    compile_for_agal(SHADER)
    assert len(steps) == count


def test_the_inner_watcher_sees_what_is_inside() -> None:
    outer: list[str] = []
    inner: list[str] = []
    code = MachineFunction("main")
    with watching(lambda step, _: outer.append(step)):
        with watching(lambda step, _: inner.append(step)):
            show("a", code)
        show("b", code)
    show("c", code)
    assert (outer, inner) == (["b"], ["a"])


def test_nobody_watches_after_an_error() -> None:
    steps: list[str] = []
    with pytest.raises(CompileError), watching(lambda step, code: steps.append(step)):
        compile_for_agal("void main() { x; }")
    compile_for_agal(SHADER)
    assert steps == []
