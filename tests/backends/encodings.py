"""Encodings of an instruction set, compared with each other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from glslc_multi.compiler.isa.fields import Encoding


def overlaps(encodings: Iterable[Encoding]) -> list[tuple[Encoding, Encoding]]:
    """Pairs that some word matches both of."""
    pairs = combinations(encodings, 2)
    return [(one, other) for one, other in pairs if (one.match ^ other.match) & one.mask & other.mask == 0]
