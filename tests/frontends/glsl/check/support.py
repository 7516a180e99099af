"""Checking small shaders in tests."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink, SourceFile
from frontends.glsl.ast import Constant
from frontends.glsl.check import CheckedShader, check
from frontends.glsl.check.context import Dialect
from frontends.glsl.grammar import parse
from frontends.glsl.preprocess import preprocess
from frontends.glsl.symbols import Stage

HEADER = "precision mediump float;\n"


@dataclass(slots=True)
class Result:
    """What became of one shader; `shader` is None where an earlier phase or the error limit stopped it."""

    shader: CheckedShader | None
    diagnostics: list[Diagnostic]

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.diagnostics if d.severity == "error"]

    @property
    def error_codes(self) -> list[str]:
        return [d.code for d in self.errors]

    @property
    def warning_codes(self) -> list[str]:
        return [d.code for d in self.diagnostics if d.severity == "warning"]


def check_text(source: str, stage: Stage = "fragment", dialect: Dialect = "essl100") -> Result:
    """The whole front end up to the checker; what WebGL forbids is an error in its dialect."""
    groups = frozenset({"portability"} if dialect == "webgl" else ())
    sink = DiagnosticSink(error_groups=groups)
    try:
        return Result(_check(source, stage, dialect, sink), sink.diagnostics)
    except CompileError:
        return Result(None, sink.diagnostics)


def _check(source: str, stage: Stage, dialect: Dialect, sink: DiagnosticSink) -> CheckedShader | None:
    shader = preprocess(SourceFile("test", source), stage=stage, defines={}, include_dirs=[], sink=sink)
    sink.raise_if_errors()
    unit = parse(shader, sink)
    sink.raise_if_errors()
    return check(unit, shader, stage, sink, dialect)


def check_global(text: str, stage: Stage = "fragment") -> Result:
    """A shader of `text` at global scope."""
    return check_text(f"{HEADER}{text}\nvoid main() {{}}\n", stage)


def check_body(text: str, stage: Stage = "fragment", globals_: str = "") -> Result:
    """A shader whose main contains `text`."""
    return check_text(f"{HEADER}{globals_}\nvoid main() {{\n{text}\n}}\n", stage)


def constant_of(type_: str, expression: str) -> Constant:
    """The folded value of a constant expression."""
    result = check_global(f"const {type_} result = {expression};")
    assert not result.errors, result.errors
    assert result.shader is not None
    value = result.shader.globals[0].constant
    assert value is not None
    return value
