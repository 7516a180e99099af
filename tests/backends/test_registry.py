"""The registry of targets: what is listed can be loaded and is complete."""

from __future__ import annotations

import subprocess
import sys

import pytest

import glslc_multi
from glslc_multi.backends.registry import ALIASES, find_target, load_target, target_names
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import STAGES
from tests.compiler.fake_target import FakeTarget, fake_target
from tests.shared_data import PROJECT_ROOT

__all__ = ["fake_target"]


def test_a_registered_target_is_listed_and_loaded(fake_target: FakeTarget) -> None:
    assert "fake" in target_names()
    assert load_target("fake") is fake_target


def test_an_unregistered_target_cannot_be_loaded() -> None:
    with pytest.raises(KeyError):
        load_target("toaster")


def test_every_target_is_complete(fake_target: FakeTarget) -> None:
    for name in target_names():
        target = load_target(name)
        assert target.name == name
        assert target.description
        assert target.stages
        assert set(target.stages) <= set(STAGES)
        assert target.suffix.startswith(".")
        for option in target.options:
            assert option.convert(option.default) == option.default


def test_listing_the_targets_imports_none() -> None:
    program = (
        "import sys; from glslc_multi.backends.registry import target_names; target_names();"
        "names = {name for name in sys.modules if name.startswith('glslc_multi.backends.')};"
        "print(sorted(names - {'glslc_multi.backends.registry'}))"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=PROJECT_ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("alias", ALIASES)
def test_machines_go_by_other_names(alias: str) -> None:
    assert alias not in target_names()
    assert find_target(alias, DiagnosticSink()) is load_target(ALIASES[alias])
    shader = glslc_multi.compile("void main() { gl_FragColor = vec4(1.0); }", target=alias, stage="frag")
    assert shader.reflection.target == ALIASES[alias]
    assert shader.reflection.stage == "fragment"
