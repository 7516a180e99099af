"""Processes of our own: what lies in the folder that they are started in is not run."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest

from glslc_multi import child
from glslc_multi.lsp.costs import Cost, Job
from glslc_multi.lsp.worker import Compilers


def test_modules_of_the_folder_are_not_found(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('run')\n")
    (tmp_path / "compiler").mkdir()
    (tmp_path / "compiler" / "__init__.py").write_text("raise SystemExit('run')\n")
    command = [*child.command_of("glslc_multi"), "--version"]
    found = subprocess.run(command, cwd=tmp_path, env=child.environment(), capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")


def test_the_editor_compiles_beside_a_folder_of_our_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "glslc_multi.py").write_text("raise SystemExit('run')\n")
    monkeypatch.chdir(tmp_path)
    costs: list[Cost] = []
    job = Job("void main() { gl_Position = vec4(1.0); }", "a.vert", "vertex", "agal", {}, (), "", False)

    async def compile_one() -> None:
        compilers = Compilers(lambda document, told, cost: costs.append(cost))
        compilers.order("a.vert", [job])
        while not costs:
            await asyncio.sleep(0.01)
        await compilers.close()

    asyncio.run(compile_one())
    assert [cost.fits for cost in costs] == [True], costs
