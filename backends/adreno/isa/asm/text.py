"""Reading one line of assembly text: a cursor, mistakes with their columns, and options such as `ADDR(0x3)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from compiler.diagnostics import Entry
from compiler.diagnostics.catalogue.machine import ADRENO_OUT_OF_RANGE, ADRENO_UNKNOWN_NAME, INVALID_ASSEMBLY
from compiler.diagnostics.suggest import did_you_mean
from compiler.isa.fields import Format
from compiler.records import dataclass, field

_BLANKS = re.compile(r"\s*")
_PIECE = re.compile(r"\w+|\S")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|-?[0-9]+", re.ASCII)
_ONLY_NUMBER = re.compile(r"(?P<number>[0-9]+)\s*\)", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ARGUMENT = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
#: Longer numbers are out of every range; reading them would take long.
_MAX_DIGITS = 20


class Mistake(Exception):
    """Something is wrong between two columns (from 0) of the line."""

    def __init__(self, entry: Entry, start: int, end: int, help: str | None = None, **values: Any) -> None:
        super().__init__(entry.code)
        self.entry = entry
        self.start = start
        self.end = end
        self.help = help
        self.values: dict[str, Any] = values


class Cursor:
    """A position in a line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._skip_blanks()

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The text here, if it matches; blanks after it are skipped."""
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            self._skip_blanks()
        return match

    def need(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        """The text here, which must match."""
        match = self.take(pattern)
        if match is None:
            raise self.unexpected(expected)
        return match

    def accept(self, mark: str) -> bool:
        """Whether this mark is here; it is taken."""
        found = self.text.startswith(mark, self.at)
        if found:
            self.at += len(mark)
            self._skip_blanks()
        return found

    def require(self, mark: str) -> None:
        if not self.accept(mark):
            raise self.unexpected(f"'{mark}'")

    def number(self, what: str, low: int, high: int) -> int:
        """A number in a range."""
        match = self.need(_NUMBER, "a number")
        value = int(match[0], 16) if match[0][:2] in ("0x", "0X") else _decimal(match[0])
        if not low <= value <= high:
            raise Mistake(ADRENO_OUT_OF_RANGE, *match.span(), what=what, low=low, high=high, found=match[0])
        return value

    def finish(self) -> None:
        """Nothing may follow."""
        if not self.is_at_end:
            raise self.unexpected("the end of the line")

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.text)

    def unexpected(self, expected: str) -> Mistake:
        match = _PIECE.match(self.text, self.at)
        found = f"'{match[0]}'" if match else "the end of the line"
        end = match.end() if match else self.at
        return Mistake(INVALID_ASSEMBLY, self.at, end, expected=expected, found=found)

    def _skip_blanks(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        assert match is not None
        self.at = match.end()


def _decimal(digits: str) -> int:
    """The number; a long one only has the right sign and is large."""
    if len(digits) <= _MAX_DIGITS:
        return int(digits)
    beyond: int = 10**_MAX_DIGITS
    return -beyond if digits.startswith("-") else beyond


def unknown(kind: str, match: re.Match[str], known: Mapping[str, object]) -> Mistake:
    """A name that is not among the known ones."""
    help = did_you_mean(match[0], known)
    return Mistake(ADRENO_UNKNOWN_NAME, *match.span(), help=help, kind=kind, name=match[0])


@dataclass(frozen=True, slots=True)
class Option:
    """What an option sets: `fields` from its arguments, `fixed` by standing there."""

    fields: tuple[str, ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    #: Names of an argument's values, for a field of few.
    values: tuple[str, ...] = ()
    #: If not 0, one number may stand for two fields: this times the first, plus the second.
    packed: int = 0


def read_options(cursor: Cursor, known: Mapping[str, Option], layout: Format) -> dict[str, int]:
    """The fields that the options up to the end of the line set; none may be set twice."""
    found: dict[str, int] = {}
    while not cursor.is_at_end:
        match = cursor.need(_NAME, "an option")
        option = known.get(match[0])
        if option is None:
            raise unknown("option", match, known)
        values = {**option.fixed, **_arguments(cursor, option, layout)}
        if values.keys() & found.keys():
            raise Mistake(INVALID_ASSEMBLY, *match.span(), expected="each option once", found=f"'{match[0]}' again")
        found.update(values)
    return found


def _arguments(cursor: Cursor, option: Option, layout: Format) -> dict[str, int]:
    if not option.fields:
        return {}
    cursor.require("(")
    found = {}
    for index, name in enumerate(option.fields):
        if index:
            cursor.require(",")
        elif option.packed and (packed := cursor.take(_ONLY_NUMBER)):
            return _unpacked(packed, option, layout)
        found[name] = _argument(cursor, name, option, layout)
    cursor.require(")")
    return found


def _unpacked(match: re.Match[str], option: Option, layout: Format) -> dict[str, int]:
    """Two fields from the one number between parentheses."""
    first, second = option.fields
    high = (layout.by_name[first].range[1] + 1) * option.packed - 1
    value = _decimal(match["number"])
    if value > high:
        raise Mistake(ADRENO_OUT_OF_RANGE, *match.span("number"), what=first, low=0, high=high, found=match["number"])
    return {first: value // option.packed, second: value % option.packed}


def _argument(cursor: Cursor, name: str, option: Option, layout: Format) -> int:
    start = cursor.at
    match = cursor.take(_ARGUMENT) if option.values else None
    if match is not None and match[0] in option.values:
        return option.values.index(match[0])
    if match is not None and not match[0].isdigit():
        raise unknown("value", match, dict.fromkeys(option.values))
    cursor.at = start
    return cursor.number(name, *layout.by_name[name].range)
