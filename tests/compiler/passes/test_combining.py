"""Instruction combining and constant propagation on generated programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

import pytest

from compiler.diagnostics import DiagnosticSink
from compiler.passes.base import PassContext
from compiler.passes.pipeline import LEVELS, parse_pipeline
from compiler.passes.runner import run_pipeline
from compiler.records import replace
from tests.compiler.passes.oracle import complaint_about
from tests.compiler.passes.trials import Trial, glsl_trials, ir_trials

COUNT = 25
PIPELINE = parse_pipeline("inline,sroa,mem2reg,repeat(sccp,instcombine,dce,simplify-cfg)", DiagnosticSink())


def trials(seed: int) -> Iterator[Trial]:
    return chain(islice(glsl_trials(seed), COUNT), islice(ir_trials(seed), COUNT))


@pytest.mark.parametrize("trial", list(trials(100)), ids=lambda trial: trial.name)
def test_results_stay_within_rounding(trial: Trial) -> None:
    assert complaint_about(trial, PIPELINE) == ""


@pytest.mark.parametrize("name", ["instcombine", "gvn", "sccp"])
@pytest.mark.parametrize("trial", list(trials(300)), ids=lambda trial: trial.name)
def test_looking_only_at_changes_overlooks_nothing(trial: Trial, name: str) -> None:
    module = trial.build()
    run_pipeline(module, parse_pipeline(LEVELS[2].removesuffix(",contract"), DiagnosticSink()))
    for function in module.functions.values():
        function.seen.clear()
    module.settled.clear()
    assert not run_pipeline(module, parse_pipeline(name, DiagnosticSink()))


@pytest.mark.parametrize("trial", list(trials(400)), ids=lambda trial: trial.name)
def test_combining_ends_where_nothing_is_left_to_combine(trial: Trial) -> None:
    module = trial.build()
    combine = parse_pipeline("instcombine", DiagnosticSink())
    run_pipeline(module, parse_pipeline("inline,sroa,mem2reg", DiagnosticSink()))
    run_pipeline(module, combine)
    for function in module.functions.values():
        function.seen.clear()
    assert not run_pipeline(module, combine)


@pytest.mark.parametrize("trial", list(trials(200)), ids=lambda trial: trial.name)
def test_exact_rules_keep_every_bit(trial: Trial) -> None:
    """Also where the generator allows for rounding: sines, divisions, powers."""
    exact = replace(trial, approximate=frozenset())
    assert complaint_about(exact, PIPELINE, PassContext(precise=True)) == ""
