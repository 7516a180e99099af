"""A shader or a linked pair on one target, as data for a pane: words with their lines, costs, whether it fits.

In: explanations of stages, or the diagnostics of a refusal.  Out: mappings, lists, texts and numbers, as JSON has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.diagnostics.render_json import render_json
from glslc_multi.report.explain.data import VALUE_COLUMNS, steps_data, value_rows, words_data
from glslc_multi.report.explain.explanation import Explanation, costs_of
from glslc_multi.report.explain.graph_svg import graph_svg
from glslc_multi.report.explain.pressure_svg import pressure_svg
from glslc_multi.report.fit import Use, closest_limit, excesses, shortfall


def diagnostics_data(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """As `--diagnostics-format json` has them."""
    return [json.loads(line) for line in render_json(diagnostics).split("\n") if line]


def code_data(stages: Sequence[Explanation]) -> dict[str, Any]:
    """What a shader became, or two that were linked: every stage, and what they cost together."""
    uses = [closest_limit(stage.artifact.reflection.limits or {}) for stage in stages]
    closest = max((use for use in uses if use is not None), key=lambda use: use.need / use.limit, default=None)
    return {
        "fits": True,
        "uses": [] if closest is None else [_use_data(closest)],
        "remark": "" if closest is None else str(closest),
        "numbers": "\n".join(stage.numbers for stage in stages),
        "costs": dict(costs_of(stages)),
        "files": [file.name for file in stages[0].files],
        "sources": stages[0].sources,
        "stages": [_stage_data(stage) for stage in stages],
    }


def _stage_data(explanation: Explanation) -> dict[str, Any]:
    return {
        "stage": explanation.stage,
        "instructions": explanation.artifact.stats.instructions,
        "cycles": explanation.cycles,
        **words_data(explanation.words),
        "keys": [" ".join(listed.keys) for listed in explanation.words],
        "samplers": [", ".join(listed.samplers) for listed in explanation.words],
        "frame": explanation.frame,
        "values": {"columns": VALUE_COLUMNS, "rows": value_rows(explanation)},
        "assembly": explanation.artifact.assembly,
    }


def refusal_data(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """Why there is no code."""
    over = excesses(diagnostics)
    return {"fits": False, "uses": [_use_data(use) for use in over], "remark": shortfall(diagnostics)}


def inside_data(stages: Iterable[Explanation]) -> dict[str, Any]:
    """How the code of every stage came about."""
    return {"stages": [_inside_of(stage) for stage in stages]}


def _inside_of(explanation: Explanation) -> dict[str, Any]:
    """Every step, flow graphs, and the pressure on registers."""
    pressure = explanation.pressure
    return {
        "stage": explanation.stage,
        **steps_data(explanation.steps),
        "graphs": [[title, graph_svg(nodes)] for title, nodes in explanation.graphs.items()],
        "pressure": (
            None
            if pressure is None or not pressure.most
            else {"most": pressure.most, "picture": pressure_svg(pressure, explanation.pressure_keys)}
        ),
    }


def _use_data(use: Use) -> dict[str, Any]:
    return {"need": use.need, "limit": use.limit, "what": use.what, "excess": use.excess}
