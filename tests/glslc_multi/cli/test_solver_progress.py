"""`--prove` says block by block what the solver has found, so that a run that is stopped loses nothing."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from glslc_multi.cli.main import main

_LOOP = """
uniform sampler2D t;
uniform int n;
void main() {
    vec4 c = vec4(0.0);
    for (int i = 0; i < 9; i++) { if (i == n) break; c = c.wxyz * texture2D(t, c.xy) + c; }
    gl_FragColor = c;
}
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    pytest.importorskip("ortools", reason="the extra 'prove' is not installed")
    (tmp_path / "a.frag").write_text("precision mediump float;" + _LOOP)
    return [str(tmp_path / "a.frag"), "--target", "vc4", "-o", str(tmp_path / "a.vc4"), "--proof", "off"]


def test_blocks(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--prove", "--stats"]) == 0
    output, printed = capsys.readouterr()
    assert len(printed.splitlines()) > 1
    assert all(line.startswith("block '") for line in printed.splitlines())
    assert output.count("block '") == len(printed.splitlines())
    assert main(command) == 0
    assert capsys.readouterr().err == ""


def test_stopped(command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("glslc_multi.backends.vc4.codegen.exact.shorten")
    solve = module.shorten

    def stop_at_the_second(*arguments: object, **named: object) -> object:
        if calls:
            raise KeyboardInterrupt
        calls.append(1)
        return solve(*arguments, **named)

    calls: list[int] = []
    monkeypatch.setattr(module, "shorten", stop_at_the_second)
    assert main([*command, "--prove"]) != 0
    assert capsys.readouterr().err.startswith("block 'entry': ")
