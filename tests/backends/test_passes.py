"""Passes that only one machine needs: the tables of the targets have them, and a check file each holds (see
`tests/compiler/passes/check_file.py`)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from glslc_multi import backends
from glslc_multi.backends.registry import all_passes, load_target, target_names
from glslc_multi.compiler.passes.base import Pass
from glslc_multi.compiler.passes.registry import PASSES, pass_class
from tests.compiler.passes.check_file import check_files, read_check_file
from tests.compiler.passes.judge import must_compute_the_same, must_hold

FILES = check_files("backends")
OWN = sorted({*all_passes()} - {*PASSES})


def test_the_tables_have_all_passes() -> None:
    modules = [import_module(info.name) for info in walk_packages(backends.__path__, "glslc_multi.backends.")]
    classes = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
    passes = {
        each for each in classes if issubclass(each, Pass) and each.__module__.startswith("glslc_multi.backends.")
    }
    assert passes == {pass_class(name, all_passes()) for name in OWN}


@pytest.mark.parametrize("target", target_names())
def test_the_names_say_whose_passes_they_are(target: str) -> None:
    passes = load_target(target).passes
    for name, place in passes.items():
        assert pass_class(name, passes).name == name
        assert name.startswith(place.split(".")[2].replace("_", "-") + "-")


@pytest.mark.parametrize("name", OWN)
def test_every_pass_has_a_check_file(name: str) -> None:
    assert any(name in read_check_file(path).directives["passes"] for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_check_file(path: Path, accept: bool) -> None:
    must_hold(path, accept)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_results_stay_the_same(path: Path) -> None:
    must_compute_the_same(path)
