"""Which opcode converts numbers of one kind to another (GLSL ES 3.00 section 5.4.1)."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode

#: (from, to) -> opcode, between different basic types; none between int and uint.
CONVERSIONS: dict[tuple[str, str], Opcode] = {
    ("int", "float"): ops.ITOF,
    ("uint", "float"): ops.UTOF,
    ("bool", "float"): ops.BTOF,
    ("float", "int"): ops.FTOI,
    ("float", "uint"): ops.FTOU,
    ("bool", "int"): ops.BTOI,
    ("bool", "uint"): ops.BTOI,
    ("float", "bool"): ops.FTOB,
    ("int", "bool"): ops.ITOB,
    ("uint", "bool"): ops.ITOB,
}
