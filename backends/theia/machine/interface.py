"""Programs without a register map: rows that a shader reads are varyings, by the names of their registers."""

from __future__ import annotations

from glslc_multi.backends.theia.isa.conventions import (
    CONSTANTS,
    OUTPUT_SPACE,
    PIXEL,
    RAW_STEPS,
    RAW_THREE,
    ROW_SPACE,
    SCENE_SPACE,
    SCENE_VALUES,
    TARGET_NAME,
    TEXTURE_SIZE,
    TEXTURE_SPACE,
    ZERO,
)
from glslc_multi.backends.theia.isa.instructions import decode
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import BY_ADDRESS, BY_NAME, physical
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.isa.components import COMPONENTS

#: Registers whose contents are the same whatever the scene is, or that the block of constants fills.
_KNOWN = {ZERO, PIXEL, RAW_THREE, RAW_STEPS, TEXTURE_SIZE, *CONSTANTS}
_ROW = COMPONENTS[:3]


def reflection_of(program: Program) -> Reflection:
    """The rows, the texture and the colour of a program."""
    decoded = [each for word in program.words if (each := decode(word)) is not None]
    addresses = {address for each in decoded for address in (each.first, each.second)}
    names = {physical(address, program.variant): address for address in addresses}
    corner = BY_NAME[program.variant]["CREG_PIXEL_2D_POSITION"]
    registers = sorted(names.keys() & BY_ADDRESS[program.variant].keys() - _KNOWN - {corner, 0})
    fragments = Binding(
        "gl_FragCoord", "vec4", None, (Location(SCENE_SPACE, SCENE_VALUES.index("FragCoord"), COMPONENTS),)
    )
    return Reflection(
        TARGET_NAME,
        "fragment",
        samplers=(Binding("texture0", "sampler2D", None, (Location(TEXTURE_SPACE, 0, ""),)),),
        varyings=tuple(
            Binding(
                BY_ADDRESS[program.variant][register].removeprefix("CREG_"),
                "vec3",
                None,
                (Location(ROW_SPACE, register, _ROW),),
            )
            for register in registers
        ),
        inputs=(fragments,) if corner in names else (),
        outputs=(Binding("gl_FragColor", "vec4", None, (Location(OUTPUT_SPACE, 0, _ROW),)),),
    )
