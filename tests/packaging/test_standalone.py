"""What must hold in the standalone executable, tried without building it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi import child
from tests.shared_data import PROJECT_ROOT

STANDALONE = PROJECT_ROOT / "packaging" / "standalone"
#: What a hit of the cache imports to know its run.
_KEY_FILES = (
    "glslc_multi/__init__.py",
    "glslc_multi/cache/__init__.py",
    "glslc_multi/cache/key.py",
    "glslc_multi/compiler/__init__.py",
    "glslc_multi/compiler/own_files.py",
)


@pytest.mark.parametrize("words", [["--version"], ["absent.vert", "--target", "agal"]])
def test_it_is_the_command_and_starts_modules_of_its_own(words: list[str], tmp_path: Path) -> None:
    """The executable stands for Python where `child` starts a process."""
    expected = subprocess.run(
        [sys.executable, "-m", "glslc_multi", *words], cwd=tmp_path, capture_output=True, check=False
    )
    executable = [sys.executable, str(STANDALONE / "command.py")]
    for call in (executable, [*executable, *child.command_of("glslc_multi")[1:]]):
        done = subprocess.run([*call, *words], cwd=tmp_path, env=child.environment(), capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (expected.returncode, expected.stdout, expected.stderr)


@pytest.mark.parametrize(("frozen", "distinct"), [("sys.frozen = True;", 1), ("", 2)])
def test_the_cache_knows_it_wherever_it_unpacks_itself(frozen: str, distinct: int, tmp_path: Path) -> None:
    keys = set()
    for folder in (tmp_path / "first", tmp_path / "second"):
        for name in _KEY_FILES:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT_ROOT / name, folder / name)
        program = f"import sys; {frozen} from glslc_multi.cache.key import run_key; print(run_key(['a'], {{}}))"
        variables = {**os.environ, "PYTHONPATH": str(folder)}
        keys.add(subprocess.run([sys.executable, "-c", program], cwd=folder, env=variables, capture_output=True).stdout)
    assert b"" not in keys
    assert len(keys) == distinct


def test_it_has_all_modules_and_data() -> None:
    """Registries import by name, which nothing but a list of all shows."""
    text = (STANDALONE / "glslc-multi.spec").read_text(encoding="utf-8")
    assert re.findall(r"(\w+)\(\"glslc_multi\"\)", text) == ["collect_submodules", "collect_data_files"]
