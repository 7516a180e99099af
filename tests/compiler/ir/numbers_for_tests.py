"""Numbers worth testing: the edges of the formats, their neighbours, and seeded random ones."""

from __future__ import annotations

import itertools
import math
import random
import struct
from collections.abc import Iterator, Sequence
from typing import Any

INT_MIN, INT_MAX = -(2**31), 2**31 - 1


def from_bits(bits: int) -> float:
    """The float32 with these bits."""
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return value


def bits_of(value: Any) -> object:
    """What must be equal for two results to be equal: bits of a float32 (any NaN is one), else the value."""
    if isinstance(value, bool | int):
        return int(value)
    return "nan" if math.isnan(value) else struct.pack("<f", value)


_ONE, _TWO_23, _TWO_31, _LARGEST, _NORMAL = 0x3F800000, 0x4B000000, 0x4F000000, 0x7F7FFFFF, 0x00800000
_POSITIVE_BITS = (
    0, 1, 2, _NORMAL - 1, _NORMAL, _NORMAL + 1,
    _ONE - 1, _ONE, _ONE + 1, 0x3F000000, 0x3EFFFFFF, 0x3FC00000, 0x40000000, 0x40200000, 0x40490FDB, 0x3FC90FDB,
    0x3EAAAAAB, 0x0DA24260, _TWO_23 - 1, _TWO_23, _TWO_23 + 1, _TWO_31 - 1, _TWO_31, _LARGEST - 1, _LARGEST, 0x7F800000,
)  # fmt: skip

#: Zeros, denormals, the smallest and largest normals, 1 and its neighbours, halves, pi, thirds, where
#: fractions end (2^23), where ints end (2^31), infinities, NaN.
FLOATS: tuple[float, ...] = (
    *(from_bits(bits) for bits in _POSITIVE_BITS),
    *(from_bits(bits | 0x80000000) for bits in _POSITIVE_BITS),
    math.nan,
)
INTS: tuple[int, ...] = (
    0, 1, -1, 2, -2, 3, -3, 7, 10, -10, 255, 46340, 46341, -46341, 65535, 65536, 2**24, 2**24 + 1, -(2**24) - 1,
    INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1,
)  # fmt: skip
BOOLS = (False, True)


def random_floats(seed: int, count: int) -> list[float]:
    """Half of them any bits at all, half ordinary sizes."""
    generator = random.Random(seed)
    wild = [from_bits(generator.getrandbits(32)) for _ in range(count // 2)]
    tame = [struct.unpack("<f", struct.pack("<f", generator.uniform(-16, 16)))[0] for _ in range(count - count // 2)]
    return wild + tame


def random_ints(seed: int, count: int) -> list[int]:
    generator = random.Random(seed)
    return [generator.randint(INT_MIN, INT_MAX) >> generator.randrange(31) for _ in range(count)]


def samples(kinds: Sequence[str], seed: int = 1, count: int = 300) -> Iterator[tuple[Any, ...]]:
    """Argument tuples: all combinations of edges (some of them, from three arguments on), then random ones."""
    edges = {"float": FLOATS, "int": INTS, "bool": BOOLS}
    step = 1 if len(kinds) < 3 else 5
    yield from itertools.product(*(edges[kind] if kind == "bool" else edges[kind][::step] for kind in kinds))
    columns = []
    for place, kind in enumerate(kinds):
        place_seed = seed * 10 + place
        ints = random_ints(place_seed, count)
        columns.append(
            random_floats(place_seed, count)
            if kind == "float"
            else ints
            if kind == "int"
            else [i % 2 == 1 for i in ints]
        )
    yield from zip(*columns, strict=True)
