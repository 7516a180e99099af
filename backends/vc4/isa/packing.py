"""The modes of packing and unpacking, as tables; `machine/packing.py` computes them.

An unpack mode turns a part of an operand into a word before the operation, a pack mode puts a result into a part of
the destination afterwards.  Whether they work on floats or integers depends on the operation.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Unpack:
    """One unpack mode: `width` bits from bit `shift`."""

    code: int
    name: str
    width: int
    shift: int
    #: Copied to all four bytes.
    replicated: bool = False


UNPACKS = (
    Unpack(0, "32", 32, 0),
    Unpack(1, "16a", 16, 0),
    Unpack(2, "16b", 16, 16),
    Unpack(3, "8dr", 8, 24, replicated=True),
    *(Unpack(4 + index, f"8{letter}", 8, 8 * index) for index, letter in enumerate("abcd")),
)


@dataclass(frozen=True, slots=True)
class Pack:
    """One pack mode: `width` bits to bit `shift`; with a width of 8 and `replicated`, to all four bytes."""

    name: str
    width: int
    shift: int = 0
    replicated: bool = False
    saturates: bool = False


def _parts(saturates: bool) -> tuple[Pack, ...]:
    return (
        Pack("32", 32, saturates=saturates),
        Pack("16a", 16, saturates=saturates),
        Pack("16b", 16, 16, saturates=saturates),
        Pack("8888", 8, replicated=True, saturates=saturates),
        *(Pack(f"8{letter}", 8, 8 * index, saturates=saturates) for index, letter in enumerate("abcd")),
    )


#: Modes of writes to file A (pm = 0), by code.
PACKS = (*_parts(False), *_parts(True))
#: Code of whole words that saturate.
SATURATED_WORD = 8
#: Modes of MUL's result (pm = 1), by code: floats from 0 to 1 become bytes.
MUL_PACKS: Mapping[int, Pack] = {code: PACKS[code] for code in range(3, 8)}
#: Codes that vc4asm writes although no document has them; they are taken to be those without the highest bit.
UNDOCUMENTED_MUL_PACKS: Mapping[int, Pack] = {code: PACKS[code - 8] for code in range(11, 16)}
