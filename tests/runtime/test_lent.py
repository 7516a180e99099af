"""Engines that run machine code of a linked stage see the variables that linking has added."""

from __future__ import annotations

import glslc_multi
from glslc_multi.compiler.ir import types as ir
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import replace
from glslc_multi.runtime.lent import with_lent

SHADER = glslc_multi.compile("attribute vec4 p; void main() { gl_Position = p; }", target="adreno", stage="vertex")


def _module() -> Module:
    module = Module("vertex", "a.vert")
    module.exact_integers = True
    module.add_variable(Variable("own", "uniform", ir.FLOAT))
    return module


def test_a_lone_stage_is_seen_as_it_is() -> None:
    module = _module()
    assert with_lent(module, replace(SHADER.artifact, lent=())) is module


def test_what_is_lent_is_seen_beside_its_own() -> None:
    module, lent = _module(), Variable("u_other", "uniform", ir.FLOAT)
    seen = with_lent(module, replace(SHADER.artifact, lent=(lent,)))
    assert list(seen.variables) == ["own", "u_other"] and seen.variables["u_other"] is lent
    assert (seen.stage, seen.name, seen.exact_integers) == ("vertex", "a.vert", True)
    assert seen.declarations is module.declarations and seen.blocks is module.blocks
    assert list(module.variables) == ["own"]
