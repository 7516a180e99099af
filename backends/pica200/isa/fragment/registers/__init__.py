"""Every register of the fragment stage, once."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.pica200.isa.fragment.registers import combiners, fog, lighting, output, textures
from glslc_multi.backends.pica200.isa.fragment.registers.layout import Register

REGISTERS: tuple[Register, ...] = tuple(
    sorted(
        (*combiners.ROWS, *fog.ROWS, *lighting.ROWS, *output.ROWS, *textures.ROWS),
        key=lambda register: register.address,
    )
)
BY_ADDRESS: Mapping[int, Register] = {register.address: register for register in REGISTERS}
BY_NAME: Mapping[str, Register] = {register.name: register for register in REGISTERS}
