"""Running a module that a test has as text."""

from __future__ import annotations

from typing import Any

import pytest

from glslc_multi.compiler.diagnostics.sink import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.evaluate import Result, evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module


def parse(text: str) -> Module:
    sink = DiagnosticSink()
    module = parse_module(text, "test.sir", sink)
    assert module is not None, [diagnostic.message for diagnostic in sink.diagnostics]
    return module


def run(
    text: str, inputs: dict[str, Any] | None = None, uniforms: dict[str, Any] | None = None, **options: Any
) -> Result:
    return evaluate(parse(text), inputs or {}, uniforms or {}, **{"lanes": 1, **options})


def error_of(text: str, inputs: dict[str, Any] | None = None, **options: Any) -> str:
    with pytest.raises(CompileError) as caught:
        run(text, inputs, **options)
    (diagnostic,) = caught.value.diagnostics
    return f"{diagnostic.message} [{diagnostic.code}]"
