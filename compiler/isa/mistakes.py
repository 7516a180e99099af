"""What can be wrong in a line of assembly text, in the same words for all machines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from glslc_multi.compiler.diagnostics import Entry, Label
from glslc_multi.compiler.diagnostics.catalogue.machine import (
    INVALID_ASSEMBLY,
    NO_REGISTER,
    NOT_ENCODABLE,
    OPERAND_COUNT,
    OUT_OF_RANGE,
    UNDEFINED,
    UNKNOWN_NAME,
)
from glslc_multi.compiler.diagnostics.suggest import did_you_mean

#: A piece of a line; its groups are the parts that are used.
Word = re.Match[str]
#: A word, or the columns (from 0) of something.
Place = Word | tuple[int, int]

END_OF_LINE = "the end of the line"


def place_of(place: Place) -> tuple[int, int]:
    return place if isinstance(place, tuple) else place.span()


class Mistake(Exception):
    """What is wrong at a place of a line, which is given up."""

    def __init__(
        self, entry: Entry, place: Place, help: str | None = None, labels: tuple[Label, ...] = (), **values: Any
    ) -> None:
        super().__init__(entry.code)
        self.entry = entry
        self.place = place_of(place)
        self.help = help
        self.labels = labels
        self.values = values

    @property
    def is_of_target(self) -> bool:
        """Whether the message names the target."""
        return "{target}" in self.entry.template


class Reported(Exception):
    """A line is given up; why has been reported, here or where the cause is."""


def unexpected(place: Place, expected: str, found: str, help: str | None = None) -> Mistake:
    """Something else belongs in this place."""
    return Mistake(INVALID_ASSEMBLY, place, help, expected=expected, found=found)


def unknown(kind: str, place: Place, name: str, known: Iterable[str] = ()) -> Mistake:
    """A name that the language does not have."""
    names = list(known)
    help = did_you_mean(name, names) or did_you_mean(name.lower(), names)
    return Mistake(UNKNOWN_NAME, place, help, kind=kind, name=name)


def undefined(kind: str, place: Place, name: str, known: Iterable[str] = ()) -> Mistake:
    """A name that the text does not define."""
    return Mistake(UNDEFINED, place, did_you_mean(name, known), kind=kind, name=name)


def no_register(place: Place, name: str, where: str, last: str) -> Mistake:
    """A register whose number is too large."""
    return Mistake(NO_REGISTER, place, name=name, where=where, last=last)


def operand_count(place: Place, name: str, expected: int, found: int) -> Mistake:
    """An instruction with too many operands, or too few."""
    return Mistake(OPERAND_COUNT, place, name=name, expected=expected, found=found)


def out_of_range(place: Place, what: str, low: int, high: int, found: object) -> Mistake:
    """A number that does not fit."""
    return Mistake(OUT_OF_RANGE, place, what=what, low=low, high=high, found=found)


def not_encodable(problem: str, place: Place, help: str | None = None) -> Mistake:
    """What the line says cannot be one word."""
    return Mistake(NOT_ENCODABLE, place, help, problem=problem)
