"""The wheel, and an environment that has it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.packaging.environment import Environment, build_release, make_environment, run_checked
from tests.shared_data import PROJECT_ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the build backend that the test environment has."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(PROJECT_ROOT)]
    run_checked(build)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, and the wheel that is built from it."""
    return build_release(tmp_path_factory.mktemp("released"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("installed") / "venv", str(wheel))
