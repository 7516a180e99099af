"""Words of a file that describe a program, beside those for registers (`xenos_family/isa/register_words.py`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import DEPTH, PARAMETERS, POINT_SIZE, POSITION, Stage

_DEPTH_OUTPUT, _KILL_OUTPUT = 1 << 4, 1 << 5


def stage_of(exports: Collection[int]) -> Stage:
    """The stage of a program, from its exports."""
    return "vertex" if POSITION in exports or POINT_SIZE in exports else "fragment"


def interpolators_word(count: int, components: int) -> int:
    """How many interpolators there are, and components of them in all."""
    return count | count << 5 | components << 10


def outputs_word(exports: Collection[int], kills: bool) -> int:
    """What a fragment program writes: a bit for each colour, depth, and whether it kills."""
    colours = sum(1 << number for number in exports if number < PARAMETERS)
    return colours | (_DEPTH_OUTPUT if DEPTH in exports else 0) | (_KILL_OUTPUT if kills else 0)


def exports_of(program: Program) -> Mapping[int, list[tuple[int, int]]]:
    """Export -> slots that write it, and the components that each writes."""
    exports: dict[int, list[tuple[int, int]]] = {}
    for issue in program.issues():
        word = program.instruction(issue.slot)
        if issue.is_fetch or word is None:
            continue
        fields = formats.ALU.decode(word)
        if fields["export"]:
            mask = 0xF if fields["scalar_dest_rel"] else fields["vector_mask"] | fields["scalar_mask"]
            exports.setdefault(fields["vector_dest"], []).append((issue.slot, mask))
    return exports
