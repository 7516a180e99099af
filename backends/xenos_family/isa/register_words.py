"""Words for the chip's registers that belong to a program: a host writes them, or a file brings them.

SQ_PROGRAM_CNTL is the OR of the words of both stages, so that each leaves the bits of the other one zero.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import DEPTH, PARAMETERS, POINT_SIZE, POSITION, Stage

#: What of vertices the export mode says besides the position.
_WITH_POINT_SIZE = 2
_CENTRES, _WITH_POSITION = 4, 2


def vertex_control(registers: int, exports: Collection[int]) -> int:
    """SQ_PROGRAM_CNTL of a vertex program with so many registers; interpolators are counted less one."""
    mode = _WITH_POINT_SIZE if POINT_SIZE in exports else 0
    parameters = sum(number < PARAMETERS for number in exports)
    return max(registers - 1, 0) | 1 << 16 | max(parameters - 1, 0) << 20 | mode << 24


def fragment_control(
    registers: int, exports: Collection[int], position_register: int | None, *, resource: int = 0
) -> int:
    """SQ_PROGRAM_CNTL of a fragment program; a register may bring the position of the pixel."""
    colours = max((number + 1 for number in exports if number < PARAMETERS), default=0)
    mode = 2 * colours + int(DEPTH in exports)
    has_position = int(position_register is not None)
    return max(registers - 1, 0) << 8 | resource << 17 | has_position << 18 | mode << 27


def context_misc(position_register: int | None) -> int:
    """SQ_CONTEXT_MISC of a fragment program: all is sampled at the centres of pixels; PARAM_GEN_POS is the register."""
    return _CENTRES | (0 if position_register is None else _WITH_POSITION | position_register << 8)


def interpolator_control(count: int) -> int:
    """SQ_INTERPOLATOR_CNTL: smooth, at the centre."""
    return ((1 << count) - 1) * (1 << 16 | 1)


# --- From code --------------------------------------------------------------------------------------------------------


def stage_of(exports: Collection[int]) -> Stage:
    """The stage of a program, from its exports."""
    return "vertex" if POSITION in exports or POINT_SIZE in exports else "fragment"


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
