"""Programs and files to assembly text."""

from __future__ import annotations

from functools import partial

from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import disasm
from glslc_multi.backends.xenos_family.isa.disasm import disassemble_program

__all__ = ["disassemble", "disassemble_program"]

#: The text of a file.
disassemble = partial(disasm.disassemble, A2XX)
