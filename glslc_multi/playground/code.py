"""One shader on one target, as data for a pane: the words with their lines, what they cost, whether it fits.

In: an explanation, or the diagnostics of a refusal.  Out: mappings, lists, texts and numbers, as JSON has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from compiler.diagnostics import Diagnostic
from compiler.diagnostics.render_json import render_json
from compiler.isa.listing import estimated_cycles
from glslc_multi.report.explain.data import VALUE_COLUMNS, steps_data, value_rows, words_data
from glslc_multi.report.explain.explanation import Explanation
from glslc_multi.report.explain.graph_svg import graph_svg
from glslc_multi.report.explain.pressure_svg import pressure_svg
from glslc_multi.report.fit import Use, closest_limit, excesses, shortfall


def diagnostics_data(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """As `--diagnostics-format json` has them."""
    return [json.loads(line) for line in render_json(diagnostics).split("\n") if line]


def code_data(explanation: Explanation) -> dict[str, Any]:
    """What a shader became."""
    closest = closest_limit(explanation.artifact.reflection.limits or {})
    return {
        "fits": True,
        "uses": [] if closest is None else [_use_data(closest)],
        "remark": "" if closest is None else str(closest),
        "numbers": explanation.numbers,
        "instructions": explanation.artifact.stats.instructions,
        "cycles": estimated_cycles(listed.word for listed in explanation.words),
        **words_data(explanation.words),
        "keys": [" ".join(listed.keys) for listed in explanation.words],
        "frame": explanation.frame,
        "costs": dict(explanation.words_by_line),
        "files": [file.name for file in explanation.files],
        "values": {"columns": VALUE_COLUMNS, "rows": value_rows(explanation)},
        "assembly": explanation.artifact.assembly,
    }


def refusal_data(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """Why there is no code."""
    over = excesses(diagnostics)
    return {"fits": False, "uses": [_use_data(use) for use in over], "remark": shortfall(diagnostics)}


def inside_data(explanation: Explanation) -> dict[str, Any]:
    """How the code came about: every step, flow graphs, and the pressure on registers."""
    pressure = explanation.pressure
    return {
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
