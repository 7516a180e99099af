"""The rules by which what an engine says and computes is judged; every function gives complaints, none = fine."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

from glslc_multi.compiler.records import replace
from tests.conformance.blocks import complaints_about_blocks
from tests.conformance.engines.engines import Observation, Outputs, describe
from tests.conformance.engines.in_bytes import STEPS
from tests.conformance.model import Expected, Flat, Run, Tolerance, Verdict


def complaints_about_verdict(verdict: Verdict, seen: Observation) -> Iterator[str]:
    """What the compiler said, against what the record expects."""
    accepted = {stage: not seen.stage_errors.get(stage) for stage in verdict.sources}
    may_be_rejected = verdict.expect in ("compile_fail", "compile_or_link_fail")
    if may_be_rejected:
        if all(accepted.values()) and not (verdict.expect == "compile_or_link_fail" and seen.link_errors):
            yield "accepted, but the text is wrong"
    else:
        yield from (
            f"{stage} shader rejected: {seen.first_error(stage)}" for stage, fine in accepted.items() if not fine
        )
    for stage, wanted in verdict.stages_accepted.items():
        if verdict.expect == "compile_fail" and accepted[stage] != wanted:
            yield f"{stage} shader {'accepted' if accepted[stage] else 'rejected: ' + seen.first_error(stage)}"
    if all(accepted.values()) and not may_be_rejected:
        yield from _link_complaints(verdict, seen)
    missing = sorted(set(verdict.error_lines) - seen.error_lines)
    if missing:
        yield f"no error on line {', '.join(map(str, missing))}"


def _link_complaints(verdict: Verdict, seen: Observation) -> Iterator[str]:
    if verdict.expect == "link_fail" and not seen.link_errors:
        yield "linked, but the stages do not match"
    if verdict.expect == "pass" and seen.link_errors:
        yield f"link refused: {describe(seen.link_errors[0])}"


def complaints_about_values(run: Run, got: Outputs, slack: Tolerance) -> Iterator[str]:
    """What was computed, against the recorded values; `slack` is the error of the engine's own arithmetic."""
    for expected in run.expected:
        values = got.values.get(expected.name)
        if values is None:
            yield f"{expected.name} is missing"
        elif len(values) != len(expected.values):
            yield f"{expected.name} has {len(values)} lanes, expected {len(expected.values)}"
        else:
            yield from _output_complaints(_as_bytes(expected, got), values, slack)
    yield from _discard_complaints(run, got.discarded, got.open_lanes)
    if got.blocks is not None:
        yield from complaints_about_blocks(run.blocks, got.blocks)


def _as_bytes(expected: Expected, got: Outputs) -> Expected:
    """What an engine is held to whose results are bytes: 0 to 1, and so many steps of 1/255."""
    if got.steps is None:
        return expected
    limited = tuple(tuple(min(max(number, 0.0), 1.0) for number in value) for value in expected.values)
    absolute = expected.tolerance.absolute + got.steps / STEPS
    undefined = expected.undefined | {(lane, None) for lane in got.open_lanes}
    tolerance = Tolerance(absolute, expected.tolerance.relative)
    return replace(expected, values=limited, tolerance=tolerance, undefined=undefined, clamped=True)


def _output_complaints(expected: Expected, values: Sequence[Sequence[float]], slack: Tolerance) -> Iterator[str]:
    is_coarse = slack.absolute > 0 or slack.relative > 0
    if expected.is_whole:
        slack = Tolerance(0.0, 0.0)
    absolute = expected.tolerance.absolute + slack.absolute
    relative = expected.tolerance.relative + slack.relative
    for lane, (got, want) in enumerate(zip(values, expected.values, strict=True)):
        if (lane, None) in expected.undefined or (is_coarse and lane in expected.sensitive):
            continue
        if len(got) != len(want):
            yield f"{expected.name} has {len(got)} components in lane {lane}, expected {len(want)}"
            continue
        compared = [
            index
            for index in range(len(want))
            if (lane, index) not in expected.undefined and not _is_too_large(want[index], slack)
        ]
        shown = [min(max(x, 0.0), 1.0) for x in got] if expected.clamped else got
        if not all(_is_near(shown[index], want[index], absolute, relative) for index in compared):
            yield f"{expected.name} is {_text(got)} in lane {lane}, expected {_text(want)}"


def _is_too_large(want: float, slack: Tolerance) -> bool:
    return math.isfinite(want) and abs(want) > slack.largest


def _is_near(got: float, want: float, absolute: float, relative: float) -> bool:
    # NaN is near nothing: the comparison is false for it.
    return abs(got - want) <= absolute + relative * abs(want) or (math.isinf(want) and got == want)


def _discard_complaints(run: Run, discarded: Sequence[bool], open_lanes: Collection[int]) -> Iterator[str]:
    for lane, wanted in enumerate(run.discarded):
        if wanted is not None and lane not in open_lanes and discarded[lane] != wanted:
            yield f"lane {lane} is {'discarded' if discarded[lane] else 'not discarded'}"


def _text(value: Sequence[float] | Flat) -> str:
    return "(" + ", ".join(map(_number_text, value)) + ")"


def _number_text(number: float) -> str:
    """Whole numbers of 32 bits digit by digit."""
    return str(int(number)) if abs(number) < 2**32 and number == int(number) else f"{number:.7g}"


def may_differ(tags: Sequence[str]) -> bool:
    """Whether the language leaves the recorded value open (tags `freedom:...`)."""
    return any(tag.startswith("freedom:") for tag in tags)


def limit_codes(codes: Mapping[str, int]) -> str:
    """Skips grouped by their code, the most frequent first."""
    rows = sorted(codes.items(), key=lambda row: (-row[1], row[0]))
    return ", ".join(f"{code}: {count}" for code, count in rows)
