"""Compiling, assembling, disassembling and validating load none of the heavy libraries, whatever the target."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.shared_data import PROJECT_ROOT

TARGETS = ["adreno", "agal", "pica200", "theia", "vc4", "xenos"]
HEAVY = {"numpy", "networkx", "llvmlite"}


def loaded(*modules: str) -> set[str]:
    """What importing the modules loads."""
    return loaded_by(f"import {', '.join(modules)}")


def loaded_by(program: str) -> set[str]:
    code = f"{program}; import sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT_ROOT, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("target", TARGETS)
def test_assemblers_load_no_heavy_library(target: str) -> None:
    assert not HEAVY & loaded(f"glslc_multi.backends.{target}.isa.asm")


@pytest.mark.parametrize("target", TARGETS)
def test_who_does_not_assemble_loads_no_grammar(target: str) -> None:
    rules_of = "xenos_family" if target in ("adreno", "xenos") else target
    rooms = (f"glslc_multi.backends.{target}.isa.disasm", f"glslc_multi.backends.{rules_of}.isa.validate")
    assert not (HEAVY | {"pyparsing"}) & loaded(*rooms)


@pytest.mark.parametrize("target", TARGETS)
def test_who_compiles_loads_no_grammar(target: str) -> None:
    stage, result = ("fragment", "gl_FragColor") if target == "theia" else ("vertex", "gl_Position")
    shader = f"precision mediump float; uniform vec4 a; uniform mat4 m; void main() {{ {result} = m * a; }}"
    program = f"import glslc_multi; glslc_multi.compile({shader!r}, target={target!r}, stage={stage!r})"
    assert not {"numpy", "llvmlite", "pyparsing"} & loaded_by(program)
