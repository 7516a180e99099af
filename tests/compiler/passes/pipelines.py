"""A pipeline as text, which `pipeline_text.py` reads again."""

from __future__ import annotations

from glslc_multi.compiler.passes.pipeline import DEFAULT_ROUNDS, ForBranches, Pipeline, Repeat, Step
from glslc_multi.compiler.records import fields


def print_pipeline(pipeline: Pipeline) -> str:
    """The text of a pipeline, which parses back to it."""
    return ",".join(_print_step(step) for step in pipeline)


def _print_step(step: Step) -> str:
    if isinstance(step, Repeat):
        rounds = "" if step.rounds == DEFAULT_ROUNDS else f"{{rounds={step.rounds}}}"
        return f"repeat{rounds}({print_pipeline(step.steps)})"
    if isinstance(step, ForBranches):
        return step.name
    changed = [
        f"{option.name.replace('_', '-')}={_print_value(getattr(step, option.name))}"
        for option in fields(step)
        if getattr(step, option.name) != option.default
    ]
    return step.name + (f"{{{','.join(changed)}}}" if changed else "")


def _print_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
