"""Statistics of compiled stages: one schema for all targets, as JSON or as a few lines of text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from compiler.artifact import Artifact, Stats


def statistics_data(stages: Mapping[str, Artifact]) -> dict[str, Any]:
    """The numbers of every stage."""
    return {stage: _numbers(artifact.stats) for stage, artifact in stages.items()}


def statistics_json(stages: Mapping[str, Artifact]) -> str:
    return json.dumps(statistics_data(stages), indent=1) + "\n"


def statistics_text(stages: Mapping[str, Artifact]) -> str:
    """A line for each stage: `vertex: 12 instructions, 12 words, 3 registers, 5 constants, ...`."""
    return "".join(f"{stage}: {_line(artifact)}\n" for stage, artifact in stages.items())


def programs_json(programs: Mapping[str, Mapping[str, Artifact]]) -> str:
    """The numbers of several compilations under their names; "" is the name of the only one."""
    data = {name: statistics_data(stages) for name, stages in programs.items()}
    return json.dumps(data.get("", data), indent=1) + "\n"


def programs_text(programs: Mapping[str, Mapping[str, Artifact]]) -> str:
    return "".join(
        f"{name}{', ' if name else ''}{line}\n"
        for name, stages in programs.items()
        for line in statistics_text(stages).splitlines()
    )


def _numbers(stats: Stats) -> dict[str, int]:
    own = {name: getattr(stats, name) for name in ("instructions", "code_words", "registers", "constants")}
    return own | dict(stats.extra or {})


def _line(artifact: Artifact) -> str:
    numbers = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in _numbers(artifact.stats).items())
    limits = artifact.reflection.limits or {}
    used = ", ".join(f"{used} of {limit} {name}" for name, (used, limit) in limits.items())
    return f"{numbers} ({used})" if used else numbers
