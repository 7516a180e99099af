"""Instruction combining and constant propagation on generated programs."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline import LEVELS
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import replace
from tests.compiler.passes.oracle import complaint_about
from tests.compiler.passes.trials import Trial, glsl_trials, ir_trials

COUNT = 25
PROGRAMS = {"GLSL": glsl_trials, "IR": ir_trials}
PIPELINE = parse_pipeline("inline,sroa,mem2reg,repeat(sccp,instcombine,dce,simplify-cfg)", DiagnosticSink())


def cases(first: int) -> pytest.MarkDecorator:
    """Parameters: seeds of programs in both languages, which are made where they are tried."""
    seeds = [(language, seed) for language in PROGRAMS for seed in range(first, first + COUNT)]
    return pytest.mark.parametrize(("language", "seed"), seeds)


def trial_of(language: str, seed: int) -> Trial:
    return next(PROGRAMS[language](seed))


@cases(100)
def test_results_stay_within_rounding(language: str, seed: int) -> None:
    assert complaint_about(trial_of(language, seed), PIPELINE) == ""


@pytest.mark.parametrize("name", ["instcombine", "gvn", "sccp"])
@cases(300)
def test_looking_only_at_changes_overlooks_nothing(language: str, seed: int, name: str) -> None:
    module = trial_of(language, seed).build()
    run_pipeline(module, LEVELS[2][:-1])
    for function in module.functions.values():
        function.seen.clear()
    module.settled.clear()
    assert not run_pipeline(module, parse_pipeline(name, DiagnosticSink()))


@cases(400)
def test_combining_ends_where_nothing_is_left_to_combine(language: str, seed: int) -> None:
    module = trial_of(language, seed).build()
    combine = parse_pipeline("instcombine", DiagnosticSink())
    run_pipeline(module, parse_pipeline("inline,sroa,mem2reg", DiagnosticSink()))
    run_pipeline(module, combine)
    for function in module.functions.values():
        function.seen.clear()
    assert not run_pipeline(module, combine)


@cases(200)
def test_exact_rules_keep_every_bit(language: str, seed: int) -> None:
    """Also where the generator allows for rounding: sines, divisions, powers."""
    exact = replace(trial_of(language, seed), approximate=frozenset())
    assert complaint_about(exact, PIPELINE, PassContext(precise=True)) == ""
