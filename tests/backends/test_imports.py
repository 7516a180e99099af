"""Assembling, disassembling and validating load none of the heavy libraries, whatever the target."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("target", ["adreno", "agal", "pica200", "theia", "vc4"])
def test_machine_code_tools_load_no_heavy_library(target: str) -> None:
    code = (
        f"import sys, backends.{target}.isa.asm, backends.{target}.isa.disasm, backends.{target}.isa.validate;"
        "print(*sorted({'numpy', 'networkx', 'pyparsing', 'llvmlite'} & sys.modules.keys()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
