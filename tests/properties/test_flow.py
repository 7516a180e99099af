"""Nested control flow to depth three: every shape in every other one with every jump, as a model interprets it.

By default a sample by a fixed seed; GLSLC_MULTI_ALL=1 takes all of them, for each code generator.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import QUICK_PROOF, Request, split_level
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.pipeline import level
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.shader import compile_shader
from tests.code_generators import CODE_GENERATORS, LEVELS, CodeGenerator
from tests.generators.flow import JUMPS, LANES, SHAPES, UNIFORMS, FlowProgram, Stage, has_target, write

_ALL = bool(os.environ.get("GLSLC_MULTI_ALL"))
_SAMPLE, _MACHINE_SAMPLE = 250, 24
#: The last component forgets in halves, which machines round.
_SLACK = np.array([0.0, 0.0, 0.0, 2.0**-8])

Nest = tuple[tuple[str, ...], str]
NESTS: list[Nest] = [
    (shapes, jump)
    for depth in (1, 2, 3)
    for shapes in product(SHAPES, repeat=depth)
    for jump in JUMPS
    if has_target(shapes, jump)
]


def nests(name: str, count: int) -> Iterator[tuple[Nest, Random]]:
    """Of all nests so many, each with a source of chance of its own."""
    chosen = NESTS if _ALL else Random(name).sample(NESTS, count)
    return ((nest, Random(f"{name} {nest}")) for nest in chosen)


def difference(program: FlowProgram, found: dict[str, Any]) -> str:
    lost = np.array(program.discarded)
    if not np.array_equal(lost, found.get("discarded", np.zeros_like(lost))):
        return f"discards {found.get('discarded')}, expected {program.discarded}"
    if lost.all():
        return ""
    ours, theirs = (np.asarray(values, np.float64)[~lost] for values in (found[program.output], program.wanted))
    return "" if (np.abs(ours - theirs) <= _SLACK).all() else f"is\n{ours.tolist()}, expected\n{theirs.tolist()}"


def test_passes_keep_the_flow() -> None:
    for (shapes, jump), random in nests("passes", _SAMPLE):
        program = write(shapes, jump, "fragment", random)
        source = make_source(program.source, "flow", "fragment")
        lowered = lower_source(source, FrontEndOptions(), DiagnosticSink())
        for number in (0, random.choice((1, 2, 3))):
            module = clone_module(lowered)
            run_pipeline(module, level(number), PassContext())
            found = run_module(module, {"a": LANES}, UNIFORMS, {}, lanes=len(LANES))
            assert difference(program, found) == "", (shapes, jump, number, program.source)


def complaint(generator: CodeGenerator, program: FlowProgram, stage: Stage, level_: str) -> str:
    """What the machine's code computes otherwise; nothing where a limit refuses the shader."""
    target = load_target(generator.target)
    optimisation, small = split_level(level_)
    options = {**target.exact_outputs, **generator.options}
    request = Request(optimisation, small=small, target_options=options, proof=QUICK_PROOF, verify_each=True)
    try:
        shader = compile_shader(make_source(program.source, "flow", stage), target, request)
    except CompileError as error:
        codes = {each.code for each in error.diagnostics if each.severity == "error"}
        return "" if all(code.startswith("E07") for code in codes) else error.summary
    return difference(program, shader.run({"a": LANES}, UNIFORMS, engine="simulator"))


@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda each: each.name)
def test_machines_keep_the_flow(generator: CodeGenerator) -> None:
    # A fragment of PICA200 is no program.
    offered = ("vertex",) if generator.target == "pica200" else load_target(generator.target).stages
    stages: list[Stage] = [stage for stage in ("vertex", "fragment") if stage in offered]
    for (shapes, jump), random in nests(generator.name, _MACHINE_SAMPLE):
        stage, level_ = random.choice(stages), random.choice(LEVELS)
        if jump == "discard" and "fragment" in stages:
            stage = "fragment"
        program = write(shapes, "return" if jump == "discard" and stage == "vertex" else jump, stage, random)
        assert complaint(generator, program, stage, level_) == "", (shapes, jump, stage, level_, program.source)
