"""Which opcode an operator means: read by constant folding and by lowering.

The IR's ints have no sign of their own: what differs for uint are the operations.  Built-in functions have a table of
their own, `library/recipes.py`.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode

#: (operator, basic type) -> opcode (GLSL ES 3.00 section 5.9).
ARITHMETIC: dict[tuple[str, str], Opcode] = {
    ("+", "float"): ops.FADD,
    ("-", "float"): ops.FSUB,
    ("*", "float"): ops.FMUL,
    ("/", "float"): ops.FDIV,
    ("/", "int"): ops.IDIV,
    ("/", "uint"): ops.UDIV,
    ("%", "int"): ops.IREM,
    ("%", "uint"): ops.UREM,
    (">>", "int"): ops.ISHR,
    (">>", "uint"): ops.USHR,
}
_OF_ANY_INTEGER = {
    "+": ops.IADD,
    "-": ops.ISUB,
    "*": ops.IMUL,
    "<<": ops.ISHL,
    "&": ops.IAND,
    "|": ops.IOR,
    "^": ops.IXOR,
}
ARITHMETIC.update({(op, base): opcode for op, opcode in _OF_ANY_INTEGER.items() for base in ("int", "uint")})
#: (prefix operator, basic type) -> opcode.
PREFIX: dict[tuple[str, str], Opcode] = {
    ("-", "float"): ops.FNEG,
    ("-", "int"): ops.INEG,
    ("-", "uint"): ops.INEG,
    ("~", "int"): ops.INOT,
    ("~", "uint"): ops.INOT,
    ("!", "bool"): ops.NOT,
}
_LESS: dict[str, Opcode] = {"float": ops.FLT, "int": ops.ILT, "uint": ops.ULT}
_NOT_MORE: dict[str, Opcode] = {"float": ops.FLE, "int": ops.ILE, "uint": ops.ULE}
#: Operator -> (opcode by basic type, whether the operands change places).
RELATIONS: dict[str, tuple[dict[str, Opcode], bool]] = {
    "<": (_LESS, False),
    "<=": (_NOT_MORE, False),
    ">": (_LESS, True),
    ">=": (_NOT_MORE, True),
}
LOGIC: dict[str, Opcode] = {"&&": ops.AND, "||": ops.OR, "^^": ops.XOR}
