"""Words of a file that describe a program, beside those for registers (`xenos_family/isa/register_words.py`)."""

from __future__ import annotations

from collections.abc import Collection

from glslc_multi.backends.xenos_family.isa.registers import DEPTH, PARAMETERS

_DEPTH_OUTPUT, _KILL_OUTPUT = 1 << 4, 1 << 5


def interpolators_word(count: int, components: int) -> int:
    """How many interpolators there are, and components of them in all."""
    return count | count << 5 | components << 10


def outputs_word(exports: Collection[int], kills: bool) -> int:
    """What a fragment program writes: a bit for each colour, depth, and whether it kills."""
    colours = sum(1 << number for number in exports if number < PARAMETERS)
    return colours | (_DEPTH_OUTPUT if DEPTH in exports else 0) | (_KILL_OUTPUT if kills else 0)
