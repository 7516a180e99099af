"""`glslc-multi check`: every mistake of every file, what does not fit, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glslc_multi.cli.main import main

RIGHT = "precision mediump float;\nuniform vec4 c;\nvoid main() { gl_FragColor = c; }\n"
WRONG = "precision mediump float;\nvoid main() { gl_FragColor = nothing; }\n"
#: Sines of pixels, which the combiners of the 3DS have no way to compute.
WAVES = "precision mediump float;\nvarying vec2 v;\nvoid main() { gl_FragColor = vec4(sin(v.x * 9.0)); }\n"
#: More places of an image than the 3DS has texture units.
IMAGES = f"""
precision mediump float;
uniform sampler2D s;
varying vec2 v;
void main() {{ gl_FragColor = {" + ".join(f"texture2D(s, v + vec2(0.{n}))" for n in range(5))}; }}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("right", RIGHT), ("wrong", WRONG), ("waves", WAVES), ("images", IMAGES)):
        (tmp_path / f"{name}.frag").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "status", "messages"),
    [
        (["right.frag"], 0, []),
        (["right.frag", "waves.frag"], 0, []),
        (["right.frag", "wrong.frag", "waves.frag"], 1, [("wrong.frag", "E0301")]),
        (["right.frag", "waves.frag", "--target", "pica200"], 1, [("waves.frag", "E0723")]),
        (["wrong.frag", "waves.frag", "--target", "3ds"], 1, [("wrong.frag", "E0301"), ("waves.frag", "E0723")]),
        (["images.frag", "right.frag", "--target", "3ds"], 3, [("images.frag", "E0721")]),
        # A mistake of the shader is one for all targets.
        (["wrong.frag", "--target", "agal", "--target", "vc4"], 1, [("wrong.frag", "E0301")]),
    ],
)
def test_files_are_checked_one_by_one(
    words: list[str], status: int, messages: list[tuple[str, str]], capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    before = sorted(folder.iterdir())
    assert main(["check", *words, "--diagnostics-format", "json"]) == status
    captured = capsys.readouterr()
    found = [json.loads(line) for line in captured.err.splitlines()]
    assert [(each["file"], each["code"]) for each in found if each["severity"] == "error"] == messages
    assert captured.out == ""
    assert sorted(folder.iterdir()) == before


def test_there_is_something_to_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 2
    assert "glslc-multi check --help" in capsys.readouterr().err
