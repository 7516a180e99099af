"""What becomes of a verdict: code that differs from its source leaves nobody."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import glslc_multi
from glslc_multi.backends.agal.codegen.generate import AgalGenerator
from glslc_multi.cli.main import main
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.preamble import take_preamble
from glslc_multi.compiler.records import replace
from glslc_multi.lsp.costs import Job, cost_of
from tests.shared_data import PROJECT_ROOT

SHADER = "attribute vec4 a; uniform vec4 k[2];\nvoid main() { gl_Position = a * k[1] + k[0]; }\n"


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code generator that subtracts where it is to add."""
    right = AgalGenerator.generate

    def generate(*arguments: Any) -> Artifact:
        artifact = right(*arguments)
        text = artifact.assembly.replace("add ", "sub ")
        assert text != artifact.assembly
        return replace(artifact, binary=glslc_multi.assemble(text, "agal"))

    monkeypatch.setattr(AgalGenerator, "generate", generate)


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("effort", ["quick", "full"])
def test_code_that_differs_is_an_error_with_output_and_inputs(effort: str) -> None:
    with pytest.raises(glslc_multi.CompileError) as raised:
        glslc_multi.compile(SHADER, target="agal", stage="vertex", proof=effort)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "E0960"
    assert "gl_Position (element 0, column 0).x is " in diagnostic.message
    assert {note.split(" = ")[0] for note in diagnostic.notes} >= {"with a.x", "with k[0].x", "with k[1].w"}


@pytest.mark.usefixtures("wrong")
def test_code_that_differs_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, output = tmp_path / "a.vert", tmp_path / "a.bin"
    source.write_text(SHADER)
    words = [str(source), "--target", "agal", "-o", str(output)]
    assert main(words) == 70
    assert not output.exists()
    assert "--proof=off" in capsys.readouterr().err
    assert main([*words, "--proof=off"]) == 0
    assert output.exists()


@pytest.mark.parametrize("effort", ["quick", "full"])
def test_integers_that_are_warned_of_are_no_internal_error(effort: str) -> None:
    """`n << 31` is 0 for all even n, but in floats it is not."""
    vertex = (
        "#version 300 es\nin int n; out vec4 c; void main() { gl_Position = vec4(float(n << 31)); c = gl_Position; }"
    )
    fragment = "#version 300 es\nprecision highp float; in vec4 c; out vec4 o; void main() { o = c; }"
    shader = glslc_multi.compile(vertex, filename="a.vert", target="agal", proof=effort, inexact_integers=True)
    pair = glslc_multi.link(vertex, fragment, target="agal", proof=effort, inexact_integers=True)
    for stats in (shader.stats, pair.stages["vertex"].stats):
        assert stats.verdict is not None
        assert stats.verdict.outcome == "unknown"
        assert "as the warning says" in stats.verdict.reason


@pytest.mark.usefixtures("wrong")
def test_an_editor_is_told_once_the_text_rests() -> None:
    job = Job(SHADER, "a.vert", "vertex", "agal", {}, (), "", False)
    assert cost_of(job).fits
    assert [refusal.code for refusal in cost_of(replace(job, proof="quick")).refusals] == ["E0960"]


@pytest.mark.usefixtures("wrong")
def test_what_shows_a_difference_again_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, temporary = tmp_path / "work", tmp_path / "temporary"
    (work / "inner").mkdir(parents=True)
    temporary.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    Path("inner/one.glsl").write_text("uniform vec4 k[2];\n", encoding="utf-8")
    Path("a.vert").write_text(
        '#extension GL_GOOGLE_include_directive : require\n#include "inner/one.glsl"\nattribute vec4 a;\n'
        "void main() {\n  vec4 b = a;\n  if (k[0].x < 9.0)\n    b += k[1];\n  gl_Position = b + k[0];\n}\n",
        encoding="utf-8",
    )
    words = ["a.vert", "--target", "agal", "-o", "a b.bin"]
    assert main(words) == 70
    error = capsys.readouterr().err
    (folder,) = temporary.iterdir()
    assert f"kept in {folder}\n" in error
    assert "note: tests on the way: line 6 yes\n" in error
    kept = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert kept.pop("command.txt").splitlines()[1] == "glslc-multi a.vert --target agal -o 'a b.bin'"
    assert kept == {name: Path(name).read_text(encoding="utf-8") for name in ("a.vert", "inner/one.glsl")}
    # An error of the shader keeps nothing.
    Path("a.vert").write_text("void main() { gl_Position = 1; }\n", encoding="utf-8")
    assert main(words) == 1
    assert [*temporary.iterdir()] == [folder]


@pytest.mark.parametrize(("effort", "draws"), [("off", None), ("quick", 1), ("full", 64)])
def test_an_effort_counts_its_draws(effort: str, draws: int | None) -> None:
    verdict = glslc_multi.compile(SHADER, target="agal", stage="vertex", proof=effort).stats.verdict
    assert (verdict and verdict.draws) == draws
    assert verdict is None or verdict.outcome == "equal"


def test_an_unknown_effort_is_an_error() -> None:
    with pytest.raises(glslc_multi.CompileError) as raised:
        glslc_multi.compile(SHADER, target="agal", stage="vertex", proof="thorough")
    assert [diagnostic.code for diagnostic in raised.value.diagnostics] == ["E0907"]


HOSTED = """
uniform vec4 u, k; uniform float t; attribute vec4 v; varying vec4 w;
void main() { w = normalize(u) * dot(u, k); gl_Position = v * sin(t * 2.0); }
"""


@pytest.mark.parametrize("target", ["agal", "pica200", "adreno", "vc4", "xenos"])
def test_what_the_host_computes_counts_as_code(target: str) -> None:
    shader = glslc_multi.compile(HOSTED, target=target, stage="vertex", preamble=True)
    assert shader.artifact.preamble is not None
    verdict = shader.stats.verdict
    assert verdict is not None and verdict.outcome in ("equal", "near"), verdict


def test_a_wrong_preamble_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    def take_wrong(module: Module) -> Module | None:
        preamble = take_preamble(module)
        if preamble is not None:
            (sine,) = [i for i in preamble.functions["preamble"].instructions() if i.op is ops.FSIN]
            sine.op = ops.FCOS
        return preamble

    monkeypatch.setattr("glslc_multi.compiler.generate.take_preamble", take_wrong)
    with pytest.raises(glslc_multi.CompileError) as raised:
        glslc_multi.compile(HOSTED, target="adreno", stage="vertex", preamble=True)
    assert [diagnostic.code for diagnostic in raised.value.diagnostics if diagnostic.severity == "error"] == ["E0960"]


@pytest.mark.parametrize("target", glslc_multi.targets())
def test_a_proof_loads_no_numpy(target: str, tmp_path: Path) -> None:
    source = tmp_path / "a.frag"
    source.write_text("precision mediump float; varying vec2 v; uniform sampler2D s;\n"
                      "void main() { gl_FragColor = texture2D(s, v) * 0.5; }\n")  # fmt: skip
    program = (
        "import sys; from glslc_multi.cli.main import main; main(sys.argv[1:]);"
        "print(sorted({'numpy', 'llvmlite'} & set(sys.modules)))"
    )
    words = [str(source), "--target", target, "-o", str(tmp_path / "a.bin"), "--stats"]
    run = subprocess.run([sys.executable, "-c", program, *words], cwd=PROJECT_ROOT, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] == "[]", run.stderr
    assert "fragment: proof: " in run.stdout
