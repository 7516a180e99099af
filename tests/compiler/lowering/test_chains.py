"""Lowerings in the order of the README: nothing of what they remove is left, and shaders compute the same."""

from __future__ import annotations

from itertools import islice

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.passes.pipeline import Pipeline
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from tests.compiler.passes.oracle import complaint_about
from tests.compiler.passes.trials import Trial, glsl_trials, ir_trials

_PROLOGUE = "inline,simplify-cfg,sroa,mem2reg,dce"
#: A vector machine of floats, with set-on-less instead of predicates, and one without elementary functions.
_FLOATS = (
    f"{_PROLOGUE},lower-indexing{{uniforms=true}},sroa,mem2reg,lower-matrices,lower-int-to-float,"
    "lower-transcendentals{keep=fsin.fcos.fexp2.flog2},lower-builtins{keep=dot},"
    "lower-bool-to-float{select=arithmetic},dce"
)
_NARROW = (
    f"{_PROLOGUE},lower-returns,lower-kill,mem2reg,lower-indexing,sroa,mem2reg,lower-matrices,"
    "lower-int-to-float{exact-divide=true},lower-transcendentals,lower-builtins{keep=fdiv.dot.length,lacks=frcp.frsqrt},"
    "lower-vec4-split,dce"
)
_SCALAR = f"{_PROLOGUE},lower-indexing,sroa,mem2reg,lower-builtins,lower-matrices,scalarize,lower-builtins,dce"


def has_kind(instruction: Instruction, kind: str) -> bool:
    return instruction.type.kind == kind


def is_left_by_floats(instruction: Instruction) -> bool:
    """Ints but for indices, bools but for comparisons and their `btof`, selects, composite operations."""
    names = {"select", "and", "or", "not", "fmix", "fdiv", "fmod", "length", "mat_vec", "vec_mat", "idiv", "fatan"}
    is_int = has_kind(instruction, "int") and instruction.op is not ops.FTOI
    is_bool = has_kind(instruction, "bool") and instruction.op.name not in ("flt", "fle", "feq", "fne")
    return instruction.op.name in names or is_int or is_bool


def is_left_by_narrow(instruction: Instruction) -> bool:
    """Arithmetic on four components, and elementary functions."""
    is_wide = instruction.type.width > 3 and instruction.op.component is not None
    return is_wide or instruction.op.name in {"fsin", "fexp2", "flog2", "fatan2", "frcp", "fmix"}


def is_left_by_scalar(instruction: Instruction) -> bool:
    is_wide = instruction.type.width > 1 and (instruction.op.component is not None or instruction.op is ops.PHI)
    return is_wide or instruction.op.name in {"dot", "normalize", "all", "extract_dynamic"}


CHAINS = {
    "floats": (_FLOATS, is_left_by_floats),
    "narrow": (_NARROW, is_left_by_narrow),
    "scalar": (_SCALAR, is_left_by_scalar),
}


def pipeline(name: str) -> Pipeline:
    return parse_pipeline(CHAINS[name][0], DiagnosticSink())


def trials() -> list[Trial]:
    return [*islice(ir_trials(7000), 6), *islice(glsl_trials(7000), 6)]


def lowered(trial: Trial, name: str) -> Module:
    module = trial.build()
    run_pipeline(module, pipeline(name))
    return module


@pytest.mark.parametrize("name", CHAINS)
def test_nothing_is_left(name: str) -> None:
    for trial in trials():
        left = [i for f in lowered(trial, name).functions.values() for i in f.instructions() if CHAINS[name][1](i)]
        assert not left, f"{trial.name}: {left}"


@pytest.mark.parametrize("name", CHAINS)
def test_results_stay_the_same(name: str) -> None:
    for trial in trials():
        assert not complaint_about(trial, pipeline(name)), trial.name
