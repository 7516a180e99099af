"""The components x, y, z and w in text: swizzles, whose last letter is repeated, and masks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

COMPONENTS = "xyzw"
Swizzle = tuple[int, int, int, int]
IDENTITY: Swizzle = (0, 1, 2, 3)


@lru_cache(maxsize=1 << 9)
def swizzle_of(letters: str) -> Swizzle:
    """The components that letters select, the last one repeated; no letters select all in order."""
    if not letters:
        return IDENTITY
    x, y, z, w = map(COMPONENTS.index, letters.ljust(len(COMPONENTS), letters[-1]))
    return x, y, z, w


def swizzle_text(components: Iterable[int]) -> str:
    """The shortest suffix for a swizzle; none for the identity."""
    letters = "".join(COMPONENTS[component] for component in components)
    return "" if letters == COMPONENTS else "." + letters.rstrip(letters[-1]) + letters[-1]


def mask_of(letters: str) -> int:
    """The components that letters name as a mask, x lowest."""
    return sum(1 << COMPONENTS.index(letter) for letter in set(letters))


def letters_of(mask: int) -> str:
    """The letters of a mask, in order."""
    return "".join(letter for index, letter in enumerate(COMPONENTS) if mask >> index & 1)


def mask_text(letters: str) -> str:
    """The suffix for the letters of a mask; none for all."""
    return "" if letters == COMPONENTS else f".{letters}"
