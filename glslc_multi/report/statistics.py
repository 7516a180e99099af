"""Statistics of compiled stages: one schema for all targets, as JSON or as a few lines of text.

Where the code that was made first did not fit, they say why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from glslc_multi.compiler.artifact import Artifact, Stats, Verdict
from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.records import asdict


def statistics_data(stages: Mapping[str, Artifact]) -> dict[str, dict[str, int]]:
    """The numbers of every stage."""
    return {stage: _numbers(artifact.stats) for stage, artifact in stages.items()}


def statistics_json(stages: Mapping[str, Artifact]) -> str:
    return programs_json({"": stages})


def statistics_text(stages: Mapping[str, Artifact]) -> str:
    """A line for each stage, `vertex: 12 instructions, 12 words, 3 registers, 5 constants, ...`, then what its proof
    has shown, how good the code is, why it was made twice if it was, and with `--prove` a line for each block."""
    return "".join(
        f"{stage}: {line}\n"
        for stage, artifact in stages.items()
        for line in (
            cost_line(artifact),
            *verdict_lines(artifact),
            *quality_lines(artifact),
            *retry_lines(artifact),
            *map(str, artifact.stats.proofs),
        )
    )


def programs_json(programs: Mapping[str, Mapping[str, Artifact]]) -> str:
    """The statistics of several compilations under their names; "" is the name of the only one."""
    data = {
        name: {stage: _data(artifact.stats) for stage, artifact in stages.items()} for name, stages in programs.items()
    }
    return json.dumps(data.get("", data), indent=1) + "\n"


def programs_text(programs: Mapping[str, Mapping[str, Artifact]]) -> str:
    return "".join(
        f"{name}{', ' if name else ''}{line}\n"
        for name, stages in programs.items()
        for line in statistics_text(stages).splitlines()
    )


def cost_line(artifact: Artifact) -> str:
    numbers = ", ".join(_counted(value, name) for name, value in _numbers(artifact.stats).items())
    limits = artifact.reflection.limits or {}
    used = ", ".join(f"{used} of {_counted(limit, name)}" for name, (used, limit) in limits.items())
    return f"{numbers} ({used})" if used else numbers


def _counted(value: int, name: str) -> str:
    """`7 code words`, `1 code word`."""
    words = name.replace("_", " ")
    return f"{value} {words.removesuffix('s') if value == 1 else words}"


def verdict_lines(artifact: Artifact) -> Iterator[str]:
    """Whether the code computes what the source says."""
    verdict = artifact.stats.verdict
    if verdict is None:
        return
    what = "linked stages are " if verdict.linked else ""
    match verdict.outcome:
        case "equal":
            yield f"proof: {what}equal to the source in algebra"
        case "near":
            # Floats that were compared may have been the same.
            most = f", at most {verdict.distance:.1g}" if verdict.distance else ""
            yield f"proof: {what}equal to the source but for roundings and approximations{most}"
        case outcome:
            yield f"proof: {outcome}: {verdict.reason}"


def quality_lines(artifact: Artifact) -> Iterator[str]:
    """How good the code is, of machines whose code generator can say it."""
    error, is_shortest = artifact.stats.error_steps, artifact.stats.is_shortest
    if is_shortest is not None:
        found = "no shorter code was found among all forms that the search knows"
        yield found if is_shortest else "shorter code was not ruled out"
    if error is not None:
        yield f"results differ from the source's meaning by at most {error:g} steps of 1/255"


def retry_lines(artifact: Artifact) -> Iterator[str]:
    """Say what the code that was made first exceeded: `made again, tighter: needs 33 registers, vc4 has 32`."""
    if artifact.stats.exceeded:
        yield f"made again, tighter: {'; '.join(error.message for error in artifact.stats.exceeded)}"


def _numbers(stats: Stats) -> dict[str, int]:
    own = {name: getattr(stats, name) for name in ("instructions", "code_words", "registers", "constants")}
    return own | dict(stats.extra or {})


def _data(stats: Stats) -> dict[str, Any]:
    exceeded = [_error_data(error) for error in stats.exceeded]
    proofs = [asdict(proof) for proof in stats.proofs]
    data: dict[str, Any] = {**_numbers(stats)}
    for name, value in (("error_steps", stats.error_steps), ("is_shortest", stats.is_shortest)):
        data |= {} if value is None else {name: value}
    data |= {} if stats.verdict is None else {"proof": _verdict_data(stats.verdict)}
    return data | ({"exceeded": exceeded} if exceeded else {}) | ({"blocks": proofs} if proofs else {})


def _verdict_data(verdict: Verdict) -> dict[str, str | bool]:
    """Without numbers, since those are costs: `stats` compares them."""
    data: dict[str, str | bool] = {"outcome": verdict.outcome}
    if verdict.linked:
        data["linked"] = True
    if verdict.outcome == "near":
        data["distance"] = f"{verdict.distance:.1g}"
    return data | ({"reason": verdict.reason} if verdict.reason else {})


def _error_data(error: Diagnostic) -> dict[str, str]:
    """Describe an error, with its place if it has one."""
    location = {} if error.span is None else {"place": error.span.location}
    return {"message": error.message, "code": error.code, **location}
