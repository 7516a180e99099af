"""Importing the diagnostics stays cheap: every compile does it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.shared_data import PROJECT_ROOT

LOADED = "import sys, {module}; print('\\n'.join(sys.modules))"


def loaded_by(module: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after importing one."""
    command = [sys.executable, "-c", LOADED.format(module=module)]
    return set(subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("module", ["glslc_multi.compiler.diagnostics", "glslc_multi.compiler.diagnostics.render"])
def test_neither_renderers_nor_the_catalogue_are_loaded_before_they_are_needed(module: str) -> None:
    loaded = loaded_by(module)
    ours = {name for name in loaded if name.startswith("glslc_multi.compiler.diagnostics.")}
    assert ours <= {f"glslc_multi.compiler.diagnostics.{name}" for name in ("model", "sink", "span", "render")}
    assert not loaded & {
        "json",
        "urllib",
        "argparse",
        "textwrap",
        "numpy",
        "networkx",
        "pyparsing",
        "llvmlite",
    }


def test_a_phase_loads_only_its_own_messages() -> None:
    loaded = loaded_by("glslc_multi.compiler.diagnostics.catalogue.names")
    catalogue = {name for name in loaded if name.startswith("glslc_multi.compiler.diagnostics.catalogue.")}
    assert catalogue == {
        "glslc_multi.compiler.diagnostics.catalogue.names",
        "glslc_multi.compiler.diagnostics.catalogue.registry",
    }
