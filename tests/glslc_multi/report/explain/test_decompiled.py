"""A file of machine code, explained: each word beside the line of GLSL that it is in."""

from __future__ import annotations

from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.cli.main import main
from glslc_multi.report.reflection import register_map

#: Each output is another operation of the machines, so that words tell them apart.
VERTEX = """
attribute vec4 a_position; uniform vec4 u_a, u_b; varying vec4 v_floor, v_less, v_root;
void main() {
    v_floor = fract(a_position * u_a);
    v_less = max(a_position, u_b);
    v_root = vec4(inversesqrt(a_position.y));
    gl_Position = a_position;
}
"""
#: Target -> operations of its listing, and an output whose line they are in.
WORDS = {
    "agal": {"frc": "v_floor", "max": "v_less", "rsq": "v_root"},
    "pica200": {"flr": "v_floor", "max": "v_less", "rsq": "v_root"},
    "adreno": {"FRACv": "v_floor", "MAXv": "v_less", "RECIPSQ_IEEE": "v_root"},
    "xenos": {"FRACv": "v_floor", "MAXv": "v_less", "RECIPSQ_IEEE": "v_root"},
}


@pytest.mark.parametrize("target", WORDS)
def test_words_stand_beside_their_lines(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = glslc_multi.compile(VERTEX, target=target, stage="vertex")
    path = tmp_path / f"game{load_target(target).suffix_of('vertex')}"
    path.write_bytes(made.binary)
    Path(f"{path}.json").write_text(register_map(made.artifact), encoding="utf-8")
    assert main(["explain", str(path)]) == 0
    source, _, code = capsys.readouterr().out.partition("\naddress")
    lines = {
        line.split("|")[0].split()[-1]: line.partition("|")[2].strip() for line in source.splitlines() if "|" in line
    }
    for operation, output in WORDS[target].items():
        # Some words copy: those that the output's line names are meant.
        rows = [row.split() for row in code.splitlines()[1:] if f" {operation} " in row]
        numbers = {word for row in rows for word in row if word in lines}
        assert any(lines[number].startswith(f"{output} = ") for number in numbers), (operation, rows)
        # A word may do two things at once.
        others = {name for name in ("v_floor", "v_root") if name != output}
        alone = {word for row in rows if "|" not in row for word in row if word in lines}
        assert not any(lines[number].startswith(f"{name} = ") for number in alone for name in others)


def test_a_page_shows_the_file_s_own_words(tmp_path: Path) -> None:
    made = glslc_multi.compile(VERTEX, target="agal", stage="vertex")
    (tmp_path / "game.agalbin").write_bytes(made.binary)
    assert main(["explain", str(tmp_path / "game.agalbin"), "-o", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "game.agalbin, decompiled" in page
    for word in load_target("agal").list_words(made.binary, {}):
        assert word.text.replace("<", "&lt;") in page or word.text in page
