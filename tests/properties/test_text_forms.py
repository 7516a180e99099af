"""parse(print(x)) = x for text forms of compiled programs: assembly of every target, and the IR after the passes."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, optimise
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.options import Request, split_level
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from tests.code_generators import CODE_GENERATORS, LEVELS, CodeGenerator
from tests.frontends.glsl.shaders import compile_shader
from tests.generators.glsl import Stage, generate

_STAGES: tuple[Stage, ...] = ("vertex", "fragment")
_COUNT = 16
_UNSAID = "which no directive can say"


@cache
def modules() -> list[Module]:
    """Generated shaders of both stages."""
    programs = [generate(Random(seed), _STAGES[seed % 2], 4) for seed in range(_COUNT)]
    return [compile_shader(p.source, filename="generated", stage=p.stage, sink=DiagnosticSink()) for p in programs]


def compiled(module: Module, generator: CodeGenerator, level: str) -> Artifact | None:
    """The program, or None where the hardware cannot hold it."""
    target, sink = load_target(generator.target), DiagnosticSink()
    effort, small = split_level(level)
    request = Request(effort, small=small, target_options=generator.options)
    settled = checked_options(target, module.stage, request, sink)
    try:
        return compile_module(clone_module(module), target, settled, request, sink)
    except CompileError as error:
        assert {found.code[:3] for found in error.diagnostics if found.severity == "error"} == {"E07"}
        return None


@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda generator: generator.name)
def test_assembly_gives_the_same_bytes(generator: CodeGenerator) -> None:
    target = load_target(generator.target)
    programs = [
        artifact
        for number, module in enumerate(modules())
        if module.stage in target.stages
        and (artifact := compiled(module, generator, LEVELS[number // 2 % 3])) is not None
    ]
    assert len(programs) >= 3
    settled = checked_options(
        target, target.stages[0], Request(target_options=generator.options), DiagnosticSink()
    ).values
    for artifact in programs:
        text = target.disassemble(artifact.binary, "binary", DiagnosticSink())
        again = target.assemble(text, "text", DiagnosticSink())
        assert target.list_words(again, settled) == target.list_words(artifact.binary, settled)
        # Files of PICA200 hold names of uniforms that its assembly cannot say; the text lists them as comments.
        assert again == artifact.binary or _UNSAID in text


@pytest.mark.parametrize("effort", [0, 2])
def test_ir_gives_the_same_module(effort: int) -> None:
    for module in modules():
        optimised = optimise(clone_module(module), effort)
        text = print_module(optimised)
        again = parse_module(text, "text", DiagnosticSink())
        assert again is not None
        assert print_module(again) == text
