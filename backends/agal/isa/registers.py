"""Register files: their numbers in a token, their names in text, and how many registers each version has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from glslc_multi.compiler.isa.components import swizzle_of
from glslc_multi.compiler.records import dataclass

Stage = Literal["vertex", "fragment"]
#: Stages by their number in a program's header.
STAGES: tuple[Stage, ...] = ("vertex", "fragment")
VERSIONS = (1, 2, 3)

COMPONENTS = "xyzw"
#: The swizzle that leaves every component where it is.
IDENTITY = 0xE4
FULL_MASK = 0xF

ATTRIBUTE, CONSTANT, TEMPORARY, OUTPUT, VARYING, SAMPLER, DEPTH, INSTANCE = range(8)
TYPE_NAMES = ("attribute", "constant", "temporary", "output", "varying", "sampler", "depth output", "instance id")


@dataclass(frozen=True, slots=True)
class Bank:
    """The registers of one type that a stage has."""

    type: int
    stage: Stage
    #: Names in text, the one that the disassembler prints first.
    names: tuple[str, ...]
    #: Number of registers in versions 1, 2 and 3.
    sizes: tuple[int, int, int]
    #: Those that text can name, where they differ: AGALMiniAssembler checks neither the version of `iid` and
    #: `od`, nor knows more than eight samplers.
    named_sizes: tuple[int, int, int] | None = None

    def size(self, version: int) -> int:
        return self.sizes[version - 1]

    def named_size(self, version: int) -> int:
        return (self.named_sizes or self.sizes)[version - 1]

    def spell(self, number: int) -> str:
        """A register's name; outputs and the instance id need no number where it is 0."""
        is_sole = self.type in (OUTPUT, DEPTH, INSTANCE) and number == 0
        return self.names[0] if is_sole else f"{self.names[0]}{number}"


BANKS = (
    Bank(ATTRIBUTE, "vertex", ("va",), (8, 8, 16)),
    Bank(CONSTANT, "vertex", ("vc",), (128, 250, 250)),
    Bank(TEMPORARY, "vertex", ("vt",), (8, 26, 26)),
    Bank(OUTPUT, "vertex", ("op", "vo"), (1, 1, 1)),
    Bank(VARYING, "vertex", ("v", "vi", "i", "fi"), (8, 10, 10)),
    Bank(INSTANCE, "vertex", ("iid",), (0, 0, 1), named_sizes=(1, 1, 1)),
    Bank(CONSTANT, "fragment", ("fc",), (28, 64, 200)),
    Bank(TEMPORARY, "fragment", ("ft",), (8, 26, 26)),
    Bank(OUTPUT, "fragment", ("oc", "fo"), (1, 4, 4)),
    Bank(VARYING, "fragment", ("v", "vi", "i", "fi"), (8, 10, 10)),
    Bank(SAMPLER, "fragment", ("fs",), (8, 16, 16), named_sizes=(8, 8, 8)),
    Bank(DEPTH, "fragment", ("od", "fd"), (0, 1, 1), named_sizes=(1, 1, 1)),
)

BY_TYPE: Mapping[tuple[Stage, int], Bank] = {(bank.stage, bank.type): bank for bank in BANKS}
BY_NAME: Mapping[tuple[Stage, str], Bank] = {(bank.stage, name): bank for bank in BANKS for name in bank.names}
#: Tokens that a program may have, by version.
TOKEN_LIMITS: Mapping[int, int] = {1: 200, 2: 1024, 3: 2048}
#: Conditions that may stand in each other.
DEEPEST_NESTING = 4


@lru_cache(maxsize=1 << 9)
def swizzle_bits(letters: str) -> int:
    """The swizzle that letters name."""
    return sum(component << 2 * slot for slot, component in enumerate(swizzle_of(letters)))


def components_of(swizzle: int) -> tuple[int, int, int, int]:
    """The component that each of the four slots of a swizzle reads."""
    return swizzle & 3, swizzle >> 2 & 3, swizzle >> 4 & 3, swizzle >> 6 & 3


def mask_of(swizzle: int) -> int:
    """The components that the slots of a swizzle read, as a mask."""
    x, y, z, w = components_of(swizzle)
    return 1 << x | 1 << y | 1 << z | 1 << w


def is_scalar(swizzle: int) -> bool:
    """Whether all slots read the same component."""
    return len(set(components_of(swizzle))) == 1
