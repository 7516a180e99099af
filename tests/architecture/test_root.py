"""The root of the repository holds what is named here: what a tool writes there by the way is litter."""

from __future__ import annotations

import subprocess

import pytest

from tests.architecture.imports import FLOORS
from tests.shared_data import PROJECT_ROOT

_FILES = {
    ".gitattributes",
    ".gitignore",
    ".pre-commit-hooks.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "action.yml",
    "pyproject.toml",
}
_PARTS = {name for floor in FLOORS for name in floor}
_FOLDERS = {
    ".ci",
    ".editable",
    ".github",
    "benchmarks",
    "docs",
    "editors",
    "examples",
    "packaging",
    "tests",
    "website",
    *_PARTS,
}


def test_the_root_holds_what_is_known() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT_ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this copy is no repository of git")
    paths = listed.stdout.removesuffix("\0").split("\0")
    assert {path for path in paths if "/" not in path} == _FILES
    assert {path.partition("/")[0] for path in paths if "/" in path} == _FOLDERS
