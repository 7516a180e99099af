"""Code for Adreno A2xx: what its driver expects of programs."""

from __future__ import annotations

from glslc_multi.backends.adreno.codegen.vertex_layout import FIRST_FETCH_CONSTANT, VERTEX_CONSTANTS, lay_out_vertices
from glslc_multi.backends.adreno.isa.container import pack
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.codegen.conventions import Conventions
from glslc_multi.backends.xenos_family.codegen.generate import Code, FamilyGenerator, Packed
from glslc_multi.backends.xenos_family.isa.register_words import (
    context_misc,
    fragment_control,
    interpolator_control,
    vertex_control,
)
from glslc_multi.backends.xenos_family.isa.registers import CONSTANTS

CONVENTIONS = Conventions(
    isa=A2XX,
    constant_limits={"vertex": CONSTANTS, "fragment": 224},
    attribute_limit=VERTEX_CONSTANTS,
    sampler_limit=FIRST_FETCH_CONSTANT,
    lay_out_vertices=lay_out_vertices,
)


class AdrenoGenerator(FamilyGenerator):
    """Makes programs as the driver takes them."""

    target = "adreno"
    conventions = CONVENTIONS

    def pack(self, code: Code) -> Packed:
        return Packed(pack(code.program), {"cf_slots": code.program.first_slot, **_register_words(code)})


def _register_words(code: Code) -> dict[str, object]:
    """What the driver writes to registers for a stage; it ORs SQ_PROGRAM_CNTL of both."""
    interface = code.interface
    if interface.stage == "vertex":
        return {"program_control": vertex_control(code.registers, code.exports), "context_misc": 0}
    parameter = interface.parameter.index if interface.parameter is not None else None
    inputs = len(interface.varyings) + (interface.depth is not None)
    return {
        "program_control": fragment_control(code.registers, code.exports, parameter, resource=1),
        "context_misc": context_misc(parameter),
        "interpolator_control": interpolator_control(inputs),
    }
