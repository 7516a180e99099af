"""The built distribution: what the wheel holds, and that it works outside the checkout."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from glslc_multi.compiler import __version__
from tests.packaging.environment import PACKAGES, Environment, make_environment
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.thorough


def test_the_wheel_holds_the_packages_and_the_launcher(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    data = f"glslc_multi-{__version__}.data"
    own = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in own} == {*PACKAGES, data}
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(own)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())
    in_checkout = {
        path.relative_to(PROJECT_ROOT).as_posix() for name in PACKAGES for path in (PROJECT_ROOT / name).rglob("*.py")
    }
    assert {name for name in own if name.endswith(".py")} >= in_checkout
    manual = PROJECT_ROOT / "docs" / "glslc-multi.1"
    assert archive.read(f"{data}/data/share/man/man1/glslc-multi.1") == manual.read_bytes()
    launcher = PROJECT_ROOT / "glslc_multi" / "cache" / "launcher.sh"
    assert archive.read(f"{data}/scripts/glslc-multi") == launcher.read_bytes()


def test_the_wheel_works_outside_the_checkout(installed: Environment, tmp_path: Path) -> None:
    version = installed.run("--version", folder=tmp_path)
    assert version.stdout.startswith(f"glslc-multi {__version__}\n")
    words = [str(installed.python), "-c", "import glslc_multi; print(glslc_multi.__file__)"]
    where = subprocess.run(words, cwd=tmp_path, env=installed.variables, capture_output=True, text=True, check=True)
    assert Path(where.stdout.strip()).parents[1] == installed.packages
    assert installed.run("--help", folder=tmp_path).stdout.startswith("usage: glslc-multi")
    # A page needs files that are no modules.
    (tmp_path / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }")
    assert installed.run("explain", "a.vert", "--target", "agal", "-o", "a.html", folder=tmp_path).returncode == 0
    assert "data-k" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_an_installation_in_place_works(tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "venv", "--editable", str(PROJECT_ROOT), "--no-build-isolation")
    assert not (environment.packages / "compiler").exists()
    (tmp_path / "a.vert").write_text("void main() {}")
    for command in ("glslc-multi", "glslc-multi.py"):
        run = environment.run("a.vert", "-E", folder=tmp_path, command=environment.bin / command)
        assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "void main() {}", "")
