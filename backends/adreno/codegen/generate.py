"""Code for Adreno A2xx: what its driver expects of programs."""

from __future__ import annotations

from functools import partial

from backends.adreno.codegen.vertex_layout import FIRST_FETCH_CONSTANT, VERTEX_CONSTANTS, lay_out_vertices
from backends.adreno.isa.container import pack
from backends.adreno.isa.instructions import A2XX
from backends.xenos_family.codegen.conventions import Conventions
from backends.xenos_family.codegen.generate import Packed
from backends.xenos_family.codegen.generate import generate as generate_for
from backends.xenos_family.isa.registers import CONSTANTS

CONVENTIONS = Conventions(
    isa=A2XX,
    constant_limits={"vertex": CONSTANTS, "fragment": 224},
    attribute_limit=VERTEX_CONSTANTS,
    sampler_limit=FIRST_FETCH_CONSTANT,
    lay_out_vertices=lay_out_vertices,
)

generate = partial(generate_for, CONVENTIONS, lambda code: Packed(pack(code.program)))
