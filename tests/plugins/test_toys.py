"""A sixth target and a second front end join by a folder and an entry point each, and everything works with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.registry import TARGETS, target_names
from glslc_multi.cli.main import main
from glslc_multi.compiler import plugins
from glslc_multi.frontends.registry import FRONT_ENDS
from tests.shared_data import PROJECT_ROOT

ENTRY_POINTS = """[glslc_multi.targets]
stack = tests.plugins.stack.target:TARGET

[glslc_multi.front_ends]
polish = tests.plugins.polish.frontend:FRONT_END
"""
VERTEX = """attribute vec4 a_position; attribute vec2 a_uv; uniform mat4 u_matrix; varying vec2 v_uv;
void main() { gl_Position = u_matrix * a_position; v_uv = a_uv; }
"""
FRAGMENT = """precision mediump float; uniform vec3 u_tint; varying vec2 v_uv;
void main() { gl_FragColor = vec4(clamp(u_tint * v_uv.x - v_uv.y, 0.0, 1.0), 1.0); }
"""
POLISH = """input v_uv 2
uniform u_level 1
v_uv.x u_level * ; v_uv.y 0.5 + ; 0 ; 1
"""


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with shaders, where both toys are installed for one test."""
    folder = tmp_path / "packages" / "toys-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(folder.parent))
    for registry in (TARGETS, FRONT_ENDS):
        monkeypatch.setattr(registry, "_loaded", {})
    plugins._installed.cache_clear()
    place = tmp_path / "shaders"
    place.mkdir()
    for name, text in (("a.vert", VERTEX), ("a.frag", FRAGMENT), ("b.rpn", POLISH)):
        (place / name).write_text(text)
    monkeypatch.chdir(place)
    yield place
    plugins._installed.cache_clear()


def command(*words: str) -> int:
    return main([*words])


def test_they_are_listed(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "stack" in target_names()
    assert command("targets") == 0
    assert "stack: a stack machine of 12 instructions\n  stages: vertex, fragment\n  --depth" in capsys.readouterr().out
    assert command("--print-target-info", "stack") == 0
    assert "vertex: 1000 words" in capsys.readouterr().out
    assert command("--version") == 0
    assert "  stack    instruction set " in capsys.readouterr().out


def test_all_targets_are_asked(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("a.frag", "b.rpn", "--target", "all") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[:3] for row in rows if "stack" in row] == [["a.frag", "stack", "yes"], ["b.rpn", "stack", "yes"]]
    assert {row[1] for row in rows if row[0] == "b.rpn"} == {*target_names(), "stack"}


def test_a_shader_is_explained(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("explain", "b.rpn", "--target", "stack") == 0
    text = capsys.readouterr().out
    assert "b.rpn: fragment shader for stack" in text
    assert " 3 | v_uv.x u_level * ; v_uv.y 0.5 + ; 0 ; 1" in text
    assert "mul" in text
    assert command("explain", "a.vert", "--target", "stack", "-o", "page.html") == 0
    assert "input 0" in (toys / "page.html").read_text()


@pytest.mark.parametrize("engine", ["simulator", "translated", "jit", "reference"])
def test_code_runs(engine: str, toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toys / "in.json").write_text(
        json.dumps({"inputs": {"v_uv": [[0.5, 0.25], [1, 0]]}, "uniforms": {"u_tint": [1, 2, 0.25]}})
    )
    assert command("run", "a.frag", "--target", "stack", "--inputs", "in.json", "--engine", engine, "--json") == 0
    results = json.loads(capsys.readouterr().out)
    assert results["gl_FragColor"] == [[0.25, 0.75, 0.0, 1.0], [1.0, 1.0, 0.25, 1.0]]


@pytest.mark.parametrize("target", ["stack", "adreno", "agal", "theia", "vc4"])
def test_the_other_language_runs_on_every_machine(target: str, toys: Path) -> None:
    options = {"output": "raw"} if target in ("theia", "vc4") else {}
    shader = glslc_multi.compile(POLISH, target=target, filename="b.rpn", options=options)
    found = shader.run({"v_uv": [[0.5, 0.25]]}, {"u_level": 0.5})["gl_FragColor"]
    assert found.tolist() == [[0.25, 0.75, 0.0, 1.0]]


def test_stages_are_linked(toys: Path) -> None:
    assert command("link", "a.vert", "a.frag", "--target", "stack", "-o", "a.stk") == 0
    map = json.loads((toys / "a.fs.stk.json").read_text())
    assert [binding["name"] for binding in map["uniforms"]] == ["u_tint"]
    assert command("link", "a.vert", "b.rpn", "--target", "agal", "-o", "b.agalbin") == 0


def test_code_is_proven_and_lifted(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The one description of the machine is enough for both."""
    assert command("a.vert", "--target", "stack", "-o", "a.stk", "--stats") == 0
    assert "proof: equal to the source in algebra" in capsys.readouterr().out
    assert command("a.vert", "--target", "stack", "--emit", "json", "-o", "a.stk.json") == 0
    assert command("decompile", "a.stk", "--from", "stack", "--std", "100") == 0
    text = capsys.readouterr().out
    assert "    gl_Position = u_matrix * a_position;\n    v_uv = a_uv;\n" in text
    assert command("a.frag", "--target", "stack", "-o", "f.stk") == 0
    assert command("a.frag", "--target", "stack", "--emit", "json", "-o", "f.stk.json") == 0
    assert command("decompile", "f.stk", "--from", "stack", "--std", "100") == 0
    shown = capsys.readouterr().out
    assert all(f"clamp(u_tint.{letter} * v_uv.x - v_uv.y, 0.0, 1.0)" in shown for letter in "xyz")


def test_text_is_assembled(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("a.frag", "--target", "stack", "-S", "-o", "a.s") == 0
    assert command("as", "a.s", "--target", "stack", "-o", "a.stk") == 0
    assert command("dis", "a.stk", "--target", "stack") == 0
    assert capsys.readouterr().out == (toys / "a.s").read_text()
    (toys / "bad.s").write_text("jump 3\n")
    assert command("as", "bad.s", "--target", "stack") == 1


def test_a_batch_takes_both(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("batch", ".", "--target", "stack", "--target", "vc4", "-o", "out", "-j", "2") == 0
    rows = json.loads((toys / "out" / "index.json").read_text())["variants"]
    assert len(rows) == 6
    assert {row["status"] for row in rows} == {0}
    assert (toys / "out" / "stack" / "b.rpn.stk").stat().st_size > 40


def test_nothing_that_they_make_is_kept(toys: Path) -> None:
    """Their code may change without anybody knowing."""
    words = [sys.executable, "-m", "glslc_multi", "b.rpn", "--target", "stack", "-S"]
    path = os.pathsep.join([str(toys.parent / "packages"), str(PROJECT_ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "GLSLC_MULTI_CACHE": str(toys / "cache")}
    run = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("input 0\n")
    assert not (toys / "cache").exists()


def test_mistakes_are_diagnostics(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toys / "wrong.rpn").write_text("input v 1\nv v_ ; 0 ; 0 ; 1\n")
    assert command("wrong.rpn", "--target", "stack") == 1
    message = capsys.readouterr().err
    assert "wrong.rpn:2:3: error: 'v_' is not declared [E0301]" in message
    (toys / "hard.frag").write_text(
        "precision mediump float; varying float v; void main() { gl_FragColor = vec4(sin(v)); }"
    )
    assert command("hard.frag", "--target", "stack") == 1
    assert "stack cannot express 'fsin' [E0702]" in capsys.readouterr().err
    assert not list(toys.glob("*.stk"))


def test_text_outputs_of_the_other_language(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("b.rpn", "-E") == 0
    assert capsys.readouterr().out == POLISH
    assert command("b.rpn", "--emit", "ir") == 0
    assert "fmul" in capsys.readouterr().out
    assert command("b.rpn", "--target", "stack", "-MD", "-o", "b.stk") == 0
    assert (toys / "b.d").read_text() == "b.stk: \\\n  b.rpn\n"


def test_own_names_are_not_taken_over(toys: Path) -> None:
    (toys.parent / "packages" / "toys-1.0.dist-info" / "entry_points.txt").write_text(
        "[glslc_multi.targets]\nagal = tests.plugins.stack.target:TARGET\n"
    )
    plugins._installed.cache_clear()
    assert TARGETS.load("agal").name == "agal"
    with pytest.raises(KeyError):
        TARGETS.load("stack")


def test_an_entry_point_that_does_not_load_is_named(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toys.parent / "packages" / "toys-1.0.dist-info" / "entry_points.txt").write_text(
        "[glslc_multi.targets]\nbroken = no_such_package.target:TARGET\n"
    )
    plugins._installed.cache_clear()
    assert command("a.frag", "--target", "agal", "-o", "a.agalbin") == 0
    assert command("a.frag", "--target", "broken") == 70
    assert "entry point 'broken' of the group glslc_multi.targets cannot be loaded" in capsys.readouterr().err


def test_who_has_none_does_not_read_entry_points() -> None:
    """Reading them imports a large part of the standard library."""
    program = (
        "import sys; from glslc_multi.cli.main import main; main(['targets']);"
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert run.returncode == 0


def test_host_code_has_its_forms_and_places(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("targets") == 0
    assert "\n  --emit host --host-form list: a list of the stages\n" in capsys.readouterr().out
    assert command("a.frag", "--target", "stack", "--emit", "host") == 0
    assert (toys / "a_frag.list").read_text().startswith("program a_frag\n    fragment: ")
    assert (toys / "a_frag_fragment.stk").stat().st_size > 0
    assert command("link", "a.vert", "a.frag", "--target", "stack", "--emit", "host", "-o", "out/b.list") == 0
    assert command("link", "a.vert", "a.frag", "--target", "stack", "--emit", "host", "-o", "out") == 0
    assert {path.name for path in (toys / "out").iterdir()} == {
        *("a.list", "a_vertex.stk", "a_fragment.stk"),
        *("b.list", "b_vertex.stk", "b_fragment.stk"),
    }
    words = ["--host-form", "numbers", "--prefix", "c", "-o", "out/d"]
    assert command("a.frag", "--target", "stack", "--emit", "host", *words) == 0
    assert (toys / "out" / "c.numbers").read_bytes() == bytes([(toys / "out" / "a_fragment.stk").stat().st_size])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["-o", "-"],
            "host code is several files, which cannot all go to standard output [E0950]\nhelp: name a folder",
        ),
        (["--host-form", "lst"], "target 'stack' has no form 'lst' of host code [E0952]\nhelp: did you mean 'list'?"),
    ],
)
def test_wrong_requests_for_host_code(
    words: list[str], message: str, toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for inputs in (["a.frag"], ["link", "a.vert", "a.frag"]):
        before = sorted(toys.iterdir())
        assert command(*inputs, "--target", "stack", "--emit", "host", *words) == 2
        assert message in capsys.readouterr().err
        assert sorted(toys.iterdir()) == before


BROKEN = {
    "no module": "no_such_package.target:TARGET",
    "no attribute": "tests.plugins.stack.target:NO_TARGET",
    "its code fails": "tests.plugins.broken:TARGET",
    "its code ends the process": "tests.plugins.ending:TARGET",
}


@pytest.fixture(params=BROKEN.values(), ids=list(BROKEN))
def broken(request: pytest.FixtureRequest, toys: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A target and a front end that cannot be loaded, beside those that can."""
    failing = {"tests.plugins.broken": "1 / 0", "tests.plugins.ending": "import sys; sys.exit(3)"}
    for name, text in failing.items():
        (toys.parent / "packages" / f"{name.rpartition('.')[2]}.py").write_text(text)
    place = request.param.replace("tests.plugins.broken", "broken").replace("tests.plugins.ending", "ending")
    texts = ENTRY_POINTS.replace("\n\n", f"\nbroken = {place}\n\n") + f"broken = {place}\n"
    (toys.parent / "packages" / "toys-1.0.dist-info" / "entry_points.txt").write_text(texts)
    plugins._installed.cache_clear()
    return toys


@pytest.mark.parametrize(
    "words",
    [
        "a.frag --target all",
        "a.frag b.rpn --target all --json",
        "explain a.frag --target all -o page.html",
        "batch . --target all -o out -j 1",
        "targets",
        "targets --json",
        "--version",
    ],
)
def test_a_target_that_cannot_be_loaded_is_left_out(
    words: str, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words.split()) in ((0, 3) if words.startswith("batch") else (0,))
    shown = capsys.readouterr()
    assert "note: entry point 'broken' of the group glslc_multi.targets cannot be loaded" in shown.err
    assert "E9999" not in shown.err
    pages = [path.read_text() for path in broken.glob("*.html")]
    assert "stack" in "".join([shown.out, *pages, *(path.name for path in broken.rglob("*"))])


def test_nothing_else_minds_what_cannot_be_loaded(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("a.frag", "--target", "agal", "-o", "a.agalbin") == 0
    assert command("b.rpn", "--target", "stack", "-o", "b.stk") == 0
    assert command("dis", "b.stk") == 0
    (broken / "a.text").write_text(FRAGMENT)
    assert command("a.text", "--stage", "fragment", "--target", "agal", "-o", "a.agalbin") == 0
    assert command("batch", ".", "--target", "agal", "-o", "out", "-j", "1") == 0
    assert command("--help") == 0
    assert "broken" not in capsys.readouterr().err
