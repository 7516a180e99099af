"""Which opcode an operator or a conversion means: read by constant folding and by lowering.

Built-in functions have a table of their own, `recipes.py`.
"""

from __future__ import annotations

from compiler.ir import ops
from compiler.ir.ops import Opcode

#: (operator, kind of the operands) -> opcode (GLSL ES 1.00 section 5.9).
ARITHMETIC: dict[tuple[str, str], Opcode] = {
    ("+", "float"): ops.FADD,
    ("-", "float"): ops.FSUB,
    ("*", "float"): ops.FMUL,
    ("/", "float"): ops.FDIV,
    ("+", "int"): ops.IADD,
    ("-", "int"): ops.ISUB,
    ("*", "int"): ops.IMUL,
    ("/", "int"): ops.IDIV,
}
#: Operator -> (opcode for float, opcode for int, whether the operands change places).
RELATIONS: dict[str, tuple[Opcode, Opcode, bool]] = {
    "<": (ops.FLT, ops.ILT, False),
    "<=": (ops.FLE, ops.ILE, False),
    ">": (ops.FLT, ops.ILT, True),
    ">=": (ops.FLE, ops.ILE, True),
}
LOGIC: dict[str, Opcode] = {"&&": ops.AND, "||": ops.OR, "^^": ops.XOR}
#: (from, to) -> opcode, between different kinds (section 5.4.1).
CONVERSIONS: dict[tuple[str, str], Opcode] = {
    ("int", "float"): ops.ITOF,
    ("bool", "float"): ops.BTOF,
    ("float", "int"): ops.FTOI,
    ("bool", "int"): ops.BTOI,
    ("float", "bool"): ops.FTOB,
    ("int", "bool"): ops.ITOB,
}
