"""The installed command: the launcher does what the Python script beside it does, wherever it lies, and starts less."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.packaging.environment import Environment, make_environment

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(os.name != "posix", reason="the launcher is for systems with a POSIX shell"),
]

SHADER = "attribute vec4 p;\nvoid main() { gl_Position = p; }\n"
#: A file of this name beside the packages is run by `site`, twice in an environment, and says so once.
NOTICE_FILE = "notice.pth"
NOTICE = "import sys; hasattr(sys, 'noticed') or setattr(sys, 'noticed', sys.stderr.write('site\\n'))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.vert").write_text(SHADER)
    (tmp_path / "bad.vert").write_text("void main() { nonsense; }")
    (tmp_path / "words").write_text("a.vert -E")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--help"], 0),
        (["--version"], 0),
        (["a.vert", "--target", "pica200", "-S"], 0),
        (["a.vert", "-D", "A=b c", "-E"], 0),
        (["-", "--stage", "vertex", "--target", "agal", "-S"], 0),
        (["@words"], 0),
        (["bad.vert", "--target", "pica200"], 1),
        (["absent.vert", "--target", "pica200"], 2),
        (["a.vert", "--target", "agal", "--nonsense", "a  b", "", "*"], 2),
    ],
)
def test_both_ways_are_one(installed: Environment, folder: Path, words: list[str], status: int) -> None:
    script = installed.bin / "glslc-multi.py"
    plain = installed.run(*words, folder=folder, command=script, stdin=SHADER, GLSLC_MULTI_CACHE="off")
    assert plain.returncode == status
    for _ in range(2):
        launched = installed.run(*words, folder=folder, stdin=SHADER)
        assert (launched.returncode, launched.stdout, launched.stderr) == (status, plain.stdout, plain.stderr)


@pytest.fixture
def noticing(wheel: Path, tmp_path: Path) -> Environment:
    """An installation that says on standard error when `site` is there."""
    environment = make_environment(tmp_path / "with space" / "venv", str(wheel))
    (environment.packages / NOTICE_FILE).write_text(NOTICE)
    return environment


def test_a_hit_starts_without_site(installed: Environment, folder: Path) -> None:
    notice = installed.packages / NOTICE_FILE
    notice.write_text(NOTICE)
    try:
        runs = [installed.run("a.vert", "-E", folder=folder) for _ in range(2)]
    finally:
        notice.unlink()
    assert [run.stdout.split("\n")[1] for run in runs] == ["void main() { gl_Position = p; }"] * 2
    assert [run.stderr for run in runs] == ["site\n", ""]


def test_a_changed_package_is_a_miss(installed: Environment, folder: Path) -> None:
    """Also where only `site` knows the folder of the package."""
    other = folder / "site-packages"
    other.mkdir()
    link = installed.packages / "other.pth"
    link.write_text(f"{other}\n")
    notice = installed.packages / NOTICE_FILE
    notice.write_text(NOTICE)
    try:
        notices = [installed.run("a.vert", "-E", folder=folder).stderr for _ in range(2)]
        (other / "new-1.0.dist-info").mkdir()
        notices += [installed.run("a.vert", "-E", folder=folder).stderr for _ in range(2)]
    finally:
        link.unlink()
        notice.unlink()
    assert notices == ["site\n", "", "site\n", ""]


def test_a_path_with_a_space_works(noticing: Environment, folder: Path) -> None:
    # No first line of a script can name such a Python, so installers write something else there.
    run = noticing.run("a.vert", "--target", "pica200", "-o", "a.bin", folder=folder)
    assert (run.returncode, run.stderr) == (0, "site\n")
    assert (folder / "a.bin").exists()


def test_links_lead_to_the_command(installed: Environment, folder: Path) -> None:
    near, far = folder / "near", folder / "deep" / "glslc-multi"
    near.symlink_to(installed.bin / "glslc-multi")
    far.parent.mkdir()
    far.symlink_to(os.path.relpath(near, far.parent))
    for command in (near, far):
        run = installed.run("--version", folder=folder, command=command)
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout.startswith("glslc-multi ")


def test_the_command_is_found_by_its_name(installed: Environment, folder: Path) -> None:
    for path in (str(installed.bin), os.path.relpath(installed.bin, folder)):
        run = installed.run(
            "glslc-multi", "--version", folder=folder, command=Path("env"), PATH=f"{path}:{os.environ['PATH']}"
        )
        assert run.stdout.startswith("glslc-multi ")


def test_python_path_counts(installed: Environment, folder: Path) -> None:
    package = folder / "glslc_multi"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "entry.py").write_text("def main(): print('from PYTHONPATH')\n")
    for command in ("glslc-multi", "glslc-multi.py"):
        run = installed.run(folder=folder, command=installed.bin / command, PYTHONPATH=str(folder))
        assert run.stdout == "from PYTHONPATH\n"


def test_a_spawned_process_does_not_start_again(installed: Environment, folder: Path) -> None:
    program = f"import runpy; runpy.run_path({str(installed.bin / 'glslc-multi')!r}, run_name='__mp_main__')"
    run = installed.run("-c", program, folder=folder, command=installed.python)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize("first_line", ["#!/usr/bin/env python3", "#!{python} -s", "#!/bin/sh"])
def test_an_unusual_script_is_run_itself(first_line: str, installed: Environment, folder: Path) -> None:
    shutil.copy(installed.bin / "glslc-multi", folder)
    script = folder / "glslc-multi.py"
    # The same to a shell and to Python.
    body = "'''exec' echo 'the script'\n'''\nprint('the script')\n"
    script.write_text(f"{first_line.format(python=installed.python)}\n{body}")
    script.chmod(0o755)
    run = installed.run(folder=folder, command=folder / "glslc-multi")
    assert (run.stdout, run.stderr) == ("the script\n", "")


def test_a_shell_on_windows_gets_the_program(installed: Environment, folder: Path) -> None:
    shutil.copy(installed.bin / "glslc-multi", folder)
    program = folder / "glslc-multi.exe"
    program.write_text('#!/bin/sh\necho "the program: $*"\n')
    program.chmod(0o755)
    run = installed.run("a.vert", "-E", folder=folder, command=folder / "glslc-multi")
    assert (run.stdout, run.stderr) == ("the program: a.vert -E\n", "")
