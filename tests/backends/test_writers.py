"""Modules with control flow of any shape say the same in every language that they are written in."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from glslc_multi.backends.glsl import write as glsl
from glslc_multi.backends.glsl.dialects import DIALECTS
from glslc_multi.backends.spirv import write as spirv
from glslc_multi.backends.spirv.environments import ENVIRONMENTS
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.proof.modules import prove_module
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.spirv.binary import write_binary
from glslc_multi.frontends.registry import make_source
from tests.generators.cfg_program import tangled


def _as_glsl(module: Module) -> Source:
    return make_source(glsl.write_module(module, DIALECTS["330"], DiagnosticSink()).text, "a.vert", "vertex")


def _as_spirv(module: Module) -> Source:
    code = spirv.write_module(module, ENVIRONMENTS["opengl4.5"], DiagnosticSink())
    return make_source(write_binary(code), "a.spv", "vertex")


@pytest.mark.parametrize("write", [_as_glsl, _as_spirv])
@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("seed", range(12))
def test_tangled_control_flow(seed: int, level: int, write: Callable[[Module], Source]) -> None:
    module = tangled(Random(seed))
    before = Snapshot(clone_module(module))
    again = lower_source(write(optimise(module, level, costs=glsl.COSTS)), FrontEndOptions(), DiagnosticSink())
    after = Snapshot(again)
    outputs = {each.name: (after.module.find_variable(each.name), 0) for each in before.module.outputs()}
    assert prove_module(before, after, outputs).outcome == "equal"
