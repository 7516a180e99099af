"""The extension for VS Code: `make vsix` packs all that it needs, and Node finds all of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from glslc_multi.compiler import __version__
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.thorough

EXTENSION = PROJECT_ROOT / "editors" / "vscode"
#: Of the archive, in bytes: what packs it must not be in it.
LARGEST = 700_000
#: Loads the extension where `vscode` is something of which everything can be asked.
LOAD = """
const Module = require("module"), load = Module._load;
const vscode = new Proxy(class {}, {get: (of, name) => (name === "prototype" ? of.prototype : vscode)});
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const {activate, deactivate} = require(process.argv[1]);
console.log(typeof activate, typeof deactivate);
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the archive that `make vsix` makes."""
    if shutil.which("npm") is None or shutil.which("make") is None:
        pytest.skip("npm and make pack the extension")
    made = subprocess.run(["make", "vsix"], cwd=PROJECT_ROOT, capture_output=True, text=True, check=False)
    if made.returncode and not (EXTENSION / "node_modules").is_dir():
        pytest.skip(f"npm could not load what packs the extension: {made.stderr[-300:]}")
    assert made.returncode == 0, made.stdout + made.stderr
    archive = PROJECT_ROOT / "build" / f"glslc-multi-{__version__}.vsix"
    assert archive.stat().st_size < LARGEST
    folder = tmp_path_factory.mktemp("vsix")
    with ZipFile(archive) as zipped:
        assert zipped.testzip() is None
        zipped.extractall(folder)
    return folder


def test_every_file_that_the_package_names_is_there(unpacked: Path) -> None:
    package = json.loads((unpacked / "extension" / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    named = [package["main"], *(each["path"] for each in contributed["grammars"])]
    named += [each["configuration"] for each in contributed["languages"]]
    for name in named:
        packed = (unpacked / "extension" / name).read_bytes()
        assert packed == (EXTENSION / name).read_bytes()
    assert "[Content_Types].xml" in {path.name for path in unpacked.iterdir()}
    assert f'Version="{__version__}"' in (unpacked / "extension.vsixmanifest").read_text(encoding="utf-8")


def test_nothing_is_there_that_only_packs(unpacked: Path) -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    packed = {path.name for path in (unpacked / "extension" / "node_modules").iterdir()}
    assert {*package["dependencies"]} <= packed
    assert not {name.partition("/")[0] for name in package["devDependencies"]} & packed


def test_the_extension_is_loaded_with_all_that_it_requires(unpacked: Path) -> None:
    main = str(unpacked / "extension" / "extension.js")
    done = subprocess.run(["node", "-e", LOAD, main], cwd="/", capture_output=True, text=True, check=False)
    assert done.stdout == "function function\n", done.stderr
