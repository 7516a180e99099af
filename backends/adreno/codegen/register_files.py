"""Register files of the machine as code generation sees them."""

from __future__ import annotations

from compiler.codegen.registers import RegisterClass, RegisterFile

#: General registers.
R = RegisterFile("R", 64)
#: Constants: uniforms and literals.
C = RegisterFile("C", 256, writable=False)
#: Exports: parameters from 0 on (colours in a fragment shader), the position, the point size.
EXPORT = RegisterFile("export", 64, readable=False)
#: a0, which indices of constants may be relative to.
A = RegisterFile("a", 1, components=1)

GENERAL = RegisterClass.of("general", R)
ADDRESS = RegisterClass.of("address", A)

POSITION, POINT_SIZE = EXPORT[62], EXPORT[63]
#: What a fetch has found, before its destination picks components of it.
FETCHED = RegisterFile("fetched", 1, writable=False)[0]
