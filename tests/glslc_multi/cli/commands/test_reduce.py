"""`glslc-multi reduce`: what is left fails in the same way, and is small."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.backends.agal.codegen.generate import AgalGenerator
from glslc_multi.cli.main import main
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops

SHADER = """\
// Nothing of this matters to the failure, but one call.
attribute vec4 a, b;
uniform mat4 m;
uniform float t;
varying vec4 v;
vec4 turned(vec4 x, float angle) { return vec4(x.x * cos(angle), x.y, x.z, x.w); }
void main() {
    vec4 p = m * a;
    if (t > 0.5) { p += b; }
    v = turned(p, t + 1.0) * 0.5;
    gl_Position = p - b * t;
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.vert"
    path.write_text(SHADER)
    return path


def test_what_crashes_stays(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    right = AgalGenerator.generate

    def generate(self: AgalGenerator, sink: DiagnosticSink) -> Artifact:
        if any(instruction.op is ops.FCOS for instruction in self.module.main.instructions()):
            raise KeyError("cos")
        return right(self, sink)

    monkeypatch.setattr(AgalGenerator, "generate", generate)
    assert main(["reduce", str(file), "--target", "agal"]) == 0
    output = capsys.readouterr()
    assert "cos(" in output.out
    assert len(output.out) < len(SHADER) // 2
    assert output.err.endswith("still fail with E9999\n")
    for gone in ("//", "mat4", "if (", "gl_Position"):
        assert gone not in output.out


def test_an_error_is_chosen_by_its_code(file: Path, tmp_path: Path) -> None:
    file.write_text(SHADER.replace("p += b;", "p += nothing; p = 1;"), encoding="utf-8")
    small = tmp_path / "small.vert"
    assert main(["reduce", str(file), "--target", "agal", "--code", "E0401", "-o", str(small)]) == 0
    assert main([str(small), "--target", "agal"]) == 1


def test_what_compiles_is_not_reduced(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", str(file), "--target", "agal"]) == 2
    assert "a.vert' cannot be made smaller: it fails in no such way [E0961]" in capsys.readouterr().err


def test_the_time_is_bounded(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(SHADER.replace("p += b;", "p += nothing;"), encoding="utf-8")
    assert main(["reduce", str(file), "--target", "agal", "--seconds", "0"]) == 0
    output = capsys.readouterr()
    assert output.out == file.read_text(encoding="utf-8")
    assert output.err.startswith("after 0 seconds; more may go\n")
