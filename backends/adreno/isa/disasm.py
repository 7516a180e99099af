"""Programs and files to assembly text."""

from __future__ import annotations

from functools import partial

from backends.adreno.isa.instructions import A2XX
from backends.xenos_family.isa import disasm
from backends.xenos_family.isa.disasm import disassemble_program

__all__ = ["disassemble", "disassemble_program"]

#: The text of a file.
disassemble = partial(disasm.disassemble, A2XX)
