"""The key of a run: edits of the compiler change it, and the hit path stays light."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi.cache import key
from glslc_multi.cache.footprint import Footprint, recording
from glslc_multi.cli.main import main
from tests.shared_data import PROJECT_ROOT

#: All that a hit imports; whatever else is needed, Python has loaded before.
HIT_MODULES = [
    "_blake2",
    "glslc_multi",
    "glslc_multi.cache",
    "glslc_multi.cache.key",
    "glslc_multi.cache.lookup",
    "glslc_multi.cache.naming",
    "glslc_multi.cache.system",
    "glslc_multi.compiler",
    "glslc_multi.compiler.own_files",
    "glslc_multi.entry",
]


def make_tree(home: Path) -> None:
    for package in ("glslc_multi", "compiler", "frontends", "backends", "runtime"):
        (home / package / "deep").mkdir(parents=True)
        (home / package / "deep" / "a.py").write_text("a = 1\n")
    for package in ("compiler", "frontends", "backends", "runtime"):
        (home / "glslc_multi" / package).symlink_to(f"../{package}")


def test_an_edit_of_the_compiler_changes_the_key(tmp_path: Path) -> None:
    make_tree(tmp_path)
    file = tmp_path / "backends" / "deep" / "a.py"

    def find_key() -> bytes:
        return key.run_key(["a.vert"], {}, str(tmp_path))

    keys = [find_key()]
    assert find_key() == keys[0]
    os.utime(file, ns=(1, 1))
    keys.append(find_key())
    (file.parent / "b.py").touch()
    keys.append(find_key())
    (file.parent / "b.py").rename(file.parent / "c.py")
    keys.append(find_key())
    file.unlink()
    keys.append(find_key())
    assert len(set(keys)) == len(keys)
    (file.parent / "__pycache__").mkdir()
    (file.parent / "__pycache__" / "a.pyc").touch()
    assert find_key() == keys[-1]


def test_what_an_installer_does_changes_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "site-packages"
    make_tree(installed)
    monkeypatch.setattr(sys, "path", [str(installed)])
    os.utime(installed, ns=(1, 1))
    before = key.run_key([], {}, str(installed))
    assert key.run_key([], {}, str(installed)) == before
    (installed / "other-2.0.dist-info").mkdir()
    assert key.run_key([], {}, str(installed)) != before


def test_words_are_not_joined() -> None:
    keys = {key.run_key(words, {}) for words in (["a", "b"], ["a b"], ["ab"], ["a", "b", ""], ["b", "a"], ["\udcff"])}
    assert len(keys) == 6


def test_every_variable_that_a_compilation_reads_counts() -> None:
    """The exceptions change no result: where the cache is, and tracebacks of failures, which are not kept."""
    pattern = re.compile(r"(?:environ\.get|environment\.get|getenv)\(\s*\"(\w+)\"")
    found = set()
    for package in ("glslc_multi", "compiler", "frontends", "backends"):
        for path in (PROJECT_ROOT / package).rglob("*.py"):
            if "native" not in path.parts:
                found |= set(pattern.findall(path.read_text(encoding="utf-8")))
    assert found >= {"NO_COLOR", "TERM"}
    assert found - {"GLSLC_MULTI_CACHE", "XDG_CACHE_HOME", "GLSLC_MULTI_TRACEBACK", "HOME"} <= set(key.ENVIRONMENT)


def test_a_hit_imports_next_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.vert").write_text("void main() {}\n")
    program = (
        "import posix, sys; before = set(sys.modules)\n"
        "def leave(status): print(sorted(set(sys.modules) - before), flush=True); leave_now(status)\n"
        "leave_now, posix._exit = posix._exit, leave\n"
        "from glslc_multi.entry import main\n"
        "main()\n"
    )
    environment = {**os.environ, "GLSLC_MULTI_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(PROJECT_ROOT)}
    # As the launcher starts it: nothing that `site` loads is there, such as `os`.
    command = [sys.executable, "-S", "-P", "-c", program, "a.vert", "-E", "-o", "a.out"]
    runs = [
        subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert "glslc_multi.compiler.driver" in runs[0].stdout
    assert runs[1].stdout == f"{HIT_MODULES}\n"


_opened: list[str] | None = None


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _opened is not None:
        _opened.append(str(arguments[0]))


def test_every_file_that_a_run_opens_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    global _opened
    monkeypatch.chdir(tmp_path)
    (tmp_path / "part.glsl").write_text("attribute vec4 p;\n")
    (tmp_path / "a.vert").write_text(
        '#extension GL_GOOGLE_include_directive : require\n#include "part.glsl"\nvoid main() { gl_Position = p; }\n'
    )
    (tmp_path / "words").write_text("--stats --reflect a.json")
    sys.addaudithook(_listen)
    footprint = Footprint()
    _opened = []
    try:
        with recording(footprint):
            status = main(["a.vert", "--target", "pica200", "-I", "absent", "-o", "a.bin", "@words"])
    finally:
        opened, _opened = _opened, None
    assert status == 0
    mine = {os.path.basename(path) for path in opened if os.path.dirname(path) in ("", str(tmp_path))}  # noqa: PTH119, PTH120
    aside = {name for name in mine if name.endswith(".part")}
    assert {name for name, _ in footprint.steps if name not in ("-", "\0")} == {"a.bin", "a.json"}
    assert len(aside) == 2
    assert mine - aside == {"a.vert", "part.glsl", "words"}
    others = {name for name in footprint.states if not name.endswith("glslc-multi.toml")}
    assert others == {"a.vert", "part.glsl", "words"}
    assert "glslc-multi.toml" in footprint.states


def test_another_compiler_or_python_is_another_identity(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its version, that of Python, and the place where it is."""
    home = tmp_path / "site-packages"
    home.mkdir()
    found = [key._compiler_identity(str(home))]
    monkeypatch.setattr(key, "__version__", "0.0.0")
    found.append(key._compiler_identity(str(home)))
    monkeypatch.setattr(sys, "version", "2.7")
    found.append(key._compiler_identity(str(home)))
    other = tmp_path / "other" / "site-packages"
    other.mkdir(parents=True)
    os.utime(other, ns=(home.stat().st_atime_ns, home.stat().st_mtime_ns))
    found.append(key._compiler_identity(str(other)))
    os.utime(other, (1, 1))
    found.append(key._compiler_identity(str(other)))
    assert len(set(found)) == 5
