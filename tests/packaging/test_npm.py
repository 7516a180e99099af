"""The npm package: `make npm` packs it, npm installs it, and it does what the command of Python does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi.compiler import __version__
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.thorough

SHADERS = PROJECT_ROOT / "examples" / "shaders"
ARCHIVE = PROJECT_ROOT / "build" / f"glslc-multi-{__version__}.tgz"


@pytest.fixture(scope="module")
def packed() -> Path:
    """What `make npm` has made of the tree as it is."""
    if shutil.which("npm") is None:
        pytest.skip("npm installs the command")
    if not ARCHIVE.exists():
        pytest.skip("`make npm` makes what is tested")
    parts = ("glslc_multi", "packaging/npm", "compiler", "frontends", "backends", "runtime")
    sources = (path for part in parts for path in (PROJECT_ROOT / part).rglob("*.[mp]*"))
    if any(path.stat().st_mtime > ARCHIVE.stat().st_mtime for path in sources if "__pycache__" not in path.parts):
        pytest.skip("`make npm` was run before the last change")
    return ARCHIVE


@pytest.fixture(scope="module")
def command(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("npm")
    words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), str(packed)]
    installing = subprocess.run(words, capture_output=True, text=True, check=False)
    if installing.returncode:
        pytest.skip(f"npm could not load Pyodide: {installing.stderr[-300:]}")
    return str(folder / "node_modules" / ".bin" / "glslc-multi")


def both(command: str, words: list[str], folder: Path, stdin: bytes = b"") -> list[tuple[int, bytes, bytes]]:
    """Call the command of npm and that of Python: exit statuses and what they print."""
    variables = {**os.environ, "GLSLC_MULTI_CACHE": "off"}
    calls = ([command], [sys.executable, "-m", "glslc_multi"])
    runs = [
        subprocess.run([*call, *words], cwd=folder, env=variables, input=stdin, capture_output=True, check=False)
        for call in calls
    ]
    return [(run.returncode, run.stdout, run.stderr) for run in runs]


@pytest.mark.parametrize(
    ("shader", "target"), [("09_phong.vert", "pica200"), ("09_phong.frag", "agal"), ("09_phong.frag", "vc4")]
)
def test_it_makes_the_same_files(shader: str, target: str, command: str, tmp_path: Path) -> None:
    """From an absolute path, with a user's module beside the output."""
    outputs = []
    for name in ("npm", "python"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "glslc_multi.py").write_text("raise SystemExit('a module of the user')\n", encoding="utf-8")
        call = [command] if name == "npm" else [sys.executable, "-P", "-m", "glslc_multi"]
        run_words = [*call, str(SHADERS / shader), "--target", target, "-o", "out.bin", "-MD", "--reflect", "map.json"]
        subprocess.run(run_words, cwd=folder, capture_output=True, check=True)
        outputs.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert outputs[0] == outputs[1]
    assert {"out.bin", "out.d", "map.json"} <= outputs[0].keys()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["bad.vert", "--target", "agal"], 1),
        (["absent.vert", "--target", "agal"], 2),
        (["-", "--stage", "vertex", "--target", "vc4", "-o", "-"], 0),
        (["lsp"], 2),
    ],
)
def test_it_says_the_same(words: list[str], status: int, command: str, tmp_path: Path) -> None:
    (tmp_path / "bad.vert").write_text("// é\nvoid main() { gl_Position = vec4(1.0) }\n", encoding="utf-8")
    npm, python = both(command, words, tmp_path, b"void main() { gl_Position = vec4(1.0); }")
    assert npm[0] == status
    if words != ["lsp"]:  # Python may have what serves editors.
        assert npm == python


def test_it_says_what_it_is(packed: Path) -> None:
    about = json.loads((PROJECT_ROOT / "build" / "npm" / "package.json").read_text(encoding="utf-8"))
    assert (about["name"], about["version"]) == ("glslc-multi", __version__)
    assert [*about["dependencies"]] == ["pyodide"]
    licences = (PROJECT_ROOT / "build" / "npm" / "LICENCES.txt").read_text(encoding="utf-8")
    assert [name for name in ("glslc-multi", "networkx", "pyparsing") if f"{name} " not in licences] == []
    assert licences.count("Copyright") >= 3
