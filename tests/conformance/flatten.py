"""Recorded values to flat lists of floats."""

from __future__ import annotations

from typing import Any

from tests.conformance.model import Flat


def flatten(value: Any) -> Flat:
    """A number, a truth value or a list of these to any depth, as numbers in order."""
    if isinstance(value, list):
        return tuple(number for part in value for number in flatten(part))
    return (float(value),)


def per_lane(values: list[Any]) -> tuple[Flat, ...]:
    """One value a lane."""
    return tuple(flatten(value) for value in values)
