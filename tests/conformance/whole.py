"""Whole numbers that a machine's ints do not hold exactly, where its ints are floats.

Lanes that read or must write such a number say nothing about the compiler's work; the others must be right.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.records import replace
from tests.conformance.model import Expected, Flat, Record, Run


def without_lanes_beyond(record: Record, limits: WholeNumbers) -> Record:
    """The record with no lane compared whose whole numbers exceed `limits`; the record itself where none do."""
    runs = tuple(_without_lanes(run, _lanes_beyond(run, limits)) for run in record.runs)
    return record if all(new is old for new, old in zip(runs, record.runs, strict=True)) else replace(record, runs=runs)


def _lanes_beyond(run: Run, limits: WholeNumbers) -> frozenset[int]:
    uniforms = [run.uniforms[name] for name in run.whole if name in run.uniforms]
    if _beyond(uniforms, limits.outside):
        return frozenset(range(run.lanes))
    inputs = (run.inputs[name] for name in run.whole if name in run.inputs)
    outputs = (expected.values for expected in run.expected if expected.is_whole)
    read = (lane for values in inputs for lane in _beyond(values, limits.outside))
    written = (lane for values in outputs for lane in _beyond(values, limits.exact))
    return frozenset((*read, *written))


def _beyond(values: Sequence[Flat], largest: float) -> list[int]:
    """The places of values with a number of a larger magnitude."""
    return [place for place, value in enumerate(values) if any(abs(number) > largest for number in value)]


def _without_lanes(run: Run, lanes: frozenset[int]) -> Run:
    if not lanes:
        return run
    return replace(run, expected=tuple(_not_compared(expected, lanes) for expected in run.expected))


def _not_compared(expected: Expected, lanes: frozenset[int]) -> Expected:
    return replace(expected, undefined=expected.undefined | {(lane, None) for lane in lanes})
