"""Usages: by these and an index, not by names, libxenon finds the elements of a vertex that a program wants."""

from __future__ import annotations

#: By number.
USAGES = (
    "POSITION",
    "BLENDWEIGHTS",
    "BLENDINDICES",
    "NORMAL",
    "PSIZE",
    "TEXCOORD",
    "TANGENT",
    "BINORMAL",
    "TESSFACTOR",
    "POSITIONT",
    "COLOR",
    "FOG",
    "DEPTH",
    "SAMPLE",
)
POSITION, TEXCOORD = USAGES.index("POSITION"), USAGES.index("TEXCOORD")
#: An index has four bits.
INDICES = 16


def default_usage(number: int) -> tuple[int, int]:
    """Of an attribute or element with this number: the first is the position."""
    return (TEXCOORD, number) if number else (POSITION, 0)
