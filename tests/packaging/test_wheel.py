"""The built distribution: what the wheel holds, and that it works outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from compiler.version import __version__
from tests.shared_data import PROJECT_ROOT

PACKAGES = ("compiler", "frontends", "backends", "runtime")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the build backend that the test environment has."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(PROJECT_ROOT)]
    run(build)
    (path,) = folder.glob("*.whl")
    return path


def run(arguments: list[str], folder: Path | None = None) -> str:
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    own = [name for name in names if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in own} == {*PACKAGES, "glslc_multi.py"}
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(own)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    in_checkout = {
        path.relative_to(PROJECT_ROOT).as_posix() for name in PACKAGES for path in (PROJECT_ROOT / name).rglob("*.py")
    }
    assert {name for name in own if name.endswith(".py")} >= in_checkout


def test_the_wheel_works_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=False)
    python, site = environment / "bin" / "python", _site_packages(environment)
    run([sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)])
    # The libraries come from the running environment: its site folder is appended, the wheel's comes first.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    version = run([str(environment / "bin" / "glslc-multi"), "--version"], tmp_path)
    assert version.startswith(f"glslc-multi {__version__}\n")
    where = run([str(python), "-c", "import glslc_multi; print(glslc_multi.__file__)"], tmp_path)
    assert Path(where.strip()).parent == site
    assert run([str(environment / "bin" / "glslc-multi"), "--help"], tmp_path).startswith("usage: glslc-multi")
    # A page needs files that are no modules.
    (tmp_path / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }")
    words = ["explain", "a.vert", "--target", "agal", "-o", "a.html"]
    run([str(environment / "bin" / "glslc-multi"), *words], tmp_path)
    assert "data-k" in (tmp_path / "a.html").read_text(encoding="utf-8")


def _site_packages(environment: Path) -> Path:
    paths = sysconfig.get_paths("venv", vars={"base": str(environment), "platbase": str(environment)})
    return Path(os.path.realpath(paths["purelib"]))
