"""The register files as the code generator sees them, and what lives where.

Uniforms, literals and inputs are operands by themselves; only r registers hold values of the program.  The address
registers and the comparison flags have no moves, so that they never hold a value across instructions that the
allocator might want to reorder: `address_registers.py` assigns a0, and a comparison stands right before its branch.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.compiler.codegen.registers import Register, RegisterClass, RegisterFile

INPUTS = RegisterFile("v", BANKS["v"], writable=False)
TEMPORARIES = RegisterFile("r", BANKS["r"])
OUTPUTS = RegisterFile("o", BANKS["o"], readable=False)
CONSTANTS = RegisterFile("c", BANKS["c"], writable=False)

#: Components a0.x and a0.y, which MOVA writes.
ADDRESS = RegisterFile("a", 1, components=2)[0]
#: aL, which LOOP writes.
LOOP_COUNTER = RegisterFile("aL", 1, components=1, writable=False)[0]
#: cmp.x and cmp.y.
FLAGS = RegisterFile("cmp", 1, components=2)[0]

VALUES = RegisterClass.of("r", TEMPORARIES)


def is_constant(register: object) -> bool:
    """Whether a register is one of the c bank."""
    return isinstance(register, Register) and register.file is CONSTANTS


def is_input(register: object) -> bool:
    return isinstance(register, Register) and register.file is INPUTS
