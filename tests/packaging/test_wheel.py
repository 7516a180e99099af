"""The built distribution: what the wheel holds, and that it works outside the checkout."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from glslc_multi.compiler import __version__
from tests.packaging.environment import PARTS, Environment, make_environment
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.thorough

#: What other programs look for, and where they do.
SHARED = {
    "glslc-multi.1": "man/man1/glslc-multi.1",
    "completions/glslc-multi.bash": "bash-completion/completions/glslc-multi",
    "completions/_glslc-multi": "zsh/site-functions/_glslc-multi",
    "completions/glslc-multi.fish": "fish/vendor_completions.d/glslc-multi.fish",
}


def test_the_wheel_holds_the_packages_and_the_launcher(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    data = f"glslc_multi-{__version__}.data"
    own = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in own} == {"glslc_multi", data}
    assert "glslc_multi/py.typed" in own
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())
    in_checkout = {
        f"glslc_multi/{path.relative_to(PROJECT_ROOT).as_posix().removeprefix('glslc_multi/')}"
        for name in PARTS
        for path in (PROJECT_ROOT / name).rglob("*.py")
    }
    assert sorted(name for name in own if name.endswith(".py")) == sorted(in_checkout)
    for name, installed_name in SHARED.items():
        assert archive.read(f"{data}/data/share/{installed_name}") == (PROJECT_ROOT / "docs" / name).read_bytes()
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
    schema = PROJECT_ROOT / "glslc_multi" / "report" / "schemas" / "stats.schema.json"
    assert installed.run("--print-schema", "stats", folder=tmp_path).stdout == schema.read_text(encoding="utf-8")


def importable(environment: Environment) -> set[str]:
    """Ask an environment's Python which names of ours it finds outside of the tree."""
    names = (*PARTS, "tests", "benchmarks", "examples")
    program = f"from importlib.util import find_spec; print(*(name for name in {names} if find_spec(name)))"
    words = [str(environment.python), "-I", "-c", program]
    done = subprocess.run(words, cwd="/", env=environment.variables, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_nothing_else_is_installed(installed: Environment) -> None:
    assert importable(installed) == {"glslc_multi"}


def test_a_user_may_have_modules_of_any_name(installed: Environment, tmp_path: Path) -> None:
    """Beside what is installed, and in the folder of a program."""
    for folder in (installed.packages, tmp_path):
        for name in PARTS[1:]:
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text(f"NAME = 'the user has {name}'\n")
    (tmp_path / "runtime.py").write_text("NAME = 'a module'\n")
    (tmp_path / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }")
    program = (
        "import compiler, backends, glslc_multi; print(compiler.NAME, backends.NAME, sep=', ', end=', ')\n"
        "shader = glslc_multi.compile(open('a.vert').read(), target='3ds', stage='vert')\n"
        "print(len(shader.binary) > 100)\n"
    )
    words = [str(installed.python), "-c", program]
    done = subprocess.run(words, cwd=tmp_path, env=installed.variables, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("the user has compiler, the user has backends, True\n", "")
    assert installed.run("a.vert", "--target", "agal", folder=tmp_path).returncode == 0
    for name in PARTS[1:]:
        shutil.rmtree(installed.packages / name)


def test_an_installation_in_place_works(tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "venv", "--editable", str(PROJECT_ROOT), "--no-build-isolation")
    assert importable(environment) == {"glslc_multi"}
    (tmp_path / "a.vert").write_text("void main() {}")
    for command in ("glslc-multi", "glslc-multi.py"):
        run = environment.run("a.vert", "-E", folder=tmp_path, command=environment.bin / command)
        assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "void main() {}", "")
