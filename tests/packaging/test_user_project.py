"""A user's project: the wheel has the types that mypy --strict needs, and its plug-ins are found."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.packaging.environment import Environment
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.thorough

ENTRY_POINTS = """[glslc_multi.targets]
stack = stack.target:TARGET

[glslc_multi.front_ends]
polish = polish.frontend:FRONT_END
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A program and the two plug-ins, in a folder outside of the tree."""
    shutil.copy(Path(__file__).with_name("user_project") / "game.py", tmp_path)
    for name in ("stack", "polish"):
        shutil.copytree(PROJECT_ROOT / "tests" / "plugins" / name, tmp_path / name)
    for path in tmp_path.rglob("*.py"):
        path.write_text(path.read_text(encoding="utf-8").replace("from tests.plugins.", "from "), encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    about = tmp_path / "toys-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    return tmp_path


def done(words: list[str], folder: Path, variables: Mapping[str, str]) -> tuple[int, str]:
    run = subprocess.run(words, cwd=folder, env=dict(variables), capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


def check_types(project: Path, environment: Environment) -> tuple[int, str]:
    """Let mypy check the project against what is installed."""
    words = [sys.executable, "-m", "mypy", "--python-executable", str(environment.python), "--no-incremental"]
    return done([*words, "game.py", "stack", "polish"], project, environment.variables)


def test_it_has_no_faults_for_mypy(project: Path, installed: Environment) -> None:
    assert check_types(project, installed) == (0, "Success: no issues found in 8 source files\n")


def test_mypy_finds_a_mistake(project: Path, installed: Environment) -> None:
    text = (project / "game.py").read_text(encoding="utf-8")
    (project / "game.py").write_text(text.replace("return stats.code_words", "return stats.verdict"), encoding="utf-8")
    target = project / "stack" / "target.py"
    target.write_text(target.read_text(encoding="utf-8").replace('suffix = ".stk"', "suffix = 3"), encoding="utf-8")
    status, output = check_types(project, installed)
    assert status == 1
    assert 'Incompatible return value type (got "Verdict | None", expected "int")' in output
    assert 'Incompatible types in assignment (expression has type "int", base class "Target"' in output


def test_it_runs(project: Path, installed: Environment) -> None:
    status, output = done([str(installed.python), "game.py", "agal", "stack"], project, installed.variables)
    assert (status, output.splitlines()) == (
        0,
        [
            "agal {'camera': [('vc', 0), ('vc', 1), ('vc', 2), ('vc', 3)]} True",
            "[[2.0, 4.0, 6.0, 1.0]]",
            "[('vc', 0), ('fc', 0)]",
            "stack {'camera': [('uniform', 0), ('uniform', 1), ('uniform', 2), ('uniform', 3)]} True",
            "[[2.0, 4.0, 6.0, 1.0]]",
            "[('uniform', 0), ('uniform', 0)]",
            "['1:30 E0301 ']",
        ],
    )
