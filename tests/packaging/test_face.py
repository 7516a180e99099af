"""The public face `glslc_multi`: light to import, and it notices foreign packages of the same names."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import glslc_multi
from tests.shared_data import PROJECT_ROOT


def run_python(program: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    # -I -S: only the standard library and `folders` can be imported, whatever is installed.
    prologue = f"import sys; sys.path[:0] = {[str(folder) for folder in folders]!r}; "
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", prologue + program], capture_output=True, text=True, check=False
    )


def test_importing_the_face_loads_no_heavy_package() -> None:
    heavy = "{'networkx', 'numpy', 'pyparsing', 'llvmlite', 'compiler.driver'}"
    run = run_python(f"import glslc_multi; print(sorted({heavy} & set(sys.modules)))", PROJECT_ROOT)
    assert (run.stdout, run.stderr) == ("[]\n", "")


@pytest.mark.parametrize("package", ["compiler", "frontends", "backends", "runtime"])
def test_a_foreign_package_is_named(package: str, tmp_path: Path) -> None:
    foreign = tmp_path / package / "__init__.py"
    foreign.parent.mkdir()
    foreign.write_text("raise SystemExit('the foreign package was imported')")
    run = run_python("from glslc_multi import compile", tmp_path, PROJECT_ROOT)
    assert run.returncode == 1
    message = run.stderr.splitlines()[-1]
    assert message.startswith(f"ImportError: glslc_multi needs its own package '{package}' from {PROJECT_ROOT}, ")
    assert f"the one at {foreign.parent}" in message


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    shutil.copytree(PROJECT_ROOT / "glslc_multi", tmp_path / "glslc_multi")
    (tmp_path / "compiler").mkdir()
    (tmp_path / "compiler" / "__init__.py").touch()
    run = run_python("from glslc_multi import compile", tmp_path)
    assert run.stderr.splitlines()[-1] == (
        f"ImportError: glslc_multi is incomplete: its package 'frontends' is missing from {tmp_path}"
    )


def test_the_face_offers_what_it_lists() -> None:
    for name in glslc_multi.__all__:
        assert getattr(glslc_multi, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'compyle'"):
        glslc_multi.compyle  # noqa: B018


def test_an_unknown_target_is_a_compile_error() -> None:
    with pytest.raises(glslc_multi.CompileError, match=r"unknown target 'toaster' \[E0908\]") as caught:
        glslc_multi.compile("void main() {}", target="toaster", stage="vertex")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.entry.exit_status == 2
    with pytest.raises(glslc_multi.CompileError):
        glslc_multi.assemble("nop", "toaster")
    with pytest.raises(glslc_multi.CompileError):
        glslc_multi.disassemble(b"", "toaster")
