"""Khronos's tools, as far as tests need them."""

from __future__ import annotations

import subprocess
from pathlib import Path

#: Its interface lists need only inputs and outputs; `spirv-as` writes it, `spirv-val` judges by it.
_VERSION = "spv1.3"


def assembled(text: str, folder: Path) -> bytes:
    """The binary that spirv-as makes of a text."""
    source, result = folder / "a.spvasm", folder / "a.spv"
    source.write_text(text)
    subprocess.run(["spirv-as", "--target-env", _VERSION, source, "-o", result], check=True)
    return result.read_bytes()


def validated(folder: Path) -> str:
    """What spirv-val has against the module that was assembled last; "" where it is valid."""
    command = ["spirv-val", "--target-env", _VERSION, str(folder / "a.spv")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.stdout + done.stderr
