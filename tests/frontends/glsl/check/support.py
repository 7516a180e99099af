"""Checking small shaders in tests."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.check import CheckedShader
from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.tokens import Dialect
from glslc_multi.frontends.glsl.types import Constant
from tests.frontends.glsl.shaders import check_shader

HEADER = "precision mediump float;\n"


@dataclass(slots=True)
class Result:
    """What became of one shader; `shader` is None where there were errors."""

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
        return Result(check_shader(source, filename="test", stage=stage, dialect=dialect, sink=sink), sink.diagnostics)
    except CompileError:
        return Result(None, sink.diagnostics)


def check_global(text: str, stage: Stage = "fragment") -> Result:
    """A shader of `text` at global scope."""
    return check_text(f"{HEADER}{text}\nvoid main() {{}}\n", stage)


def check_body(text: str, stage: Stage = "fragment", globals_: str = "") -> Result:
    """A shader whose main contains `text`."""
    return check_text(f"{HEADER}{globals_}\nvoid main() {{\n{text}\n}}\n", stage)


def constant_of(type_: str, expression: str, version: int = 100) -> Constant:
    """The folded value of a constant expression."""
    result = check_text(f"#version {version}\n{HEADER}const {type_} result = {expression};\nvoid main() {{}}\n")
    assert not result.errors, result.errors
    assert result.shader is not None
    value = result.shader.globals[0].constant
    assert value is not None
    return value
