"""Whole numbers that a machine's ints do not hold exactly, where its ints are floats.

Lanes that read or must write such a number say nothing about the compiler's work; the others must be right.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.records import replace
from tests.conformance.model import Expected, Flat, Record, Run


def without_lanes_beyond(record: Record, largest: float) -> Record:
    """The record with no lane compared whose whole numbers exceed `largest`; the record itself where none do."""
    runs = tuple(_without_lanes(run, _lanes_beyond(run, largest)) for run in record.runs)
    return record if all(new is old for new, old in zip(runs, record.runs, strict=True)) else replace(record, runs=runs)


def _lanes_beyond(run: Run, largest: float) -> frozenset[int]:
    if any(_exceeds(run.uniforms[name], largest) for name in run.whole if name in run.uniforms):
        return frozenset(range(run.lanes))
    lanes: list[tuple[Flat, ...]] = [run.inputs[name] for name in run.whole if name in run.inputs]
    lanes += [expected.values for expected in run.expected if expected.is_whole]
    return frozenset(lane for values in lanes for lane, value in enumerate(values) if _exceeds(value, largest))


def _exceeds(numbers: Iterable[float], largest: float) -> bool:
    return any(abs(number) > largest for number in numbers)


def _without_lanes(run: Run, lanes: frozenset[int]) -> Run:
    if not lanes:
        return run
    return replace(run, expected=tuple(_not_compared(expected, lanes) for expected in run.expected))


def _not_compared(expected: Expected, lanes: frozenset[int]) -> Expected:
    return replace(expected, undefined=expected.undefined | {(lane, None) for lane in lanes})
