"""An environment of its own with the distribution in it, installed by pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from glslc_multi.compiler.records import dataclass
from tests.shared_data import PROJECT_ROOT

#: Folders of the tree whose files are the package.
PARTS = ("glslc_multi", "compiler", "frontends", "backends", "runtime")


@dataclass(frozen=True)
class Environment:
    """Where things are, and a cache for its commands."""

    place: Path

    @property
    def bin(self) -> Path:
        return self.place / "bin"

    @property
    def python(self) -> Path:
        return self.bin / "python"

    @property
    def packages(self) -> Path:
        paths = sysconfig.get_paths("venv", vars={"base": str(self.place), "platbase": str(self.place)})
        return Path(os.path.realpath(paths["purelib"]))

    @property
    def variables(self) -> dict[str, str]:
        """Give what commands see: nothing that leads Python to another place."""
        usual = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return usual | {"GLSLC_MULTI_CACHE": str(self.place / "cache")}

    def run(
        self, *words: str, folder: Path, command: Path | None = None, stdin: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Call the command with `words` in `folder`."""
        whole = [str(command or self.bin / "glslc-multi"), *words]
        return subprocess.run(
            whole, cwd=folder, env=self.variables | variables, input=stdin, capture_output=True, text=True, check=False
        )


def make_environment(place: Path, *what: str) -> Environment:
    """An environment into which pip has installed `what`; the libraries come from the running environment."""
    venv.create(place, with_pip=False, symlinks=True)
    environment = Environment(place)
    (environment.packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    # As in any environment with a module at its top: else the first run makes the folder, which changes the key.
    (environment.packages / "__pycache__").mkdir(exist_ok=True)
    pip = [sys.executable, "-m", "pip", "--python", str(environment.python), "install", "-q", "--no-deps", "--no-index"]
    run_checked([*pip, *what])
    return environment


def build_release(folder: Path) -> Path:
    """Build both distributions as `make release` does, with a time that is given."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(PROJECT_ROOT)]
    run_checked(build, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    return folder


def lint(words: Sequence[str]) -> None:
    """Run a linter that is on the path, or installed beside Python."""
    program = shutil.which(words[0]) or shutil.which(words[0], path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip(f"{words[0]} is not installed")
    run_checked([program, *words[1:]])


def run_checked(words: list[str], env: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
