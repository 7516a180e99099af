"""Generated GLSL programs keep their promises: valid, well defined, exact where they say so, diverse."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.frontends.glsl.library.functions import function_names
from glslc_multi.runtime.reference import run_module
from tests.frontends.glsl.shaders import compile_shader
from tests.generators.glsl import Program, Stage, generate, programs
from tests.generators.glsl_forms import FORM_NAMES
from tests.generators.run_glsl import textures_of
from tests.narrow import Float24

PROGRAMS = 100


@cache
def sample() -> list[Program]:
    return [generate(Random(seed), "fragment" if seed % 2 else "vertex") for seed in range(PROGRAMS)]


@cache
def lowered() -> list[Module]:
    return [lower(program) for program in sample()]


def lower(program: Program) -> Module:
    return compile_shader(program.source, filename="generated", stage=program.stage, sink=DiagnosticSink())


def run(program: Program, module: Module, arithmetic: LaneArithmetic) -> dict[str, Array]:
    return run_module(
        module,
        program.inputs,
        program.uniforms,
        textures_of(program),
        quads=program.quads,
        arithmetic=arithmetic,
    )


def test_programs_are_valid() -> None:
    for module in lowered():
        assert verify_module(module, final=True) == []


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_the_same_seed_gives_the_same_program(stage: Stage) -> None:
    assert generate(Random(1), stage).source == generate(Random(1), stage).source


def test_results_are_finite_and_exact_outputs_do_not_depend_on_rounding() -> None:
    for seed, (program, module) in enumerate(zip(sample(), lowered(), strict=True)):
        full, narrow = run(program, module, LANES), run(program, module, Float24())
        live = ~full["discarded"] if "discarded" in full else np.ones(16, bool)
        np.testing.assert_array_equal(full.get("discarded", live), narrow.get("discarded", live), f"seed {seed}")
        for name, exact in program.outputs.items():
            assert np.isfinite(full[name][live]).all(), f"seed {seed}: {name}"
            if exact:
                np.testing.assert_array_equal(full[name], narrow[name], f"seed {seed}: {name}")
            else:
                error = np.abs(full[name] - narrow[name])[live]
                assert np.all(error <= 0.05 * (1 + np.abs(full[name][live]))), f"seed {seed}: {name}"


def test_the_language_is_covered() -> None:
    written = set().union(*(program.features for program in sample()))
    # Level and gradient lookups of EXT_shader_texture_lod are left out: without mipmaps they add nothing.
    calls = {name for name in function_names(100) if not name.endswith(("EXT", "OES"))}
    # Programs are vertex and fragment shaders.
    calls -= {"EmitVertex", "EndPrimitive"}
    assert calls - written == set()
    expected = {"if", "for", "while", "do", "break", "continue", "discard", "call", "inout", "early-return"}
    expected |= {"struct", "array", "uniform-array", "uniform-struct", "uniform-struct-array", "dynamic-index"}
    expected |= {"++", "--", "+=", "?:", "&&", "||", "^^", "!", "swizzle", "component-write", "mat*mat", "mat*vec"}
    expected |= {"global", "global-const", "int/", "int*", "float<", "int>=", "vec3==", "float->int", "bool->float"}
    expected |= {"varying-array", "varying-matrix", "attribute-matrix", "compared-with-constant", *FORM_NAMES}
    assert expected - written == set()


@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs("vertex", statements=3))
def test_the_hypothesis_strategy(program: Program) -> None:
    assert verify_module(lower(program)) == []
