"""Instruction words as data: bit fields, formats, and tables of encodings.

An ISA's `isa.py` lists its `Format`s (which bits mean what) and its `Encoding`s (which fixed field
values make a word which instruction).  Encoder, decoder and range checks come from the lists; so do
two proofs that tests ask of every ISA: no word matches two encodings (`overlaps`), and bits that no
field owns are zero.  A word of any size (32, 48, 64, 96, 192 bits) is one Python integer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from glslc_multi.compiler.records import dataclass, field


class FieldError(ValueError):
    """A value that a field cannot hold, a field that a format lacks, or a word that decodes to nothing."""


@dataclass(frozen=True, slots=True)
class Field:
    """Bits `low` to `low + width - 1` of a word, as an unsigned or two's complement number."""

    name: str
    low: int
    width: int
    signed: bool = False
    #: The value when none is given: what the canonical encoding has in an unused field.
    default: int = 0
    doc: str = ""

    @property
    def mask(self) -> int:
        """The field's bits in the word."""
        return ((1 << self.width) - 1) << self.low

    @property
    def range(self) -> tuple[int, int]:
        """Smallest and largest value."""
        if self.signed:
            return -(1 << self.width - 1), (1 << self.width - 1) - 1
        return 0, (1 << self.width) - 1

    @property
    def bits(self) -> str:
        """The numbers of its highest and lowest bit, as people write them."""
        return f"{self.low + self.width - 1}:{self.low}" if self.width > 1 else str(self.low)

    def insert(self, value: int) -> int:
        """The word with `value` in this field and 0 elsewhere."""
        low, high = self.range
        if not low <= value <= high:
            raise FieldError(f"{self.name} must be {low} to {high}, found {value}")
        return (value & ((1 << self.width) - 1)) << self.low

    def extract(self, word: int) -> int:
        """This field's value in `word`."""
        value = word >> self.low & (1 << self.width) - 1
        return value - (1 << self.width) if self.signed and value >> (self.width - 1) else value


@dataclass(frozen=True)
class Format:
    """One layout of a word of `size` bits."""

    name: str
    size: int
    fields: tuple[Field, ...]
    #: Bits that must be one although no field owns them.
    ones: int = 0

    def __post_init__(self) -> None:
        owned = self.ones
        for part in self.fields:
            if part.mask & owned or part.low + part.width > self.size:
                raise ValueError(f"{self.name}: field {part.name} overlaps another or leaves the word")
            owned |= part.mask

    @cached_property
    def by_name(self) -> dict[str, Field]:
        return {part.name: part for part in self.fields}

    @cached_property
    def reserved(self) -> int:
        """Bits that must be zero."""
        owned = self.ones
        for part in self.fields:
            owned |= part.mask
        return ((1 << self.size) - 1) & ~owned

    @cached_property
    def _defaults(self) -> dict[str, int]:
        return {part.name: part.default for part in self.fields}

    @cached_property
    def _row(self) -> Row:
        return Row(self, tuple(self.by_name))

    def encode(self, values: Mapping[str, int]) -> int:
        """The word with these values; fields not named take their defaults."""
        if not values.keys() <= self.by_name.keys():
            raise FieldError(f"format {self.name} has no field {min(values.keys() - self.by_name.keys())}")
        return self._row.encode(list({**self._defaults, **values}.values()))

    def decode(self, word: int) -> dict[str, int]:
        """The values of all fields; reserved bits are the business of `accepts`."""
        return dict(zip(self.by_name, self._row.decode(word), strict=True))

    def accepts(self, word: int) -> bool:
        """Whether the bits outside of fields are as they must be."""
        return word >> self.size == 0 and word & self.reserved == 0 and word & self.ones == self.ones

    def mask_of(self, names: Iterable[str]) -> int:
        """The bits of these fields together."""
        mask = 0
        for name in names:
            mask |= self.by_name[name].mask
        return mask


class Row:
    """Fields of a format in an order of one's own, for words as tuples of values; the others have their defaults."""

    __slots__ = ("_parts", "_places", "_rest")

    def __init__(self, form: Format, names: Sequence[str]) -> None:
        self._parts = [form.by_name[name] for name in names]
        self._places = [
            (part.low, *part.range, part.mask >> part.low, part.signed << part.width - 1) for part in self._parts
        ]
        self._rest = form.ones
        for part in form.fields:
            self._rest |= 0 if part.name in names else part.insert(part.default)

    def encode(self, values: Sequence[int]) -> int:
        """The word with these values, one for each field."""
        word = self._rest
        for value, (low, least, greatest, ones, _) in zip(values, self._places, strict=True):
            if not least <= value <= greatest:
                self._refuse(values)
            word |= (value & ones) << low
        return word

    def decode(self, word: int) -> list[int]:
        """The values of the fields in a word."""
        return [(word >> low & ones ^ sign) - sign for low, _, _, ones, sign in self._places]

    def _refuse(self, values: Sequence[int]) -> None:
        """Raise the error for the first value that does not fit."""
        for part, value in zip(self._parts, values, strict=True):
            part.insert(value)


@dataclass(frozen=True)
class Encoding:
    """What makes a word one instruction: a format, with fixed values in some fields."""

    name: str
    format: Format
    fixed: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def mask(self) -> int:
        """The bits that the fixed fields own."""
        return self.format.mask_of(self.fixed)

    @cached_property
    def match(self) -> int:
        """The values of those bits."""
        word = 0
        for name, value in self.fixed.items():
            word |= self.format.by_name[name].insert(value)
        return word

    def matches(self, word: int) -> bool:
        return word & self.mask == self.match

    def encode(self, values: Mapping[str, int]) -> int:
        """The word of this instruction with the free fields' values."""
        fixed = values.keys() & self.fixed.keys()
        if fixed:
            raise FieldError(f"{self.name} has a fixed {min(fixed)}")
        return self.format.encode({**values, **self.fixed})

    def decode(self, word: int) -> dict[str, int]:
        """The values of the free fields."""
        return {name: value for name, value in self.format.decode(word).items() if name not in self.fixed}


class EncodingTable:
    """All encodings of an ISA, by name and by word."""

    def __init__(self, encodings: Iterable[Encoding]) -> None:
        self.encodings: dict[str, Encoding] = {}
        for encoding in encodings:
            if encoding.name in self.encodings:
                raise ValueError(f"encoding {encoding.name} is listed twice")
            self.encodings[encoding.name] = encoding
        #: Discriminating mask -> fixed bits -> encoding: decoding is one lookup a mask.
        self._by_mask: dict[int, dict[int, Encoding]] = {}
        for encoding in self.encodings.values():
            self._by_mask.setdefault(encoding.mask, {})[encoding.match] = encoding

    def __getitem__(self, name: str) -> Encoding:
        return self.encodings[name]

    def __iter__(self) -> Iterator[Encoding]:
        return iter(self.encodings.values())

    def find(self, word: int) -> Encoding | None:
        """The encoding that `word` is, reserved bits aside; None when it is none."""
        for mask, matches in self._by_mask.items():
            encoding = matches.get(word & mask)
            if encoding is not None:
                return encoding
        return None


def to_words(value: int, size: int, unit: int = 32) -> tuple[int, ...]:
    """A word of `size` bits as units, least significant first."""
    mask = (1 << unit) - 1
    return tuple(value >> low & mask for low in range(0, size, unit))


def from_words(words: Iterable[int], unit: int = 32) -> int:
    """The word whose units these are, least significant first."""
    value = 0
    for index, word in enumerate(words):
        value |= word << index * unit
    return value
