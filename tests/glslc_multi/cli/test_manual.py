"""The man page: current, and understood by what formats it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from glslc_multi.cli.main import COMMANDS
from glslc_multi.cli.manual import page
from tests.shared_data import PROJECT_ROOT


def test_the_committed_page_is_current() -> None:
    assert (PROJECT_ROOT / "docs" / "glslc-multi.1").read_text(encoding="utf-8") == page(), "run `make docs`"


def test_groff_understands_it_and_shows_every_command_and_option() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    shown = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-P-cbou"], input=page(), capture_output=True, text=True, check=True
    )
    assert shown.stderr == ""
    for word in (
        *(command.upper() for command in COMMANDS if command != "compile"),
        "--emit KIND",
        "--agal-version 1|2|3",
    ):
        assert word in shown.stdout
