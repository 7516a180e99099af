"""Operand descriptors: write mask, swizzles and negations live in a table that instructions share.

A descriptor says which components are written and, for up to three sources, how they are swizzled and
whether they are negated.  An instruction does not look at every bit of it (a swizzle of a component that is
not written, a source it does not have), so one descriptor often serves several instructions; `Table` finds
such sharing in the order that the common assembler does, so that its tables come out identical.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from glslc_multi.backends.pica200.isa.instructions import MASKED, Operation
from glslc_multi.backends.pica200.isa.registers import COMPONENTS, DESCRIPTORS, MAD_DESCRIPTORS
from glslc_multi.compiler.isa.fields import Field, Format
from glslc_multi.compiler.records import dataclass

FORMAT: Format = Format(
    "descriptor",
    32,
    (
        Field("mask", 0, 4, doc="components written, x in the highest bit"),
        Field("negate1", 4, 1),
        Field("selector1", 5, 8, doc="two bits a component, x in the highest"),
        Field("negate2", 13, 1),
        Field("selector2", 14, 8),
        Field("negate3", 22, 1),
        Field("selector3", 23, 8),
    ),
)

Selector = tuple[int, int, int, int]

IDENTITY: Selector = (0, 1, 2, 3)


def pack_selector(selector: Iterable[int]) -> int:
    """The byte of a swizzle, component x in the top two bits."""
    byte = 0
    for component in selector:
        byte = byte << 2 | component
    return byte


def unpack_selector(byte: int) -> Selector:
    return byte >> 6, byte >> 4 & 3, byte >> 2 & 3, byte & 3


def pack_mask(letters: Iterable[str]) -> int:
    """The mask that has these components."""
    return sum(8 >> COMPONENTS.index(letter) for letter in set(letters))


def mask_letters(mask: int) -> str:
    """The components of a mask, in order."""
    return "".join(letter for index, letter in enumerate(COMPONENTS) if mask & 8 >> index)


@dataclass(frozen=True, slots=True)
class Descriptor:
    """One descriptor, taken apart."""

    mask: int
    selectors: tuple[Selector, ...]
    negations: tuple[bool, ...]


@lru_cache(maxsize=1 << 10)
def encode(mask: int, sources: tuple[tuple[Selector, bool], ...]) -> int:
    """The descriptor of an instruction with these (swizzle, negated) sources; others stay 0."""
    values = {"mask": mask}
    for number, (selector, negated) in enumerate(sources, 1):
        values[f"selector{number}"] = pack_selector(selector)
        values[f"negate{number}"] = int(negated)
    return FORMAT.encode(values)


@lru_cache(maxsize=1 << 10)
def decode(word: int) -> Descriptor:
    values = FORMAT.decode(word)
    numbers = (1, 2, 3)
    return Descriptor(
        values["mask"],
        tuple(unpack_selector(values[f"selector{number}"]) for number in numbers),
        tuple(bool(values[f"negate{number}"]) for number in numbers),
    )


def care_bits(operation: Operation, word: int) -> int:
    """The bits of descriptor `word` that `operation` looks at."""
    return _care_bits(operation.operands == "cmp", operation.reads, FORMAT.by_name["mask"].extract(word))


@lru_cache(maxsize=1 << 10)
def _care_bits(is_comparison: bool, reads_of_sources: tuple[str, ...], mask: int) -> int:
    care = 0 if is_comparison else FORMAT.by_name["mask"].mask
    for number, reads in enumerate(reads_of_sources, 1):
        letters = mask_letters(mask) if reads == MASKED else reads
        components = (3 if letter in letters else 0 for letter in COMPONENTS)
        care |= FORMAT.by_name[f"selector{number}"].insert(pack_selector(components))
        care |= FORMAT.by_name[f"negate{number}"].mask
    return care


@dataclass(slots=True)
class _Entry:
    value: int
    care: int
    used_by_mad: bool = False

    def merge(self, value: int, care: int) -> None:
        self.value = self.value & ~care | value & care
        self.care |= care


class Table:
    """The descriptor table under construction.

    Entries are named by `key`s that stay the same when a MAD's entry moves into the first 32; `number` is
    the final index.
    """

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        #: Key -> index; keys are handed out in order of creation.
        self._indices: list[int] = []
        #: Use -> its index, until indices change: entries that did not admit a use never will.
        self._found: dict[tuple[int, int], int] = {}

    @property
    def words(self) -> list[int]:
        return [entry.value for entry in self._entries]

    def number(self, key: int) -> int:
        return self._indices[key]

    def add(self, operation: Operation, value: int) -> int | None:
        """The key of an entry that serves this use; None when the table is full (for a MAD: its part of it)."""
        care = care_bits(operation, value)
        index = self._found.get((value, care))
        if index is None:
            index = self._find_or_append(value, care)
        if index is None:
            return None
        self._found[value, care] = index
        key = self._indices.index(index)
        if operation.name in ("MAD", "MADI") and not self._claim_for_mad(key):
            return None
        return key

    def _find_or_append(self, value: int, care: int) -> int | None:
        for index, entry in enumerate(self._entries):
            if not (value ^ entry.value) & care & entry.care:
                entry.merge(value, care)
                return index
        if len(self._entries) == DESCRIPTORS:
            return None
        self._entries.append(_Entry(value, care))
        self._indices.append(len(self._entries) - 1)
        return len(self._entries) - 1

    def _claim_for_mad(self, key: int) -> bool:
        index = self._indices[key]
        self._entries[index].used_by_mad = True
        if index < MAD_DESCRIPTORS:
            return True
        free = next((i for i in range(MAD_DESCRIPTORS) if not self._entries[i].used_by_mad), None)
        if free is None:
            return False
        self._entries[index], self._entries[free] = self._entries[free], self._entries[index]
        self._found.clear()
        self._indices[self._indices.index(free)] = index
        self._indices[key] = free
        return True
