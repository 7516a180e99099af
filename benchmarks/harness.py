"""Fair timing: candidates take turns, so that a drifting clock or a busy neighbour hits all of them.

    results = compare({"ours": parse_ours, "peer": parse_peer}, rounds=9)
    print(as_table(results), as_json(results))

The first candidate is the baseline.  A ratio is the median over the rounds of (candidate / baseline)
within one round: it is steadier than the quotient of two medians.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

from glslc_multi.compiler.records import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """What one candidate took, in seconds a run."""

    name: str
    rounds: int
    least: float
    median: float
    #: Against the baseline; 1.0 for the baseline itself.
    ratio: float


def compare(
    candidates: Mapping[str, Callable[[], object]],
    *,
    rounds: int = 7,
    clock: Callable[[], float] = perf_counter,
) -> list[Timing]:
    """Time every candidate once a round, after one round that is not counted."""
    samples = take_samples(candidates, rounds=rounds, clock=clock)
    return summarise(samples, next(iter(samples)))


def take_samples(
    candidates: Mapping[str, Callable[[], object]], *, rounds: int, clock: Callable[[], float] = perf_counter
) -> dict[str, list[float]]:
    """The seconds of every candidate in every round."""
    if not candidates or rounds < 1:
        raise ValueError("nothing to measure")
    samples: dict[str, list[float]] = {name: [] for name in candidates}
    for number in range(rounds + 1):
        for name, run in candidates.items():
            seconds = _time(run, clock)
            if number > 0:
                samples[name].append(seconds)
    return samples


def summarise(samples: Mapping[str, list[float]], baseline: str) -> list[Timing]:
    """Medians of the samples, with ratios against one of the candidates."""
    return [_summary(name, times, samples[baseline]) for name, times in samples.items()]


def as_table(timings: list[Timing]) -> str:
    """One line a candidate: median and least milliseconds, and the ratio."""
    width = max(len(timing.name) for timing in timings)
    lines = [f"{'':{width}}  median ms   least ms   ratio"]
    lines += [f"{t.name:{width}} {t.median * 1e3:10.3f} {t.least * 1e3:10.3f} {t.ratio:7.2f}" for t in timings]
    return "\n".join(lines)


def as_json(timings: list[Timing]) -> str:
    """The same as JSON, a list of records."""
    return json.dumps([asdict(timing) for timing in timings], indent=2)


def _time(run: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    run()
    return clock() - start


def _summary(name: str, times: list[float], baseline: list[float]) -> Timing:
    ratios = [ours / base if base else 1.0 for ours, base in zip(times, baseline, strict=True)]
    return Timing(name, len(times), min(times), median(times), median(ratios))
