"""No command writes over a file that it has read, whatever the name, and whatever kind of input or output it is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from glslc_multi.cli.main import main
from glslc_multi.runtime.png import encode_png
from tests.shared_data import PROJECT_ROOT

INCLUDING = """#version 100
#extension GL_GOOGLE_include_directive : require
#include "inc.glsl"
"""
FRAGMENT = f"{INCLUDING}precision mediump float; uniform sampler2D u_s; varying vec2 v_t;\n"
FRAGMENT += "void main() { gl_FragColor = texture2D(u_s, v_t) * HALF; }\n"
VERTEX = f"{INCLUDING}attribute vec2 a_p; varying vec2 v_t;\n"
VERTEX += "void main() { v_t = a_p; gl_Position = vec4(a_p, HALF, 1.0); }\n"
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"

#: The command line, and the inputs that its output must not be.
READS = {
    "i.frag --target agal -o OUT": "i.frag inc.glsl",
    "i.frag --target agal -oOUT": "inc.glsl",
    "i.frag --target agal -S -o OUT": "i.frag inc.glsl",
    "i.frag -E -o OUT": "i.frag inc.glsl",
    "i.frag -M -MT x -o OUT": "i.frag inc.glsl",
    "i.frag -M -MT x -MF OUT": "i.frag inc.glsl",
    "i.frag --emit ir -o OUT": "inc.glsl",
    "i.frag --target agal --emit header -o OUT": "inc.glsl",
    "i.frag --target agal -o x --reflect OUT": "i.frag inc.glsl",
    "i.frag --target agal -o x -MD -MF OUT": "i.frag inc.glsl",
    "i.frag --target agal -o x --save-temps": "x.i x.s",
    "i.frag --target agal --target adreno -o {target}": "agal",
    "i.frag --target agal --target adreno -o {stem}.{target}": "i.adreno",
    "i.frag --target agal --emit host -o made/": "made/IFrag.as",
    "@words -o OUT": "words i.frag inc.glsl",
    "link i.vert i.frag --target adreno -S -o OUT": "i.vert i.frag inc.glsl",
    "link i.vert i.frag --target pica200 -o x -MD -MF OUT": "i.frag inc.glsl",
    "explain i.frag --target agal -o OUT": "i.frag inc.glsl",
    "explain i.vert i.frag --target agal -o OUT": "i.vert i.frag inc.glsl",
    "explain i.frag --target all -o page.html": "page.html",
    "render i.vert i.frag --target adreno --mesh m.obj --texture u_s=t.png -o OUT": "i.vert inc.glsl m.obj t.png",
    "run i.vert --target adreno --inputs v.json -o OUT": "i.vert inc.glsl v.json",
    "port i.frag --to 300es -o OUT": "i.frag inc.glsl",
    "as c.s --target adreno -o OUT": "c.s",
    "dis c.bin --target adreno -o OUT": "c.bin",
    "opt c.sir -o OUT": "c.sir",
}


def _cases() -> Iterator[tuple[str, str]]:
    for command, inputs in READS.items():
        for name in inputs.split():
            yield command, name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "off")
    texts = {"inc.glsl": "#define HALF 0.5\n", "i.frag": FRAGMENT, "i.vert": VERTEX, "m.obj": TRIANGLE}
    texts |= {"words": "i.frag --target agal", "v.json": '{"inputs": {"a_p": [[0.25, 0.5]]}}'}
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("t.png").write_bytes(encode_png(np.full((2, 2, 3), 200, np.uint8)))
    for words in ("i.frag -S --target adreno -o c.s", "i.frag --target adreno -o c.bin", "i.frag --emit ir -o c.sir"):
        assert main(words.split()) == 0
    return tmp_path


@pytest.mark.parametrize("link", [None, os.symlink, os.link], ids=["itself", "symbolic link", "hard link"])
@pytest.mark.parametrize(("command", "name"), [*_cases()])
def test_nothing_that_was_read_is_overwritten(
    command: str, name: str, link: Callable[[Path, str], None] | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = name
    if "OUT" not in command:
        # The name of the output is not free: it becomes one of the included file.
        Path(name).parent.mkdir(exist_ok=True)
        (link or os.symlink)(Path("inc.glsl").resolve(), name)
    elif link is not None:
        output = "other.name"
        link(Path(name).resolve(), output)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    status = main(command.replace("OUT", output).split())
    message = capsys.readouterr().err
    assert (status, f"'{output}' is an input and would be overwritten [E0925]" in message) == (2, True), message
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_what_standard_input_leads_to_is_not_overwritten(folder: Path) -> None:
    words = [sys.executable, "-m", "glslc_multi.cli.main", "-", "--stage", "fragment", "-E", "-I.", "-o", "i.frag"]
    with Path("i.frag").open(encoding="utf-8") as text:
        done = subprocess.run(words, stdin=text, env=_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, Path("i.frag").read_text(encoding="utf-8")) == (2, FRAGMENT), done.stderr


def test_an_input_of_an_earlier_run_is_free(folder: Path) -> None:
    assert main(["i.frag", "-E", "-o", "x"]) == 0
    assert main(["c.s", "--target", "agal", "-E", "--stage", "vertex", "-o", "inc.glsl"]) == 0
    Path("inc.glsl").write_text("#define HALF 0.5\n", encoding="utf-8")
    assert main(["i.vert", "-E", "-o", "i.frag"]) == 0


def test_devices_are_not_inputs_to_keep(folder: Path) -> None:
    assert main([os.devnull, "--stage", "vertex", "-E", "-o", os.devnull]) == 0


BATCH = """targets = ["adreno"]
output = "."
[[shader]]
source = "i.frag"
emit = ["header"]
[[shader]]
source = "j.vert"
"""


@pytest.mark.parametrize("known", [False, True], ids=["compiled", "from the cache"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_batch_keeps_what_any_of_its_variants_reads(
    jobs: str, known: bool, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output of the first variant is an include of the second one."""
    monkeypatch.setenv("GLSLC_MULTI_CACHE", str(folder / "cache"))
    Path("batch.toml").write_text(BATCH, encoding="utf-8")
    Path("adreno").mkdir()
    Path("adreno/i.frag.h").write_text("#define HALF 0.5\n", encoding="utf-8")
    Path("j.vert").write_text(VERTEX.replace("inc.glsl", "adreno/i.frag.h"), encoding="utf-8")
    if known:
        assert main(["batch", "batch.toml", "-o", "elsewhere", "-j", jobs]) == 0
    assert main(["batch", "batch.toml", "-j", jobs]) == 2
    assert "'adreno/i.frag.h' is an input and would be overwritten [E0925]" in capsys.readouterr().err
    assert Path("adreno/i.frag.h").read_text(encoding="utf-8") == "#define HALF 0.5\n"


def test_a_batch_keeps_its_manifest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("index.json").write_text(BATCH.replace("j.vert", "i.vert"), encoding="utf-8")
    assert main(["batch", "index.json", "-j", "1"]) == 2
    assert "'index.json' is an input and would be overwritten [E0925]" in capsys.readouterr().err


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}
