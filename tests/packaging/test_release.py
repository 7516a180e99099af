"""What is released: the sdist holds what the wheel is built from, a tree makes the same bytes, and Pythons take it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from glslc_multi.compiler import __version__
from glslc_multi.playground import SITE
from tests.packaging.environment import PARTS, build_release, run_checked
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.thorough

PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def test_the_sdist_holds_the_parts_and_makes_the_same_wheel(released: Path, wheel: Path) -> None:
    root = f"glslc_multi-{__version__}"
    with tarfile.open(released / f"{root}.tar.gz") as sdist:
        names = set(sdist.getnames())
    for part in PARTS:
        modules = {f"{root}/{path.relative_to(PROJECT_ROOT)}" for path in (PROJECT_ROOT / part).rglob("*.py")}
        assert modules <= names
    assert not any(name.startswith(f"{root}/glslc_multi/compiler") for name in names)
    assert f"{root}/Makefile" in names
    from_sdist = zipfile.ZipFile(released / wheel.name)
    assert sorted(from_sdist.namelist()) == sorted(zipfile.ZipFile(wheel).namelist())


def test_the_same_tree_makes_the_same_bytes(released: Path, tmp_path: Path) -> None:
    build_release(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        path.name: path.read_bytes() for path in released.iterdir()
    }


def test_the_page_is_in_both_with_its_licences(released: Path, wheel: Path) -> None:
    if not (SITE / "index.html").is_file():
        pytest.skip("the page is not built: make playground")
    page = {f"glslc_multi/playground/site/{path.name}" for path in SITE.iterdir()}
    from_sdist = zipfile.ZipFile(released / wheel.name)
    names = set(from_sdist.namelist())
    assert page <= names
    about = f"glslc_multi-{__version__}.dist-info"
    assert f"{about}/licenses/glslc_multi/playground/site/licences.html" in names
    assert b"codemirror" in from_sdist.read("glslc_multi/playground/site/licences.html").lower()


def test_what_describes_it_is_accepted(released: Path) -> None:
    if find_spec("twine") is None:
        pytest.skip("twine is not installed")
    run_checked([sys.executable, "-m", "twine", "check", "--strict", *map(str, released.iterdir())])


@pytest.mark.parametrize("version", PYTHONS)
def test_it_installs(version: str, released: Path, wheel: Path, tmp_path: Path) -> None:
    """pip resolves and loads what compiling needs."""
    python = find_python(version)
    if python is None:
        pytest.skip(f"there is no Python {version}")
    run_checked([python, "-m", "venv", str(tmp_path / "venv")])
    bin_folder = tmp_path / "venv" / "bin"
    pip = [str(bin_folder / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    run_checked([*pip, str(released / wheel.name)])
    (tmp_path / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }", encoding="utf-8")
    words = [str(bin_folder / "glslc-multi"), "a.vert", "--target", "pica200", "--no-cache"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    here = [sys.executable, "-m", "glslc_multi", "a.vert", "--target", "pica200", "-o", "here.shbin"]
    subprocess.run(here, cwd=tmp_path, check=True)
    assert (tmp_path / "a.shbin").read_bytes() == (tmp_path / "here.shbin").read_bytes()


def find_python(version: str) -> str | None:
    """Find an interpreter on the path, or beside the one that this one comes from, as pyenv keeps them."""
    if command := shutil.which(f"python{version}"):
        tried = subprocess.run([command, "-c", "import venv, ensurepip"], capture_output=True, check=False)
        if tried.returncode == 0:
            return command
    versions = Path(os.path.realpath(sys.executable)).parents[2]
    return next((str(path) for path in sorted(versions.glob(f"{version}.*/bin/python{version}"))), None)
