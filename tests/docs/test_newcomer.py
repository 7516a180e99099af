"""The newcomer's path: a fresh copy of the project, `make demo`, then the commands of the README, printed as there.

The copy has an environment of its own, with the packages that run this test.  With GLSLC_MULTI_ALL=1 `make demo` makes
the environment itself, as it does for everybody, which downloads packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.docs.pages import missing_tools, played, readers_environment
from tests.shared_data import PROJECT_ROOT


def copy_project(folder: Path) -> None:
    """The files that a clone would have."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT_ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("the project is no git repository")
    for name in filter(None, listed.stdout.split("\0")):
        if (PROJECT_ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT_ROOT / name, folder / name, follow_symlinks=False)


def make_environment(folder: Path) -> None:
    """`.venv` as make leaves it, with the packages of this Python instead of new ones."""
    environment = folder / ".venv"
    venv.create(environment, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "newcomer.pth").write_text(f"{folder}\n{sysconfig.get_path('purelib')}\n")
    command = environment / "bin" / "glslc-multi"
    command.write_text(f"#!{environment / 'bin' / 'python'}\nfrom glslc_multi.entry import main\nmain()\n")
    command.chmod(0o755)
    (environment / "installed").touch()


@pytest.mark.thorough
def test_the_newcomers_path(tmp_path: Path) -> None:
    project, playground = tmp_path / "glslc-multi", tmp_path / "playground"
    playground.mkdir()
    copy_project(project)
    if os.environ.get("GLSLC_MULTI_ALL") is None:
        make_environment(project)
    demo = subprocess.run(
        ["make", "demo", f"PYTHON={sys.executable}"],
        cwd=project,
        env=readers_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert demo.returncode == 0, demo.stderr
    assert (project / "build" / "demo.png").read_bytes().startswith(b"\x89PNG")
    *_, last = demo.stdout.splitlines()
    assert last.strip() == ".venv/bin/glslc-multi render your.vert your.frag --target vc4 -o your.png"

    text = (project / "README.md").read_text(encoding="utf-8")
    missing = missing_tools(text)
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert played(text, playground, project / ".venv" / "bin", project / "examples") == text
